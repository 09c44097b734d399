"""Limits by the caller's own clock: what is due, what is clear, and what nobody can tell."""

import msgspec
import pytest

from conformance.model.events import Json, Message
from tests.laws.histories import Story
from tests.laws.invocation.desk import Desk, echo
from tests.laws.invocation.scenes import ASKED

TEXT = {"text": "x"}
PUT = {"key": "k", "value": "v"}


def limited(desk: Desk, *apart_ms: int, refused: int = 0) -> None:
    """Calls so many milliseconds apart, the last of them refused."""
    for number, apart in enumerate(apart_ms):
        desk.t += apart * 1000
        given = {"text": str(number)}
        if number >= len(apart_ms) - refused:
            desk.no("limited", given, "RateLimited", error={"details": {"retryAfterMs": 1, "throttlingScope": "tool"}})
        else:
            desk.ok("limited", given, given)


def test_four_calls_that_took_longer_than_the_window_show_nothing() -> None:
    desk = Desk()
    limited(desk, 0, 100, 200, 190)
    assert desk.judged("IR-ERR-RateLimited").subjects == 0


def test_four_calls_within_the_window_are_one_too_many() -> None:
    desk = Desk()
    limited(desk, 0, 10, 10, 10)
    assert desk.judged("IR-ERR-RateLimited").breaches == 1


def test_a_refusal_long_after_the_window_is_not_due() -> None:
    desk = Desk()
    limited(desk, 0, 10, 10, 900, refused=1)
    assert desk.judged("IR-ERR-RateLimited").subjects == 0
    assert desk.judged("IR-SRV-01").breaches == 1


def test_a_refusal_at_the_windows_edge_is_nobodys_fault() -> None:
    desk = Desk()
    limited(desk, 0, 10, 10, 470, refused=1)
    assert desk.judged("IR-ERR-RateLimited").subjects == 0
    assert desk.judged("IR-SRV-01").breaches == 0


def test_another_tenant_has_a_limit_of_its_own() -> None:
    desk = Desk()
    limited(desk, 0, 10, 10)
    desk.no("limited", {"text": "4"}, "RateLimited", tenant="other")
    assert desk.judged("IR-ERR-RateLimited").subjects == 0
    assert desk.judged("IR-SRV-01").breaches == 1


def test_a_timeout_on_a_machine_that_stood_still_is_nobodys_fault() -> None:
    for took, breaches in ((50, 1), (290, 0)):
        desk = Desk()
        desk.ok("echo", TEXT, echo())
        desk.no("wait", {"ms": 10}, "Timeout", took=took)
        assert desk.judged("IR-SRV-01").breaches == breaches


def test_a_call_after_a_circuit_may_have_closed_shows_nothing() -> None:
    desk = Desk()
    desk.ok("fragile", {"fail": False}, {"ok": True})
    for _ in range(3):
        desk.no("fragile", {"fail": True}, "DownstreamFailed")
    desk.t += 290_000
    desk.ok("fragile", {"fail": False}, {"ok": True})
    assert desk.judged("IR-ERR-CircuitOpen").subjects == 0


def test_an_internal_error_leaves_a_circuit_in_doubt() -> None:
    """It may have come before the tool was reached."""
    desk = Desk()
    desk.ok("fragile", {"fail": False}, {"ok": True})
    for _ in range(2):
        desk.no("fragile", {"fail": True}, "DownstreamFailed")
    failing: Json = {"toolName": "local::kit.fragile", "input": {"fail": True}, "headers": {"tenant": "t"}}
    desk.error("tools/call", {"name": "invoke", "arguments": failing}, -32603, by="full")
    desk.ok("fragile", {"fail": False}, {"ok": True})
    assert desk.judged("IR-ERR-CircuitOpen").subjects == 0


def test_two_failures_open_no_circuit() -> None:
    desk = Desk()
    for fail in (True, True):
        desk.no("fragile", {"fail": fail}, "DownstreamFailed")
    desk.no("fragile", {"fail": False}, "CircuitOpen")
    desk.ok("echo", TEXT, echo())
    assert desk.judged("IR-SRV-01").breaches == 1


def test_waits_one_after_the_other_show_nothing_of_places() -> None:
    desk = Desk()
    desk.together()
    desk.ok("narrow", {"ms": 300}, {"waited": 300})
    desk.ok("narrow", {"ms": 301}, {"waited": 301})
    desk.t += 650_000
    desk.settle()
    assert desk.judged("IR-ERR-ConcurrencyLimited").subjects == 0


def test_a_deadline_before_the_timeout_ends_a_wait() -> None:
    for deadline, breaches in (("2026-11-21T12:00:00.100Z", 1), ("2026-11-21T12:00:00.300Z", 0)):
        desk = Desk()
        call = desk.ok("wait", {"ms": 250}, {"waited": 250}, deadline=deadline, took=252)
        desk.shown("execution", call, {"at": "2026-11-21T12:00:00.020Z"}, tool="wait")
        assert desk.judged("IR-ERR-Timeout").breaches == breaches


def test_calls_without_a_scope_show_nothing_where_no_limit_is_seen_to_hold() -> None:
    desk = Desk()
    for _ in range(3):
        desk.no("guarded", PUT, "Forbidden", by="weak")
    desk.ok("guarded", PUT, {**PUT, "writes": 1})
    assert desk.judged("IR-INV-10").subjects == 0


def test_an_operation_held_once_may_have_met_a_busy_machine() -> None:
    desk = Desk()
    desk.ok("start_job", {"ms": 700}, {"operationId": "o"}, took=705)
    desk.ok("job_status", {"operationId": "o"}, {"operationId": "o", "state": "succeeded"})
    assert desk.judged("IR-PAGE-02").breaches == 0


def streams(desk: Desk, *, awake: bool, at_once: bool) -> None:
    """Three long streams; a call on the same connection is answered meanwhile where somebody is awake."""
    for _ in range(3):
        desk.together()
        call = desk.ok("stream", {"frames": 80}, {"frames": 80}, meta=ASKED)
        desk.settle()
        answer = desk.events.pop()
        if awake:
            desk.ok("echo", TEXT, echo())
        desk.t += 500_000 if at_once else 100_000
        for number in range(1, 81):
            desk.frame(call, correlationId=f"c-{call}", sequence=number, event="partial", data={})
            desk.t -= 1_900
        desk.t += 0 if at_once else 400_000
        desk.events.append(msgspec.structs.replace(answer, t=desk.now()))


@pytest.mark.parametrize(("awake", "at_once", "breaches"), [(True, True, 1), (False, True, 0), (True, False, 0)])
def test_partials_that_are_held_back(*, awake: bool, at_once: bool, breaches: int) -> None:
    desk = Desk()
    streams(desk, awake=awake, at_once=at_once)
    assert desk.judged("IR-STR-01").breaches == breaches


def test_where_nobody_has_a_token_nothing_is_known_of_scopes() -> None:
    story = Story("invocation")
    for credential in ("nobody", "bad"):
        story.credential(credential, "caller", defect="missing" if credential == "nobody" else "garbage")
        arguments = {"toolName": "local::kit.guarded", "input": PUT, "idempotencyKey": credential}
        story.accepted("invoke", arguments, {**PUT, "writes": 1}, by=credential)
    for requirement in ("IR-ERR-Unauthenticated", "IR-SRV-01"):
        assert story.judged(requirement).subjects == 0


def test_frames_belong_to_the_call_that_was_under_way() -> None:
    """Over stdio a logging notification names no call, and a call may be made again with its correlationId."""
    desk = Desk()
    desk.together()
    first = desk.ok("stream", {"frames": 1}, {"frames": 1}, meta=ASKED, correlationId="c-1")
    desk.frame(first, correlationId="c-1", sequence=1, event="partial", data={})
    for place, event in enumerate(desk.events):
        if isinstance(event, Message) and event.direction == "in" and event.payload["method"].endswith("/message"):
            desk.events[place] = msgspec.structs.replace(event, call=None)
    desk.settle()
    desk.ok("stream", {"frames": 1}, {"frames": 1}, correlationId="c-1")
    outcome = desk.judged("IR-STR-02")
    assert (outcome.verdict, outcome.subjects) == ("pass", 1)


def test_a_key_that_another_tenant_used_may_be_refused() -> None:
    desk = Desk()
    desk.ok("put", PUT, {**PUT, "writes": 1}, idempotencyKey="one", tenant="a")
    desk.no("put", {**PUT, "value": "w"}, "IdempotencyConflict", idempotencyKey="one", tenant="b")
    assert desk.judged("IR-SRV-01").breaches == 0


@pytest.mark.parametrize(("more", "breaches"), [({}, 1), ({"versionRange": "no range"}, 0)])
def test_a_repetition_may_be_refused_for_what_else_is_wrong_with_it(more: dict[str, str], breaches: int) -> None:
    desk = Desk()
    desk.ok("put", PUT, {**PUT, "writes": 1}, idempotencyKey="one")
    desk.no("put", PUT, "VersionNotFound", idempotencyKey="one", **more)
    assert desk.judged("IR-INV-05").breaches == breaches


HOUR_S = 3600
SOON, LATER = "2026-11-21T12:30:00Z", "2026-11-21T14:00:00Z"
"""Half an hour and two hours after the beginning."""


@pytest.mark.parametrize(
    ("ahead", "deadline", "served", "verdict"),
    [
        (0, SOON, True, "not_observed"),
        (HOUR_S, SOON, True, "fail"),
        (HOUR_S, SOON, False, "pass"),
        (HOUR_S, LATER, True, "not_observed"),
    ],
)
def test_a_deadline_is_one_of_the_servers_calendar(ahead: int, deadline: str, verdict: str, *, served: bool) -> None:
    desk = Desk()
    if served:
        desk.ok("echo", {"text": "a"}, {"text": "a", "version": "2.0.0"}, deadline=deadline, ahead=ahead)
    else:
        desk.no("echo", {"text": "a"}, "Timeout", deadline=deadline, ahead=ahead)
    desk.ok("echo", {"text": "a"}, {"text": "a", "version": "2.0.0"}, ahead=ahead)
    assert desk.judged("IR-INV-07").verdict == verdict


@pytest.mark.parametrize(("took", "verdict"), [(5, "fail"), (5200, "not_observed")])
def test_a_failure_that_took_as_long_as_its_timeout_shows_no_code(took: int, verdict: str) -> None:
    desk = Desk()
    desk.ok("fragile", {"fail": False}, {"ok": True})
    desk.no("fragile", {"fail": True}, "Timeout", took=took)
    assert desk.judged("IR-ERR-DownstreamFailed").verdict == verdict


@pytest.mark.parametrize(
    ("late", "served", "before", "breaches"),
    [(3, "echo", False, 1), (2, "echo", False, 0), (3, "", False, 0), (3, "echo", True, 0)],
    ids=["never served", "too seldom to tell", "nothing is served meanwhile", "served at another time"],
)
def test_a_tool_that_always_runs_into_its_timeout(late: int, served: str, before: bool, breaches: int) -> None:
    desk = Desk()
    desk.ok("sum", {"a": 1, "b": 2}, {"sum": 3})
    if before:
        desk.ok("mcp::kit::echo", {"text": "x"}, {"text": "x"})
    desk.together()
    for number in range(late):
        desk.no("mcp::kit::echo", {"text": f"x{number}"}, "Timeout")
    desk.t += 5_000_000
    if served:
        desk.ok(served, {"text": "y"}, {"text": "y", "version": "2.0.0"})
    desk.settle()
    assert desk.judged("IR-SRV-01").breaches == breaches
