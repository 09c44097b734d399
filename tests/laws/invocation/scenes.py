"""A scene for each requirement: as a conforming server answers, as a breaking one does, and without its control."""

from collections.abc import Callable
from dataclasses import dataclass

from conformance.model.events import Json
from tests.laws.invocation.desk import FAR, PAST, SECRET, Desk, echo, snapshot

GIVEN = {"text": "x"}
PUT = {"key": "k", "value": "v"}
ITEM = {"list": "l", "item": "i"}
RUN = {"version": "2.0.0", "attempt": 1, "outcome": "ok"}


@dataclass(frozen=True)
class Scene:
    """What a teller may vary."""

    desk: Desk
    broken: bool
    control: bool
    """Whether the accepted like is there, without which nothing is shown."""

    def like(self, tool: str = "echo", given: Json = None, output: Json = None, **more: Json) -> None:
        """The control, where it is wanted."""
        if self.control:
            self.desk.ok(tool, GIVEN if given is None else given, echo() if output is None else output, **more)

    def refused(self, tool: str, given: Json, code: str, output: Json = None, **more: Json) -> int:
        """A call that has to be refused; a breaking server serves it."""
        if self.broken:
            return self.desk.ok(tool, given, output or {}, **more)
        return self.desk.no(tool, given, code, **more)

    def coded(self, tool: str, given: Json, code: str, **more: Json) -> int:
        """A call that has to be refused with a code; a breaking server has another."""
        return self.desk.no(tool, given, "IdempotencyConflict" if self.broken else code, **more)


SCENES: dict[str, Callable[[Scene], None]] = {}
UNCONTROLLED = {
    "IR-INV-05": "a repetition needs no control but its first",
    "IR-INV-08": "an accepted call has to be in the ledger",
    "IR-COR-01": "each Result shows it", "IR-COR-02": "as IR-INV-08", "IR-COR-03": "as IR-INV-08",
    "IR-COR-04": "as IR-INV-08", "IR-STR-01": "an accepted stream shows it", "IR-STR-02": "each frame shows it",
    "IR-PAGE-01": "accepted pages show it", "IR-PAGE-02": "an accepted operation shows it",
    "IR-RED-03": "an accepted output shows it", "IR-SRV-01": "each good call is a subject",
    "IR-HINT-02": "each RateLimited shows it", "IR-ERR-08": "each failure downstream shows it",
}  # fmt: skip
"""Those that need no accepted like, each with why."""


def scene(requirement: str) -> Callable[[Callable[[Scene], None]], Callable[[Scene], None]]:
    """Registers the scene of a requirement."""

    def register(teller: Callable[[Scene], None]) -> Callable[[Scene], None]:
        SCENES[requirement] = teller
        return teller

    return register


@scene("IR-INV-01")
def names(it: Scene) -> None:
    it.like()
    it.refused("kit.echo", GIVEN, "SchemaInvalid", echo())


@scene("IR-INV-02")
def ranges(it: Scene) -> None:
    it.like()
    it.refused("echo", GIVEN, "UnsupportedVersion", echo(), versionRange="^9.0.0")


@scene("IR-INV-03")
def inputs(it: Scene) -> None:
    it.like()
    it.refused("echo", {"text": 5}, "SchemaInvalid", echo())


@scene("IR-INV-04")
def keys(it: Scene) -> None:
    it.like("put", PUT, {**PUT, "writes": 1})
    it.refused("put", PUT, "MissingField", {**PUT, "writes": 2}, without=("idempotencyKey",))


@scene("IR-INV-05")
def repeated(it: Scene) -> None:
    for writes in (1, 2 if it.broken else 1):
        it.desk.ok("put", PUT, {**PUT, "writes": writes}, idempotencyKey="one")


@scene("IR-INV-06")
def headers(it: Scene) -> None:
    it.like()
    secret = {"tenant": "t", "x-api-key": SECRET}
    it.refused("echo", GIVEN, "SchemaInvalid", echo(), headers=secret)


@scene("IR-INV-07")
def deadlines(it: Scene) -> None:
    it.like()
    it.refused("echo", GIVEN, "Timeout", echo(), deadline=PAST)


@scene("IR-INV-08")
def metadata(it: Scene) -> None:
    told = {"ticket": "T-1", "deep": [{"password": SECRET, "name": "n"}]}
    it.desk.ok("echo", GIVEN, echo())
    call = it.desk.ok("echo", GIVEN, echo(), metadata=told)
    kept = {"ticket": "T-1", "deep": [{"password": "[redacted]", "name": "n"}]}
    it.desk.shown("audit", call, {"metadata": {} if it.broken else kept})


@scene("IR-INV-09")
def order(it: Scene) -> None:
    it.desk.ok("guarded", PUT, {**PUT, "writes": 1}, tenant="a")
    if it.control:
        it.desk.no("guarded", PUT, "Forbidden", by="weak", tenant="b")
    it.desk.no("guarded", {"key": "k", "value": 5}, "SchemaInvalid", tenant="c")
    first, second = "SchemaInvalid", "Forbidden"
    it.desk.no("guarded", {"key": "k", "value": 5}, second if it.broken else first, by="weak", tenant="d")


@scene("IR-INV-10")
def limits_of_others(it: Scene) -> None:
    for number in range(2):
        it.desk.ok("guarded", PUT, {**PUT, "writes": number + 1}, tenant="full")
    if it.control:
        it.desk.no("guarded", PUT, "RateLimited", tenant="full")
    for _ in range(3):
        it.desk.no("guarded", PUT, "Forbidden", by="weak")
    if it.broken:
        it.desk.no("guarded", PUT, "RateLimited")
    else:
        it.desk.ok("guarded", PUT, {**PUT, "writes": 3})


@scene("IR-INV-11")
def tried_again(it: Scene) -> None:
    if it.control:
        it.desk.ok("fragile", {"fail": False}, {"ok": True}, tenant="a")
    call = it.desk.no("fragile", {"fail": True}, "DownstreamFailed", result={"attempts": 2 if it.broken else 1})
    if it.control:
        runs = [{"version": "1.0.0"}] * (2 if it.broken else 1)
        it.desk.shown("execution", call, *runs, tool="fragile")


@scene("IR-ERR-07")
def missing(it: Scene) -> None:
    it.like()
    it.desk.no("echo", {}, "MissingField", error={"details": {"missingField": "name" if it.broken else "/input/text"}})


@scene("IR-ERR-08")
def providers(it: Scene) -> None:
    details = {} if it.broken else {"providerCode": "QUOTA"}
    it.desk.no("mcp::kit::fail", {"code": "QUOTA"}, "DownstreamFailed", error={"details": details})


@scene("IR-ERR-SchemaInvalid")
def schema_invalid(it: Scene) -> None:
    it.like()
    it.coded("echo", {"text": 5}, "SchemaInvalid")


@scene("IR-ERR-UnsupportedVersion")
def unsupported(it: Scene) -> None:
    it.like()
    it.coded("echo", GIVEN, "UnsupportedVersion", versionRange="9.9.9")


@scene("IR-ERR-MissingField")
def missing_field(it: Scene) -> None:
    it.like()
    it.coded("echo", {}, "MissingField")


@scene("IR-ERR-ToolNotFound")
def not_found(it: Scene) -> None:
    it.like()
    it.coded("local::kit.none", GIVEN, "ToolNotFound")


@scene("IR-ERR-Timeout")
def timeout(it: Scene) -> None:
    it.like("wait", {"ms": 1}, {"waited": 1})
    it.refused("wait", {"ms": 900}, "Timeout", {"waited": 900}, took=305)


@scene("IR-ERR-RateLimited")
def rate_limited(it: Scene) -> None:
    if it.control:
        for number in range(3):
            it.desk.ok("limited", {"text": str(number)}, {"text": str(number)})
    it.refused("limited", {"text": "4"}, "RateLimited", {"text": "4"})


@scene("IR-ERR-CircuitOpen")
def circuit_open(it: Scene) -> None:
    it.like("fragile", {"fail": False}, {"ok": True})
    for _ in range(3):
        it.desk.no("fragile", {"fail": True}, "DownstreamFailed")
    it.refused("fragile", {"fail": False}, "CircuitOpen", {"ok": True})


@scene("IR-ERR-BudgetExceeded")
def budget(it: Scene) -> None:
    if it.control:
        it.desk.ok("costly", {"units": 60}, {"left": 40})
    it.refused("costly", {"units": 50}, "BudgetExceeded", {"left": 0})


@scene("IR-ERR-ConcurrencyLimited")
def concurrency(it: Scene) -> None:
    it.desk.ok("narrow", {"ms": 1}, {"waited": 1}, tenant="other")
    it.desk.together()
    if it.control:
        it.desk.ok("narrow", {"ms": 300}, {"waited": 300})
    it.refused("narrow", {"ms": 301}, "ConcurrencyLimited", {"waited": 301})
    it.desk.t += 310_000
    it.desk.settle()


@scene("IR-ERR-Unauthenticated")
def unauthenticated(it: Scene) -> None:
    it.like()
    it.refused("echo", GIVEN, "Unauthenticated", echo(), by="bad")


@scene("IR-ERR-Forbidden")
def forbidden(it: Scene) -> None:
    it.like("guarded", PUT, {**PUT, "writes": 1})
    it.refused("guarded", PUT, "Forbidden", {**PUT, "writes": 2}, by="weak")


@scene("IR-ERR-DownstreamFailed")
def downstream(it: Scene) -> None:
    it.like("fragile", {"fail": False}, {"ok": True})
    it.refused("fragile", {"fail": True}, "DownstreamFailed", {"ok": True})


@scene("IR-ERR-Unhandled")
def unhandled(it: Scene) -> None:
    it.like()
    it.refused("fault", {"secret": "s"}, "Unhandled")


@scene("IR-ERR-SerializationFailed")
def unserialisable(it: Scene) -> None:
    it.like()
    it.refused("unserialisable", GIVEN, "SerializationFailed", {"value": 1})


@scene("IR-COR-01")
def generated(it: Scene) -> None:
    for number in range(2):
        made = "same" if it.broken else f"made-{number}"
        it.desk.ok("echo", GIVEN, echo(), without=("correlationId",), result={"correlationId": made})


@scene("IR-COR-02")
def propagated(it: Scene) -> None:
    call = it.desk.ok("echo", GIVEN, echo())
    it.desk.shown("event", call, *([] if it.broken else [{"name": "ToolInvoked"}]))
    call = it.desk.calls + 1
    it.desk.ok("mcp::kit::echo", GIVEN, {"text": "x", "correlationId": f"c-{call}"})


@scene("IR-COR-03")
def caused(it: Scene) -> None:
    inner = {"status": "Ok", "output": echo()}
    call = it.desk.ok("relay", {"tool": "local::kit.echo", "input": GIVEN}, {"result": inner})
    cause = {} if it.broken else {"causationId": "inv-1"}
    it.desk.shown("audit", call, {"tool": "local::kit.relay", "invocationId": "inv-1"},
                  {"invocationId": "inv-2", **cause})  # fmt: skip


@scene("IR-COR-04")
def linked(it: Scene) -> None:
    call = it.desk.ok("relay", {"tool": "local::kit.echo", "input": GIVEN}, {"result": {}})
    link = {} if it.broken else {"links": ["span-1"]}
    it.desk.shown("span", call, {"tool": "local::kit.relay", "spanId": "span-1"}, {"spanId": "span-2", **link})


ASKED = {"progressToken": 7, "io.modelcontextprotocol/logLevel": "debug"}


def streamed(it: Scene, *, frames: int, wrong: Json = None, given: Json = None, ends: str = "") -> int:
    """A stream whose frames come before its Result."""
    it.desk.together()
    entered = given or {"frames": frames}
    ask = it.desk.ok("stream", entered, {"frames": frames}, meta=ASKED) if not ends else it.desk.no(
        "stream", entered, ends, meta=ASKED)  # fmt: skip
    for number in range(1, frames + 1):
        sequence = wrong if wrong is not None and number == frames else number
        it.desk.frame(ask, correlationId=f"c-{ask}", sequence=sequence, event="partial", data={"n": number})
    it.desk.settle()
    return ask


@scene("IR-STR-01")
def partials(it: Scene) -> None:
    streamed(it, frames=3)
    if it.broken:
        it.desk.ok("stream", {"frames": 2}, {"frames": 2}, meta=ASKED)


@scene("IR-STR-02")
def numbered(it: Scene) -> None:
    streamed(it, frames=3, wrong=2 if it.broken else None)


@scene("IR-STR-03")
def failed_stream(it: Scene) -> None:
    given = {"frames": 5, "failAt": 3}
    it.like("stream", {"frames": 0}, {"frames": 0})
    if it.control:
        streamed(it, frames=2, given=given, ends="" if it.broken else "DownstreamFailed")
    else:
        it.desk.no("stream", given, "DownstreamFailed", meta=ASKED)


@scene("IR-CACHE-01")
def cached(it: Scene) -> None:
    for number in range(2):
        delivered = 1 if it.broken else number + 1
        if number or it.control:
            it.desk.ok("notify", {"to": "a", "text": "x"}, {"delivered": delivered})


@scene("IR-CACHE-02")
def cache_key(it: Scene) -> None:
    turned = {"b": 2, "a": 1}
    plan: list[tuple[Json, bool]] = [({"a": 1, "b": 2}, True), ({"a": 1, "b": 2}, False), (turned, it.broken)]
    for given, runs in [*plan, *([plan[1]] if it.control else [])]:
        call = it.desk.ok("sum", given, {"sum": 3})
        it.desk.shown("execution", call, *([{"version": "2.0.0"}] if runs or not it.control else []), tool="sum")


@scene("IR-CACHE-03")
def cache_logged(it: Scene) -> None:
    for runs in (True, not it.control):
        call = it.desk.ok("sum", {"a": 1, "b": 2}, {"sum": 3})
        it.desk.shown("execution", call, *([{"version": "2.0.0"}] if runs else []), tool="sum")
        it.desk.shown("span", call, {"attributes": {"cache.hit": True} if it.broken else {}}, tool="sum")


@scene("IR-PAGE-01")
def pages(it: Scene) -> None:
    items = [f"item {number}" for number in range(25)]
    it.desk.ok("list", {}, {"items": items[:10], "nextToken": "p2"})
    it.desk.ok("list", {"pageToken": "p2"}, {"items": items[9 if it.broken else 10 :][:10], "nextToken": "p3"})
    it.desk.ok("list", {"pageToken": "p3"}, {"items": items[20:]})


@scene("IR-PAGE-02")
def operations(it: Scene) -> None:
    for number, fail in enumerate((False, True)):
        name, ended = f"op-{number}", "failed" if fail else "succeeded"
        took = 705 if it.broken else 2
        it.desk.ok("start_job", {"ms": 700, "fail": fail}, {"operationId": name}, took=took)
        if not it.broken:
            it.desk.ok("job_status", {"operationId": name}, {"operationId": name, "state": "running"})
            it.desk.t += 800_000
        it.desk.ok("job_status", {"operationId": name}, {"operationId": name, "state": ended})


def limited(it: Scene, **details: Json) -> None:
    """A rate limit that is used up, and the refusal beyond it."""
    for number in range(3):
        it.desk.ok("limited", {"text": str(number)}, {"text": str(number)})
    it.desk.no("limited", {"text": "4"}, "RateLimited", error={"details": details})


@scene("IR-HINT-01")
def delay(it: Scene) -> None:
    if not it.control:
        return
    limited(it, retryAfterMs=600)
    it.desk.t += 610_000
    if it.broken:
        it.desk.no("limited", {"text": "5"}, "RateLimited", error={"details": {"retryAfterMs": 600}})
    else:
        it.desk.ok("limited", {"text": "5"}, {"text": "5"})


@scene("IR-HINT-02")
def scope(it: Scene) -> None:
    limited(it, throttlingScope="somewhere" if it.broken else "kit-limited")


@scene("IR-HINT-03")
def states(it: Scene) -> None:
    it.desk.ok("fragile", {"fail": False}, {"ok": True})
    for _ in range(3):
        it.desk.no("fragile", {"fail": True}, "DownstreamFailed")
    if it.control:
        it.desk.no("fragile", {"fail": False}, "CircuitOpen", error={"details": {"circuitState": "open"}})
    it.desk.t += 400_000
    half = {"policySnapshot": {**snapshot("local::kit.fragile"), "circuitState": "half-open"}}
    it.desk.ok("fragile", {"fail": False}, {"ok": True}, result=half)
    it.desk.ok("fragile", {"fail": False}, {"ok": True}, result=half if it.broken else {})


@scene("IR-RED-01")
def redacted(it: Scene) -> None:
    call = it.desk.no("fault", {"secret": f"it is {SECRET}"}, "Unhandled")
    kept = {"input": {"secret": "[redacted]"}, "code": f"near {SECRET}" if it.broken else "Unhandled"}
    it.desk.shown("audit", call, *([kept] if it.control else []), tool="fault")


@scene("IR-RED-02")
def listed(it: Scene) -> None:
    output = {"name": "n", "ssn": "***"} if it.control else {"name": "n", "ssn": "123-45-6789"}
    listed_ = {"policySnapshot": {**snapshot("local::kit.person"), "redactions": [] if it.broken else ["/output/ssn",
               "/output/tokens/*/value"]}}  # fmt: skip
    output |= {} if it.control else {"tokens": [{"value": "tok-1"}]}
    it.desk.ok("person", {"name": "n", "password": SECRET}, output, result=listed_)


@scene("IR-RED-03")
def hidden(it: Scene) -> None:
    tokens = [{"value": "tok-77"}] if it.broken else [{}, {"value": "[REDACTED]"}]
    it.desk.ok("person", {"name": "n", "password": SECRET}, {"name": "n", "ssn": "***-**-****", "tokens": tokens})


@scene("IR-SRV-01")
def served(it: Scene) -> None:
    it.desk.ok("echo", GIVEN, echo())
    if it.broken:
        it.desk.no("sum", {"a": 1, "b": 2}, "Unhandled", deadline=FAR)
    else:
        it.desk.ok("sum", {"a": 1, "b": 2}, {"sum": 3}, deadline=FAR)
