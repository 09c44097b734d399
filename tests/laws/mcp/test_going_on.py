"""MC-CALL-09: what a failed call leaves behind."""

from tests.laws.mcp.reader import GOOD, story


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


def test_after_the_last_call_nothing_is_seen() -> None:
    told = story()
    told.call("read", GOOD, {"at": "noon"})
    told.call("read", {}, {"error": "no"}, failed=True)
    assert told.judged("MC-CALL-09").verdict == "not_observed"
