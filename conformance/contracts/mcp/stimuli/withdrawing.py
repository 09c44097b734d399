"""A call that is withdrawn while it is under way.

After all others: one that is never answered may take effect at any time, so that nothing after it stands alone.
"""

from operator import itemgetter

from conformance.contracts.mcp.apart import abandon
from conformance.contracts.mcp.bench import McpBench
from conformance.contracts.mcp.stimuli.calls import working
from conformance.drive.errors import SkipError
from conformance.drive.revisions import STATELESS
from conformance.drive.stimulus import stimulus
from conformance.model.exchange import Exchange

LONG_US = 2_000_000
"""Longer calls are not made once more to be cancelled."""


@stimulus("mcp", exercises=("MC-CALL-16",), bindings=("mcp",), last=True, good_calls=True)
async def a_call_is_cancelled(bench: McpBench) -> None:
    """A call that works, the same cancelled as soon as it has left, and the first again; then one that takes longer."""
    found = await working(bench)
    if found is None:
        raise SkipError("no call of a tool that may be called was accepted")
    longest = await _longest(bench)
    connection = await bench.connected()
    if connection.wire.transport == "http" and await bench.revision() in STATELESS:
        raise SkipError("over HTTP a call of this revision is cancelled by closing the connection, which nobody sees")
    tool, good, samples = found
    caller = samples.callers.get(tool.name)
    await abandon(bench, tool.name, good, credential=caller)
    await bench.tried(tool.name, good, samples)
    if longest is not None and longest.tool is not None:
        await abandon(bench, longest.tool, longest.arguments, credential=samples.callers.get(longest.tool))
        await bench.tried(tool.name, good, samples)


async def _longest(bench: McpBench) -> Exchange | None:
    """The accepted call that took longest, of those that take no time that a person would mind: it can be cancelled.

    None that left its arguments out: it is made again with them.
    """
    may_be = {tool.name for tool in await bench.callable() if not bench.slow(tool.name)}
    accepted = (call for call in bench.session.recorder.history.calls() if call.accepted and call.tool in may_be)
    calls = (call for call in accepted if isinstance(call.arguments, dict))
    taking = [(call.received - call.sent, call) for call in calls if call.received is not None]
    return max((each for each in taking if each[0] < LONG_US), key=itemgetter(0), default=(0, None))[1]
