"""Section 3.3: a thread is read by pages, alone and while others post."""

import asyncio

from conformance.contracts.threads.bench import Thread, ThreadsBench, seq_of
from conformance.drive.bench import taken
from conformance.drive.stimulus import stimulus
from conformance.model.exchange import Exchange

MOST_PAGES = 12
"""A lying server may promise more for ever."""


async def _numbered(thread: Thread, count: int, *, by: str | None = None) -> list[Exchange]:
    return [await thread.post(f"message {number}", by=by) for number in range(count)]


async def _read_on(thread: Thread, limit: int, *, by: str | None = None) -> None:
    """Reads from the beginning to the end."""
    since = 0
    for _ in range(MOST_PAGES):
        page = await thread.read(by=by, since_seq=since, limit=limit)
        since = taken(page, "next_seq")
        if taken(page, "has_more") is not True:
            break
    await thread.read(by=by, since_seq=since, limit=limit)


@stimulus("threads", exercises=("TH-READ-01", "TH-READ-02", "TH-READ-04"))
async def a_thread_is_read_by_pages(bench: ThreadsBench) -> None:
    """Five messages by pages of two, of five and of all; from the middle, from the end, and while it was empty."""
    thread = await bench.thread()
    await thread.read(since_seq=0)
    posts = await _numbered(thread, 5)
    middle, last = seq_of(posts[1]), seq_of(posts[-1])
    for since, limit in ((0, 2), (0, 5), (0, 50), (middle, 2), (middle, 3), (last, 2)):
        await thread.read(since_seq=since, limit=limit)
    await thread.read(since_seq=middle)
    await thread.read(limit=3)
    await thread.read()


@stimulus("threads", exercises=("TH-READ-02",))
async def pages_are_at_their_limits(bench: ThreadsBench) -> None:
    """One message a page, the largest page, and limits beyond either end."""
    thread = await bench.thread()
    await _numbered(thread, 3)
    largest = bench.limit("max_page")
    for limit in (1, largest, 0, -1, largest + 1):
        await thread.read(since_seq=0, limit=limit)
    await thread.read(since_seq=1_000_000, limit=largest)


@stimulus("threads", exercises=("TH-READ-03",))
async def a_thread_is_read_while_others_post(bench: ThreadsBench) -> None:
    """One reads on by pages of two while two others post, over connections of their own, and then to the end."""
    thread = await bench.thread("a", "b", "c")
    reader = thread.at(await bench.lane())
    writers = [thread.at(await bench.lane()) for _ in range(2)]
    await _numbered(thread, 3)
    await asyncio.gather(
        _read_on(reader, 2),
        _numbered(writers[0], 3, by=thread.members[1]),
        _numbered(writers[1], 3, by=thread.members[2]),
    )
    await _read_on(reader, 2)


@stimulus("threads", exercises=("TH-READ-05",))
async def reading_is_looked_at(bench: ThreadsBench) -> None:
    """Thread, summary and messages are asked for before and after a read, and what was read is acked from below."""
    thread = await bench.thread()
    seqs = sorted(map(seq_of, await _numbered(thread, 3)))
    for _ in range(2):
        await thread.get()
        await thread.get()
        await thread.summary()
        await thread.read(since_seq=0)
        await thread.read(since_seq=0)
    await thread.ack(seqs[0])
    await thread.ack(seqs[-1])
