"""Section 3.4: messages are acknowledged, by whoever may and as far as there are any."""

from conformance.contracts.threads.bench import Thread, ThreadsBench
from conformance.drive.bench import taken
from conformance.drive.stimulus import stimulus

FAR = 1_000


async def _posted(bench: ThreadsBench, count: int) -> tuple[Thread, list[int]]:
    """A thread with messages, and their seqs."""
    thread = await bench.thread()
    return thread, [taken(await thread.post(f"message {number}"), "seq") for number in range(count)]


@stimulus("threads", exercises=("TH-ACK-01", "TH-ACK-05"))
async def the_same_ack_is_sent_again(bench: ThreadsBench) -> None:
    """Forward, and the same twice."""
    thread, seqs = await _posted(bench, 2)
    for seq in (seqs[0], seqs[1], seqs[1], seqs[1]):
        await thread.ack(seq)


@stimulus("threads", exercises=("TH-ACK-02",))
async def an_ack_goes_back(bench: ThreadsBench) -> None:
    """Back, by one and to the beginning; then to between that and where the cursor stood."""
    thread, seqs = await _posted(bench, 3)
    await thread.ack(seqs[2])
    for seq in (seqs[0], seqs[1], 0):
        await thread.ack(seq)


@stimulus("threads", exercises=("TH-ACK-03",))
async def an_ack_goes_beyond_the_end(bench: ThreadsBench) -> None:
    """By one and by far; the thread is seen to end where it did."""
    thread, seqs = await _posted(bench, 2)
    await thread.ack(seqs[-1] + 1)
    await thread.ack(seqs[-1] + FAR)
    await thread.read(since_seq=seqs[-1])


@stimulus("threads", exercises=("TH-ACK-04",))
async def others_have_read_further(bench: ThreadsBench) -> None:
    """One acks all, another less; the first acks less in another thread."""
    thread, seqs = await _posted(bench, 3)
    other, others = await _posted(bench, 2)
    await thread.ack(seqs[2])
    await thread.ack(seqs[0], by=thread.members[1])
    await thread.ack(seqs[1], by=thread.members[1])
    await other.ack(others[0])
