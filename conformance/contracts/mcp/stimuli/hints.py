"""Annotations put to the test: reads around every call."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from functools import partial

from conformance.contracts.mcp.bench import McpBench
from conformance.contracts.mcp.hinted import additive, doubtful, idempotent, loses
from conformance.contracts.mcp.otherwise import otherwise, with_more, with_other_choices
from conformance.contracts.mcp.samples import Arguments, GoodCall, leads_to
from conformance.contracts.mcp.share import Share
from conformance.drive.errors import SkipError, StuckError
from conformance.drive.stimulus import stimulus
from conformance.model.arguments import required
from conformance.model.exchange import Exchange
from conformance.model.listed import ListedTool

READS = 12
"""Reads that are looked through; each is one walk through all tools."""
CALLS = 480
"""Calls after which no further walk begins."""
CALLS_BESIDE = 160
"""The same where the run is about a contract, whose own stimuli look at what its reads show."""
TRIES = 2
"""Refusals after which a read is given up."""
OTHERS = 2
"""Other arguments of a tool that says it only reads: a write of what is there already is not seen."""
MORE = 4
"""Optional arguments of a tool that are added, each by itself."""
LOOKS = 2
"""Walks in which one and the same optional argument is added: as many reads look at what it does."""
REFUSALS = 4
"""Refusals of other arguments after which a tool is called no more with others."""
CAREFUL = 2
"""Careful walks in which one and the same tool is called."""
REST_S = 1.1
"""What the calls before those of a doubted tool are given to show: a little more than the laws want."""
PART = 0.2
"""Of the run's time: with slow tools the walks would leave none to others."""
NONE: frozenset[str] = frozenset()
Call = Callable[[], Awaitable[Exchange | None]]


@stimulus("mcp", exercises=("MC-HINT-02", "MC-HINT-03", "MC-HINT-04"), bindings=("mcp",), first=True, good_calls=True)
async def every_call_is_looked_at_through_a_read(bench: McpBench) -> str:
    """For each read: a walk through the good calls and the other tools, the read between them all.

    Before other calls fill the store: a list that is cut off shows no longer what comes.
    """
    reads = sorted(
        filter(bench.shows_state, await bench.reads()), key=lambda read: (bench.slow(read.name), _wants(read))
    )
    if not reads:
        raise SkipError("no tool that may be called says readOnlyHint and shows what a call changes")
    began = bench.session.recorder.calls
    most = CALLS_BESIDE if bench.of_a_contract else CALLS
    looked = 0
    counted = _Counted(Share(bench, PART))
    for read in reads[:READS]:
        if looked and (bench.slow(read.name) or counted.share.over):
            break
        if bench.session.recorder.calls - began < most:
            walk = _Walk(bench, read, counted)
            looked += await walk.through()
            doubts = frozenset(name for name in walk.found - counted.confirmed if counted.doubted[name] < CAREFUL)
            if doubts:
                counted.doubted.update(doubts)
                careful = _Walk(bench, read, counted, doubts)
                await careful.through()
                counted.confirmed |= careful.found
    if not looked:
        raise StuckError("no read gave an answer to look at")
    if counted.share.over:
        return counted.share.ended_before("every call was looked at through each of the reads that show what is there")
    return ""


def _wants(read: ListedTool) -> int:
    """How many arguments a read asks for: those that ask for none mostly show all that there is."""
    return len(required(read.input_schema))


class _Counted:
    """What walks keep for those after them, by tool and argument."""

    def __init__(self, share: Share) -> None:
        self.share = share
        self.refused: Counter[str] = Counter()
        """How often another value was refused."""
        self.added: Counter[str] = Counter()
        """In how many walks an optional argument was added, and accepted."""
        self.doubted: Counter[str] = Counter()
        """In how many careful walks a tool was called."""
        self.rested = False
        """Whether what was called before the walks was given time to show."""
        self.listed: set[str] = set()
        """Tools after whose calls all were listed."""
        self.confirmed: set[str] = set()
        """Tools of which a careful walk saw the same again."""


class _Walk:
    """One walk. The read begins once the good calls gave what it needs, twice: to see that it is steady.

    A careful walk is about the tools in `doubts`, after whose calls the read showed what it should not have: the calls
    before each of theirs are given time to show, as that may have been their doing.
    """

    def __init__(self, bench: McpBench, read: ListedTool, counted: _Counted, doubts: frozenset[str] = NONE) -> None:
        self._bench = bench
        self._read = read
        self._counted = counted
        self._doubts = doubts
        self._samples = bench.samples()
        self._good: list[GoodCall] = []
        self._arguments: Arguments | None = None
        self._caller: str | None = None
        self._saw: Exchange | None = None
        self._tries = TRIES
        self._careful = CAREFUL
        """Calls after which a read that is doubted itself is looked at in a careful walk."""
        self.found: set[str] = set()
        """Tools after whose calls the read showed what it should not have."""

    async def through(self) -> bool:
        """Whether the read was answered at all."""
        tools = {tool.name: tool for tool in await self._bench.callable()}
        self._good = await self._bench.good_calls()
        await self._rested(tools.values())
        done: set[str] = set()
        if not _wants(self._read):
            # what is seen of those that only read before anything is written is theirs
            known, all_ = {good.tool for good in self._good}, list(self._good)
            self._good.sort(key=lambda good: not tools[good.tool].reads_only or bool(leads_to(good, all_)))
            await self._others([each for each in tools.values() if each.reads_only and each.name not in known], done)
        for good in self._good:
            if self._over:
                break
            await self._begin()
            if self._bench.spent(good.tool) or (good.seen and good.tool in done):
                continue
            chosen = self._nearest(good) if good.seen else good
            fuller = await self._fuller(tools[good.tool], good)
            made = None
            if fuller is not None:
                made = await self._watched(tools[good.tool], partial(self._bench.run, fuller, self._samples))
            if made is None or not made.accepted:
                await self._watched(tools[good.tool], partial(self._bench.run, chosen, self._samples))
            done.add(good.tool)
            if good.tool in self._samples.arguments:
                await self._further(tools[good.tool], self._samples.arguments[good.tool])
        await self._others(tools.values(), done)
        return self._arguments is not None

    async def _rested(self, tools: Iterable[ListedTool]) -> None:
        """Before the first walk what was called before is given time to show, where anything may have been written."""
        writes = not all(tool.reads_only for tool in tools)
        if writes and not self._bench.of_a_contract and not self._counted.rested:
            self._counted.rested = True
            await asyncio.sleep(REST_S)

    async def _others(self, tools: Iterable[ListedTool], done: set[str]) -> None:
        """Calls of tools of which no good call is known, each once."""
        for tool in tools:
            if self._over:
                break
            left = tool.name not in done and not self._bench.spent(tool.name)
            arguments = await self._bench.arguments(tool, self._samples) if left else None
            if arguments is not None and (tool is not self._read or self._arguments is None):
                done.add(tool.name)
                await self._begin()
                await self._watched(tool, partial(self._bench.tried, tool.name, arguments))
                await self._further(tool, arguments)

    async def _fuller(self, tool: ListedTool, good: GoodCall) -> GoodCall | None:
        """The call that makes what others need, with all that may be given: what is not there cannot be removed."""
        others = [other for other in self._good if other.tool != good.tool]
        if good.seen or tool.reads_only or all(good not in leads_to(other, self._good) for other in others):
            return None
        arguments = {**await self._bench.full(tool), **good.arguments}
        return GoodCall(good.tool, arguments, good.credential) if len(arguments) > len(good.arguments) else None

    @property
    def _over(self) -> bool:
        """Whether nothing is left to doubt in a careful walk, or the read was given up: it shows nothing."""
        given_up = self._arguments is None and not self._tries
        return given_up or (bool(self._doubts) and self._doubts <= self.found)

    def _nearest(self, good: GoodCall) -> GoodCall:
        """Of the calls of a tool that were seen the one that names most of what the read names."""
        named = list((self._arguments or {}).values())
        alike_ones = [each for each in self._good if each.tool == good.tool]
        return max(alike_ones, key=lambda each: sum(value in named for value in each.arguments.values()))

    async def _watched(self, tool: ListedTool, call: Call, *, again: bool = False) -> Exchange | None:
        """Makes a call and looks at the read; `again`: it was made just before, and accepted."""
        if self._counted.share.over:
            return None
        doubted = tool.name in self._doubts - self.found
        if doubted and self._arguments is not None:
            await asyncio.sleep(REST_S)
            self._saw = await self._reads(self._arguments)
        before, answer = self._saw, await call()
        if answer is not None and answer.accepted and not tool.reads_only and tool.name not in self._counted.listed:
            # what was written may show in the list as well
            self._counted.listed.add(tool.name)
            if not self._bench.of_a_contract:
                await self._bench.tools()
        if self._doubts and not doubted:
            await self._doubted_read(answer)
            return answer
        await self._look()
        if answer is not None and answer.accepted and before is not None and self._saw is not None:
            self.found |= {tool.name} if doubtful(tool, before, self._saw, again=again) else set()
        return answer

    async def _doubted_read(self, answer: Exchange | None) -> None:
        """Where the read itself is doubted: it twice in a row, once a call that was accepted had time to show."""
        left = self._read.name in self._doubts - self.found and self._arguments is not None
        if left and answer is not None and answer.accepted and self._careful:
            self._careful -= 1
            await asyncio.sleep(REST_S)
            first, second = await self._reads(self._arguments or {}), await self._reads(self._arguments or {})
            if first is not None and second is not None and loses(first, second):
                self.found.add(self._read.name)

    async def _further(self, tool: ListedTool, arguments: Arguments) -> None:
        """What else there is to see of a tool that says something of what it changes."""
        if tool.reads_only or idempotent(tool) or additive(tool):
            await self._again(tool, arguments)
            await self._otherwise(tool, arguments)
            await self._more(tool, arguments)

    async def _again(self, tool: ListedTool, arguments: Arguments) -> None:
        """The same call once more: a repetition, and a read that writes only later."""
        if idempotent(tool) or (tool.reads_only and tool.name != self._read.name and self._fresh(f"{tool.name} again")):
            self._counted.added[f"{tool.name} again"] += 1
            again = idempotent(tool)
            await self._watched(tool, partial(self._bench.tried, tool.name, arguments, self._samples), again=again)

    def _fresh(self, known: str) -> bool:
        """Whether a further look at it tells more."""
        return bool(self._doubts) or self._counted.added[known] < LOOKS

    async def _otherwise(self, tool: ListedTool, arguments: Arguments) -> None:
        """Calls a tool with other values, one argument at a time, the read after each.

        One that says that it only reads with any, another with those of which there are few.
        """
        if tool.name == self._read.name:
            return
        left = OTHERS
        for name, other in otherwise(tool.input_schema, arguments) if tool.reads_only else ():
            if left and await self._one_otherwise(tool, name, other):
                left -= 1
        for name in () if tool.reads_only else arguments:
            await self._chosen(tool, name, arguments)

    async def _chosen(self, tool: ListedTool, name: str, arguments: Arguments) -> None:
        """Calls a tool with each of the other values of an argument that has few."""
        known = f"{tool.name} {name} otherwise"
        others = list(with_other_choices(tool.input_schema, arguments, name)) if self._fresh(known) else []
        self._counted.added[known] += bool(others)
        for other in others:
            await self._one_otherwise(tool, name, other)

    async def _more(self, tool: ListedTool, arguments: Arguments) -> None:
        """Calls a tool with what was left out, one argument at a time, the read after each."""
        left = MORE
        for name, more in with_more(tool.input_schema, arguments, await self._bench.full(tool)):
            known = f"{tool.name} {name}"
            if left and self._fresh(known) and await self._one_otherwise(tool, name, more):
                left -= 1
                self._counted.added[known] += 1
                await self._again(tool, more)
                await self._chosen(tool, name, more)

    async def _one_otherwise(self, tool: ListedTool, name: str, arguments: Arguments) -> bool:
        """Whether a call that differs in an argument was made and accepted; what was refused too often is not made."""
        known, refused = f"{tool.name} {name}", self._counted.refused
        if refused[known] or refused[tool.name] == REFUSALS or self._bench.spent(tool.name):
            return False
        call = await self._watched(tool, partial(self._bench.tried, tool.name, arguments, self._samples))
        accepted = call is not None and call.accepted
        refused.update(() if accepted else (known, tool.name))
        return accepted

    async def _look(self) -> None:
        """Looks at the read; where it shows something else than before, once more, to see that it stays so."""
        if self._arguments is None:
            await self._begin()
            return
        before, self._saw = self._saw, await self._reads(self._arguments)
        if before is not None and self._saw is not None and before.result != self._saw.result:
            changed, self._saw = self._saw, await self._reads(self._arguments)
            if self._saw is not None and loses(changed, self._saw):
                self.found.add(self._read.name)

    async def _reads(self, arguments: Arguments) -> Exchange | None:
        if self._bench.silent(self._read.name):
            return None
        return await self._bench.call(self._read.name, arguments, credential=self._caller)

    async def _begin(self) -> None:
        """Finds arguments with which the read is answered, if it has none yet."""
        if self._arguments is not None or not self._tries:
            return
        wanted = await self._wanted()
        if wanted is None:
            return
        first = await self._reads(wanted)
        if first is not None and first.accepted:
            self._saw = await self._reads(wanted)
            self._arguments = wanted
        else:
            self._tries -= 1

    async def _wanted(self) -> Arguments | None:
        """The read's arguments: of its own good call once that can be filled in, else made from its schema."""
        own = [good for good in self._good if good.tool == self._read.name]
        if not own:
            return await self._bench.arguments(self._read, self._samples)
        good = own[(TRIES - self._tries) % len(own)] if own[0].seen else own[0]
        self._caller = good.credential
        try:
            filled: Arguments = good.arguments if good.seen else self._samples.filled(good.arguments)
        except LookupError:
            return None
        return filled
