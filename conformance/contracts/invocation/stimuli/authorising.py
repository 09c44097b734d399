"""Who may call: tokens that are bad, missing, or without the scope."""

from conformance.contracts.invocation.bench import READ, WRITE, InvocationBench
from conformance.contracts.invocation.kit import AUDIT, RECORDS
from conformance.drive.bench import in_turn
from conformance.drive.signing import FORGED, OTHERWISE
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json

ECHO, GUARDED, APPEND = "local::kit.echo", "local::kit.guarded", "local::kit.append"
DEFECTS = ("garbage", "expired", "signature", "alg_none", "algorithm", *FORGED, *OTHERWISE)
NAMED = ("audience", "issuer")
"""A token for another audience, or of another issuer, is a bad one where the target's statement names its own."""


@stimulus("invocation", exercises=("IR-ERR-Unauthenticated", "IR-ERR-Forbidden", "IR-SRV-01"))
async def tokens_of_every_kind_are_tried(bench: InvocationBench) -> None:
    """A tool that asks for a scope and tools that ask for none, by callers of every kind."""
    others = ((), (READ,), ("kit.writer",), ("kit.writ",), ("xkit.write",), ("KIT.WRITE",))
    scopes = ((WRITE,), (WRITE, READ), *others, (WRITE, "kit.none"))
    auth = bench.session.statement.auth
    defects = (*DEFECTS, *(name for name in NAMED if getattr(auth, name) is not None))
    await in_turn(
        *(_guarded(bench, *each) for each in scopes), _open(bench), *(_defect(bench, defect) for defect in defects)
    )


async def _guarded(bench: InvocationBench, *scopes: str) -> None:
    here = bench.apart()
    await here.invoke(GUARDED, here.good(GUARDED), by=bench.who(*scopes))


async def _open(bench: InvocationBench) -> None:
    for tool in (ECHO, APPEND, "mcp::kit::echo"):
        given = bench.good(tool)
        for caller in (bench.nobody, bench.perhaps(), bench.perhaps(WRITE)):
            await bench.invoke(tool, given, by=caller)
    await bench.apart().invoke(GUARDED, bench.good(GUARDED), by=bench.nobody)


async def _defect(bench: InvocationBench, defect: str) -> None:
    caller = bench.who(WRITE, READ, defect=defect)
    for tool in (ECHO, GUARDED, APPEND):
        here = bench.apart()
        given = here.good(tool)
        await here.invoke(tool, given)
        await here.invoke(tool, given, by=caller)


@stimulus("invocation", exercises=("IR-ERR-Unauthenticated", "IR-ERR-Forbidden", "IR-SRV-01"))
async def a_relay_is_asked_for_more_than_its_caller_may(bench: InvocationBench) -> None:
    """A relay to a tool that needs a scope, by a caller who has it, by one who has not, and by nobody."""
    for caller in (bench.who(WRITE, READ), bench.who(), bench.nobody):
        here = bench.apart()
        await here.invoke(GUARDED, here.good(GUARDED), by=caller)
        await here.invoke("local::kit.relay", {"tool": GUARDED, "input": here.good(GUARDED)}, by=caller)


@stimulus("invocation", exercises=("IR-ERR-Unauthenticated", "IR-ERR-Forbidden"))
async def records_are_read_by_callers_of_every_kind(bench: InvocationBench) -> None:
    """The records of a call, by a caller with the scope for them, without it, and with a bad token."""
    if not bench.supports(RECORDS):
        return
    call = await bench.invoke(ECHO, bench.good(ECHO))
    given: dict[str, Json] = {"kind": AUDIT, "correlationId": call.argument("correlationId")}
    callers = (bench.who(WRITE, READ), bench.who(WRITE), bench.nobody, *(bench.who(READ, defect=d) for d in DEFECTS))
    for caller in callers:
        await bench.call(RECORDS, given, credential=caller)
