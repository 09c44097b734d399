"""MC-CALL-09: what a failed call leaves behind."""

import pytest
from msgspec import structs

from conformance.model.events import Unanswered
from conformance.model.exchange import STILL_THERE
from tests.laws.histories import Story
from tests.laws.mcp.reader import GOOD, INPUT, story


def test_the_server_goes_on() -> None:
    told = story()
    told.call("read", {}, {"error": "no"}, failed=True)
    told.call("read", GOOD, {"at": "noon"})
    told.error("tools/call", {"name": "nothing"}, -32602)
    told.call("read", GOOD, {"at": "noon"})
    outcome = told.judged("MC-CALL-09")
    assert (outcome.verdict, outcome.subjects) == ("pass", 2)


def test_the_next_call_fails_that_works_otherwise() -> None:
    told = story()
    told.call("read", GOOD, {"at": "noon"})
    told.call("read", {}, {"error": "no"}, failed=True)
    told.error("tools/call", {"name": "read", "arguments": GOOD}, -32603)
    outcome = told.judged("MC-CALL-09")
    assert (outcome.verdict, outcome.findings[0].calls) == ("fail", (3, 4))


@pytest.mark.parametrize(
    ("message", "verdict"),
    [("rate limit exceeded", "not_observed"), ("Internal error", "fail"), ("no connection to the database", "fail")],
)
def test_a_limit_is_no_failed_calls_doing(message: str, verdict: str) -> None:
    told = story()
    told.call("read", GOOD, {"at": "noon"})
    told.call("read", {}, {"error": "no"}, failed=True)
    told.error("tools/call", {"name": "read", "arguments": GOOD}, -32603, message)
    assert told.judged("MC-CALL-09").verdict == verdict


def test_a_call_of_which_nobody_knows_whether_it_works_hides_no_later_one() -> None:
    told = story()
    told.call("read", GOOD, {"at": "noon"})
    told.call("read", {}, {"error": "no"}, failed=True)
    told.error("tools/call", {"name": "say"}, -32603)
    assert told.judged("MC-CALL-09").verdict == "not_observed"
    told.error("tools/call", {"name": "read", "arguments": GOOD}, -32603)
    outcome = told.judged("MC-CALL-09")
    assert (outcome.verdict, outcome.findings[0].calls[-1]) == ("fail", told.calls)


def test_calls_that_were_under_way_with_the_failed_one_hide_nothing() -> None:
    told = story()
    told.call("read", GOOD, {"at": "noon"})
    told.error("tools/call", {"name": "nothing"}, -32602)
    told.together()
    told.call("read", {}, {"error": "no"}, failed=True)
    told.error("tools/call", {"name": "read", "arguments": GOOD}, -32603)
    told.settle()
    assert told.judged("MC-CALL-09").verdict == "not_observed"
    # what is refused whatever happens tells nothing, nor do calls that were never made before
    for tool in ("nothing", *(f"other{number}" for number in range(9))):
        told.error("tools/call", {"name": tool}, -32603)
    assert told.judged("MC-CALL-09").verdict == "not_observed"
    told.error("tools/call", {"name": "read", "arguments": GOOD}, -32603)
    assert told.judged("MC-CALL-09").verdict == "fail"


def test_what_another_call_left_behind_is_not_blamed_on_a_refused_one() -> None:
    told = story()
    told.call("read", GOOD, {"at": "noon"})
    told.call("say", {}, {"said": True})
    told.call("read", {}, {"error": "no"}, failed=True)
    told.error("tools/call", {"name": "read", "arguments": GOOD}, -32603)
    assert told.judged("MC-CALL-09").verdict == "not_observed"


def test_a_call_that_failed_before_is_not_blamed_on_a_refused_one() -> None:
    told = story()
    told.call("read", GOOD, {"at": "noon"})
    told.error("tools/call", {"name": "read", "arguments": GOOD}, -32603)
    told.call("read", {}, {"error": "no"}, failed=True)
    told.error("tools/call", {"name": "read", "arguments": GOOD}, -32603)
    found = told.judged("MC-CALL-09")
    assert all(finding.calls != (4, 5) and finding.calls[-1] != 5 for finding in found.findings)


def test_the_next_call_fails_that_never_works() -> None:
    told = story()
    told.call("read", {}, {"error": "no"}, failed=True)
    told.error("tools/call", {"name": "say"}, -32603)
    assert told.judged("MC-CALL-09").verdict == "not_observed"


def test_a_next_call_that_is_refused_shows_nothing() -> None:
    told = story()
    told.call("read", {}, {"error": "no"}, failed=True)
    told.call("read", {}, {"error": "no"}, failed=True)
    assert told.judged("MC-CALL-09").verdict == "not_observed"


def test_the_next_call_gets_no_answer() -> None:
    told = story(transport="http")
    told.call("read", {}, {"error": "no"}, failed=True)
    told.lost("read", GOOD)
    assert told.judged("MC-CALL-09").verdict == "fail"


def test_a_call_that_ends_the_process() -> None:
    told = story(transport="stdio")
    told.lost("read", {})
    assert told.judged("MC-CALL-09").verdict == "fail"


@pytest.mark.parametrize(("worked", "findings"), [(False, [(3,)]), (True, [(3, 4), (4,)])])
def test_a_call_that_ends_the_process_is_blamed_on_the_one_before_only_where_it_works(
    worked: bool, findings: list[tuple[int, ...]]
) -> None:
    told = story(transport="stdio")
    if worked:
        told.call("say", GOOD, {"said": True})
    told.call("read", {}, {"error": "no"}, failed=True)
    told.lost("say", GOOD)
    assert [finding.calls for finding in told.judged("MC-CALL-09").findings] == findings


@pytest.mark.parametrize(("alone", "verdict"), [(True, "not_observed"), (False, "fail")])
def test_a_process_that_ends_at_another_request_did_not_end_at_the_call_beside_it(alone: bool, verdict: str) -> None:
    told = story(transport="stdio")
    if alone:
        told.connect("c2", transport="stdio")
        told.request("tools/list", None, on="c2", unanswered="lost")
    told.together()
    told.lost("nothing", {})
    told.request("tools/list", None, unanswered="lost")
    told.settle()
    assert told.judged("MC-CALL-09").verdict == verdict


def test_after_the_last_call_nothing_is_seen() -> None:
    told = story()
    told.call("read", GOOD, {"at": "noon"})
    told.call("read", {}, {"error": "no"}, failed=True)
    assert told.judged("MC-CALL-09").verdict == "not_observed"


READ = [{"name": "read", "inputSchema": INPUT, "annotations": {"readOnlyHint": True}}, {"name": "say"}]


def test_what_another_connection_changed_is_not_blamed_on_a_refused_call() -> None:
    for beside, verdict in (("read", "fail"), ("say", "not_observed")):
        told = Story("mcp")
        told.list(READ)
        told.call("read", GOOD, {"at": "noon"})
        told.call(beside, {"limit": 7} if beside == "read" else {}, {"at": "noon"}, on="c2")
        told.call("read", {}, {"error": "no"}, failed=True)
        told.error("tools/call", {"name": "read", "arguments": GOOD}, -32603)
        assert told.judged("MC-CALL-09").verdict == verdict


def test_what_got_no_answer_may_have_changed_something() -> None:
    told = Story("mcp")
    told.list(READ)
    told.call("read", GOOD, {"at": "noon"})
    told.lost("say", {}, "time")
    told.call("read", {}, {"error": "no"}, failed=True)
    told.error("tools/call", {"name": "read", "arguments": GOOD}, -32603)
    assert told.judged("MC-CALL-09").verdict == "not_observed"


def test_a_call_that_is_dropped_for_its_own_sake_is_not_blamed_on_the_one_before() -> None:
    """Over HTTP each call has a connection: the server is there, as the next call shows."""
    told = story(transport="http")
    told.call("read", {}, {"error": "no"}, failed=True)
    told.lost("read", {"limit": 9})
    told.call("read", GOOD, {"at": "noon"})
    assert told.judged("MC-CALL-09").verdict == "pass"


def test_calls_that_are_dropped_for_their_kind_of_id_are_not_blamed_on_those_before() -> None:
    told = story(transport="http")
    told.call("read", GOOD, {"at": "noon"})
    told.lost("read", GOOD, under="one")
    told.lost("read", GOOD, under="two")
    told.call("read", GOOD, {"at": "noon"})
    assert told.judged("MC-CALL-09").verdict == "pass"
    told = story(transport="http")
    told.call("read", GOOD, {"at": "noon"}, under="one")
    told.lost("read", GOOD, under="two")
    told.lost("read", GOOD, under="three")
    told.call("read", GOOD, {"at": "noon"})
    assert told.judged("MC-CALL-09").verdict == "fail"


def spoiled(text: str, *, times: int = 2, changes: bool = False, recovers: bool = False) -> str:
    """A read that works, a call that fails, and the read again, which is refused with this text."""
    told = Story("mcp")
    told.list(READ)
    told.call("read", GOOD, {"at": "noon"})
    if changes:
        told.call("say", {}, {})
    told.call("read", {}, {"error": "no"}, failed=True)
    for _ in range(times):
        told.call("read", GOOD, {}, failed=True, text=text)
    if recovers:
        told.call("read", {"limit": 3}, {"at": "noon"})
    return told.judged("MC-CALL-09").verdict


def test_a_server_that_after_a_bad_call_refuses_what_worked() -> None:
    """As one does whose transaction was left open."""
    aborted = "current transaction is aborted, commands ignored until end of transaction block"
    assert spoiled(aborted) == "fail"
    assert spoiled(aborted, times=1) == "not_observed"
    assert spoiled(aborted, changes=True) == "not_observed"
    assert spoiled(aborted, recovers=True) == "pass"


@pytest.mark.parametrize("text", ["rate limit exceeded", "HTTP 429", "the token has expired", "fetch failed"])
def test_a_refusal_with_a_cause_of_its_own(text: str) -> None:
    assert spoiled(text) == "not_observed"


def stopped(
    *answers: str, refused: str = "locked", times: int = 2, between: bool = False, later: str = "", reads: bool = False
) -> str:
    """A call that gets these answers, another that fails, and the first again, which is refused from then on."""
    told = Story("mcp")
    told.list(READ if reads else [{"name": "read", "inputSchema": INPUT}, {"name": "say"}])
    for answer in answers:
        told.call("read", GOOD, {"at": answer})
    if between:
        told.call("say", {}, {"said": True})
    told.call("say", {"loud": 1}, {"error": "no"}, failed=True)
    for _ in range(times):
        told.call("read", GOOD, {}, failed=True, text=refused)
    if later:
        told.call(later, {"limit": 3} if later == "read" else {}, {"at": "noon"})
    return told.judged("MC-CALL-09").verdict


def test_a_call_that_was_answered_alike_and_then_never_again() -> None:
    assert stopped("noon", "noon") == "fail"
    # its own tool is what no longer works
    assert stopped("noon", "noon", later="say") == "fail"


def test_a_call_that_is_refused_for_a_reason_of_its_own() -> None:
    # things that are handed out, of which none is left
    assert stopped("first", "second") == "not_observed"
    assert stopped("first", "second", "third") == "not_observed"
    assert stopped("noon") == "not_observed"
    # which may be another call's doing
    assert stopped("noon", "noon", between=True) == "not_observed"
    # by chance, or for these arguments alone
    assert stopped("noon", "noon", times=1) == "not_observed"
    assert stopped("noon", "noon", later="read") == "pass"
    assert stopped("noon", "noon", refused="slow down: 2 calls a minute") == "not_observed"


def test_a_call_that_got_no_answer_may_still_change_what_another_finds() -> None:
    told = Story("mcp")
    told.list([{"name": "read", "inputSchema": INPUT}, {"name": "say"}])
    told.lost("say", {}, "time")
    for _ in range(2):
        told.call("read", GOOD, {"at": "noon"})
    told.call("say", {"loud": 1}, {"error": "no"}, failed=True)
    for _ in range(2):
        told.call("read", GOOD, {}, failed=True, text="locked")
    assert told.judged("MC-CALL-09").verdict == "pass"


def test_a_read_that_tells_another_each_time() -> None:
    assert stopped("first", "second", "third", reads=True) == "fail"


@pytest.mark.parametrize(("why", "verdict"), [("time", "fail"), ("cancelled", "not_observed")])
def test_a_call_that_was_answered_alike_and_then_not_at_all(why: str, verdict: str) -> None:
    told = story()
    for _ in range(2):
        told.call("read", GOOD, {"at": "noon"})
    told.call("read", {}, {"error": "no"}, failed=True)
    for _ in range(2):
        told.lost("read", GOOD, why)
    assert told.judged("MC-CALL-09").verdict == verdict


def test_calls_that_are_lost_while_other_requests_are_answered_do_not_end_the_server() -> None:
    """It may answer each call in no way of HTTP's: then it never worked, and is there all the same."""
    told = story(transport="http")
    told.lost("read", {})
    told.lost("read", GOOD)
    assert told.judged("MC-CALL-09").verdict == "fail"
    told.connect("c2", transport="http")
    told.result("tools/list", None, {"tools": []}, on="c2")
    assert told.judged("MC-CALL-09").verdict == "not_observed"


@pytest.mark.parametrize(("detail", "verdict"), [(f"closed; {STILL_THERE}", "pass"), ("closed", "fail")])
def test_a_connection_that_is_lost_once_to_a_server_that_is_there_is_no_failed_calls_doing(
    detail: str, verdict: str
) -> None:
    told = story(transport="http")
    for _ in range(2):
        told.call("read", GOOD, {"at": "noon"})
    told.call("read", {}, {"error": "no"}, failed=True)
    told.lost("read", GOOD)
    last = told.events.pop()
    assert isinstance(last, Unanswered)
    told.events.append(structs.replace(last, detail=detail))
    told.call("read", GOOD, {"at": "noon"})
    told.call("read", {}, {"error": "no"}, failed=True)
    told.call("read", GOOD, {"at": "noon"})
    assert told.judged("MC-CALL-09").verdict == verdict
