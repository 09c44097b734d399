"""What a history tells of a thread's findings: which were reported, and which of them a verdict settled."""

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from conformance.contract.catalogue import Contract
from conformance.contracts.threads.laws.posted import key_of
from conformance.judge.kinds import text
from conformance.judge.refused import surely_refused
from conformance.judge.replay import firsts
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History

REPORTED = "finding_reported"
VERDICTS = ("finding_verified", "finding_rejected")
DEPTH = 8
"""An item that holds an id deeper than this names nothing to anybody."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A reported finding. `open` is None where the history does not tell for sure."""

    post: Exchange
    names: tuple[str, ...]
    """The ids by which it may be named: its task_id, its message_id."""
    open: bool | None
    settled_by: Exchange | None = None


class Posts:
    """Messages that may have been posted in each thread of a run, in the order sent."""

    def __init__(self, history: History, contract: Contract) -> None:
        self._threads: dict[tuple[str, str], list[Exchange]] = defaultdict(list)
        self.made = {
            (made.instance, made.given["thread_id"])
            for made in history.accepted("create_thread")
            if isinstance(made.given.get("thread_id"), str)
        }
        done = {post.call for post in firsts(history.calls("post_message"), key_of, contract)}
        for post in history.calls("post_message"):
            thread = text(post.argument("thread_id"))
            if thread is not None and (post.call in done or not (post.accepted or surely_refused(post, contract))):
                self._threads[post.instance, thread].append(post)

    def before(self, read: Exchange) -> list[Exchange]:
        """Accepted posts that a read of their thread shows for sure; each message once."""
        return [post for post in self._of(read) if post.accepted and post.before(read)]

    def doubtful(self, read: Exchange) -> list[Exchange]:
        """Posts that it may show or not."""
        return [post for post in self._of(read) if not (post.accepted and post.before(read)) and not read.before(post)]

    def _of(self, read: Exchange) -> list[Exchange]:
        return self._threads.get((read.instance, str(read.argument("thread_id"))), [])

    def findings(self, read: Exchange) -> list[Finding]:
        """The findings of the thread that a read is about, as they were then. Empty for a thread of another run."""
        if (read.instance, text(read.argument("thread_id"))) not in self.made:
            return []
        posts = self.before(read)
        verdicts = [post for post in (*posts, *self.doubtful(read)) if _event(post) in VERDICTS]
        reports = [post for post in posts if _event(post) == REPORTED]
        shared = [text(_metadata(report).get("task_id")) for report in reports]
        return [_finding(report, verdicts, shared) for report in reports]


def named(item: Json, names: tuple[str, ...], depth: int = DEPTH) -> bool:
    """Whether an open item names one of these: it is the id, or holds it."""
    if isinstance(item, str):
        return any(re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", item) for name in names)
    parts = item.values() if isinstance(item, dict) else item if isinstance(item, list) else ()
    return depth > 0 and any(named(part, names, depth - 1) for part in parts)


def _finding(report: Exchange, verdicts: list[Exchange], shared: list[str | None]) -> Finding:
    """A verdict settles it for sure where it came later and names it as it names itself: by task, else by message."""
    task, message = text(_metadata(report).get("task_id")), text(report.given.get("message_id"))
    names = tuple(name for name in (task, message) if name is not None)
    about = [verdict for verdict in verdicts if _mentions(verdict, names)]
    if not about:
        return Finding(report, names, open=True if names else None)
    sure = [
        verdict
        for verdict in about
        if verdict.accepted and report.before(verdict) and _surely_about(verdict, task, message)
    ]
    if not sure or (task is not None and shared.count(task) > 1):
        return Finding(report, names, open=None)
    return Finding(report, names, open=False, settled_by=sure[0])


def _surely_about(verdict: Exchange, task: str | None, message: str | None) -> bool:
    """Whether a verdict names a finding in every way in which a server may look for it.

    The document names tasks. It does not say how a verdict names a message: as what it replies to, or in its metadata.
    """
    metadata = _metadata(verdict)
    if task is not None:
        return metadata.get("task_id") == task
    return message is not None and metadata.get("message_id") == message == verdict.argument("in_reply_to")


def _mentions(verdict: Exchange, names: tuple[str, ...]) -> bool:
    metadata = _metadata(verdict)
    about = (metadata.get("task_id"), metadata.get("message_id"), verdict.argument("in_reply_to"))
    return any(value in names for value in about)


def _event(post: Exchange) -> Json:
    return _metadata(post).get("event_type") if post.argument("kind") == "event" else None


def _metadata(post: Exchange) -> Mapping[str, Json]:
    metadata = post.argument("metadata")
    return metadata if isinstance(metadata, dict) else {}
