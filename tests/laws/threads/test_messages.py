"""TH-MSG: what a message is, and that it is read back."""

from typing import Any

import pytest

from tests.laws.driven import driven
from tests.laws.threads.scene import POST
from tests.laws.threads.talk import Talk, message

IDS = [f"TH-MSG-0{number}" for number in range(1, 10)]


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ({}, "pass"),
        ({"created_at": "yesterday"}, "pass"),
        ({"likes": 1}, "pass"),
        ({"seq": "1"}, "fail"),
        ({"seq": True}, "fail"),
        ({"kind": "note"}, "fail"),
        ({"kind": ["chat"]}, "fail"),
        ({"body": None}, "fail"),
        ({"message_id": ""}, "fail"),
        ({"sender_agent_id": ...}, "fail"),
        ({"created_at": 1_700_000_000}, "fail"),
    ],
)
def test_fields_of_a_message(changes: dict[str, Any], verdict: str) -> None:
    story = Talk()
    story.read(message(1, **changes))
    assert story.judged("TH-MSG-01").verdict == verdict


def test_an_entry_that_is_no_object_is_no_message() -> None:
    story = Talk()
    story.read("hello")
    assert story.judged("TH-MSG-01").verdict == "fail"


@pytest.mark.parametrize(("second", "verdict"), [(2, "pass"), (7, "pass"), (1, "fail"), (0, "fail")])
def test_seq_after_seq(second: int, verdict: str) -> None:
    story = Talk()
    story.post(1)
    story.post(second, given={"message_id": "msg_other"})
    assert story.judged("TH-MSG-02").verdict == verdict


@pytest.mark.parametrize(("seqs", "verdict"), [((2, 3), "pass"), ((3, 2), "pass"), ((2, 2), "fail"), ((1, 2), "fail")])
def test_seqs_of_concurrent_posts(seqs: tuple[int, int], verdict: str) -> None:
    story = Talk()
    story.post(1)
    story.together()
    for number, seq in enumerate(seqs):
        story.post(seq, given={"message_id": f"msg_at_once_{number}"})
    story.settle()
    assert story.judged("TH-MSG-02").verdict == verdict


@pytest.mark.parametrize(
    ("whole", "from_zero", "verdict"),
    [((0, 1), (1,), "pass"), ((1,), (1,), "fail"), ((), (), "fail")],
)
def test_a_message_below_every_since_seq(whole: tuple[int, ...], from_zero: tuple[int, ...], verdict: str) -> None:
    """No since_seq leads to seq 0: it is read where none is named."""
    story = Talk()
    for seq in (0, 1) if whole or from_zero else (0,):
        story.post(seq)
    story.read(*map(message, from_zero))
    story.read(*map(message, whole), since=..., given={"next_seq": max(whole, default=0)})
    assert story.judged("TH-MSG-08").verdict == verdict


def test_where_a_reader_begins_who_acknowledged_something_is_open() -> None:
    story = Talk()
    story.post(0)
    story.post(1)
    story.ack(0, by="b")
    story.read(message(1), since=...)
    assert story.judged("TH-MSG-08").verdict == "pass"


def test_a_replay_of_a_lost_post_may_have_a_lower_seq() -> None:
    story = Talk()
    story.lost("post_message", {**POST, "idempotency_key": "k"}, by="a")
    story.post(2)
    story.post(3)
    story.post(1, idempotency_key="k")
    assert story.judged("TH-MSG-02").verdict == "pass"


@pytest.mark.parametrize(("named", "verdict"), [("msg_9", "pass"), ("msg_1", "fail")])
def test_ids_over_threads(named: str, verdict: str) -> None:
    story = Talk()
    story.post(1)
    story.post(1, given={"message_id": named}, thread_id="th_2")
    story.read(message(1))
    assert story.judged("TH-MSG-03").verdict == verdict


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ({}, "pass"),
        ({"sender_session_id": ...}, "fail"),
        ({"sender_session_id": "agent-a"}, "fail"),
        ({"sender_agent_id": "agent-b"}, "fail"),
    ],
)
def test_the_sender(changes: dict[str, Any], verdict: str) -> None:
    story = Talk()
    story.post(1)
    story.read(message(1, **changes))
    assert story.judged("TH-MSG-04").verdict == verdict


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [({}, "pass"), ({"thread_status": ...}, "fail"), ({"thread_status": "open"}, "fail"), ({"seq": 1.5}, "fail")],
)
def test_the_answer_to_a_post(changes: dict[str, Any], verdict: str) -> None:
    story = Talk()
    story.post(1, given=changes)
    assert story.judged("TH-MSG-05").verdict == verdict


def test_replies() -> None:
    story = Talk()
    story.post(1)
    story.post(2, in_reply_to="msg_1")
    story.denied("NOT_FOUND", in_reply_to="msg_x")
    outcome = story.judged("TH-MSG-06")
    assert (outcome.verdict, outcome.subjects) == ("pass", 2)
    story.post(3, in_reply_to="msg_x")
    assert story.judged("TH-MSG-06").breaches == 1
    story.denied("OF_ITS_OWN", in_reply_to="msg_2")
    assert story.judged("TH-MSG-06").breaches == 2


def test_a_reply_under_a_key_may_be_a_replay() -> None:
    story = Talk()
    story.post(1, idempotency_key="k-1")
    story.post(1, idempotency_key="k-1", in_reply_to="msg_x")
    assert story.judged("TH-MSG-06").subjects == 0
    story.post(2, idempotency_key="k-2", in_reply_to="msg_x")
    assert story.judged("TH-MSG-06").breaches == 1


def test_a_reply_in_a_thread_of_unknown_past_is_no_subject() -> None:
    story = Talk()
    story.post(1, thread_id="th_old", in_reply_to="msg_before")
    assert story.judged("TH-MSG-06").subjects == 0
    story = Talk()
    story.lost("post_message", POST, by="a")
    story.post(2, in_reply_to="msg_1")
    assert story.judged("TH-MSG-06").subjects == 0


@pytest.mark.parametrize(
    ("code", "metadata", "verdict"),
    [
        (None, {"event_type": "fix_pushed"}, "pass"),
        ("VALIDATION_ERROR", {"event_type": "fix_pushed"}, "fail"),
        ("OF_ITS_OWN", {"event_type": "fix_pushed"}, "fail"),
        ("VALIDATION_ERROR", {"event_type": "made_up"}, "blocked"),
        ("RATE_LIMITED", {"event_type": "fix_pushed"}, "not_observed"),
        ("VALIDATION_ERROR", {"event_type": "fix_pushed", "event_version": "1"}, "not_observed"),
        ("VALIDATION_ERROR", {"event_type": "fix_pushed", "x": "y" * 20_000}, "not_observed"),
    ],
)
def test_event_types(code: str | None, metadata: dict[str, Any], verdict: str) -> None:
    story = Talk()
    story.post(9)
    if code is None:
        story.post(1, kind="event", metadata=metadata)
    else:
        story.denied(code, kind="event", metadata=metadata)
    assert story.judged("TH-MSG-07").verdict == verdict


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ({}, "pass"),
        ({"metadata": {"n": {"y": 2, "x": 1}, "event_version": 1}}, "pass"),
        ({"created_at": "2026-11-21T13:00:00.25+01:00"}, "pass"),
        ({"body": "hell"}, "fail"),
        ({"metadata": ...}, "fail"),
        ({"metadata": {"n": {"x": True, "y": 2}}}, "fail"),
        ({"in_reply_to": ...}, "fail"),
        ({"created_at": "2026-11-22T12:00:00Z"}, "fail"),
        ({"message_id": "msg_8"}, "fail"),
    ],
)
def test_what_is_read_back(changes: dict[str, Any], verdict: str) -> None:
    story = Talk()
    metadata = {"n": {"x": 1, "y": 2}}
    story.post(2, metadata=metadata, in_reply_to="msg_1")
    story.read(message(2, **{"metadata": metadata, "in_reply_to": "msg_1", **changes}))
    assert story.judged("TH-MSG-08").verdict == verdict


def test_a_page_tells_of_what_it_reaches() -> None:
    story = Talk()
    story.post(1)
    story.post(2)
    story.read(message(1), limit=1, given={"has_more": True})
    story.read(message(2), since=1)
    assert story.judged("TH-MSG-08").verdict == "pass"
    story.read(message(1))
    assert story.judged("TH-MSG-08").breaches == 1


def test_a_read_that_overlaps_a_post_need_not_show_it() -> None:
    story = Talk()
    story.together()
    story.post(1)
    story.read()
    story.settle()
    assert story.judged("TH-MSG-08").verdict == "not_observed"


@pytest.mark.parametrize(
    ("arguments", "verdict"),
    [
        ({}, "fail"),
        ({"metadata": {}}, "not_observed"),
        ({"body": "  "}, "not_observed"),
        ({"schema_version": 2}, "not_observed"),
        ({"sender_agent_id": "agent-b"}, "not_observed"),
        ({"thread_id": "th_unknown"}, "not_observed"),
    ],
)
def test_chat_that_is_refused(arguments: dict[str, Any], verdict: str) -> None:
    story = Talk()
    story.post(1, body=arguments.get("body", POST["body"]), metadata={"mood": "calm"})
    story.denied("VALIDATION_ERROR", **arguments)
    assert story.judged("TH-MSG-09").breaches == (verdict == "fail")


@pytest.mark.parametrize("code", ["RATE_LIMITED", "IDEMPOTENCY_CONFLICT", "CONFLICT"])
def test_what_is_refused_for_another_cause_is_no_word_on_metadata_or_replies(code: str) -> None:
    story = Talk()
    story.post(1, metadata={"mood": "calm"})
    story.denied(code)
    assert not story.judged("TH-MSG-09").subjects
    story.denied("RATE_LIMITED", in_reply_to="msg_1")
    assert not story.judged("TH-MSG-06").subjects


def test_chat_that_fails_by_the_servers_own_fault() -> None:
    story = Talk()
    story.post(1, metadata={"mood": "calm"})
    story.error("tools/call", {"name": "post_message", "arguments": POST}, -32603, by="a")
    assert not story.judged("TH-MSG-09").subjects


def test_chat_that_is_accepted() -> None:
    story = Talk()
    story.post(1)
    assert story.judged("TH-MSG-09").verdict == "pass"


@pytest.mark.parametrize("identifier", IDS)
def test_the_reference(identifier: str) -> None:
    outcome = driven("threads", "messages").outcome(identifier)
    assert outcome is not None
    assert (outcome.verdict, outcome.subjects > 0) == ("pass", True)
    broken = driven("threads", "messages", deviation=identifier).outcome(identifier)
    assert broken is not None
    assert broken.verdict == "fail", broken
