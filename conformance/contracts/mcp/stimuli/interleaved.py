"""Good calls before and after each of a few bad ones: what a bad call left behind shows in the next good one."""

from conformance.contracts.mcp.bench import McpBench
from conformance.contracts.mcp.samples import Arguments, Samples, given_by_others
from conformance.contracts.mcp.share import Sweep
from conformance.contracts.mcp.steady import Good, made_again, steady
from conformance.contracts.mcp.stimuli.calls import UNKNOWN, working
from conformance.drive.errors import SkipError
from conformance.drive.stimulus import stimulus
from conformance.drive.vectors import made
from conformance.model.listed import ListedTool

PART = 0.1
"""Of the run's time, for the bad calls of all tools."""
WAYS = 3
"""Ways of being bad in which each tool is called: one a keyword."""
LONG = 70_000
"""Characters of a message that is long: readers of lines often take no more than 65,536 bytes."""
PADDING = "dev.conformance/padding"
"""A key of `_meta`, in which clients may send what they like."""
MORE_WAYS = 4
"""Ways of being bad after which a server that works in the end is called again."""


class _Between:
    """Bad calls, each between good ones, up to the one after which the good ones work no more."""

    def __init__(self, bench: McpBench, good: Good) -> None:
        self._bench = bench
        self._good = good

    async def goes_on(self, tool: str, *bad: Arguments) -> bool:
        """Makes the good call, then bad ones, each with the good one after it. Whether that works in the end."""
        working = await self._works()
        for arguments in bad if working else ():
            if self._bench.slow(tool) or self._bench.silent(tool):
                break
            answer = await self._bench.call(tool, arguments, credential=self._good.samples.callers.get(tool))
            # what a call changes may be what the good one shows next: that and one more tell what it shows from then on
            working = await self._works() and (answer.refused or await self._works())
            if not working:
                # any call may fail by chance
                return await self._works()
        return working

    async def _works(self) -> bool:
        """Also where the tool let the time limit pass before: that is what is looked for."""
        tool, arguments, samples = self._good
        answer = await self._bench.call(tool.name, arguments, credential=samples.callers.get(tool.name))
        return answer.accepted


@stimulus("mcp", exercises=("MC-CALL-09",), bindings=("mcp",), first=True, good_calls=True)
async def bad_calls_come_between_good_ones(bench: McpBench) -> str:
    """Each tool called in a few bad ways; around each of them a call that is answered alike as often as it is made.

    Before the calls of others, which change what it answers. A tool that can be called again is such a call itself:
    a bad call may break its tool alone.
    """
    good = await steady(bench)
    if good is None:
        raise SkipError("no call of a tool that may be called is answered alike when it is made again")
    around, sweep = _Between(bench, good), Sweep(bench, PART, "called in bad ways between good calls")
    if not await around.goes_on(UNKNOWN, {}):
        return ""
    for tool in await bench.callable():
        if not sweep.reaches(tool.name):
            continue
        bad = await _bad(bench, tool, good.samples)
        if bad and not await around.goes_on(tool.name, *bad):
            return ""
        own = await made_again(bench, tool, good.samples) if bad and tool.name != good.tool.name else None
        if own is not None:
            await _Between(bench, own).goes_on(tool.name, *bad)
    return sweep.told()


@stimulus("mcp", exercises=("MC-CALL-09",), bindings=("mcp",), last=True, good_calls=True)
async def a_good_call_follows_a_refused_one(bench: McpBench) -> None:
    """A call that works, a bad one, and the first again: for a few ways of being bad; then it again in a long message.

    Where none works any more, for all tools and all that is tried of each, on a server that has heard none yet: one of
    them may be what broke it.
    """
    # twice: what the calls before it left behind may spoil the first of these
    found = await working(bench) or await working(bench)
    if found is None:
        await bench.call(UNKNOWN, {})
        await bench.tools()
        if bench.session.provides(bench.endpoint, ()):
            await _from_the_beginning(await bench.fresh())
        return
    tool, good, samples = found
    around = _Between(bench, Good(tool, good, samples))
    bad = [vector.value for vector in await bench.vectors(tool, samples) if not vector.valid]
    await around.goes_on(tool.name, *bad[:MORE_WAYS])
    await around.goes_on(UNKNOWN, {})
    if not bench.slow(tool.name) and not bench.silent(tool.name):
        # beside the arguments: no tool has to make anything of it
        await bench.asking(tool.name, good, {PADDING: "a" * LONG}, credential=samples.callers.get(tool.name))
        await around.goes_on(UNKNOWN, {})


async def _from_the_beginning(bench: McpBench) -> None:
    """All that is tried of all tools, up to the call that breaks the server: it need break no schema."""
    found = await working(bench)
    if found is None:
        return
    around, samples = _Between(bench, await steady(bench) or Good(*found)), found[2]
    for tool in await bench.callable():
        # those that break its schema first: what is accepted may change what the others find
        vectors = sorted(await bench.vectors(tool, samples), key=lambda each: each.valid)
        if not await around.goes_on(tool.name, *(vector.value for vector in vectors)):
            return
    await around.goes_on(UNKNOWN, {})


async def _bad(bench: McpBench, tool: ListedTool, samples: Samples) -> list[Arguments]:
    """Arguments that break a keyword each; and where a tool wants what others gave, values that nobody gave."""
    ways: dict[str, Arguments] = {}
    for vector in await bench.vectors(tool, samples):
        if not vector.valid and vector.keyword != "format":
            ways.setdefault(vector.keyword, vector.value)
    call = samples.calls.get(tool.name)
    strange = await made(tool.input_schema, limit=1) if call is not None and given_by_others(call) else None
    return [*ways.values()][:WAYS] + [vector.value for vector in (strange.vectors if strange is not None else ())]
