"""What the kit says of how a call runs: whether it fails by design, and how."""

from collections import defaultdict
from collections.abc import Container
from dataclasses import dataclass

from conformance.contract.dialect import satisfies
from conformance.contracts.invocation.calls import QUALIFIED, Invocation, Invocations
from conformance.contracts.invocation.kit import PROVIDER_CODE, KitTool, kit
from conformance.judge.kinds import integer, text
from conformance.model.events import Json

SHORT = 0.4
"""Of a timeout: a wait that long is over in time, unless the machine stands still."""
LONG = 1.5
"""Of a timeout: a wait that long is cut."""
WAITS = frozenset({"local::kit.wait", "local::kit.wait_and_append"})
FLAKY = {"local::kit.flaky_put": "key", "local::kit.flaky_append": "list"}
RELAY, STREAM, FRAGILE, JOB_STATUS = (
    "local::kit.relay",
    "local::kit.stream",
    "local::kit.fragile",
    "local::kit.job_status",
)
MCP_FAIL = "mcp::kit::fail"
LIST = "local::kit.list"
DEEPEST = 10


@dataclass(frozen=True, slots=True)
class Plan:
    """How a call that begins to run ends."""

    codes: tuple[str, ...] = ()
    """The codes with which it has to fail; none: it succeeds."""
    because: str = ""
    open: bool = False
    """Whether the kit leaves open how it ends."""
    attempts: int | None = 1
    """How often its code begins; None where that is open."""
    stage: str = "execution"
    """output: it runs, and what it gives cannot be used."""


RUNS = Plan()
OPEN = Plan(open=True, attempts=None)


class Plans:
    """The plan of each invocation. Those of the flaky tools depend on what ran before."""

    def __init__(self, calls: Invocations, listed: Container[str]) -> None:
        self._listed = listed
        self._contested: set[tuple[str, str, str]] = set()
        """Things that two calls wrote at once: which of them came first is not known."""
        over: dict[tuple[str, str, str], float] = defaultdict(float)
        for one in calls.to(*FLAKY):
            place = (one.call.instance, one.name, str(one.input.get(FLAKY[one.name])))
            if one.call.sent < over[place]:
                self._contested.add(place)
            over[place] = max(over[place], one.end)
        self._ran: dict[tuple[str, str, str], int] = defaultdict(int)

    def of(self, one: Invocation, *, runs: bool) -> Plan:
        """How it ends if it runs. To be asked in the order in which they were sent; `runs`: nothing keeps it back."""
        if one.tool is None:
            return OPEN
        if one.name in FLAKY:
            return self._flaky(one, one.tool, FLAKY[one.name], runs=runs)
        if one.name == RELAY and not self._registered(one.input.get("tool")):
            return Plan(("DownstreamFailed",), "of a tool that there is not")
        return plan(one.tool, one.input)

    def _registered(self, name: Json) -> bool:
        """Whether a tool may be there: it is of the kit, it is described, or its name says nothing."""
        return not isinstance(name, str) or QUALIFIED.fullmatch(name) is None or name in kit() or name in self._listed

    def _flaky(self, one: Invocation, tool: KitTool, named: str, *, runs: bool) -> Plan:
        name, failures = text(one.input.get(named)), integer(one.input.get("failures"))
        if name is None or failures is None:
            return OPEN
        place = (one.call.instance, one.name, name)
        ran = self._ran[place]
        tries = min(tool.policies.retry.maxAttempts, max(failures - ran, 0) + 1)
        if runs:
            self._ran[place] += tries
        if place in self._contested or one.call.received is None:
            return OPEN
        fails = ran + tries <= failures
        because = f"as its executions up to number {failures} for this {named} fail"
        return Plan(("DownstreamFailed", PROVIDER_CODE), because, attempts=tries) if fails else Plan(attempts=tries)


def plan(tool: KitTool, given: dict[str, Json], depth: int = 0) -> Plan:
    """How a call of a tool with this input ends, whatever was called before."""
    special = {
        **dict.fromkeys(WAITS, lambda: _waiting(tool, integer(given.get("ms")))),
        RELAY: lambda: _relayed(given, depth),
        STREAM: lambda: _streaming(given),
        FRAGILE: lambda: Plan(("DownstreamFailed",), "that is to fail") if given.get("fail") is True else RUNS,
        JOB_STATUS: lambda: OPEN,
        LIST: lambda: OPEN if "pageToken" in given else RUNS,
        MCP_FAIL: lambda: _failing_behind(text(given.get("code"))),
    }
    if tool.name in special:
        return special[tool.name]()
    if tool.kit.fails is None:
        return RUNS
    stage = "output" if tool.kit.fails.code in ("SchemaInvalid", "SerializationFailed") else "execution"
    return Plan((tool.kit.fails.code,), "which never gives a good output", stage=stage)


def _streaming(given: dict[str, Json]) -> Plan:
    if "failAt" not in given:
        return RUNS
    at, frames = integer(given["failAt"]), integer(given.get("frames"))
    known = at is not None and frames is not None and 1 <= at <= frames
    return Plan(("DownstreamFailed",), f"that fails at frame {at}") if known else OPEN


def _failing_behind(code: str | None) -> Plan:
    return Plan(("DownstreamFailed", *([code] if code else ())), "that the server behind it fails")


def _waiting(tool: KitTool, wait: int | None) -> Plan:
    if wait is None:
        return OPEN
    limit = tool.policies.timeoutMs
    if wait >= LONG * limit:
        return Plan(("Timeout",), f"that takes {wait} ms, with a timeout of {limit} ms")
    return RUNS if wait <= SHORT * limit else OPEN


def _relayed(given: dict[str, Json], depth: int) -> Plan:
    """A relay fails where the inner call does, and where it is told to."""
    named, inner = given.get("tool"), given.get("input")
    tool = kit().get(named) if isinstance(named, str) else None
    if tool is None or not isinstance(inner, dict) or depth > DEEPEST:
        return OPEN
    if satisfies(tool.inputSchema, inner) is not True:
        # what a relay makes of input that is refused has its own law
        return OPEN
    limited = tool.kit.rateLimit or tool.kit.circuit or tool.kit.budget or tool.policies.concurrencyLimit
    if limited or tool.requiredScopes or tool.name in FLAKY:
        return OPEN
    below = plan(tool, inner, depth + 1)
    if below.open or below.stage == "output":
        # what becomes of an output that cannot be used has requirements of its own
        return OPEN
    if below.codes:
        return Plan(("DownstreamFailed",), f"of {named}, which fails")
    return Plan(("DownstreamFailed",), "that is to fail after its inner call") if given.get("fail") is True else RUNS
