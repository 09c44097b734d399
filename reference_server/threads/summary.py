"""summarize_thread (3.6): the latest messages in a few lines, and the findings still open among them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from reference_server.application import Json
from reference_server.threads.call import Call
from reference_server.threads.events import EVENT_TYPES, REPORTED, VERDICTS, event_type
from reference_server.threads.store import Message, Thread

DEFAULT_MESSAGES: Final = 200
EXCERPT: Final = 60
NAMED: Final = 5
"""So many open items and senders are named; the rest is counted, so that a summary's length has a bound."""


def shorten(text: str, limit: int = EXCERPT) -> str:
    """The beginning of a text, on one line."""
    line = " ".join(text[: 4 * limit].split())
    return line if len(line) <= limit and len(text) <= 4 * limit else f"{line[:limit]}..."


class Summaries:
    """Sums up threads."""

    def summarize(self, call: Call) -> dict[str, Json]:
        """Answers summary, open_items, last_status."""
        messages = self.latest(call.thread, int(call.arguments.get("max_messages", DEFAULT_MESSAGES)))
        items = self.open_items(messages)
        return {
            "summary": self.text(messages, items),
            "open_items": items,
            "last_status": self.last_status(call.thread),
        }

    def of(self, thread: Thread) -> str:
        """The summary by which a spawned session starts."""
        messages = self.latest(thread, DEFAULT_MESSAGES)
        return self.text(messages, self.open_items(messages))

    def last_status(self, thread: Thread) -> str:
        """The thread's status."""
        return thread.status

    def latest(self, thread: Thread, count: int) -> Sequence[Message]:
        """The last `count` messages."""
        return thread.messages[-count:]

    def open_items(self, messages: Sequence[Message]) -> list[dict[str, Json]]:
        """Findings reported and not judged since, by task_id or message_id, in the order of their reports."""
        reported: dict[str, dict[str, Json]] = {}
        for message in messages:
            metadata = message.get("metadata", {})
            kind = event_type(message["kind"], metadata)
            if kind == REPORTED:
                item = self.item(message, metadata)
                reported[item["id"]] = item
            elif kind in VERDICTS:
                self.settle(reported, self.judged(message, metadata))
        return list(reported.values())

    def item(self, message: Message, metadata: Mapping[str, Json]) -> dict[str, Json]:
        """A finding as an open item."""
        task = metadata.get("task_id")
        named = task if isinstance(task, str) and task else message["message_id"]
        item = {"id": named, "message_id": message["message_id"], "body": shorten(message["body"])}
        severity = metadata.get("severity")
        return {**item, "severity": severity} if isinstance(severity, str) else item

    def judged(self, message: Message, metadata: Mapping[str, Json]) -> set[Json]:
        """What a verdict names: a task, a message, the message that it answers."""
        named = (metadata.get("task_id"), metadata.get("message_id"), message.get("in_reply_to"))
        return {name for name in named if isinstance(name, str)}

    def settle(self, reported: dict[str, dict[str, Json]], judged: set[Json]) -> None:
        """Takes out the findings that a verdict names."""
        for item in list(reported.values()):
            if not judged.isdisjoint((item["id"], item["message_id"])):
                del reported[item["id"]]

    def text(self, messages: Sequence[Message], items: Sequence[Mapping[str, Json]]) -> str:
        """A few sentences whose length does not grow with the thread's."""
        if not messages:
            return "No messages yet."
        senders = Counter(str(message["sender_agent_id"]) for message in messages)
        named = ", ".join(f"{shorten(agent)} ({count})" for agent, count in senders.most_common(NAMED))
        parts = [f"{len(messages)} messages, most by {named}."]
        types = Counter(event_type(message["kind"], message.get("metadata")) for message in messages)
        if events := ", ".join(f"{types[each]} {each}" for each in EVENT_TYPES if types[each]):
            parts.append(f"Events: {events}.")
        if items:
            ids = ", ".join(shorten(str(item["id"])) for item in items[:NAMED])
            parts.append(f"{len(items)} open: {ids}{', ...' if len(items) > NAMED else ''}.")
        parts.append(f"Last: {shorten(messages[-1]['body'])}")
        return " ".join(parts)
