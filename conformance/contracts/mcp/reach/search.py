"""Calls tools until each has accepted a call, or there is nothing left to try."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from conformance.contracts.mcp.lacking import lacking
from conformance.contracts.mcp.reach.attempts import Attempts
from conformance.contracts.mcp.reach.eager import eager
from conformance.contracts.mcp.reach.known import Known, answered
from conformance.contracts.mcp.reach.usual import deed, tells_of_failure
from conformance.contracts.mcp.samples import Arguments, GoodCall, Samples, leads_to
from conformance.contracts.mcp.share import Share
from conformance.drive.vectors import made
from conformance.model.ending import reason
from conformance.model.exchange import Exchange
from conformance.model.listed import ListedTool
from conformance.model.texts import texts_of

if TYPE_CHECKING:
    from conformance.contracts.mcp.bench import McpBench

CALLS = 14
"""Calls of one tool."""
AT_FIRST = 7
"""Of these in the first round: the others wait for what other tools answer."""
ROUNDS = 3
ALL_CALLS = 1_000
"""Calls of all tools together."""
PART = 0.25
"""Of the run's time: of slow tools few are reached."""
ORDER = ("make", "read", None, "change", "remove")
"""What is made first can then be read, changed, and removed."""


class Search:
    """Makes first what others then read, change and remove."""

    def __init__(self, bench: "McpBench", tools: Iterable[ListedTool]) -> None:
        self._bench = bench
        self._known = Known()
        self.samples: Samples = bench.samples()
        """What was accepted, and what stands for its placeholders."""
        self._open: dict[str, _Open] = {}
        self._made = 0
        self._share = Share(bench, PART)
        self._tools = sorted(tools, key=lambda tool: ORDER.index(deed(tool)))
        self.found: list[GoodCall] = []
        """Calls that were accepted, with placeholders, in the order in which they were."""

    async def all(self) -> list[GoodCall]:
        """Rounds through the tools that are left, as long as one of them leads further.

        Of those that never accepted a call the last attempt: the refusals before it went into it.
        """
        await self._examples()
        for turn in range(ROUNDS):
            left = [tool for tool in self._tools if all(good.tool != tool.name for good in self.found)]
            before = self._known.size
            for tool in left:
                if not self._enough:
                    await self._reach(tool, CALLS if turn else AT_FIRST)
                if turn and not self._enough:
                    await self._reach_anew(tool)
            if self._known.size == before and turn:
                break
        nearest = [GoodCall(name, state.last) for name, state in self._open.items() if state.last and not state.over]
        return [*self.found, *nearest]

    @property
    def _enough(self) -> bool:
        return self._made >= ALL_CALLS or self._share.over

    async def proposed(self, tool: ListedTool) -> Arguments | None:
        """Arguments for a tool that is not called; None where none can be made."""
        attempts = await self._attempts(tool)
        return attempts.first() if attempts is not None else None

    async def _examples(self) -> None:
        """What the statement gives comes first: others may want what it leads to."""
        given = {tool.name for tool in self._tools}
        for example in self._bench.session.statement.calls.examples:
            if example.tool in given:
                await self._bench.run(GoodCall(example.tool, example.arguments), self.samples)
        self._tools = [tool for tool in self._tools if not self.samples.works(tool.name)]

    async def _reach(self, tool: ListedTool, most: int) -> None:
        bench = self._bench
        state = self._open.get(tool.name)
        if state is None:
            state = self._open[tool.name] = _Open(await self._attempts(tool))
            arguments = state.attempts.first() if state.attempts is not None else None
        else:
            arguments = state.attempts.again() if state.attempts is not None and state.knew < self._known.size else None
        while arguments is not None and state.attempts is not None:
            answer = await self._call(tool.name, arguments)
            state.calls, state.first, state.last = state.calls + 1, state.first or arguments, arguments
            if answer is None:
                return
            if done(answer):
                self._known.take(tool.name, deed(tool), state.attempts.placed(), answered(answer))
                self.found.append(GoodCall(tool.name, arguments))
                state.over = True
                return
            if state.calls >= most or self._enough or bench.spent(tool.name) or bench.silent(tool.name):
                break
            if lacking(answer, tool):  # no other argument mends that; a call of another tool may
                break
            arguments = state.attempts.after(said(answer))
        state.knew = self._known.size

    async def _reach_anew(self, tool: ListedTool) -> None:
        """The first attempt on things that are made for it alone: other tools may have changed what there is."""
        state, bench = self._open[tool.name], self._bench
        good = GoodCall(tool.name, state.first)
        before = leads_to(good, self.found)
        if state.over or state.anew or not before or bench.spent(tool.name) or bench.silent(tool.name):
            return
        state.anew = True
        own = bench.samples()
        for each in before:
            await bench.run(each, own)
        answer = await bench.run(good, self.samples, own)
        self._made += len(before) + 1
        if answer is not None and done(answer):
            self._known.take(tool.name, deed(tool), [], answered(answer))
            self.found.append(good)
            state.over = True

    async def _call(self, tool: str, arguments: Arguments) -> Exchange | None:
        self._made += 1
        return await self._bench.run(GoodCall(tool, arguments), self.samples)

    async def _attempts(self, tool: ListedTool) -> Attempts | None:
        plain = await made(eager(tool.input_schema), limit=1)
        plain = plain if plain.vectors else await made(tool.input_schema, limit=1)
        if not plain.vectors:
            self._bench.left_out(tool, plain.why)
            return None
        full = await made(eager(tool.input_schema, full=True), limit=1)
        first = plain.vectors[0].value
        more = full.vectors[0].value if full.vectors else first
        return Attempts(tool, first, more, self._known, self.samples.filled)


class _Open:
    """How far the search for one tool is."""

    def __init__(self, attempts: Attempts | None) -> None:
        self.attempts = attempts
        self.calls = 0
        self.knew = 0
        self.first: Arguments = {}
        self.last: Arguments = {}
        self.anew = False
        """Whether the first was made again on new things."""
        self.over = False


def done(answer: Exchange) -> bool:
    """Whether a call was accepted, and does not tell of a failure in prose."""
    return answer.accepted and not any(map(tells_of_failure, texts_of(answer.result)[:1]))


def said(answer: Exchange) -> str:
    """What a refusal says: all its texts, as values may be listed after the first line."""
    return "\n".join([reason(answer), *texts_of(answer.result)])
