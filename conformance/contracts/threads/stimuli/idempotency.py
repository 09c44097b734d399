"""Sections 3.2 and 7: the same message posted again, and what a key covers."""

import asyncio

from conformance.contracts.threads.bench import Thread, ThreadsBench
from conformance.contracts.threads.payloads import KINDS
from conformance.contracts.threads.stimuli.status import WAYS
from conformance.drive.bench import side_by_side, taken
from conformance.drive.errors import SkipError
from conformance.drive.stimulus import stimulus
from conformance.drive.sweeps.texts import longest, near
from conformance.drive.sweeps.values import altered
from conformance.model.events import Json
from conformance.model.exchange import Exchange

METADATA: dict[str, Json] = {"event_type": "finding_reported", "severity": "high", "line": 42, "task_id": "TASK-219"}
NESTED: dict[str, Json] = {
    "event_type": "finding_reported",
    "where": {"file": "lib/mapper.dart", "lines": [{"from": 3, "to": 7, "sure": True}, {"from": 9, "to": 9}]},
    "labels": ["High", "null"],
    "seen": {"by": None},
}
"""Metadata with something at each depth."""
LONG = 3_000
"""Characters of a body of which a server may compare the beginning alone."""
AT_ONCE = 6
TIMES = 5
"""A race is lost once in a while only."""
LANES = 4
BETWEEN = 40
"""Messages posted between one and its replay."""
KEYS = ("R\u00e9vision-1", "l".ljust(100, "o") + "ng-1")
"""Keys to which others are near: a short one with an accent, and one so long that a server may cut it."""
RETENTION_S = 600
SHORT_S = 2
PATIENCE_S = 5
"""A retention that short is waited for where no clock can be moved."""


@stimulus("threads", exercises=("TH-IDEM-01", "TH-IDEM-02"))
async def the_same_message_is_posted_twice(bench: ThreadsBench) -> None:
    """Once and again with its key, with and without metadata, and read around each."""
    thread = await bench.thread()
    await thread.post("hello", key="k-1")
    await thread.post("finding", key="k-2", kind="event", metadata=METADATA)
    await thread.read(since_seq=0)
    await thread.post("hello", key="k-1")
    await thread.read(since_seq=0)
    await thread.post("finding", key="k-2", kind="event", metadata=METADATA)
    await thread.read(since_seq=0)


@stimulus("threads", exercises=("TH-IDEM-01", "TH-IDEM-02", "TH-IDEM-03"))
async def messages_of_each_kind_are_posted_again(bench: ThreadsBench) -> None:
    """By each role that may post, as an answer to another; then something else under the key; read around each."""
    thread = await bench.thread()
    question = taken(await thread.post("a question"), "message_id")
    for role in bench.roles("post_message"):
        sender = bench.of_role(role)
        for kind in KINDS:
            more: dict[str, Json] = {"kind": kind, "in_reply_to": question, "metadata": METADATA}
            for body in ("an answer", "an answer", "another answer"):
                await thread.post(body, by=sender, key=f"{role}-{kind}", **more)
                await thread.read(since_seq=0)


@stimulus("threads", exercises=("TH-IDEM-01", "TH-IDEM-02"))
async def a_message_is_posted_again_from_another_session(bench: ThreadsBench) -> None:
    """The agent comes back with a new session and posts what it had posted."""
    thread = await bench.thread()
    again = bench.worker("a", session_id=bench.unique("session"))
    await thread.post("hello", key="k-1")
    await thread.read(since_seq=0)
    await thread.post("hello", key="k-1", by=again)
    await thread.read(since_seq=0)


@stimulus("threads", exercises=("TH-IDEM-01", "TH-IDEM-02"))
async def a_message_is_posted_again_much_later(bench: ThreadsBench) -> None:
    """Many messages under keys of their own lie between, others' too, here and in another thread; then its status."""
    thread, other = await bench.thread(), await bench.thread()
    firsts = [await thread.post(f"first {number}", key=f"first-{number}") for number in range(2)]
    for number in range(BETWEEN):
        place = (thread, other)[number % 2]
        await place.post(f"message {number}", key=f"k-{number}", by=thread.members[number // 2 % 2])
    await thread.moved("blocked")
    await thread.get()
    for number in range(len(firsts)):
        await thread.read(since_seq=0, limit=50)
        await thread.post(f"first {number}", key=f"first-{number}")
        await thread.read(since_seq=0, limit=50)


@stimulus("threads", exercises=("TH-IDEM-01", "TH-IDEM-02"))
async def a_message_is_posted_again_in_a_thread_that_moved_on(bench: ThreadsBench) -> None:
    """Its thread was blocked meanwhile, or resolved, or closed; read around the second post."""
    await side_by_side(*(_again(bench, way) for way in WAYS.values() if way))


async def _again(bench: ThreadsBench, way: tuple[str, ...]) -> None:
    thread = await bench.thread()
    await thread.post("done", key="k-1", metadata=METADATA)
    await thread.moved(*way)
    await thread.read(since_seq=0)
    await thread.post("done", key="k-1", metadata=METADATA)
    await thread.read(since_seq=0)


@stimulus("threads", exercises=("TH-IDEM-01", "TH-IDEM-03"))
async def a_key_is_used_after_a_refusal(bench: ThreadsBench) -> None:
    """Posts are refused, each under a key of its own; mended they are posted with it, and once more."""
    thread = await bench.thread()
    wrong: dict[str, dict[str, Json]] = {
        "malformed": {"kind": "shout"},
        "versioned": {"schema_version": 2},
        "somebody": {"sender_agent_id": bench.agent_id(thread.members[1])},
        "answering": {"in_reply_to": bench.unique("msg")},
    }
    for key, fault in wrong.items():
        await thread.post(f"a message, at first {key}", key=key, **fault)
        await thread.post(f"a message, at first {key}", key=key)
        await thread.post(f"a message, at first {key}", key=key)
    await thread.post("another message", key="malformed")
    await thread.read(since_seq=0)


@stimulus("threads", exercises=("TH-IDEM-03", "TH-ERR-IDEMPOTENCY_CONFLICT"))
async def a_key_is_reused_for_another_message(bench: ThreadsBench) -> None:
    """With another body, kind, metadata and in_reply_to, one at a time, read around each; then as it was."""
    thread = await bench.thread()
    first = taken(await thread.post("a question"), "message_id")
    await thread.post("finding", key="k-1", metadata=METADATA)
    await thread.post("plain", key="k-2")
    await thread.read(since_seq=0)
    changes: tuple[dict[str, Json], ...] = (
        {"body": "another finding"},
        {"body": "Finding"},
        {"body": "finding "},
        {"kind": "event"},
        {"metadata": {**METADATA, "line": 43}},
        {"metadata": {**METADATA, "more": None}},
        {"metadata": {"event_type": "finding_reported"}},
        {"metadata": {**METADATA, "line": "42"}},
        {"in_reply_to": first},
    )
    for change in changes:
        await thread.post(**{"body": "finding", "key": "k-1", "metadata": METADATA, **change})
        await thread.read(since_seq=0)
    await thread.post("plain", key="k-2", metadata=METADATA)
    await thread.read(since_seq=0)
    await thread.post("finding", key="k-1", metadata=METADATA)


@stimulus("threads", exercises=("TH-IDEM-03",))
async def a_key_is_reused_for_a_message_that_differs_deep_inside(bench: ThreadsBench) -> None:
    """Metadata with one thing changed, left out, added or moved, at each depth; each under the one key; then as it was.

    A long body, and each that is near to it, under another. Then other answers under the key of a reply, and a reply
    that is none any more.
    """
    thread = await bench.thread()
    await thread.post("finding", key="k-1", metadata=NESTED)
    await thread.read(since_seq=0)
    for metadata in altered(NESTED):
        await thread.post("finding", key="k-1", metadata=metadata)
    await thread.read(since_seq=0)
    await thread.post("finding", key="k-1", metadata=NESTED)
    body = longest(LONG)
    await thread.post(body, key="k-3")
    for other in near(body):
        await thread.post(other, key="k-3")
    await thread.read(since_seq=0)
    first, second = [taken(await thread.post(f"question {number}"), "message_id") for number in range(2)]
    await thread.post("an answer", key="k-2", in_reply_to=first)
    await thread.read(since_seq=0)
    await thread.post("an answer", key="k-2", in_reply_to=second)
    await thread.post("an answer", key="k-2")
    await thread.read(since_seq=0)
    await thread.post("an answer", key="k-2", in_reply_to=first)


@stimulus("threads", exercises=("TH-IDEM-04",))
async def others_use_the_same_key(bench: ThreadsBench) -> None:
    """The same message under the same key by another sender, and in another thread; other messages as well."""
    thread, other = await bench.thread(), await bench.thread()
    await thread.post("hello", key="k-1")
    await thread.post("hello", key="k-1", by=thread.members[1])
    await other.post("hello", key="k-1")
    await other.post("something else", key="k-1", by=thread.members[1])
    await thread.read(since_seq=0)
    await other.read(since_seq=0)


@stimulus("threads", exercises=("TH-IDEM-04",))
async def keys_are_nearly_the_same(bench: ThreadsBench) -> None:
    """The same message under a key and under each that is near to it, by one sender in one thread."""
    thread = await bench.thread()
    for key in KEYS:
        for each in (key, *near(key)):
            await thread.post("hello", key=each)


@stimulus("threads", exercises=("TH-IDEM-05",))
async def the_same_message_is_posted_without_a_key(bench: ThreadsBench) -> None:
    """Twice the same words, with and without metadata; then with a key, and without one again."""
    thread = await bench.thread()
    for _ in range(2):
        await thread.post("ping")
        await thread.post("found it", kind="event", metadata=METADATA)
    await thread.post("ping", key="k-1")
    await thread.post("ping")
    await thread.read(since_seq=0)


@stimulus("threads", exercises=("TH-IDEM-06",))
async def a_message_is_posted_at_once(bench: ThreadsBench) -> None:
    """Several posts of one key in flight together, over several connections, then read; several times over."""
    thread = await bench.thread()
    lanes = [thread.at(await bench.lane()) for _ in range(LANES)]
    for number in bench.rounds(TIMES):
        posts = (_once(lanes[place % LANES], number) for place in range(AT_ONCE))
        await bench.together(*posts)
        await thread.read(since_seq=0)


async def _once(thread: Thread, number: int) -> Exchange:
    return await thread.post(f"only once: {number}", key=f"k-{number}")


@stimulus("threads", exercises=("TH-IDEM-03",))
async def different_messages_are_posted_at_once(bench: ThreadsBench) -> None:
    """Posts of one key in flight together that say different things, over several connections; several times over."""
    thread = await bench.thread()
    lanes = [thread.at(await bench.lane()) for _ in range(LANES)]
    for number in bench.rounds(TIMES):
        await bench.together(
            *(lane.post(f"{number}, in words {place}", key=f"k-{number}") for place, lane in enumerate(lanes))
        )
        await thread.read(since_seq=0)


@stimulus("threads", exercises=("TH-IDEM-07",), needs=("clock",), fresh=True)
async def a_key_outlives_its_retention(bench: ThreadsBench) -> None:
    """Used again well within the retention, and well after it since either use. Whether it can be set or is stated."""
    here = await bench.fresh(retention_s=RETENTION_S) if bench.can("retention_s") else bench
    stated = _stated(here)
    thread = await here.thread()
    await thread.post("hello", key="k-1")
    for ahead in (int(stated / 2), int(stated * 3)):
        later = await here.under(clock=ahead)
        await thread.at(later).post("hello", key="k-1")


@stimulus("threads", exercises=("TH-IDEM-07",))
async def a_short_retention_is_waited_for(bench: ThreadsBench) -> None:
    """Where no clock can be moved: used again at once, and when a retention of a few seconds is over."""
    if bench.toggles("clock"):
        return
    here = await bench.fresh(retention_s=SHORT_S) if bench.can("retention_s") else bench
    stated = _stated(here)
    if stated > PATIENCE_S:
        message = f"the clock cannot be moved, and a retention of {stated:g} s is too long to wait for"
        raise SkipError(message)
    thread = await here.thread()
    await thread.post("hello", key="k-1")
    await thread.post("hello", key="k-1")
    await asyncio.sleep(stated * 2 + 1)
    await thread.post("hello", key="k-1")


def _stated(bench: ThreadsBench) -> float:
    """The retention of an instance, in seconds; SkipError where the target states none."""
    stated = bench.setting("retention_s")
    if isinstance(stated, bool) or not isinstance(stated, int | float):
        message = "the target states no retention_s under [settings], and cannot be set to one"
        raise SkipError(message)
    return float(stated)


@stimulus("threads", exercises=("TH-IDEM-08",))
async def metadata_comes_in_another_order(bench: ThreadsBench) -> None:
    """The same metadata with its keys the other way round, on the outside and within."""
    thread = await bench.thread()
    nested = {"file": "lib/a.dart", "range": {"from": 1, "to": 2}, "tags": ["x", "y"], "of": [{"a": 1, "b": 2}]}
    turned = {"of": [{"b": 2, "a": 1}], "tags": ["x", "y"], "range": {"to": 2, "from": 1}, "file": "lib/a.dart"}
    await thread.post("finding", key="k-1", metadata=nested)
    await thread.post("finding", key="k-1", metadata=turned)
    await thread.post("finding", key="k-1", metadata=nested)
