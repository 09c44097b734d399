"""Section 3.4: messages are acknowledged, by whoever may and as far as there are any."""

from conformance.contracts.threads.bench import Thread, ThreadsBench, seq_of
from conformance.contracts.threads.stimuli.status import WAYS
from conformance.drive.bench import side_by_side
from conformance.drive.stimulus import stimulus

FAR = 1_000
TIMES = 3


async def _posted(bench: ThreadsBench, count: int) -> tuple[Thread, list[int]]:
    """A thread with messages, and their seqs."""
    thread = await bench.thread()
    return thread, [seq_of(await thread.post(f"message {number}")) for number in range(count)]


@stimulus("threads", exercises=("TH-ACK-01", "TH-ACK-05"))
async def the_same_ack_is_sent_again(bench: ThreadsBench) -> None:
    """Forward, and the same twice."""
    thread, seqs = await _posted(bench, 2)
    for seq in (seqs[0], seqs[1], seqs[1], seqs[1]):
        await thread.ack(seq)


@stimulus("threads", exercises=("TH-ACK-02",))
async def an_ack_goes_back(bench: ThreadsBench) -> None:
    """Back, by one and to the beginning; then to between that and where the cursor stood, and forward once more.

    So by each role that may acknowledge.
    """
    thread, seqs = await _posted(bench, 4)
    for role in bench.roles("ack_read"):
        reader = bench.of_role(role)
        for place in (2, 0, 1):
            await thread.ack(seqs[place], by=reader)
        await thread.ack(0, by=reader)
        for place in (3, 2):
            await thread.ack(seqs[place], by=reader)


@stimulus("threads", exercises=("TH-ACK-02", "TH-ACK-05"))
async def an_agent_acks_from_two_sessions(bench: ThreadsBench) -> None:
    """One goes on where the other stopped; each goes back, and acks the same again."""
    thread, seqs = await _posted(bench, 3)
    sessions = (thread.members[0], bench.worker("a", session_id=bench.unique("session")))
    await thread.ack(seqs[1], by=sessions[0])
    for seq in (seqs[0], seqs[1], seqs[2]):
        await thread.ack(seq, by=sessions[1])
    for seq in (seqs[1], seqs[2]):
        await thread.ack(seq, by=sessions[0])


@stimulus("threads", exercises=("TH-ACK-02", "TH-ACK-05"))
async def an_ack_goes_back_in_a_thread_that_moved_on(bench: ThreadsBench) -> None:
    """Messages are acknowledged, and one more is posted; the thread is blocked, or resolved; one acks back.

    And the same again. Whether a closed thread takes acks nobody says.
    """
    await side_by_side(*(_back(bench, way) for status, way in WAYS.items() if status != "closed"))


async def _back(bench: ThreadsBench, way: tuple[str, ...]) -> None:
    thread, seqs = await _posted(bench, 3)
    await thread.ack(seqs[2])
    await thread.moved(*way)
    await thread.post("one more")
    for seq in (seqs[0], seqs[2], seqs[1]):
        await thread.ack(seq)


@stimulus("threads", exercises=("TH-ACK-02",))
async def acks_are_sent_at_once(bench: ThreadsBench) -> None:
    """Two by one agent over two connections, the further one first; then one between them. Several times over."""
    lanes = [await bench.lane() for _ in range(2)]
    for _ in bench.rounds(TIMES):
        thread, seqs = await _posted(bench, 3)
        further, nearer = (thread.at(lane).ack(seq) for lane, seq in zip(lanes, (seqs[2], seqs[0]), strict=True))
        await bench.together(further, nearer)
        await thread.ack(seqs[1])


@stimulus("threads", exercises=("TH-ACK-03",))
async def an_ack_goes_beyond_the_end(bench: ThreadsBench) -> None:
    """By one and by far, before the first ack and after it; the thread is seen to end where it did.

    Then by one where there is no message yet.
    """
    thread, seqs = await _posted(bench, 2)
    await thread.ack(seqs[-1] + 1)
    await thread.ack(seqs[-1] + FAR)
    await thread.ack(seqs[-1])
    await thread.ack(seqs[-1] + 1)
    await thread.read(since_seq=seqs[-1])
    silent = await bench.thread()
    await silent.ack(1)
    await silent.read(since_seq=0)
    await silent.ack(seq_of(await silent.post("the first message")))


@stimulus("threads", exercises=("TH-ACK-04",))
async def others_have_read_further(bench: ThreadsBench) -> None:
    """Each acks in a thread of its own; one acks all of a third, another less; the first acks less in a fourth."""
    (first, seqs), (second, others) = await _posted(bench, 1), await _posted(bench, 1)
    a, b = first.members
    await first.ack(seqs[0], by=a)
    await second.ack(others[0], by=b)
    thread, seqs = await _posted(bench, 3)
    fourth, others = await _posted(bench, 2)
    await thread.ack(seqs[2], by=a)
    await thread.ack(seqs[0], by=b)
    await thread.ack(seqs[1], by=b)
    await fourth.ack(others[0], by=a)
