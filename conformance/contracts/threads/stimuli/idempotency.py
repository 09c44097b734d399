"""Sections 3.2 and 7: the same message posted again, and what a key covers."""

from conformance.contracts.threads.bench import ThreadsBench
from conformance.drive.bench import taken
from conformance.drive.stimulus import stimulus

METADATA = {"event_type": "finding_reported", "severity": "high", "line": 42, "task_id": "TASK-219"}
AT_ONCE = 6
RETENTION_S = 600
DAY_S = 86_400


@stimulus("threads", exercises=("TH-IDEM-01", "TH-IDEM-02"))
async def the_same_message_is_posted_twice(bench: ThreadsBench) -> None:
    """Once and again with its key, with and without metadata, from another session too, and read around each."""
    thread = await bench.thread()
    await thread.post("hello", key="k-1")
    await thread.post("finding", key="k-2", kind="event", metadata=METADATA)
    await thread.read(since_seq=0)
    await thread.post("hello", key="k-1")
    await thread.read(since_seq=0)
    await thread.post("finding", key="k-2", kind="event", metadata=METADATA)
    await thread.read(since_seq=0)


@stimulus("threads", exercises=("TH-IDEM-03", "TH-ERR-IDEMPOTENCY_CONFLICT"))
async def a_key_is_reused_for_another_message(bench: ThreadsBench) -> None:
    """With another body, kind, metadata and in_reply_to, one at a time, read around each."""
    thread = await bench.thread()
    first = taken(await thread.post("a question"), "message_id")
    await thread.post("finding", key="k-1", metadata=METADATA)
    await thread.read(since_seq=0)
    changes = (
        {"body": "another finding"},
        {"kind": "event"},
        {"metadata": {**METADATA, "line": 43}},
        {"in_reply_to": first},
    )
    for change in changes:
        await thread.post(**{"body": "finding", "key": "k-1", "metadata": METADATA, **change})
        await thread.read(since_seq=0)


@stimulus("threads", exercises=("TH-IDEM-04",))
async def others_use_the_same_key(bench: ThreadsBench) -> None:
    """The same message under the same key by another sender, and in another thread."""
    thread, other = await bench.thread(), await bench.thread()
    await thread.post("hello", key="k-1")
    await thread.post("hello", key="k-1", by=thread.members[1])
    await other.post("hello", key="k-1")
    await thread.read(since_seq=0)
    await other.read(since_seq=0)


@stimulus("threads", exercises=("TH-IDEM-05",))
async def the_same_message_is_posted_without_a_key(bench: ThreadsBench) -> None:
    """Twice the same words, with and without metadata."""
    thread = await bench.thread()
    for _ in range(2):
        await thread.post("ping")
        await thread.post("found it", kind="event", metadata=METADATA)
    await thread.read(since_seq=0)


@stimulus("threads", exercises=("TH-IDEM-06",))
async def a_message_is_posted_at_once(bench: ThreadsBench) -> None:
    """Several posts of one key in flight together, over two connections, then read."""
    thread = await bench.thread()
    lanes = [await bench.lane(), await bench.lane()] * (AT_ONCE // 2)
    arguments = {
        "thread_id": thread.id,
        "schema_version": 1,
        "kind": "chat",
        "body": "only once",
        "idempotency_key": "k-1",
    }
    await bench.together(*(lane.call("post_message", arguments, credential=thread.members[0]) for lane in lanes))
    await thread.read(since_seq=0)


@stimulus("threads", exercises=("TH-IDEM-07",), needs=("clock",), settings={"retention_s": RETENTION_S})
async def a_key_outlives_its_retention(bench: ThreadsBench) -> None:
    """Used again well within the retention, and well after it since either use."""
    thread = await bench.thread()
    await thread.post("hello", key="k-1")
    for ahead in (RETENTION_S // 2, RETENTION_S * 3):
        later = await bench.under(clock=ahead)
        await thread.at(later).post("hello", key="k-1")


@stimulus("threads", exercises=("TH-IDEM-08",))
async def metadata_comes_in_another_order(bench: ThreadsBench) -> None:
    """The same metadata with its keys the other way round, on the outside and within."""
    thread = await bench.thread()
    nested = {"file": "lib/a.dart", "range": {"from": 1, "to": 2}, "tags": ["x", "y"]}
    turned = {"tags": ["x", "y"], "range": {"to": 2, "from": 1}, "file": "lib/a.dart"}
    await thread.post("finding", key="k-1", metadata=nested)
    await thread.post("finding", key="k-1", metadata=turned)
