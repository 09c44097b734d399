"""What a relay triggers is judged like any other invocation, as far as its caller sees it."""

import pytest

from conformance.model.events import Json
from tests.laws.invocation.desk import AT, CLASSES, SECRET, Desk, echo
from tests.laws.invocation.scenes.scene import GIVEN, ITEM, PUT, RUN

OK: dict[str, Json] = {"status": "Ok"}
PERSON = "local::kit.person"
GUARDED = "local::kit.guarded"
BEHIND = "mcp::kit::echo"


def relayed(desk: Desk, tool: str, given: Json, output: Json, **more: Json) -> int:
    """A relay whose inner call is served."""
    inner = {"status": "Ok", "output": output, "correlationId": f"c-{desk.calls + 1}"}
    return desk.ok("relay", {"tool": tool, "input": given}, {"result": inner}, **more)


def failed(desk: Desk, tool: str, given: Json, **more: Json) -> int:
    """A relay whose inner call is refused."""
    return desk.no("relay", {"tool": tool, "input": given}, "DownstreamFailed", **more)


def test_bad_input_that_is_handed_on_is_refused() -> None:
    desk = Desk()
    failed(desk, "local::kit.echo", {"text": 5})
    assert desk.judged("IR-INV-03").subjects == 0
    relayed(desk, "local::kit.echo", GIVEN, echo())
    outcome = desk.judged("IR-INV-03")
    assert (outcome.verdict, outcome.subjects) == ("pass", 1)
    assert desk.judged("IR-SRV-01").breaches == 0
    relayed(desk, "local::kit.echo", {"text": 5}, echo())
    assert desk.judged("IR-INV-03").breaches == 1


@pytest.mark.parametrize("given", [{**GIVEN, "unheard_of": 1}, GIVEN])
def test_what_some_servers_overlook_may_be_handed_on(given: dict[str, Json]) -> None:
    desk = Desk()
    relayed(desk, "local::kit.echo", GIVEN, echo())
    relayed(desk, "local::kit.echo", given, echo())
    assert desk.judged("IR-INV-03").breaches == 0


def test_bad_input_deep_within_relays_is_found() -> None:
    desk = Desk()
    inner = {"tool": "local::kit.echo", "input": {"text": 5}}
    relayed(desk, "local::kit.relay", inner, {"result": {"status": "Ok", "output": echo()}})
    assert desk.judged("IR-INV-03").breaches == 1


@pytest.mark.parametrize(("by", "requirement"), [("weak", "IR-ERR-Forbidden"), ("nobody", "IR-ERR-Unauthenticated")])
def test_a_relay_reaches_what_its_caller_may_reach(by: str, requirement: str) -> None:
    desk = Desk()
    failed(desk, GUARDED, PUT, by=by)
    assert desk.judged(requirement).subjects == 0
    relayed(desk, GUARDED, PUT, {**PUT, "writes": 1}, tenant="other")
    outcome = desk.judged(requirement)
    assert (outcome.verdict, outcome.subjects) == ("pass", 1)
    relayed(desk, GUARDED, PUT, {**PUT, "writes": 2}, by=by, tenant="third")
    assert desk.judged(requirement).breaches == 1


@pytest.mark.parametrize(
    ("by", "requirement"),
    [("weak", "IR-ERR-Forbidden"), ("nobody", "IR-ERR-Unauthenticated"), ("bad", "IR-ERR-Unauthenticated")],
)
def test_records_are_read_with_their_scope(by: str, requirement: str) -> None:
    given = {"kind": "audit"}
    desk = Desk()
    desk.refused("read_records", given, "Forbidden", by=by)
    assert desk.judged(requirement).subjects == 0
    desk.call("read_records", given, {"records": []}, by="full")
    outcome = desk.judged(requirement)
    assert (outcome.verdict, outcome.subjects) == ("pass", 1)
    desk.call("read_records", given, {"records": []}, by=by)
    assert desk.judged(requirement).breaches == 1


def test_what_is_handed_on_is_redacted() -> None:
    for ssn, breaches in ((None, 0), ("[removed]", 0), ("078-05-1120", 1)):
        desk = Desk()
        output = {"name": "x", **({"ssn": ssn} if ssn else {})}
        relayed(desk, PERSON, {"name": "x", "password": SECRET}, output)
        assert desk.judged("IR-RED-03").breaches == breaches, ssn


def test_the_output_on_record_is_redacted() -> None:
    for kept, breaches in (({"name": "x"}, 0), ({"name": "x", "ssn": "***"}, 0), ({"ssn": "078-05-1120"}, 1)):
        desk = Desk()
        call = desk.ok("person", {"name": "x", "password": "p"}, {"name": "x"})
        desk.shown("audit", call, {"status": "Ok", "output": kept}, tool="person")
        assert desk.judged("IR-RED-01").breaches == breaches, kept


def test_what_is_triggered_is_executed_once() -> None:
    for times, breaches in ((1, 0), (2, 1)):
        desk = Desk()
        call = relayed(desk, "local::kit.append", ITEM, {"items": ["i"]})
        runs = [{**RUN, "version": "1.0.0", "tool": "local::kit.append"}] * times
        desk.shown("execution", call, {**RUN, "version": "1.0.0"}, *runs, tool="relay")
        assert desk.judged("IR-INV-11").breaches == breaches


def test_what_others_ran_under_the_same_correlation_is_not_the_relays() -> None:
    """One correlationId is that of a whole task, and tells nothing of who executed what."""
    desk = Desk()
    relayed(desk, "local::kit.append", ITEM, {"items": ["i"]}, correlationId="task")
    desk.ok("append", ITEM, {"items": ["i", "i"]}, correlationId="task")
    tools = ("local::kit.relay", "local::kit.append", "local::kit.append")
    common = {**RUN, "kind": "execution", "correlationId": "task", "version": "1.0.0", "at": AT}
    runs = [{**common, "id": f"x-{number}", "sequence": number, "tool": tool} for number, tool in enumerate(tools)]
    desk.call("read_records", {"kind": "execution", "correlationId": "task"}, {"records": runs}, by="full")
    assert desk.judged("IR-SRV-01").breaches == 0
    assert desk.judged("IR-INV-11").breaches == 0


def test_the_server_behind_a_relay_gets_its_correlation() -> None:
    for wrong, breaches in ((False, 0), (True, 1)):
        desk = Desk()
        own = f"c-{desk.calls + 1}"
        relayed(desk, BEHIND, GIVEN, {"text": "x", "correlationId": "other" if wrong else own})
        assert desk.judged("IR-COR-02").breaches == breaches
    desk = Desk()
    desk.ok(BEHIND, GIVEN, {"text": "x", "correlationId": "c-1"})
    relayed(desk, BEHIND, GIVEN, {"text": "x", "correlationId": "c-1"})
    assert desk.judged("IR-COR-02").breaches == 0, "a cache may answer the second"


def test_what_a_relay_asked_the_server_behind_may_be_in_the_cache() -> None:
    """Whoever brought an input before: a relay that failed afterwards, or one within another."""
    old = {"text": "x", "correlationId": "c-1"}
    within = {"tool": "local::kit.relay", "input": {"tool": BEHIND, "input": GIVEN}}
    before = ({"tool": BEHIND, "input": GIVEN, "fail": True}, within)
    for given in before:
        for later in ("direct", "relayed", "within"):
            desk = Desk()
            desk.no("relay", given, "DownstreamFailed")
            if later == "direct":
                desk.ok(BEHIND, GIVEN, old)
            elif later == "relayed":
                relayed(desk, BEHIND, GIVEN, old)
            else:
                inner = {"status": "Ok", "output": old, "correlationId": "c-2"}
                relayed(desk, "local::kit.relay", within["input"], {"result": inner})
            assert desk.judged("IR-COR-02").breaches == 0, (given, later)


def test_limits_of_tenants_that_no_relay_named_are_clear() -> None:
    desk = Desk()
    relayed(desk, "local::kit.limited", GIVEN, GIVEN, tenant="one")
    for tenant, breaches in (("one", 0), ("two", 1)):
        desk.no("limited", {"text": tenant}, "RateLimited", tenant=tenant)
        assert desk.judged("IR-SRV-01").breaches == breaches


def test_the_output_that_is_handed_on_satisfies_its_schema() -> None:
    for count, breaches in ((3, 0), ("three", 1)):
        desk = Desk()
        relayed(desk, "local::kit.bad_output", GIVEN, {"count": count})
        assert desk.judged("IR-RES-11").breaches == breaches, count


def test_what_a_relay_asked_for_may_be_in_the_cache() -> None:
    for before, breaches in (({"a": 1, "b": 2}, 0), ({"a": 1, "b": 3}, 1)):
        desk = Desk()
        relayed(desk, "local::kit.sum", before, {"sum": 3})
        for given, runs in (({"a": 5, "b": 6}, [RUN]), ({"a": 1, "b": 2}, [])):
            call = desk.ok("sum", given, {"sum": 3})
            desk.t += 2_000_000
            desk.shown("execution", call, *runs, tool="sum")
        assert desk.judged("IR-CACHE-02").breaches == breaches, before


@pytest.mark.parametrize(
    ("by", "code", "breaches"), [("full", "Unauthenticated", 1), ("full", "RateLimited", 0), ("weak", "Forbidden", 0)]
)
def test_a_relay_hands_on_its_caller_s_credentials(by: str, code: str, breaches: int) -> None:
    desk = Desk()
    desk.ok("guarded", PUT, {**PUT, "writes": 1})
    inner: Json = {"class": CLASSES[code], "code": code, "message": "No.", "isRetryable": False, "origin": "local"}
    asked: Json = {"tool": GUARDED, "input": PUT}
    desk.no("relay", asked, "DownstreamFailed", error={"causedBy": inner}, by=by)
    assert desk.judged("IR-SRV-01").breaches == breaches
