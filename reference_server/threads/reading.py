"""read_messages (3.3): pages of a thread in order of seq."""

from itertools import islice

from reference_server.application import Json
from reference_server.threads.call import Call
from reference_server.threads.store import Message, Thread


class Reading:
    """Shows messages, moves no cursor."""

    def read(self, call: Call) -> dict[str, Json]:
        """Answers messages, next_seq, has_more."""
        since = int(call.arguments.get("since_seq", 0))
        page, has_more = self.page(call.thread, since, int(call.arguments.get("limit", 50)))
        return {
            "messages": [self.show(message) for message in page],
            "next_seq": self.next_seq(page, since),
            "has_more": has_more,
        }

    def page(self, thread: Thread, since: int, limit: int) -> tuple[list[Message], bool]:
        """At most `limit` messages with seq above `since`, and whether more follow."""
        start = thread.after(since)
        page = list(islice(thread.messages, start, start + limit))
        return page, start + limit < len(thread.messages)

    def next_seq(self, page: list[Message], since: int) -> int:
        """The last seq given, `since` where the page is empty."""
        return int(page[-1]["seq"]) if page else since

    def show(self, message: Message) -> Message:
        """A message as the reader gets it."""
        return dict(message)
