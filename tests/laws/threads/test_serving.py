"""TH-SRV-01 to -03: what is offered is served and shown, and nothing fails by the server's own fault."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from conformance.model.events import Json
from tests.laws.driven import driven
from tests.laws.threads.desk import Desk
from tests.laws.threads.scene import CREATED, MADE, POST, SHOWN, TH, scene, someone
from tests.laws.threads.talk import STATED, Talk, message

BEAT = {"runtime": "r", "resumable": True, "status": "idle"}


def known(story: Talk) -> Talk:
    """Everybody's role is one that the server knows."""
    someone(story, "eye", "auditor")
    for by in ("lead", "operator", "a", "b", "eye"):
        story.accepted("heartbeat_session", BEAT, {"ok": True, "recorded_at": CREATED}, by=by)
    return story


GOOD: list[tuple[str, Json, str]] = [
    ("create_thread", MADE, "lead"),
    ("create_thread", {**MADE, "created_by": "agent-operator", "x_hint": 1}, "operator"),
    ("get_thread", TH, "eye"),
    ("post_message", {**POST, "kind": "system"}, "b"),
    ("post_message", {**POST, "body": "x" * 8_192}, "operator"),
    ("post_message", {**POST, "metadata": {"a": {"b": [1, None]}}, "idempotency_key": "k"}, "a"),
    ("read_messages", TH, "a"),
    ("read_messages", {**TH, "since_seq": 7, "limit": 50}, "eye"),
    ("ack_read", {**TH, "last_read_seq": 0}, "lead"),
    ("update_thread_status", {**TH, "status": "resolved", "reason": "done"}, "a"),
    ("update_thread_status", {**TH, "status": "closed", "reason": "done"}, "operator"),
    ("summarize_thread", {**TH, "max_messages": 200}, "eye"),
    ("heartbeat_session", {**BEAT, "workspace_id": "ws-home", "management_mode": "managed"}, "a"),
]


@pytest.mark.parametrize(("tool", "arguments", "by"), GOOD)
def test_what_nothing_speaks_against_is_served(tool: str, arguments: Json, by: str) -> None:
    for code in ("FORBIDDEN", "VALIDATION_ERROR", "OF_ITS_OWN"):
        story = known(Talk(statement=STATED))
        story.refused(tool, arguments, code, by=by)
        guest = by == "eye" or (by != "b" and "thread_id" in dict(arguments) and (by != "a" or "status" in arguments))
        if code == "FORBIDDEN" and guest:
            # no clause lets auditors read, workers move threads, or leads where they take no part: who lets them once
            # is to let them again
            assert story.judged("TH-SRV-01").breaches == 0
            story.accepted(tool, arguments, {"thread_id": "th_3"}, by=by)
        assert story.judged("TH-SRV-01").verdict == "fail"
    story = known(Talk())
    story.accepted(tool, arguments, {"thread_id": "th_3"}, by=by)
    assert story.judged("TH-SRV-01").verdict == "pass"


DOUBTFUL: list[tuple[str, Json, str]] = [
    ("create_thread", MADE, "a"),
    ("create_thread", {**MADE, "participants": ["agent-a", "agent-a"]}, "lead"),
    ("create_thread", {**MADE, "title": " "}, "lead"),
    ("create_thread", {**MADE, "workspace_id": "ws-other"}, "lead"),
    ("create_thread", {name: value for name, value in MADE.items() if name != "workspace_id"}, "lead"),
    ("get_thread", {"thread_id": "th_old"}, "a"),
    ("post_message", POST, "eye"),
    ("heartbeat_session", BEAT, "eye"),
    ("post_message", {**POST, "body": "x" * 65_537}, "a"),
    ("post_message", {**POST, "body": "nul\0"}, "a"),
    ("post_message", {**POST, "metadata": {"key\0": 1}}, "a"),
    ("post_message", {**POST, "body": "a bell \a"}, "a"),
    ("post_message", {**POST, "metadata": {"said": ["\x1b[31m", "\x85"]}}, "a"),
    ("post_message", {**POST, "metadata": None}, "a"),
    ("post_message", {**POST, "metadata": {"m": "x" * 20_000}}, "a"),
    ("post_message", {**POST, "in_reply_to": "msg_9"}, "a"),
    ("post_message", {**POST, "sender_agent_id": "agent-b"}, "a"),
    ("post_message", {**POST, "schema_version": 1.0}, "a"),
    ("post_message", {**POST, "kind": "event", "metadata": {"event_version": 2}}, "a"),
    ("post_message", {**POST, "body": "x" * 65_536}, "a"),
    ("post_message", {**POST, "metadata": {"m": "x" * 3_000}}, "a"),
    ("read_messages", {**TH, "limit": 51}, "a"),
    ("read_messages", {**TH, "limit": 0}, "a"),
    ("ack_read", {**TH, "last_read_seq": 5}, "a"),
    ("ack_read", {**TH, "last_read_seq": 0}, "eye"),
    ("update_thread_status", {**TH, "status": "closed", "reason": "done"}, "a"),
    ("update_thread_status", {**TH, "status": "resolved", "reason": " "}, "lead"),
    ("update_thread_status", {**TH, "status": "active", "reason": "as it is"}, "lead"),
    ("heartbeat_session", {**BEAT, "session_id": "session-b"}, "a"),
    ("heartbeat_session", {"status": "idle"}, "a"),
    ("get_thread", TH, "outsider"),
]


@pytest.mark.parametrize(("tool", "arguments", "by"), DOUBTFUL)
def test_what_may_be_refused_is_no_subject(tool: str, arguments: Json, by: str) -> None:
    story = known(Talk())
    someone(story, "outsider")
    story.refused(tool, arguments, "FORBIDDEN", by=by)
    assert story.judged("TH-SRV-01").breaches == 0


def moved(status: str) -> Callable[[Talk], object]:
    return lambda story: story.move(status, by="lead")


def keyed(story: Talk) -> None:
    story.post(1, idempotency_key="k", body="another")


@pytest.mark.parametrize(
    ("before", "tool", "arguments", "by", "breaches"),
    [
        (moved("closed"), "post_message", POST, "a", 0),
        (moved("blocked"), "post_message", POST, "a", 1),
        (moved("resolved"), "post_message", POST, "a", 1),
        (moved("blocked"), "update_thread_status", {**TH, "status": "resolved", "reason": "x"}, "lead", 0),
        (moved("blocked"), "update_thread_status", {**TH, "status": "active", "reason": "x"}, "a", 1),
        (moved("blocked"), "update_thread_status", {**TH, "status": "closed", "reason": "x"}, "operator", 0),
        (keyed, "post_message", {**POST, "idempotency_key": "k"}, "a", 0),
        (keyed, "post_message", {**POST, "idempotency_key": "k"}, "b", 1),
        (keyed, "post_message", {**POST, "in_reply_to": "msg_1"}, "b", 1),
    ],
)
def test_the_state_counts(before: Callable[[Talk], object], tool: str, arguments: Json, by: str, breaches: int) -> None:
    story = known(Talk(statement=STATED))
    before(story)
    story.refused(tool, arguments, "CONFLICT", by=by)
    assert story.judged("TH-SRV-01").breaches == breaches


def test_a_role_that_was_never_accepted_is_in_doubt() -> None:
    """Its name may be another one on this server; where it is served anywhere, all that it may do is served."""
    story = Talk()
    someone(story, "eye", "auditor")
    story.refused("get_thread", TH, "UNAUTHORIZED", by="eye")
    assert story.judged("TH-SRV-01").breaches == 0
    story.accepted("heartbeat_session", BEAT, {"ok": True}, by="eye")
    assert story.judged("TH-SRV-01").breaches == 1


def test_a_wrong_token_is_no_breach() -> None:
    story = scene()
    story.refused("get_thread", TH, "UNAUTHORIZED", by=someone(story, "x", defect="audience"))
    assert story.judged("TH-SRV-01").breaches == 0


@pytest.mark.parametrize(("settings", "posts", "breaches"), [({}, 3, 0), ({"quota_per_minute": 3}, 3, 0),
                                                           ({"quota_per_minute": 9}, 3, 1)])  # fmt: skip
def test_too_many_calls_are_the_targets_to_count(settings: dict[str, Any], posts: int, breaches: int) -> None:
    story = Talk(**settings)
    for number in range(posts):
        story.post(number + 1)
    story.denied("RATE_LIMITED")
    assert story.judged("TH-SRV-01").breaches == breaches


def test_narrower_limits_are_the_targets_to_state() -> None:
    for settings, breaches in (({}, 1), ({"max_body": 1_000}, 0)):
        story = Talk(**settings)
        story.post(1)
        story.denied("VALIDATION_ERROR", body="x" * 1_001)
        assert story.judged("TH-SRV-01").breaches == breaches


@pytest.mark.parametrize(
    ("settings", "listed", "arguments", "breaches"),
    [
        ({}, {}, {"limit": 100}, 0),
        ({"max_page": 100}, {}, {"limit": 100}, 1),
        ({}, {"limit": {"type": "integer", "maximum": 200}}, {"limit": 100}, 1),
        ({}, {"limit": {"type": "integer", "maximum": 99}}, {"limit": 100}, 0),
        ({}, {"limit": {"type": "integer", "exclusiveMaximum": 100}}, {"limit": 100}, 0),
        ({}, {"limit": {"type": "integer", "maximum": 20}}, {"limit": 50}, 0),
        ({}, {"of_its_own": {"type": "object"}}, {"of_its_own": None}, 0),
        ({}, {"of_its_own": {"type": "object"}}, {"of_its_own": {}}, 1),
    ],
)
def test_limits_that_nobody_states_are_the_targets_own(
    settings: Json, listed: Json, arguments: Json, breaches: int
) -> None:
    story = known(Talk(**settings))
    story.list([{"name": "read_messages", "inputSchema": {"properties": listed}}])
    story.post(1)
    story.refused("read_messages", {**TH, **arguments}, "VALIDATION_ERROR", by="a")
    assert story.judged("TH-SRV-01").breaches == breaches


@pytest.mark.parametrize("most", [1, 2])
def test_as_many_items_as_are_listed(most: int) -> None:
    story = known(Talk())
    names = {"type": "array", "items": {"type": "string", "maxLength": 7}, "maxItems": most}
    story.list([{"name": "create_thread", "inputSchema": {"properties": {"participants": names}}}])
    story.refused("create_thread", {**MADE, "participants": ["agent-a", "agent-b"]}, "VALIDATION_ERROR", by="lead")
    story.refused("create_thread", {**MADE, "participants": ["agent-abc"]}, "VALIDATION_ERROR", by="lead")
    assert story.judged("TH-SRV-01").breaches == most - 1


@pytest.mark.parametrize(
    "left_out", [{"tools": {"get_thread": "later"}}, {"parameters": {"read_messages.limit": "later"}}]
)
def test_what_the_statement_leaves_out(left_out: Json) -> None:
    story = known(Talk(statement={"unsupported": left_out}))
    story.refused("get_thread" if "tools" in left_out else "read_messages", {**TH, "limit": 5}, "OF_ITS_OWN", by="a")
    assert story.judged("TH-SRV-01").breaches == 0


@pytest.mark.parametrize(
    ("ask", "conditions", "breaches"),
    [
        ({}, {}, 1),
        ({"allow_fallback": False}, {}, 1),
        ({"allow_fallback": False}, {"runtime_down": ["bob"]}, 0),
        ({}, {"runtime_down": ["bob"], "resume_unavailable": ["bob"], "spawn_unavailable": True}, 0),
        ({"allow_defer": False}, {"human_input": ["bob"]}, 0),
        ({"force": True}, {"human_input": ["bob"]}, 0),
        ({"force": "yes"}, {}, 0),
    ],
)
def test_triggers_that_can_succeed(ask: dict[str, Any], conditions: dict[str, Any], breaches: int) -> None:
    desk = Desk()
    desk.beat()
    desk.turned_down("OF_ITS_OWN", ask=ask, conditions=conditions)
    assert desk.judged("TH-SRV-01").breaches == breaches


def test_a_refusal_of_every_call_is_the_root_of_what_it_hides() -> None:
    """No requirement on one way of calling a tool is broken where the tool refuses all ways."""
    story = known(Talk())
    for _ in range(2):
        story.denied("FORBIDDEN")
        story.denied("FORBIDDEN", kind="event", metadata={"event_type": "fix_pushed"})
    assert story.judged("TH-SRV-01").verdict == "fail"
    assert [story.judged(name).breaches for name in ("TH-MSG-07", "TH-MSG-09", "TH-AUTH-05", "TH-VER-03")] == [0] * 4
    assert story.judged("TH-MSG-08").blocked_by == "TH-SRV-01"


def test_a_thread_that_is_not_found_again() -> None:
    """What was made over one connection is there over another, and at another endpoint of the same store."""
    story = known(Talk())
    story.connect("other", endpoint=1)
    story.refused("get_thread", TH, "NOT_FOUND", by="a", on="other")
    assert story.judged("TH-SRV-01").verdict == "fail"


@pytest.mark.parametrize(
    ("tool", "answer", "verdict"),
    [
        ("post_message", {"thread_status": "blocked"}, "pass"),
        ("post_message", {"thread_status": "active"}, "fail"),
        ("summarize_thread", {"last_status": "active"}, "fail"),
        ("get_thread", {"status": "blocked", "title": MADE["title"]}, "pass"),
        ("get_thread", {"title": "Another"}, "fail"),
        ("get_thread", {"participants": ["agent-b", "agent-lead", "agent-a"]}, "pass"),
        ("get_thread", {"participants": ["agent-b"]}, "fail"),
    ],
)
def test_a_thread_is_shown_as_it_was_written(tool: str, answer: dict[str, Any], verdict: str) -> None:
    story = Talk()
    story.move("blocked")
    given = {**SHOWN, "status": "blocked", **answer} if tool == "get_thread" else answer
    story.accepted(tool, POST if tool == "post_message" else TH, given, by="a")
    outcome = story.judged("TH-SRV-02")
    assert outcome.subjects
    assert bool(outcome.breaches) == (verdict == "fail")


def test_a_status_that_an_event_may_have_changed_is_in_doubt() -> None:
    story = Talk()
    story.post(1, kind="event", metadata={"event_type": "thread_escalated"})
    story.post(2, given={"thread_status": "blocked"})
    assert story.judged("TH-SRV-02").breaches == 0


@pytest.mark.parametrize(
    ("changes", "breaches"),
    [
        ({}, 0),
        ({"metadata": {"n": 1.0, "x": [True], "more": 1}}, 0),
        ({"metadata": {"n": 1, "x": [1]}}, 1),
        ({"metadata": ...}, 0),
        ({"idempotency_key": ...}, 0),
        ({"idempotency_key": "another"}, 1),
        ({"thread_id": "th_2"}, 1),
        ({"schema_version": 2}, 1),
    ],
)
def test_a_message_is_shown_as_it_was_written(changes: dict[str, Any], breaches: int) -> None:
    story = Talk()
    written = {"metadata": {"n": 1, "x": [True]}, "idempotency_key": "k"}
    story.post(1, **written)
    story.post(1, **written)
    story.connect("other", endpoint=1)
    shown = message(1, **{"thread_id": "th_1", "schema_version": 1, **written, **changes})
    story.accepted("read_messages", {**TH, "since_seq": 0}, {"messages": [shown]}, by="b", on="other")
    assert story.judged("TH-SRV-02").breaches == breaches


@pytest.mark.parametrize(("field", "breaches"), [("metadata", 1), ("thread_id", 1), ("idempotency_key", 0)])
def test_what_is_shown_of_one_message_is_shown_of_all(field: str, breaches: int) -> None:
    """But for the key: a server may show it to its sender alone."""
    story = Talk()
    written = {"metadata": {"n": 1}, "idempotency_key": "k"}
    whole = []
    for number in (1, 2):
        story.post(number, **{**written, "idempotency_key": f"k-{number}"})
        whole.append(message(number, thread_id="th_1", **{**written, "idempotency_key": f"k-{number}"}))
    del whole[1][field]
    story.accepted("read_messages", {**TH, "since_seq": 0}, {"messages": whole}, by="b")
    assert story.judged("TH-SRV-02").breaches == breaches


@pytest.mark.parametrize(
    ("code", "said", "verdict"),
    [
        ("NOT_FOUND", "there is no such thread", "pass"),
        ("OF_ITS_OWN", "no", "fail"),
        ("VALIDATION_ERROR", "Traceback (most recent call last): ...", "fail"),
        ("CONFLICT", 'Failed query: insert into "messages" ("id") values ($1)', "fail"),
        ("CONFLICT", "KeyError: 'seq'", "fail"),
        ("CONFLICT", "see /srv/app/store.py", "fail"),
    ],
)
def test_faults_of_the_servers_own(code: str, said: str, verdict: str) -> None:
    story = scene()
    story.refused("get_thread", {"thread_id": "th_9"}, code, by="a", details={"message": said})
    assert bool(story.judged("TH-SRV-03").breaches) == (verdict == "fail")


@pytest.mark.parametrize(
    ("said", "breaches"),
    [
        ("there is no /srv/mine/a", 0),
        ("neither /srv/mine/a nor /srv/app/store.py", 1),
        ("give a name, such as /srv/app/store.py", 0),
        ("/srv/mine/a: KeyError: 'seq'", 1),
    ],
)
def test_what_the_caller_sent_hides_nothing_beside_it(said: str, breaches: int) -> None:
    story = scene()
    story.refused("get_thread", {"thread_id": "/srv/mine/a"}, "NOT_FOUND", by="a", details={"message": said})
    assert story.judged("TH-SRV-03").breaches == breaches


@pytest.mark.parametrize("requirement", ["TH-SRV-01", "TH-SRV-02", "TH-SRV-03"])
def test_the_reference(requirement: str) -> None:
    outcome = driven("threads", "serving").outcome(requirement)
    assert outcome is not None
    assert (outcome.verdict, outcome.subjects > 0) == ("pass", True)


@pytest.mark.parametrize(("said", "breaches"), [("no\n    at refuse (refusal.mjs:5:9)", 1), ("no\n    at all", 0)])
def test_an_inside_that_comes_as_json_in_a_text(said: str, breaches: int) -> None:
    story = scene()
    error = {"error": {"code": "NOT_FOUND", "message": said, "request_id": "r"}}
    content = [{"type": "text", "text": json.dumps(error)}]
    asked = {"name": "get_thread", "arguments": {"thread_id": "th_9"}}
    story.result("tools/call", asked, {"content": content, "isError": True, "resultType": "complete"}, by="a")
    assert story.judged("TH-SRV-03").breaches == breaches


@pytest.mark.parametrize(
    ("title", "verdict"), [("of two words", "pass"), ("of two  words", "fail"), ("of two", "fail")]
)
def test_a_title_may_lose_the_white_space_around_it(title: str, verdict: str) -> None:
    story = known(Talk())
    made = {**MADE, "title": " of two words "}
    story.accepted("create_thread", made, {"thread_id": "th_2", "status": "active", "created_at": CREATED}, by="lead")
    answer = {**SHOWN, "thread_id": "th_2", "title": title}
    story.accepted("get_thread", {"thread_id": "th_2"}, answer, by="a")
    for requirement in ("TH-SRV-02", "TH-THR-05"):
        assert bool(story.judged(requirement).breaches) == (verdict == "fail")
