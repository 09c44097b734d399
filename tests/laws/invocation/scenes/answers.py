"""What else a Result tells: caches, pages, hints, redaction."""

from conformance.model.events import Json
from tests.laws.invocation.desk import FAR, SECRET, echo, snapshot
from tests.laws.invocation.scenes.scene import GIVEN, Scene, scene


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
        it.desk.t += 2_000_000
        it.desk.shown("execution", call, *([{"version": "2.0.0"}] if runs or not it.control else []), tool="sum")


@scene("IR-CACHE-03")
def cache_logged(it: Scene) -> None:
    for runs in (True, not it.control):
        call = it.desk.ok("sum", {"a": 1, "b": 2}, {"sum": 3})
        it.desk.t += 2_000_000
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
