"""What the document says of each method's payload: its fields, their types and values, and which a call cannot lack.

Laws tell by it what is malformed, stimuli make such payloads by it. Limits are each server's own, and not here.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from conformance.model.events import Json

Type = Literal["string", "strings", "integer", "boolean", "object"]

TYPES = ("conversation", "workflow", "incident")
STATUSES = ("active", "blocked", "resolved", "closed")
KINDS = ("chat", "event", "system")
EVENT_TYPES = (
    "finding_reported",
    "fix_pushed",
    "re_review_requested",
    "finding_verified",
    "finding_rejected",
    "thread_escalated",
    "thread_resolved",
)
MODES = ("managed", "unmanaged")
LIVELINESS = ("active", "idle", "offline")

SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a payload. `claim`: it repeats the caller's identity, and that is the claim it must agree with."""

    type: Type
    values: tuple[str, ...] = ()
    needed: bool = False
    claim: str = ""

    def accepts(self, value: Json) -> bool:
        """Whether a value is of the field's type and one of its values."""
        match self.type:
            case "string":
                return isinstance(value, str) and (not self.values or value in self.values)
            case "strings":
                return isinstance(value, list) and all(isinstance(item, str) for item in value)
            case "integer":
                return not isinstance(value, bool) and isinstance(value, int | float) and value == value // 1
            case "boolean":
                return isinstance(value, bool)
            case "object":
                return isinstance(value, dict)


def _one_of(*values: str, needed: bool = False) -> Field:
    return Field("string", values, needed)


NEEDED = Field("string", needed=True)
TEXT = Field("string")
WHOLE = Field("integer")
THREAD = {"thread_id": NEEDED}
AGENT = {"agent_id": Field("string", claim="agent_id")}

FIELDS: dict[str, dict[str, Field]] = {
    "create_thread": {
        "workspace_id": TEXT,
        "title": NEEDED,
        "type": _one_of(*TYPES, needed=True),
        "participants": Field("strings", needed=True),
        "created_by": Field("string", claim="agent_id"),
    },
    "get_thread": THREAD,
    "post_message": THREAD
    | {
        "sender_agent_id": Field("string", claim="agent_id"),
        "sender_session_id": Field("string", claim="session_id"),
        "kind": _one_of(*KINDS, needed=True),
        "body": NEEDED,
        "metadata": Field("object"),
        "in_reply_to": TEXT,
        "idempotency_key": TEXT,
    },
    "read_messages": THREAD | AGENT | {"since_seq": WHOLE, "limit": WHOLE},
    "ack_read": THREAD | AGENT | {"last_read_seq": Field("integer", needed=True)},
    "update_thread_status": THREAD
    | AGENT
    | {"status": _one_of(*STATUSES, needed=True), "reason": NEEDED, "metadata": Field("object")},
    "summarize_thread": THREAD | {"max_messages": WHOLE},
    "heartbeat_session": AGENT
    | {
        "workspace_id": TEXT,
        "session_id": Field("string", claim="session_id"),
        "runtime": TEXT,
        "management_mode": _one_of(*MODES),
        "resumable": Field("boolean"),
        "status": _one_of(*LIVELINESS, needed=True),
    },
    "trigger_participant": THREAD | {"target_agent_id": NEEDED, "reason": TEXT, "trigger_prompt": TEXT},
}
"""By method. schema_version stands apart: it has a requirement of its own."""

IDENTITY: dict[str, tuple[str, ...]] = {
    tool: tuple(name for name, field in fields.items() if field.claim or name == "workspace_id")
    for tool, fields in FIELDS.items()
}
"""By method, the fields that repeat who calls, which may be left out. create_thread's workspace is no such field."""
IDENTITY["create_thread"] = ("created_by",)

ROLES = ("human_operator", "orchestrator", "worker", "auditor")
"""Those of contract.toml."""
LEADS = frozenset({"human_operator", "orchestrator"})
WRITERS = LEADS | {"worker"}
RIGHTS: dict[str, frozenset[str]] = dict.fromkeys(FIELDS, frozenset(ROLES)) | {
    "create_thread": LEADS,
    "post_message": WRITERS,
    "ack_read": WRITERS,
    "update_thread_status": WRITERS,
    # an auditor reads, and whether it has a session besides is the server's
    "heartbeat_session": WRITERS,
    "trigger_participant": LEADS,
}
"""By method, the roles that may call it; workers in threads in which they take part."""


def takes_thread(tool: str | None) -> bool:
    """Whether a method is about a thread that its payload names."""
    return "thread_id" in FIELDS.get(tool or "", ())


def malformed(tool: str, arguments: Json) -> Iterator[str]:
    """The fields that break the payload of a method.

    An empty name stands for a payload that is no object. An optional field that is null, and a wrong type where the
    caller's identity is repeated, may be taken in more than one way, and are left out.
    """
    if not isinstance(arguments, dict):
        yield ""
        return
    for name, field in FIELDS[tool].items():
        value = arguments.get(name)
        if name not in arguments:
            if field.needed:
                yield name
        elif not field.claim and not (value is None and not field.needed) and not field.accepts(value):
            yield name


def misversioned(tool: str, arguments: Json) -> bool:
    """Whether a message is posted with another schema_version than 1, or with none."""
    if tool != "post_message" or not isinstance(arguments, dict):
        return False
    version = arguments.get("schema_version")
    return isinstance(version, bool) or version != SCHEMA_VERSION
