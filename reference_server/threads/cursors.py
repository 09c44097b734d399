"""ack_read (3.4): how far each participant has read (2.3)."""

from dataclasses import dataclass

from reference_server.application import Json
from reference_server.threads.call import Call
from reference_server.threads.instants import Instants
from reference_server.threads.refusal import Refusal
from reference_server.threads.store import Thread


@dataclass(frozen=True, slots=True)
class Cursor:
    """A checkpoint and when it was reached."""

    last_read_seq: int
    last_acked_message_id: str | None
    updated_at: str


class Cursors:
    """One cursor per thread and agent; it goes forward only."""

    def __init__(self, instants: Instants) -> None:
        self.instants = instants
        self.cursors: dict[tuple[str, str], Cursor] = {}

    def acknowledge(self, call: Call) -> dict[str, Json]:
        """Answers ok, updated_at; the same seq again keeps both."""
        seq = int(call.arguments["last_read_seq"])
        key = self.key(call)
        cursor = self.cursors.get(key)
        self.check_exists(call.thread, seq)
        if cursor is not None:
            self.check_forward(cursor, seq)
        if cursor is None or seq != cursor.last_read_seq:
            cursor = Cursor(seq, self.message_at(call.thread, seq), self.instants.text(call.now))
            self.cursors[key] = cursor
        return {"ok": True, "updated_at": cursor.updated_at}

    def key(self, call: Call) -> tuple[str, str]:
        """Whose cursor in which thread."""
        return (call.thread.thread_id, call.claims.agent_id)

    def check_forward(self, cursor: Cursor, seq: int) -> None:
        """Raises CONFLICT for a step back."""
        if seq < cursor.last_read_seq:
            raise Refusal("CONFLICT", "last_read_seq may not go back")

    def check_exists(self, thread: Thread, seq: int) -> None:
        """Raises VALIDATION_ERROR beyond the latest message."""
        if seq > thread.latest_seq:
            raise Refusal("VALIDATION_ERROR", "last_read_seq is beyond the latest message")

    def message_at(self, thread: Thread, seq: int) -> str | None:
        """The message that a cursor points at; none before the first."""
        index = thread.after(seq) - 1
        return str(thread.messages[index]["message_id"]) if index >= 0 else None
