"""TH-AUTH: tokens, claims, workspaces, part in a thread."""

import pytest

from tests.laws.histories import Story
from tests.laws.threads.scene import MADE, POST, SHOWN, TH, live, scene, someone

CLAIMS = ("agent_id", "workspace_id", "role", "session_id", "iat", "exp", "jti")
DEFECTS = [
    ("TH-AUTH-01", "missing"),
    ("TH-AUTH-01", "garbage"),
    ("TH-AUTH-02", "signature"),
    ("TH-AUTH-02", "expired"),
    ("TH-AUTH-02", "expired:90"),
    ("TH-AUTH-02", "not_yet:180"),
    ("TH-AUTH-02", "not_yet"),
    *(("TH-AUTH-03", f"missing:{claim}") for claim in CLAIMS),
    ("TH-AUTH-09", "alg_none"),
    ("TH-AUTH-09", "algorithm"),
    ("TH-AUTH-02", "signature:empty"),
    ("TH-AUTH-02", "signature:brought"),
    ("TH-AUTH-09", "alg_none:NONE"),
    ("TH-AUTH-09", "algorithm:der"),
]


@pytest.mark.parametrize(("requirement", "defect"), DEFECTS)
def test_a_defective_token(requirement: str, defect: str) -> None:
    for accepted, verdict in ((False, "pass"), (True, "fail")):
        story = scene()
        someone(story, "x", defect=defect, agent_id="agent-a", session_id="session-a")
        if accepted:
            story.accepted("get_thread", TH, SHOWN, by="x")
        else:
            story.refused("get_thread", TH, "UNAUTHORIZED", by="x")
            story.accepted("get_thread", TH, SHOWN, by="a")
        outcome = story.judged(requirement)
        assert (outcome.verdict, outcome.subjects) == (verdict, 1)


def test_a_good_token_or_no_answer_is_no_subject() -> None:
    story = scene()
    story.lost("get_thread", TH, by=someone(story, "x", defect="expired"))
    story.accepted("get_thread", TH, SHOWN, by="a")
    assert not story.judged("TH-AUTH-02").subjects


@pytest.mark.parametrize("defect", ["audience", "issuer"])
def test_what_only_a_ruling_says_of_tokens_is_nobodys_subject(defect: str) -> None:
    story = scene()
    story.accepted("get_thread", TH, SHOWN, by=someone(story, "x", defect=defect))
    assert not any(story.judged(f"TH-AUTH-0{number}").subjects for number in (1, 2, 3, 9))


def test_a_token_for_another_audience_where_the_target_names_its_own() -> None:
    story = scene(statement={"auth": {"audience": "threads"}})
    story.accepted("get_thread", TH, SHOWN, by=someone(story, "x", defect="audience"))
    assert story.judged("TH-AUTH-01").verdict == "fail"


def mismatch(after: dict[str, object] = SHOWN, *, accepted: bool = False) -> Story:
    story = scene()
    story.accepted("post_message", POST, {"message_id": "m0"}, by="a")
    story.accepted("get_thread", TH, SHOWN, by="a")
    arguments = {**POST, "sender_session_id": "session-b"}
    if accepted:
        story.accepted("post_message", arguments, {"message_id": "m1"}, by="a")
    else:
        story.refused("post_message", arguments, "CLAIM_MISMATCH", by="a")
    story.accepted("get_thread", TH, after, by="a")
    return story


def test_somebody_elses_identity() -> None:
    outcome = mismatch().judged("TH-AUTH-04")
    assert (outcome.verdict, outcome.subjects) == ("pass", 2)
    assert mismatch(accepted=True).judged("TH-AUTH-04").verdict == "fail"
    outcome = mismatch({**SHOWN, "updated_at": "2026-11-21T12:00:05Z"}).judged("TH-AUTH-04")
    assert (outcome.verdict, outcome.breaches) == ("fail", 1)


def test_a_malformed_call_in_somebody_elses_name_is_left_to_others() -> None:
    story = scene()
    story.accepted("post_message", {**POST, "sender_agent_id": "agent-b", "kind": "shout"}, {"message_id": "m"}, by="a")
    assert not story.judged("TH-AUTH-04").subjects


def test_identity_left_out() -> None:
    story = scene()
    story.accepted("post_message", POST, {"message_id": "m1"}, by="a")
    assert story.judged("TH-AUTH-05").verdict == "pass"
    story.refused("post_message", {**POST, "body": "more"}, "VALIDATION_ERROR", by="a")
    assert story.judged("TH-AUTH-05").verdict == "pass", "nothing shows that it is for its identity"
    identity = {"sender_agent_id": "agent-a", "sender_session_id": "session-a"}
    story.accepted("post_message", {**POST, **identity, "body": "more"}, {"message_id": "m2"}, by="a")
    assert story.judged("TH-AUTH-05").verdict == "fail"


def test_identity_left_out_is_no_fault_by_whatever_name() -> None:
    """The workspace of a heartbeat is identity as well; a code that a server made up for its lack is no excuse."""
    beat = {"runtime": "r", "resumable": True, "status": "idle"}
    story = scene()
    story.accepted("heartbeat_session", {**beat, "workspace_id": "ws-home"}, {"ok": True}, by="a")
    story.refused("heartbeat_session", beat, "WORKSPACE_WANTED", by="a")
    assert story.judged("TH-AUTH-05").verdict == "fail"


def test_across_workspaces() -> None:
    def told(message: str) -> Story:
        story = scene()
        story.accepted("read_messages", TH, {"messages": []}, by="b")
        story.accepted("post_message", {**POST, "body": "between ourselves"}, {"message_id": "m1"}, by="a")
        story.refused("read_messages", TH, "OUT_OF_SCOPE_WORKSPACE", by="stranger", details={"message": message})
        return story

    assert told("th_1 is out of ws-elsewhere's scope").judged("TH-AUTH-06").verdict == "pass"
    for leak in ("it belongs to ws-home", "Null fallback", "it says: between ourselves", "ask agent-a"):
        assert told(leak).judged("TH-AUTH-06").verdict == "fail"
    story = scene()
    story.accepted("create_thread", {**MADE, "workspace_id": "ws-elsewhere"}, {"thread_id": "th_2"}, by="lead")
    assert story.judged("TH-AUTH-06").verdict == "fail"


def test_a_worker_from_outside() -> None:
    story = scene()
    story.refused("ack_read", {**TH, "last_read_seq": 0}, "FORBIDDEN", by="outsider")
    story.accepted("ack_read", {**TH, "last_read_seq": 0}, {"ok": True}, by="b")
    outcome = story.judged("TH-AUTH-07")
    assert (outcome.verdict, outcome.subjects) == ("pass", 1)
    story.accepted("ack_read", {**TH, "last_read_seq": 0}, {"ok": True}, by="outsider")
    assert story.judged("TH-AUTH-07").verdict == "fail"


def test_a_worker_may_take_part_in_what_it_made() -> None:
    story = scene()
    story.accepted("create_thread", MADE, {"thread_id": "th_2", "status": "active"}, by="outsider")
    story.accepted("get_thread", {"thread_id": "th_2"}, {}, by="outsider")
    assert not story.judged("TH-AUTH-07").subjects


def test_the_reference() -> None:
    found = live(*(f"TH-AUTH-0{number}" for number in (1, 2, 3, 4, 5, 6, 7, 9)))
    assert {result.verdict for result in found.values()} == {"pass"}
    assert all(result.subjects for result in found.values())
