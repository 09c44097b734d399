"""JSON Schemas of the nine methods (Draft 2020-12); Threads protocol, sections 2 and 3, limits from the rulings."""

from typing import Final

from reference_server.application import Json

Schema = dict[str, Json]

TYPES: Final = ("conversation", "workflow", "incident")
STATUSES: Final = ("active", "blocked", "resolved", "closed")
KINDS: Final = ("chat", "event", "system")
MODES: Final = ("managed", "unmanaged")
LIVELINESS: Final = ("active", "idle", "offline")
ACTIONS: Final = ("trigger_runtime", "resume_session", "spawn_session")
RESULTS: Final = ("triggered", "deferred", "resumed", "spawned")

LARGEST_SEQ: Final = 2**63 - 1
BODY_LIMIT: Final = 65_536


def text(description: str, limit: int = 200) -> Schema:
    """A string of 1 to `limit` characters."""
    return {"type": "string", "description": description, "minLength": 1, "maxLength": limit}


def choice(description: str, values: tuple[str, ...]) -> Schema:
    """One of these strings."""
    return {"type": "string", "description": description, "enum": list(values)}


def whole(description: str, least: int, most: int = LARGEST_SEQ) -> Schema:
    """An integer in a closed range."""
    return {"type": "integer", "description": description, "minimum": least, "maximum": most}


def instant(description: str) -> Schema:
    """An RFC 3339 instant in UTC."""
    return {
        "type": "string",
        "description": description,
        "format": "date-time",
        "pattern": r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$",
    }


def inputs(properties: dict[str, Schema], *required: str) -> Schema:
    """An open object: section 9 has unknown fields ignored."""
    return {"type": "object", "properties": properties, "required": list(required)}


def outputs(properties: dict[str, Schema], *optional: str) -> Schema:
    """A closed object, all of its fields required but the optional ones: no failure fits it."""
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in optional],
        "additionalProperties": False,
    }


THREAD_ID = text("The thread.")
CREATED = instant("When it was created.")
UPDATED = instant("When it last changed.")
STATUS = choice("The thread's status.", STATUSES)

CREATE_THREAD_IN = inputs(
    {
        "workspace_id": text("The caller's workspace."),
        "title": text("What the thread is about.", 500),
        "type": choice("What kind of thread it is.", TYPES),
        "participants": {
            "type": "array",
            "description": "The agents that take part.",
            "items": text("An agent."),
            "minItems": 1,
            "maxItems": 200,
            "uniqueItems": True,
        },
        "created_by": text("The caller's agent, as a hint: it must be that of the token."),
    },
    "workspace_id",
    "title",
    "type",
    "participants",
)
CREATE_THREAD_OUT = outputs({"thread_id": THREAD_ID, "status": STATUS, "created_at": CREATED})

GET_THREAD_IN = inputs({"thread_id": THREAD_ID}, "thread_id")
GET_THREAD_OUT = outputs(
    {
        "thread_id": THREAD_ID,
        "workspace_id": text("The workspace that it belongs to."),
        "title": text("What the thread is about.", 500),
        "type": choice("What kind of thread it is.", TYPES),
        "status": STATUS,
        "participants": {"type": "array", "description": "The agents that take part.", "items": text("An agent.")},
        "created_at": CREATED,
        "updated_at": UPDATED,
    }
)

POST_MESSAGE_IN = inputs(
    {
        "thread_id": THREAD_ID,
        "schema_version": {"type": "integer", "description": "The version of the payload: 1.", "enum": [1]},
        "sender_agent_id": text("The caller's agent, as a hint: it must be that of the token."),
        "sender_session_id": text("The caller's session, as a hint: it must be that of the token."),
        "kind": choice("What kind of message it is.", KINDS),
        "body": text("What it says.", BODY_LIMIT),
        "metadata": {
            "type": "object",
            "description": "Structure beside the body, at most 16,384 bytes of JSON; events name an event_type.",
        },
        "in_reply_to": text("The message of this thread that it answers."),
        "idempotency_key": text("The same key again is a retry: it gives the first answer and adds nothing."),
    },
    "thread_id",
    "schema_version",
    "kind",
    "body",
)
MESSAGE_ID = text("The message.")
SEQ = whole("Its place in the thread, from 1.", 1)
POST_MESSAGE_OUT = outputs(
    {"message_id": MESSAGE_ID, "seq": SEQ, "thread_status": STATUS, "created_at": CREATED},
)

READ_MESSAGES_IN = inputs(
    {
        "thread_id": THREAD_ID,
        "agent_id": text("The caller's agent, as a hint: it must be that of the token."),
        "since_seq": whole("Messages after this one.", 0) | {"default": 0},
        "limit": whole("At most so many.", 1, 200) | {"default": 50},
    },
    "thread_id",
)
MESSAGE = outputs(
    {
        "message_id": MESSAGE_ID,
        "thread_id": THREAD_ID,
        "schema_version": {"type": "integer", "description": "The version of the payload.", "enum": [1]},
        "seq": SEQ,
        "sender_agent_id": text("Who posted it, by the token."),
        "sender_session_id": text("From which session, by the token."),
        "kind": choice("What kind of message it is.", KINDS),
        "body": text("What it says.", BODY_LIMIT),
        "metadata": {"type": "object", "description": "Structure beside the body."},
        "in_reply_to": text("The message that it answers."),
        "idempotency_key": text("The key that it was posted with."),
        "created_at": CREATED,
    },
    "metadata",
    "in_reply_to",
    "idempotency_key",
)
READ_MESSAGES_OUT = outputs(
    {
        "messages": {"type": "array", "description": "In ascending order of seq.", "items": MESSAGE},
        "next_seq": whole("The since_seq that reads on from here.", 0),
        "has_more": {"type": "boolean", "description": "Whether more follow."},
    }
)

ACK_READ_IN = inputs(
    {
        "thread_id": THREAD_ID,
        "agent_id": text("The caller's agent, as a hint: it must be that of the token."),
        "last_read_seq": whole("The last message read; it never goes back.", 0),
    },
    "thread_id",
    "last_read_seq",
)
OK = {"type": "boolean", "description": "Always true.", "const": True}
ACK_READ_OUT = outputs({"ok": OK, "updated_at": UPDATED})

UPDATE_THREAD_STATUS_IN = inputs(
    {
        "thread_id": THREAD_ID,
        "agent_id": text("The caller's agent, as a hint: it must be that of the token."),
        "status": choice("The status wanted.", STATUSES),
        "reason": text("Why.", 2_000),
        "metadata": {"type": "object", "description": "Structure beside the reason, for the audit trail."},
    },
    "thread_id",
    "status",
    "reason",
)
UPDATE_THREAD_STATUS_OUT = outputs({"thread_id": THREAD_ID, "status": STATUS, "updated_at": UPDATED})

SUMMARIZE_THREAD_IN = inputs(
    {
        "thread_id": THREAD_ID,
        "max_messages": whole("The latest so many messages are looked at.", 1, 1_000) | {"default": 200},
    },
    "thread_id",
)
SUMMARIZE_THREAD_OUT = outputs(
    {
        "summary": {"type": "string", "description": "What was said, in short.", "minLength": 1},
        "open_items": {
            "type": "array",
            "description": "Findings reported and neither verified nor rejected.",
            "items": outputs(
                {
                    "id": {"type": "string", "description": "The finding's task_id, or else its message_id."},
                    "message_id": MESSAGE_ID,
                    "body": {"type": "string", "description": "How the report begins."},
                    "severity": {"type": "string", "description": "As reported."},
                },
                "severity",
            ),
        },
        "last_status": STATUS,
    }
)

HEARTBEAT_SESSION_IN = inputs(
    {
        "agent_id": text("The caller's agent, as a hint: it must be that of the token."),
        "workspace_id": text("The caller's workspace."),
        "session_id": text("The caller's session, as a hint: it must be that of the token."),
        "runtime": text("What the session runs in, codex_cli for one."),
        "management_mode": choice("Whether a supervisor runs the session.", MODES) | {"default": "unmanaged"},
        "resumable": {"type": "boolean", "description": "Whether the session can be resumed by its id."},
        "status": choice("How lively the session is.", LIVELINESS),
    },
    "runtime",
    "resumable",
    "status",
)
HEARTBEAT_SESSION_OUT = outputs({"ok": OK, "recorded_at": instant("When it was recorded.")})

TRIGGER_PARTICIPANT_IN = inputs(
    {
        "thread_id": THREAD_ID,
        "target_agent_id": text("The participant to wake."),
        "reason": text("Why.", 2_000),
        "trigger_prompt": text("What the woken session is told.", 8_192),
        "force": {
            "type": "boolean",
            "description": "Interrupt a person's input; human_operator only.",
            "default": False,
        },
        "audit": {"type": "object", "description": "Why the interruption is justified; required with force."},
        "allow_defer": {"type": "boolean", "description": "Whether the trigger may wait.", "default": True},
        "allow_fallback": {"type": "boolean", "description": "Whether to resume or spawn instead.", "default": True},
    },
    "thread_id",
    "target_agent_id",
    "reason",
    "trigger_prompt",
)
TRIGGER_PARTICIPANT_OUT = outputs(
    {
        "target_agent_id": text("The participant."),
        "action": choice("What is done to wake it.", ACTIONS),
        "result": choice("What came of it.", RESULTS),
        "triggered_at": instant("When it was asked."),
        "defer_reason": choice("Why it waits.", ("human_input_busy",)),
        "deferred_until": instant("When it is delivered at the latest."),
        "fallback_action": choice("What is done where the action fails.", ("resume_session", "spawn_session")),
        "runtime_command": {
            "type": "string",
            "description": "The fallback as a command, quoted for a POSIX shell.",
        },
    },
    "defer_reason",
    "deferred_until",
    "fallback_action",
    "runtime_command",
)
