"""TH-ERR: which code is answered when."""

from typing import Any

import pytest

from tests.laws.histories import Story
from tests.laws.threads.scene import MADE, POST, SHOWN, TH, live, scene, someone

BEAT = {"runtime": "r", "resumable": True, "status": "idle"}
CASES = [
    ("FORBIDDEN", "get_thread", TH, "outsider"),
    ("OUT_OF_SCOPE_WORKSPACE", "get_thread", TH, "stranger"),
    ("OUT_OF_SCOPE_WORKSPACE", "create_thread", {**MADE, "workspace_id": "ws-elsewhere"}, "lead"),
    ("NOT_FOUND", "get_thread", {"thread_id": "th_9"}, "lead"),
    ("VALIDATION_ERROR", "post_message", {**POST, "kind": "shout"}, "a"),
    ("VALIDATION_ERROR", "post_message", {**POST, "schema_version": 2}, "a"),
    ("CLAIM_MISMATCH", "post_message", {**POST, "sender_agent_id": "agent-b"}, "a"),
    ("UNAUTHORIZED", "get_thread", TH, "forger"),
]


@pytest.mark.parametrize(("code", "tool", "arguments", "by"), CASES)
def test_one_fault(code: str, tool: str, arguments: Any, by: str) -> None:
    for answered, verdict in ((code, "pass"), ("CONFLICT", "fail"), ("OF_ITS_OWN", "fail")):
        story = scene()
        someone(story, "forger", defect="signature", agent_id="agent-a", session_id="session-a")
        story.accepted("heartbeat_session", BEAT, {"ok": True}, by=by)
        story.refused(tool, arguments, answered, by=by)
        for caller in ("a", "lead"):
            story.accepted("get_thread", TH, {}, by=caller)
            story.accepted("post_message", POST, {"message_id": "m1"}, by=caller)
            story.accepted("create_thread", MADE, {"thread_id": "th_2"}, by=caller)
        outcome = story.judged(f"TH-ERR-{code}")
        assert (outcome.verdict, outcome.subjects) == (verdict, 1)


@pytest.mark.parametrize(("code", "tool", "arguments", "by"), CASES)
def test_that_it_is_refused_at_all_is_judged_elsewhere(code: str, tool: str, arguments: Any, by: str) -> None:
    story = scene()
    someone(story, "forger", defect="signature")
    story.accepted(tool, arguments, {}, by=by)
    assert not story.judged(f"TH-ERR-{code}").subjects


@pytest.mark.parametrize(
    ("code", "tool", "arguments", "by"),
    [
        ("VALIDATION_ERROR", "post_message", {**POST, "kind": "shout"}, "outsider"),
        ("FORBIDDEN", "post_message", {**POST, "kind": "shout"}, "outsider"),
        ("CLAIM_MISMATCH", "create_thread", {**MADE, "created_by": "agent-b"}, "a"),
        ("CLAIM_MISMATCH", "post_message", {**POST, "sender_agent_id": "agent-b", "in_reply_to": "m9"}, "a"),
        ("NOT_FOUND", "trigger_participant", {"thread_id": "th_9", "target_agent_id": "agent-a"}, "a"),
    ],
    ids=["malformed and outside", "outside and malformed", "a role", "a reply", "a role and unknown"],
)
def test_of_two_faults_either_may_be_named(code: str, tool: str, arguments: Any, by: str) -> None:
    story = scene()
    story.refused(tool, arguments, "CONFLICT", by=by)
    assert not story.judged(f"TH-ERR-{code}").subjects


def test_the_protocols_own_words() -> None:
    story = scene()
    story.accepted("get_thread", TH, {}, by="lead")
    story.error("tools/call", {"name": "get_thread", "arguments": {}}, -32602, by="lead")
    assert story.judged("TH-ERR-VALIDATION_ERROR").verdict == "pass"
    story.connect("n", transport="http")
    someone(story, "nobody", "orchestrator", defect="missing", agent_id="agent-lead", session_id="session-lead")
    called = {"name": "get_thread", "arguments": TH}
    story.request("tools/call", called, {"detail": "no token"}, on="n", status=401, by="nobody")
    assert story.judged("TH-ERR-UNAUTHORIZED").verdict == "pass"


@pytest.mark.parametrize(
    ("other", "subjects", "verdict"),
    [("", 1, "fail"), ("accepted", 0, ""), ("UNAUTHORIZED", 1, "pass"), ("FORBIDDEN", 1, "fail")],
)
def test_a_fault_now_and_then_is_no_code_for_what_was_wrong(other: str, subjects: int, verdict: str) -> None:
    """A server that stumbles at every such call has no code for it; one that stumbles once met something else."""
    story = scene()
    someone(story, "forger", defect="signature", agent_id="agent-a", session_id="session-a")
    story.accepted("get_thread", TH, {}, by="a")
    story.connect("n", transport="http")
    story.refused("get_thread", TH, "INTERNAL", by="forger", on="n", status=500)
    if other == "accepted":
        story.accepted("get_thread", TH, {}, by="forger")
    elif other:
        story.refused("get_thread", TH, other, by="forger")
    outcome = story.judged("TH-ERR-UNAUTHORIZED")
    assert outcome.subjects == subjects
    assert not verdict or outcome.verdict == verdict


@pytest.mark.parametrize(
    ("taken", "subjects"), [("not_yet:180", 0), ("not_yet", 0), ("missing:jti", 1), ("expired", 1), ("missing", 1)]
)
def test_a_token_of_a_kind_that_is_taken_is_refused_for_something_else(taken: str, subjects: int) -> None:
    story = scene()
    story.accepted("get_thread", TH, {}, by="a")
    for number, defect in enumerate((taken, "not_yet")):
        someone(story, f"forger {number}", defect=defect, agent_id="agent-a", session_id="session-a")
    story.accepted("get_thread", TH, {}, by="forger 0")
    story.refused("get_thread", TH, "CONFLICT", by="forger 1")
    assert story.judged("TH-ERR-UNAUTHORIZED").subjects == subjects


def moved(*statuses: str, by: str = "lead") -> Story:
    story = scene()
    for status in statuses:
        arguments = {**TH, "status": status, "reason": "x"}
        story.accepted("update_thread_status", arguments, {"thread_id": "th_1", "status": status}, by=by)
    return story


def test_a_closed_thread() -> None:
    for code, verdict in (("CONFLICT", "pass"), ("VALIDATION_ERROR", "fail")):
        story = moved("closed")
        story.refused("update_thread_status", {**TH, "status": "active", "reason": "x"}, code, by="lead")
        assert story.judged("TH-ERR-CONFLICT").verdict == verdict


@pytest.mark.parametrize("reason", ["x" * 201, "U+0000 \0 in it"])
@pytest.mark.parametrize(
    ("code", "status", "wanted", "by"),
    [("CONFLICT", "closed", "active", "lead"), ("INSUFFICIENT_AUTHORITY", "blocked", "closed", "a")],
)
def test_what_a_reason_may_be_is_looked_at_first(code: str, status: str, wanted: str, by: str, reason: str) -> None:
    story = moved(status)
    asked = {**TH, "status": wanted, "reason": reason}
    story.refused("update_thread_status", asked, "VALIDATION_ERROR", by=by)
    story.accepted("update_thread_status", {**asked, "status": "closed", "reason": "x"}, {}, by="lead")
    assert not story.judged(f"TH-ERR-{code}").subjects


def test_a_text_that_may_be_refused_is_a_second_fault() -> None:
    for thread, verdict in (("th_unknown", "fail"), ("th_\0", "not_observed")):
        story = scene()
        story.accepted("get_thread", TH, SHOWN, by="a")
        story.refused("get_thread", {"thread_id": thread}, "VALIDATION_ERROR", by="a")
        assert story.judged("TH-ERR-NOT_FOUND").verdict == verdict


def test_a_status_that_is_not_sure() -> None:
    story = moved("closed")
    story.lost("update_thread_status", {**TH, "status": "active", "reason": "x"}, by="lead")
    story.refused("update_thread_status", {**TH, "status": "blocked", "reason": "x"}, "FORBIDDEN", by="lead")
    assert not story.judged("TH-ERR-CONFLICT").subjects


def test_an_override_by_a_worker() -> None:
    for code, verdict in (("INSUFFICIENT_AUTHORITY", "pass"), ("FORBIDDEN", "fail")):
        story = moved("blocked")
        story.refused("update_thread_status", {**TH, "status": "closed", "reason": "x"}, code, by="a")
        assert not story.judged("TH-ERR-INSUFFICIENT_AUTHORITY").subjects
        story.accepted("update_thread_status", {**TH, "status": "closed", "reason": "x"}, {}, by="lead")
        assert story.judged("TH-ERR-INSUFFICIENT_AUTHORITY").verdict == verdict
    story = moved("resolved")
    story.refused("update_thread_status", {**TH, "status": "closed", "reason": "x"}, "FORBIDDEN", by="a")
    assert not story.judged("TH-ERR-INSUFFICIENT_AUTHORITY").subjects


def test_a_reused_key() -> None:
    for code, verdict in (("IDEMPOTENCY_CONFLICT", "pass"), ("CONFLICT", "fail")):
        story = scene()
        story.accepted("post_message", {**POST, "idempotency_key": "k"}, {"message_id": "m1"}, by="a")
        story.refused("post_message", {**POST, "idempotency_key": "k", "body": "other"}, code, by="a")
        assert story.judged("TH-ERR-IDEMPOTENCY_CONFLICT").verdict == verdict


def posted(count: int, **settings: Any) -> Story:
    story = scene(**settings)
    for number in range(count):
        story.accepted("post_message", {**POST, "body": f"message {number}"}, {"message_id": f"m{number}"}, by="a")
    return story


def test_a_quota() -> None:
    story = posted(3, quota_per_minute=3)
    story.refused("post_message", POST, "RATE_LIMITED", by="a")
    story.refused("post_message", POST, "RATE_LIMITED", by="a")
    outcome = story.judged("TH-ERR-RATE_LIMITED")
    assert (outcome.verdict, outcome.subjects) == ("pass", 2)
    story.refused("post_message", POST, "CONFLICT", by="a")
    assert story.judged("TH-ERR-RATE_LIMITED").verdict == "fail"


@pytest.mark.parametrize(("shown", "verdict"), [(0, "pass"), (1, "fail")])
def test_what_is_beyond_the_quota_is_not_posted(shown: int, verdict: str) -> None:
    story = posted(3, quota_per_minute=3)
    read = {"messages": [], "next_seq": 0, "has_more": False}
    story.accepted("read_messages", TH, read, by="b")
    story.refused("post_message", POST, "RATE_LIMITED", by="a")
    story.accepted("read_messages", TH, {**read, "next_seq": shown}, by="b")
    assert story.judged("TH-ERR-RATE_LIMITED").verdict == verdict


def test_a_quota_whose_window_may_have_begun_anew() -> None:
    assert not posted(6, quota_per_minute=3).judged("TH-ERR-RATE_LIMITED").subjects
    assert posted(7, quota_per_minute=3).judged("TH-ERR-RATE_LIMITED").verdict == "fail"


def each_posted(*posts: tuple[str, int, int]) -> Story:
    """Agents who post so many messages, one agent after the other, each so many seconds after the one before."""
    story = scene(quota_per_minute=3)
    for by, count, after_s in posts:
        story.t += after_s * 1_000_000
        for number in range(count):
            answer = {"message_id": f"m-{by}-{number}-{story.t}"}
            story.accepted("post_message", {**POST, "body": f"message {story.t}"}, answer, by=by)
    return story


def test_two_agents_who_each_exceed_a_quota_within_a_minute() -> None:
    assert each_posted(("a", 4, 0), ("b", 4, 0)).judged("TH-ERR-RATE_LIMITED").verdict == "fail"
    assert not each_posted(("a", 4, 0), ("b", 3, 0)).judged("TH-ERR-RATE_LIMITED").subjects


@pytest.mark.parametrize(
    "posts",
    [
        (("a", 4, 0), ("b", 4, 60)),
        (("a", 1, 0), ("b", 1, 0)) * 4,
        (("a", 3, 0), ("a", 1, 21), ("b", 3, 0), ("b", 1, 21)),
    ],
    ids=["two windows began anew", "one window that began anew served both", "one more was earned meanwhile"],
)
def test_agents_who_may_have_had_more_than_one_quota(posts: tuple[tuple[str, int, int], ...]) -> None:
    assert not each_posted(*posts).judged("TH-ERR-RATE_LIMITED").subjects


def test_what_no_quota_counts() -> None:
    assert not posted(7).judged("TH-ERR-RATE_LIMITED").subjects, "the target claims none"
    story = posted(3, quota_per_minute=3)
    story.t += 60_000_000
    story.refused("post_message", POST, "CONFLICT", by="a")
    story.refused("post_message", POST, "CONFLICT", by="b")
    assert not story.judged("TH-ERR-RATE_LIMITED").subjects


def test_the_reference() -> None:
    codes = "UNAUTHORIZED FORBIDDEN OUT_OF_SCOPE_WORKSPACE NOT_FOUND CONFLICT IDEMPOTENCY_CONFLICT RATE_LIMITED "
    codes += "VALIDATION_ERROR CLAIM_MISMATCH INSUFFICIENT_AUTHORITY"
    found = live(*(f"TH-ERR-{code}" for code in codes.split()))
    assert {result.verdict for result in found.values()} == {"pass"}
    assert all(result.subjects for result in found.values())


def test_a_thread_without_its_workspace_is_no_like_of_one_with_it() -> None:
    """A random history left the workspace out and named another creator: either may be told."""
    story = scene()
    story.accepted("create_thread", {**MADE, "created_by": "agent-lead"}, {"thread_id": "th_2"}, by="lead")
    lacking = {name: value for name, value in MADE.items() if name != "workspace_id"}
    story.refused("create_thread", {**lacking, "created_by": "agent-b"}, "VALIDATION_ERROR", by="lead")
    assert not story.judged("TH-ERR-CLAIM_MISMATCH").subjects
    story.refused("create_thread", {**MADE, "created_by": "agent-b"}, "VALIDATION_ERROR", by="lead")
    assert story.judged("TH-ERR-CLAIM_MISMATCH").verdict == "fail"
