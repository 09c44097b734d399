"""TH-THR: what a thread is, how it is made and shown."""

from typing import Any

import pytest

from tests.laws.histories import Story
from tests.laws.threads.scene import CREATED, MADE, POST, SHOWN, TH, live, scene

LATER = "2026-11-21T12:00:09Z"


def shown(**changes: Any) -> Story:
    """The thread as it is shown, with some fields otherwise, or left out where they are `...`."""
    story = scene()
    thread = {name: value for name, value in {**SHOWN, **changes}.items() if value is not ...}
    story.accepted("get_thread", TH, thread, by="a")
    return story


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ({}, "pass"),
        ({"extra": 1}, "pass"),
        ({"participants": []}, "pass"),
        ({"updated_at": ...}, "fail"),
        ({"title": 7}, "fail"),
        ({"workspace_id": ""}, "fail"),
        ({"participants": "agent-a"}, "fail"),
        ({"participants": [{"id": "agent-a"}]}, "fail"),
        ({"created_at": None}, "fail"),
    ],
)
def test_a_whole_thread(changes: dict[str, Any], verdict: str) -> None:
    assert shown(**changes).judged("TH-THR-01").verdict == verdict


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [({}, "pass"), ({"status": "disputed"}, "fail"), ({"type": "chat"}, "fail"), ({"status": 1}, "pass")],
)
def test_types_and_statuses(changes: dict[str, Any], verdict: str) -> None:
    assert shown(**changes).judged("TH-THR-02").verdict == verdict


def test_ids() -> None:
    assert shown().judged("TH-THR-03").verdict == "pass"
    assert shown(thread_id="th_1.2").judged("TH-THR-03").verdict == "fail"
    story = scene()
    story.accepted("create_thread", MADE, {"thread_id": "th_1"}, by="lead")
    assert story.judged("TH-THR-03").verdict == "fail"
    story = scene()
    story.accepted("create_thread", MADE, {"thread_id": "th_1"}, by="lead", instance="another")
    assert story.judged("TH-THR-03").verdict == "pass"


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ({"thread_id": "th_2", "status": "active", "created_at": CREATED}, "pass"),
        ({"thread_id": "th_2", "status": "open", "created_at": CREATED}, "fail"),
        ({"thread_id": "", "status": "active", "created_at": CREATED}, "fail"),
        ({"thread_id": "th_2", "status": "active"}, "fail"),
        ({"thread_id": "th_2", "status": "active", "created_at": 1_700_000_000.5}, "pass"),
        ({"thread_id": "th_2", "status": "active", "created_at": 0}, "fail"),
        ({"thread_id": "th_2", "status": "active", "created_at": ""}, "fail"),
        ({"thread_id": "th_2", "status": "active", "created_at": None}, "fail"),
        ({}, "fail"),
    ],
)
def test_a_new_thread(answer: Any, verdict: str) -> None:
    story = scene()
    story.accepted("create_thread", MADE, answer, by="lead")
    assert story.judged("TH-THR-04").verdict == verdict


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ({}, "pass"),
        ({"participants": ["agent-b", "agent-lead", "agent-a"]}, "pass"),
        ({"created_at": "2026-11-21T12:00:00.412Z"}, "pass"),
        ({"status": "closed"}, "pass"),
        ({"title": "Null"}, "fail"),
        ({"type": "incident"}, "fail"),
        ({"workspace_id": "ws-elsewhere"}, "fail"),
        ({"participants": ["agent-a"]}, "fail"),
        ({"participants": ["agent-a", "agent-b", "outsider"]}, "fail"),
        ({"participants": ["agent-a", "agent-b", "agent-a"]}, "fail"),
        ({"participants": ["agent-lead", "agent-a", "agent-lead", "agent-b"]}, "fail"),
        ({"created_at": LATER}, "fail"),
    ],
)
def test_shown_as_made(changes: dict[str, Any], verdict: str) -> None:
    assert shown(**changes).judged("TH-THR-05").verdict == verdict


@pytest.mark.parametrize(
    ("first", "then", "verdict"),
    [
        (CREATED, LATER, "pass"),
        ("2026-11-21T12:00:09.400Z", LATER, "pass"),
        (LATER, CREATED, "fail"),
        ("2026-11-21T11:59:59Z", LATER, "fail"),
    ],
)
def test_updated_forward(first: str, then: str, verdict: str) -> None:
    story = shown(updated_at=first)
    story.accepted("update_thread_status", {**TH, "status": "blocked", "reason": "x"}, {"updated_at": then}, by="lead")
    assert story.judged("TH-THR-06").verdict == verdict


def test_overlapping_reads_have_no_order() -> None:
    story = scene()
    story.together()
    for moment in (LATER, CREATED):
        story.accepted("get_thread", TH, {**SHOWN, "updated_at": moment}, by="a")
    story.settle()
    assert story.judged("TH-THR-06").verdict == "pass"


def test_an_unknown_thread() -> None:
    story = scene()
    story.accepted("read_messages", TH, {"messages": []}, by="lead")
    story.refused("read_messages", {"thread_id": "th_9"}, "NOT_FOUND", by="lead")
    assert story.judged("TH-THR-07").verdict == "pass"
    story.accepted("read_messages", {"thread_id": "th_9"}, {"messages": []}, by="lead")
    assert story.judged("TH-THR-07").verdict == "fail"


def test_a_thread_older_than_the_history() -> None:
    story = scene()
    story.accepted("get_thread", {"thread_id": "th_0"}, SHOWN, by="lead")
    story.accepted("read_messages", {"thread_id": "th_0"}, {"messages": []}, by="lead")
    assert not story.judged("TH-THR-07").subjects


def test_a_number_below_the_runs_own_may_be_that_of_a_thread_older_than_the_run() -> None:
    """A store that outlives a run has threads of other workspaces, whose names are near to those of the run's."""
    for number, subjects in ((15, 0), (150, 0), (158, 1)):
        story = scene()
        for made in (157, 159):
            story.accepted("create_thread", MADE, {"thread_id": f"t{made}"}, by="lead")
        story.accepted("get_thread", {"thread_id": "t157"}, {**SHOWN, "thread_id": "t157"}, by="lead")
        story.refused("get_thread", {"thread_id": f"t{number}"}, "OUT_OF_SCOPE_WORKSPACE", by="lead")
        judged = {requirement: story.judged(requirement) for requirement in ("TH-THR-07", "TH-ERR-NOT_FOUND")}
        assert {one.subjects for one in judged.values()} == {subjects}, number
        assert judged["TH-ERR-NOT_FOUND"].breaches == subjects, number


MALFORMED = [
    ("create_thread", {**MADE, "title": 7}),
    ("create_thread", {**MADE, "type": "chat"}),
    ("create_thread", {**MADE, "participants": [1]}),
    ("get_thread", {}),
    ("get_thread", {"thread_id": None}),
    ("get_thread", ["th_1"]),
    ("get_thread", None),
    ("post_message", {**POST, "metadata": "severe"}),
    ("post_message", {**POST, "metadata": {}, "body": None}),
    ("post_message", {**POST, "metadata": {}, "kind": "Chat"}),
    ("read_messages", {**TH, "limit": "5"}),
    ("ack_read", {**TH, "last_read_seq": True}),
    ("ack_read", {**TH, "last_read_seq": 1.5}),
    ("update_thread_status", {**TH, "status": "blocked"}),
    ("summarize_thread", {**TH, "max_messages": []}),
    ("heartbeat_session", {"runtime": "x", "resumable": "yes", "status": "idle"}),
    ("heartbeat_session", {"runtime": "x", "resumable": True, "status": "IDLE"}),
    ("trigger_participant", {**TH, "reason": "x"}),
]


GOOD: dict[str, dict[str, Any]] = {
    "create_thread": MADE,
    "get_thread": TH,
    "post_message": {**POST, "metadata": {}},
    "read_messages": {**TH, "limit": 5},
    "ack_read": {**TH, "last_read_seq": 0},
    "update_thread_status": {**TH, "status": "blocked", "reason": "x"},
    "summarize_thread": {**TH, "max_messages": 5},
    "heartbeat_session": {"runtime": "x", "resumable": True, "status": "idle"},
    "trigger_participant": {**TH, "reason": "x", "target_agent_id": "agent-a"},
}


@pytest.mark.parametrize(("tool", "arguments"), MALFORMED)
def test_malformed(tool: str, arguments: Any) -> None:
    given = arguments if isinstance(arguments, dict) else {}
    mended = {name: value for name, value in GOOD[tool].items() if given.get(name) != value}
    story = scene()
    story.accepted(tool, {**GOOD[tool], **(arguments if isinstance(arguments, dict) else {}), **mended}, {}, by="lead")
    story.refused(tool, arguments, "VALIDATION_ERROR", by="lead")
    story.error("tools/call", {"name": tool, "arguments": arguments}, -32602, by="lead")
    outcome = story.judged("TH-THR-08")
    assert (outcome.verdict, outcome.subjects) == ("pass", 2)
    story.accepted(tool, arguments, {}, by="lead")
    assert story.judged("TH-THR-08").verdict == "fail"


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("get_thread", TH),
        ("ack_read", {**TH, "last_read_seq": 2.0}),
        ("post_message", {**POST, "metadata": None}),
        ("post_message", {**POST, "body": ""}),
        ("create_thread", {name: value for name, value in MADE.items() if name != "workspace_id"}),
        ("post_message", {**POST, "schema_version": 2}),
    ],
)
def test_what_the_document_leaves_open(tool: str, arguments: Any) -> None:
    story = scene()
    story.accepted(tool, arguments, {}, by="lead")
    assert not story.judged("TH-THR-08").subjects


@pytest.mark.parametrize(("listed", "judged"), [([], 1), (["reason", "metadata"], 1), (["reason"], 0)])
def test_an_optional_field_that_the_server_does_not_list_may_be_ignored(listed: list[str], judged: int) -> None:
    story = scene()
    story.list([{"name": "update_thread_status", "inputSchema": {"properties": {name: {} for name in listed}}}])
    good = GOOD["update_thread_status"]
    story.accepted("update_thread_status", good, {}, by="lead")
    story.accepted("update_thread_status", {**good, "metadata": "none"}, {}, by="lead")
    assert story.judged("TH-THR-08").breaches == judged
    needed = {name: value for name, value in good.items() if name != "status"}
    story.accepted("update_thread_status", needed, {}, by="lead")
    assert story.judged("TH-THR-08").breaches == judged + 1


def test_a_malformed_post_that_leaves_something_behind() -> None:
    story = scene()
    story.accepted("post_message", POST, {"message_id": "m0"}, by="a")
    story.accepted("get_thread", TH, SHOWN, by="a")
    story.refused("post_message", {**POST, "kind": "shout"}, "VALIDATION_ERROR", by="a")
    story.accepted("get_thread", TH, {**SHOWN, "updated_at": LATER}, by="a")
    outcome = story.judged("TH-THR-08")
    assert (outcome.verdict, outcome.subjects, outcome.breaches) == ("fail", 2, 1)


def test_the_reference() -> None:
    found = live(*(f"TH-THR-0{number}" for number in range(1, 9)))
    assert {result.verdict for result in found.values()} == {"pass"}
    assert all(result.subjects for result in found.values())
