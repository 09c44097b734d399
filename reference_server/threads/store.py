"""The threads of one instance and their messages (2.1, 2.2), in memory for as long as it lives (8)."""

from bisect import bisect_right
from dataclasses import dataclass, field

from reference_server.application import Json
from reference_server.threads.refusal import Refusal

Message = dict[str, Json]
"""A message as it is read: the fields of section 2.2, absent ones left out."""


@dataclass(slots=True)
class Thread:
    """A thread with its messages in order of seq; instants are RFC 3339 in UTC."""

    thread_id: str
    workspace_id: str
    title: str
    type: str
    participants: tuple[str, ...]
    created_at: str
    updated_at: str
    status: str = "active"
    messages: list[Message] = field(default_factory=list)
    message_ids: set[str] = field(default_factory=set)

    @property
    def latest_seq(self) -> int:
        """The seq of the last message, 0 where there is none."""
        return int(self.messages[-1]["seq"]) if self.messages else 0

    def after(self, seq: int) -> int:
        """The index of the first message whose seq is above `seq`."""
        return bisect_right(self.messages, seq, key=_seq)


def _seq(message: Message) -> int:
    return int(message["seq"])


class Store:
    """All threads by id."""

    def __init__(self) -> None:
        self.threads: dict[str, Thread] = {}

    def add(self, thread: Thread) -> None:
        """Keeps a new thread."""
        self.threads[thread.thread_id] = thread

    def find(self, thread_id: str) -> Thread:
        """Raises NOT_FOUND."""
        thread = self.threads.get(thread_id)
        if thread is None:
            raise Refusal("NOT_FOUND", "there is no such thread")
        return thread

    def append(self, thread: Thread, message: Message) -> None:
        """Adds a message at the thread's end."""
        thread.messages.append(message)
        thread.message_ids.add(message["message_id"])
