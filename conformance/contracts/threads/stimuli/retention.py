"""Section 8: a thread is read long after it was written."""

from conformance.contracts.threads.bench import ThreadsBench
from conformance.drive.stimulus import stimulus

AGES_S = (30 * 86_400, 400 * 86_400)


@stimulus("threads", exercises=("TH-RET-01",), needs=("clock",), fresh=True)
async def a_thread_is_read_years_later(bench: ThreadsBench) -> None:
    """After a month, and after more than a year."""
    thread = await bench.thread()
    await thread.post("keep this")
    await thread.event("finding_reported", "and this", task_id="TASK-219")
    for age in AGES_S:
        later = thread.at(await bench.under(clock=age))
        await later.read(since_seq=0)
        await later.post(f"still here after {age} s")
