"""Section 3.6: what a thread comes to, in short."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from conformance.contract.catalogue import Contract
from conformance.contracts.threads.laws.findings import Finding, Posts, named
from conformance.judge.judgements import MISSING, holds
from conformance.judge.kinds import integer, spelled
from conformance.judge.law import law
from conformance.judge.memo import once
from conformance.judge.refused import surely_refused
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement

STATUSES = ("active", "blocked", "resolved", "closed")
FEW = 50
"""So many messages are covered by any default of max_messages."""
LONG = 4_000
"""A thread whose bodies have so many characters is long."""


@law("TH-SUM-02", compares="entity")
def a_summary_tells_how_things_stand(history: History, contract: Contract) -> Iterator[Judgement]:
    """last_status is the status that get_thread shows; open_items names each unresolved finding and no resolved one."""
    posts = _posts(history, contract)
    for call in history.accepted("summarize_thread"):
        shown = _status_around(history, contract, call)
        if shown is not None:
            status, read = shown
            got = call.given.get("last_status", MISSING)
            saw = f"last_status is {got!r}, get_thread shows {status!r}"
            yield holds(got == status, saw, read, call, pointer="/last_status", expected=status, got=got)
        items = call.given.get("open_items")
        if isinstance(items, list) and _covers(call, posts):
            for finding in posts.findings(call):
                yield from _listed(finding, items, call)


@law("TH-SUM-03", compares="entity")
def a_summary_is_shorter_than_its_thread(history: History, contract: Contract) -> Iterator[Judgement]:
    """The summary of a long thread has fewer characters than the bodies of its messages."""
    posts = _posts(history, contract)
    for call in history.accepted("summarize_thread"):
        summary = call.given.get("summary")
        bodies = [body for post in posts.before(call) if isinstance(body := post.argument("body"), str)]
        length = sum(map(len, bodies))
        if not isinstance(summary, str) or length < LONG:
            continue
        saw = f"the summary has {len(summary)} characters, the thread's {len(bodies)} messages have {length}"
        yield holds(len(summary) < length, saw, call, pointer="/summary", expected=length, got=len(summary))


@law("TH-SUM-04", compares="entity")
def a_summary_looks_no_further(history: History, contract: Contract) -> Iterator[Judgement]:
    """A summary of at most n messages tells less than one of the whole thread: fewer items, or fewer words.

    Where it has fewer items than the summary of the whole thread, it has at most n.
    """
    posts = _posts(history, contract)
    for call in history.accepted("summarize_thread"):
        most = integer(call.argument("max_messages"))
        items, summary = call.given.get("open_items"), call.given.get("summary")
        if most is None or most < 1 or not isinstance(items, list) or not isinstance(summary, str):
            continue
        findings = [finding for finding in posts.findings(call) if finding.open]
        if len(findings) <= most or posts.doubtful(call):
            continue
        whole = _whole(history, call, posts)
        if whole is None:
            continue
        listed = _naming(call, findings)
        worded = [finding for finding in findings if named(summary, finding.names)]
        as_a_whole = _naming(whole, findings)
        # items that are bounded as well are bounded alike: some are left out, so no more are named than messages count
        partly = len(listed) < len(findings) == len(as_a_whole)
        # an entry is one finding, also where a name of another one stands in its text
        unbounded = min(len(listed), len(items)) > most and (
            partly or summary == whole.given.get("summary") or len(worded) > most
        )
        saw = f"a summary of at most {most} messages names {len(listed)} findings, each a message of its own"
        yield holds(not unbounded, saw, whole, call, pointer="/open_items", expected=most, got=len(listed))


def _naming(call: Exchange, findings: Sequence[Finding]) -> list[Finding]:
    """The findings that the open items of a summary name."""
    items = call.given.get("open_items")
    found = items if isinstance(items, list) else []
    return [finding for finding in findings if any(named(item, finding.names) for item in found)]


@once
def _posts(history: History, contract: Contract) -> Posts:
    return Posts(history, contract)


def _covers(call: Exchange, posts: Posts) -> bool:
    """Whether the summary looks at all messages of its thread."""
    count = len(posts.before(call)) + len(posts.doubtful(call))
    most = call.argument("max_messages")
    return count <= FEW if most is None else (integer(most) or 0) >= count


def _listed(finding: Finding, items: list[object], call: Exchange) -> Iterator[Judgement]:
    """One judgement on a finding of which is known whether it is open."""
    if finding.open is None:
        return
    found = any(named(item, finding.names) for item in items)
    if finding.open:
        saw = f"open_items does not name {finding.names[0]}, which nobody verified or rejected"
        yield holds(found, saw, finding.post, call, pointer="/open_items", expected=finding.names[0], got=items)
    elif finding.settled_by is not None:
        saw = f"open_items names {finding.names[0]}, which has had its verdict"
        yield holds(not found, saw, finding.post, finding.settled_by, call, pointer="/open_items", got=items)


@once
def _gets(history: History, _: Contract) -> dict[tuple[str, str], list[Exchange]]:
    """The reads of each thread."""
    gets: dict[tuple[str, str], list[Exchange]] = defaultdict(list)
    for get in history.accepted("get_thread"):
        gets[get.instance, spelled(get.argument("thread_id"))].append(get)
    return gets


def _status_around(history: History, contract: Contract, call: Exchange) -> tuple[str, Exchange] | None:
    """The status that get_thread showed both before and after a summary, if none may have been set meanwhile."""
    thread = call.argument("thread_id")
    gets = _gets(history, contract).get((call.instance, spelled(thread)), [])
    before, after = [g for g in gets if g.before(call)], [g for g in gets if call.before(g)]
    if not before or not after:
        return None
    first, last = before[-1], after[0]
    for write in history.calls("update_thread_status"):
        apart = surely_refused(write, contract) or write.before(first) or last.before(write)
        if not apart and write.instance == call.instance and write.argument("thread_id") == thread:
            return None
    status = first.given.get("status")
    return (status, first) if status in STATUSES and status == last.given.get("status") else None


def _whole(history: History, call: Exchange, posts: Posts) -> Exchange | None:
    """A summary of all messages, made while the thread had the same."""
    count = len(posts.before(call))
    for other in history.accepted("summarize_thread"):
        if other is not call and _same(other, call) and _covers(other, posts) and not posts.doubtful(other):
            most = integer(other.argument("max_messages"))
            if len(posts.before(other)) == count and (most is None or most >= count):
                return other
    return None


def _same(one: Exchange, other: Exchange) -> bool:
    return one.instance == other.instance and one.argument("thread_id") == other.argument("thread_id")
