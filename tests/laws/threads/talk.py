"""What is said in th_1: posts, reads, acks and moves, each with a sound answer unless a test gives another."""

from collections.abc import Mapping
from typing import Any

from conformance.model.events import Json
from tests.laws.histories import Story
from tests.laws.threads.scene import CREATED, MADE, POST, SHOWN, TH, someone

STATED: dict[str, Json] = {
    "choices": {
        "transitions": {
            "active": ["blocked", "resolved", "closed"],
            "blocked": ["active", "closed"],
            "resolved": ["active", "closed"],
        }
    }
}
"""A statement of the transitions that the reference has."""


class Talk(Story):
    """A story of th_1, which a lead has made for two workers, and th_2 as well. Values of `...` leave a field out."""

    def __init__(
        self, instance: str = "main", *, statement: Mapping[str, Json] | None = None, **settings: Json
    ) -> None:
        super().__init__(settings=settings, statement=dict(statement or {}))
        roles = {"lead": "orchestrator", "operator": "human_operator", "a": "worker", "b": "worker"}
        for name, role in roles.items():
            someone(self, name, role)
        for thread_id in ("th_1", "th_2"):
            made = {"thread_id": thread_id, "status": "active", "created_at": CREATED}
            self.accepted("create_thread", MADE, made, by="lead", instance=instance)

    def post(self, seq: int, *, given: Mapping[str, Any] | None = None, by: str = "a", **more: Any) -> int:
        """A post that is accepted as msg_<seq>; `more` are its arguments, but for what a Story's call takes."""
        arguments, about = parted({**POST, **more})
        answer = {"message_id": f"msg_{seq}", "seq": seq, "thread_status": "active", "created_at": CREATED}
        return self.accepted("post_message", arguments, whole({**answer, **(given or {})}), by=by, **about)

    def denied(self, code: str, *, by: str = "a", **more: Any) -> int:
        """A post that is refused."""
        arguments, about = parted({**POST, **more})
        return self.refused("post_message", arguments, code, by=by, **about)

    def read(
        self, *messages: Json, since: Any = 0, by: str = "b", given: Mapping[str, Any] | None = None, **more: Any
    ) -> int:
        """A read that gives these messages; more do not follow."""
        asked, about = parted({**TH, "since_seq": since, **more})
        seqs = [message["seq"] for message in messages if isinstance(message, dict) and "seq" in message]
        answer = {"messages": list(messages), "next_seq": seqs[-1] if seqs else since, "has_more": False}
        return self.accepted("read_messages", whole(asked), whole({**answer, **(given or {})}), by=by, **about)

    def ack(self, seq: Any, *, code: str | None = None, by: str = "a", **about: Any) -> int:
        """An ack of an agent for itself, accepted unless a code is given."""
        asked = {**about.pop("thread", TH), "agent_id": f"agent-{by}", "last_read_seq": seq}
        if code is not None:
            return self.refused("ack_read", asked, code, by=by, **about)
        return self.accepted("ack_read", asked, {"ok": True, "updated_at": CREATED}, by=by, **about)

    def move(self, status: str, *, code: str | None = None, by: str = "lead", **more: Any) -> int:
        """A move, accepted unless a code is given."""
        asked, about = parted({**TH, "status": status, "reason": "as planned", **more})
        if code is not None:
            return self.refused("update_thread_status", whole(asked), code, by=by, **about)
        answer = {**TH, "status": status, "updated_at": CREATED}
        return self.accepted("update_thread_status", whole(asked), answer, by=by, **about)

    def get(self, status: str = "active", **more: Any) -> int:
        """The thread is looked at."""
        return self.accepted("get_thread", TH, {**SHOWN, "status": status, **more}, by="a")


def message(seq: int, /, **changes: Any) -> dict[str, Json]:
    """What agent-a posted as msg_<seq>, as it is read."""
    return whole(
        {
            "message_id": f"msg_{seq}",
            "seq": seq,
            "kind": "chat",
            "body": POST["body"],
            "sender_agent_id": "agent-a",
            "sender_session_id": "session-a",
            "created_at": CREATED,
            **changes,
        }
    )


def whole(fields: Mapping[str, Any]) -> dict[str, Json]:
    """The fields, without those that are left out."""
    return {name: value for name, value in fields.items() if value is not ...}


def parted(given: Mapping[str, Any]) -> tuple[dict[str, Json], dict[str, Any]]:
    """Arguments, and what a Story's call takes besides."""
    about = {name: given[name] for name in ("conditions", "instance", "unanswered") if name in given}
    return whole({name: value for name, value in given.items() if name not in about}), about
