"""A refusal counts beside an accepted call that is its like but for the one fault, and nowhere else."""

from collections.abc import Callable

import pytest

from conformance.model.events import Json
from tests.laws.threads.scene import POST, SHOWN, TH, scene, someone
from tests.laws.threads.talk import Talk, message

Call = tuple[str, Json, str]
"""Tool, arguments, caller."""
MOVE = {**TH, "status": "blocked", "reason": "x"}
ACK = {**TH, "last_read_seq": 0}
BEAT = {"runtime": "r", "resumable": True, "status": "idle"}
CASES: list[tuple[str, str, Call, Call]] = [
    ("TH-AUTH-01", "UNAUTHORIZED", ("get_thread", TH, "nobody"), ("get_thread", TH, "a")),
    ("TH-AUTH-01", "UNAUTHORIZED", ("post_message", POST, "nobody"), ("post_message", POST, "a")),
    ("TH-AUTH-02", "UNAUTHORIZED", ("get_thread", TH, "late"), ("get_thread", TH, "a")),
    ("TH-AUTH-02", "UNAUTHORIZED", ("get_thread", TH, "lately"), ("get_thread", TH, "a")),
    ("TH-AUTH-03", "UNAUTHORIZED", ("get_thread", TH, "lacking"), ("get_thread", TH, "a")),
    ("TH-AUTH-04", "CLAIM_MISMATCH", ("post_message", {**POST, "sender_agent_id": "agent-b"}, "a"),
     ("post_message", POST, "a")),
    ("TH-AUTH-06", "OUT_OF_SCOPE_WORKSPACE", ("get_thread", TH, "stranger"), ("get_thread", TH, "a")),
    ("TH-AUTH-07", "FORBIDDEN", ("get_thread", TH, "outsider"), ("get_thread", TH, "b")),
    ("TH-AUTH-09", "UNAUTHORIZED", ("get_thread", TH, "unsigned"), ("get_thread", TH, "a")),
    ("TH-VER-02", "VALIDATION_ERROR", ("post_message", {**POST, "schema_version": 2}, "a"),
     ("post_message", POST, "a")),
    ("TH-THR-07", "NOT_FOUND", ("get_thread", {"thread_id": "th_9"}, "a"), ("get_thread", TH, "a")),
    ("TH-THR-08", "VALIDATION_ERROR", ("post_message", {**POST, "kind": "shout"}, "a"), ("post_message", POST, "a")),
    ("TH-THR-08", "VALIDATION_ERROR", ("get_thread", ["th_1"], "a"), ("get_thread", TH, "a")),
    ("TH-MSG-06", "NOT_FOUND", ("post_message", {**POST, "in_reply_to": "m9"}, "a"), ("post_message", POST, "a")),
    ("TH-ACK-03", "VALIDATION_ERROR", ("ack_read", {**TH, "last_read_seq": 9}, "a"), ("ack_read", ACK, "a")),
    ("TH-STAT-02", "VALIDATION_ERROR", ("update_thread_status", {**TH, "status": "blocked"}, "lead"),
     ("update_thread_status", MOVE, "lead")),
    ("TH-ERR-UNAUTHORIZED", "UNAUTHORIZED", ("get_thread", TH, "late"), ("get_thread", TH, "a")),
    ("TH-ERR-FORBIDDEN", "FORBIDDEN", ("get_thread", TH, "outsider"), ("get_thread", TH, "b")),
    ("TH-ERR-NOT_FOUND", "NOT_FOUND", ("get_thread", {"thread_id": "th_9"}, "a"), ("get_thread", TH, "a")),
    ("TH-ERR-VALIDATION_ERROR", "VALIDATION_ERROR", ("post_message", {**POST, "kind": "shout"}, "a"),
     ("post_message", POST, "a")),
    ("TH-ERR-CLAIM_MISMATCH", "CLAIM_MISMATCH", ("post_message", {**POST, "sender_agent_id": "agent-b"}, "a"),
     ("post_message", POST, "a")),
]  # fmt: skip
ANSWERS = {"get_thread": SHOWN, "post_message": {"message_id": "m1"}, "ack_read": {"ok": True}}


@pytest.mark.parametrize(("requirement", "code", "faulty", "good"), CASES)
def test_a_refusal_without_its_control_is_no_subject(requirement: str, code: str, faulty: Call, good: Call) -> None:
    for control, subjects in ((False, 0), (True, 1)):
        story = scene()
        for name, defect in (("nobody", "missing"), ("late", "expired"), ("lately", "expired:90"),
                             ("lacking", "missing:jti"), ("unsigned", "alg_none")):  # fmt: skip
            someone(story, name, defect=defect, agent_id="agent-a", session_id="session-a")
        tool, arguments, by = faulty
        story.refused(tool, arguments, code, by=by)
        if control:
            tool, arguments, by = good
            story.accepted(tool, arguments, ANSWERS.get(tool, {}), by=by)
        story.accepted("read_messages", {**TH, "since_seq": 0}, {"messages": []}, by="b")
        assert story.judged(requirement).subjects == subjects


@pytest.mark.parametrize("good_is_refused_too", [True, False])
def test_a_like_that_is_refused_as_well_is_no_control(*, good_is_refused_too: bool) -> None:
    """The nearest like says what the refusal is evidence of, however the one before it went."""
    story = scene()
    story.accepted("post_message", POST, {"message_id": "m1"}, by="a")
    if good_is_refused_too:
        story.refused("post_message", POST, "VALIDATION_ERROR", by="a")
    story.refused("post_message", {**POST, "kind": "shout"}, "VALIDATION_ERROR", by="a")
    assert story.judged("TH-THR-08").subjects == (not good_is_refused_too)


def test_a_fault_of_the_servers_own_is_no_refusal() -> None:
    """An internal error at an unknown thread keeps no promise, and breaks none about unknown threads."""
    story = scene()
    story.accepted("get_thread", TH, SHOWN, by="a")
    story.error("tools/call", {"name": "get_thread", "arguments": {"thread_id": "th_9"}}, -32603, by="a")
    assert story.judged("TH-THR-07").subjects == 0
    assert story.judged("TH-ERR-NOT_FOUND").subjects == 0
    assert story.judged("TH-SRV-03").verdict == "fail"


def chat(story: Talk, *, like: bool) -> None:
    if like:
        story.post(1, metadata={"mood": "calm"})
    story.denied("SPENT")


def event(story: Talk, *, like: bool) -> None:
    if like:
        story.post(1)
    story.denied("SPENT", kind="event", metadata={"event_type": "fix_pushed"})


def reply(story: Talk, *, like: bool) -> None:
    story.post(1)
    if not like:
        story.denied("SPENT", body="another")
    story.denied("SPENT", body=POST["body"] if like else "another", in_reply_to="msg_1")


def beat(story: Talk, *, like: bool) -> None:
    if like:
        story.accepted("heartbeat_session", {**BEAT, "status": "active"}, {"ok": True}, by="a")
    story.get()
    story.refused("heartbeat_session", BEAT, "SPENT", by="a")


def ack(story: Talk, *, like: bool) -> None:
    story.post(1)
    story.read(message(1), by="a")
    if like:
        story.ack(0, by="b")
    story.ack(0, code="SPENT")


def override(story: Talk, *, like: bool) -> None:
    story.move("blocked", by="operator" if like else "lead")
    story.move("closed", by="operator", code="SPENT")


@pytest.mark.parametrize(
    ("requirement", "told"),
    [
        ("TH-MSG-09", chat),
        ("TH-MSG-07", event),
        ("TH-MSG-06", reply),
        ("TH-SES-02", beat),
        ("TH-READ-05", ack),
        ("TH-STAT-04", override),
    ],
)
def test_who_refuses_everything_breaks_nothing_in_particular(requirement: str, told: Callable[..., None]) -> None:
    """Whatever the code: what is refused of a tool is a breach of a rule on one way to call it beside another way."""
    for like in (True, False):
        story = Talk()
        story.accepted("heartbeat_session", {**BEAT, "runtime": "other"}, {"ok": True}, by="a")
        told(story, like=like)
        assert story.judged(requirement).breaches == like
