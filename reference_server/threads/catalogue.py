"""The nine methods as MCP tools (Threads protocol, section 3)."""

from typing import Final

from reference_server.application import Json, Tool
from reference_server.threads import schemas

READS: Final[dict[str, Json]] = {"readOnlyHint": True, "openWorldHint": False}


def _writes(*, idempotent: bool, open_world: bool = False) -> dict[str, Json]:
    return {
        "readOnlyHint": False,
        "destructiveHint": False,
        "idempotentHint": idempotent,
        "openWorldHint": open_world,
    }


TOOLS: Final = (
    Tool(
        "create_thread",
        "Creates a communication thread between agents of the caller's workspace.",
        schemas.CREATE_THREAD_IN,
        schemas.CREATE_THREAD_OUT,
        {"title": "Create thread"} | _writes(idempotent=False),
    ),
    Tool(
        "get_thread",
        "Fetches a thread's metadata and participants.",
        schemas.GET_THREAD_IN,
        schemas.GET_THREAD_OUT,
        {"title": "Get thread"} | READS,
    ),
    Tool(
        "post_message",
        "Posts a chat, event or system message; a retry with the same idempotency_key adds nothing.",
        schemas.POST_MESSAGE_IN,
        schemas.POST_MESSAGE_OUT,
        {"title": "Post message"} | _writes(idempotent=False),
    ),
    Tool(
        "read_messages",
        "Reads a thread's messages in order, from a position on; moves no cursor.",
        schemas.READ_MESSAGES_IN,
        schemas.READ_MESSAGES_OUT,
        {"title": "Read messages"} | READS,
    ),
    Tool(
        "ack_read",
        "Moves the caller's read cursor forward.",
        schemas.ACK_READ_IN,
        schemas.ACK_READ_OUT,
        {"title": "Acknowledge reading"} | _writes(idempotent=True),
    ),
    Tool(
        "update_thread_status",
        "Changes a thread's status for a reason.",
        schemas.UPDATE_THREAD_STATUS_IN,
        schemas.UPDATE_THREAD_STATUS_OUT,
        {"title": "Update thread status"} | _writes(idempotent=True),
    ),
    Tool(
        "summarize_thread",
        "Sums up a thread's latest messages and names its open items.",
        schemas.SUMMARIZE_THREAD_IN,
        schemas.SUMMARIZE_THREAD_OUT,
        {"title": "Summarize thread"} | READS,
    ),
    Tool(
        "heartbeat_session",
        "Records how lively the caller's session is, for wake policies.",
        schemas.HEARTBEAT_SESSION_IN,
        schemas.HEARTBEAT_SESSION_OUT,
        {"title": "Heartbeat session"} | _writes(idempotent=True),
    ),
    Tool(
        "trigger_participant",
        "Wakes a participant: its live runtime, else its resumed session, else a new one.",
        schemas.TRIGGER_PARTICIPANT_IN,
        schemas.TRIGGER_PARTICIPANT_OUT,
        {"title": "Trigger participant"} | _writes(idempotent=False, open_world=True),
    ),
)
