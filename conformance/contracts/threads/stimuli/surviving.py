"""The server is killed and started again on its store."""

from collections.abc import Awaitable, Callable, Sequence

from conformance.contracts.threads.bench import Thread, ThreadsBench, seq_of
from conformance.drive.stimulus import stimulus
from conformance.model.exchange import Exchange

IN_FLIGHT = 12


@stimulus("threads", exercises=("TH-SRV-05",), kept=True)
async def the_server_is_killed_while_it_writes(bench: ThreadsBench) -> None:
    """Posts are in flight in one thread; another was written and looked at before, and is used again as before."""
    thread, busy = await bench.thread(), await bench.thread()
    seqs = await _furnished(thread)
    await bench.together(*(_flying(busy, number, "with nothing in the way") for number in range(IN_FLIGHT)))
    await _looked(busy)
    again = await bench.killed(*(_flying(busy, number) for number in range(IN_FLIGHT)))
    thread, busy = thread.at(again), busy.at(again)
    await _looked(thread)
    await _looked(busy)
    await _used(thread, seqs)
    for number in range(0, IN_FLIGHT, 2):
        await _flying(busy, number)
    await _looked(busy)


@stimulus("threads", exercises=("TH-SRV-05",), kept=True)
async def the_server_is_killed_as_soon_as_it_has_answered(bench: ThreadsBench) -> None:
    """After a status was changed, a cursor moved, a thread made: each is the last before its end."""
    thread, other = await bench.thread(), await bench.thread()
    await other.post("elsewhere")
    await _looked(other)
    seqs = await _furnished(thread)
    writes: tuple[Callable[[Thread], Awaitable[Exchange]], ...] = (
        lambda there: there.status("active"),
        lambda there: there.ack(seqs[2]),
    )
    for write in writes:
        await write(thread)
        thread = thread.at(await thread.bench.killed())
        await _looked(thread)
        await _used(thread, seqs)
    made = await thread.bench.thread()
    made = made.at(await made.bench.killed())
    await _looked(made)
    await made.post("the first in it")
    await _looked(made)


async def _furnished(thread: Thread) -> list[int]:
    """The seqs of messages. A status, a cursor; and each key and cursor tried once, to see what guards them."""
    seqs = [seq_of(await thread.post(f"message {number}", key=f"k-{number}")) for number in range(4)]
    await thread.post("without a key", by=thread.members[1])
    await thread.status("blocked")
    await thread.ack(seqs[1])
    await _looked(thread)
    await thread.post("message 0", key="k-0")
    await thread.post("another message", key="k-1")
    await thread.ack(seqs[1])
    await thread.ack(seqs[0])
    await _looked(thread)
    return seqs


async def _used(thread: Thread, seqs: Sequence[int]) -> None:
    """The same keys and cursors once more, and a message that is new."""
    for number in range(4):
        await thread.post(f"message {number}", key=f"k-{number}")
    await thread.post("another message", key="k-1")
    for seq in (seqs[1], seqs[0]):
        await thread.ack(seq)
    await thread.post(thread.bench.unique("new"), by=thread.members[1])
    await _looked(thread)


async def _looked(thread: Thread) -> None:
    await thread.get()
    await thread.read(since_seq=0, limit=thread.bench.limit("max_page"))


async def _flying(thread: Thread, number: int, what: str = "as the server is killed") -> Exchange:
    """One of those in flight: every other one has a key."""
    key = {} if number % 2 else {"key": f"{what} {number}"}
    return await thread.post(f"{number} {what}", by=thread.members[number % 3 % 2], **key)
