"""Breaks section 3.6: summaries."""

from collections.abc import Sequence

from reference_server.application import Json, Request
from reference_server.deviations.registry import deviation
from reference_server.deviations.rewriting import Envelope, instead, rewrite_results
from reference_server.threads import Threads
from reference_server.threads.store import Message, Thread


@deviation("TH-SUM-01")
def a_summary_is_a_list(threads: Threads) -> None:
    """summarize_thread answers the summary as a list of sentences."""

    def split(request: Request, envelope: Envelope) -> Envelope:
        del request
        return {**envelope, "summary": envelope["summary"].split(". ")}

    rewrite_results(threads, "summarize_thread", split)


@deviation("TH-SUM-02")
def rejected_findings_stay_open(threads: Threads) -> None:
    """open_items names findings that were rejected."""
    original = threads.summaries.open_items

    @instead(threads.summaries, "open_items")
    def open_items(messages: Sequence[Message]) -> list[dict[str, Json]]:
        return original([each for each in messages if not _rejects(each)])


@deviation("TH-SUM-02", variant="first")
def later_findings_are_not_named(threads: Threads) -> None:
    """open_items names findings of the first five messages alone."""
    original = threads.summaries.open_items

    @instead(threads.summaries, "open_items")
    def open_items(messages: Sequence[Message]) -> list[dict[str, Json]]:
        return original(messages[:5])


def _rejects(message: Message) -> bool:
    return bool(message.get("metadata", {}).get("event_type") == "finding_rejected")


@deviation("TH-SUM-03")
def a_summary_repeats_the_thread(threads: Threads) -> None:
    """The summary holds every message, with its sender."""
    original = threads.summaries.text

    @instead(threads.summaries, "text")
    def text(messages: Sequence[Message], items: Sequence[dict[str, Json]]) -> str:
        whole = "\n".join(f"{each['sender_agent_id']}: {each['body']}" for each in messages)
        return f"{original(messages, items)}\n{whole}"


@deviation("TH-SUM-04")
def max_messages_is_ignored(threads: Threads) -> None:
    """The whole thread is summarised, whatever max_messages says."""

    @instead(threads.summaries, "latest")
    def latest(thread: Thread, count: int) -> Sequence[Message]:
        del count
        return thread.messages
