"""No law on messages, keys, pages, cursors and status is thrown by a value of the wrong type, wherever it stands."""

import itertools

import pytest

from conformance.model.events import Json
from tests.laws.threads.scene import CREATED, MADE, POST, SHOWN, TH
from tests.laws.threads.talk import Talk, message

VALUES: tuple[Json, ...] = (None, True, -1, 1.5, 10**400, "", "x", [], [1], {}, {"a": {}}, [[]], [{"seq": []}])
ANSWERS: dict[str, dict[str, Json]] = {
    "create_thread": {**TH, "status": "active", "created_at": CREATED},
    "get_thread": SHOWN,
    "post_message": {"message_id": "m", "seq": 1, "thread_status": "active", "created_at": CREATED},
    "read_messages": {"messages": [message(1)], "next_seq": 1, "has_more": False},
    "ack_read": {"ok": True, "updated_at": CREATED},
    "update_thread_status": {**TH, "status": "closed", "updated_at": CREATED},
}
ARGUMENTS: dict[str, dict[str, Json]] = {
    "create_thread": MADE,
    "get_thread": TH,
    "post_message": {**POST, "metadata": {"event_type": "x"}, "in_reply_to": "m", "idempotency_key": "k"},
    "read_messages": {**TH, "since_seq": 0, "limit": 5},
    "ack_read": {**TH, "agent_id": "agent-a", "last_read_seq": 1},
    "update_thread_status": {**TH, "status": "closed", "reason": "done"},
}
SECTIONS = ("TH-MSG-", "TH-IDEM-", "TH-READ-", "TH-ACK-", "TH-STAT-", "TH-RET-")


def told(value: Json) -> Talk:
    """Every method with the value in each place of its arguments, its answer and its messages, one at a time."""
    story = Talk(retention_s=value)
    clocks = itertools.cycle(({}, {"clock": value}, {"clock": 90}))
    for tool, arguments in ARGUMENTS.items():
        for name in arguments:
            story.accepted(tool, {**arguments, name: value}, ANSWERS[tool], by="a", conditions=next(clocks))
            story.refused(tool, {**arguments, name: value}, value, by="a")
        for name in ANSWERS[tool]:
            story.accepted(tool, arguments, {**ANSWERS[tool], name: value}, by="a")
        story.accepted(tool, value, value, by="a")
        story.accepted(tool, arguments, ANSWERS[tool], by="a")
    for name in message(1):
        story.accepted("read_messages", TH, {"messages": [message(1, **{name: value}), value]}, by="b")
    return story


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_every_law_stands(value: Json) -> None:
    story = told(value)
    for identifier in story.contract.requirements:
        if identifier.startswith(SECTIONS):
            story.judged(identifier)
