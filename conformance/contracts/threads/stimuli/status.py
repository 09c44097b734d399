"""Section 3.5: threads are moved from status to status, by those who may and those who may not."""

from conformance.contracts.threads.bench import Thread, ThreadsBench
from conformance.drive.stimulus import stimulus
from conformance.model.exchange import Exchange

OVERRIDE = "coordinator_override: the dispute is settled"
HUMAN_OVERRIDE = "human_override: the dispute is settled"
"""Some servers want an override to say that it is one."""


async def _moved(thread: Thread, *statuses: str) -> Exchange:
    """Moves a thread by these statuses, and gets it."""
    for status in statuses:
        await thread.status(status)
    return await thread.get()


@stimulus("threads", exercises=("TH-STAT-01",))
async def a_thread_goes_its_way(bench: ThreadsBench) -> None:
    """Blocked, active, resolved, closed, looked at after each."""
    thread = await bench.thread()
    for status in ("blocked", "active", "resolved", "closed"):
        await _moved(thread, status)


@stimulus("threads", exercises=("TH-STAT-02",))
async def a_thread_is_moved_without_a_reason(bench: ThreadsBench) -> None:
    """Everything is there but the reason."""
    thread = await bench.thread()
    await thread.get()
    await thread.call("update_thread_status", by=bench.orchestrator, status="resolved")
    await thread.get()


@stimulus("threads", exercises=("TH-STAT-03", "TH-ERR-INSUFFICIENT_AUTHORITY"))
async def a_worker_closes_what_is_disputed(bench: ThreadsBench) -> None:
    """A participant asks to close a blocked thread."""
    thread = await bench.thread()
    await _moved(thread, "blocked")
    await thread.status("closed", by=thread.members[0])
    await thread.get()


@stimulus("threads", exercises=("TH-STAT-04",))
async def leads_close_disputed_threads(bench: ThreadsBench) -> None:
    """The orchestrator and the operator each close a blocked thread, saying that it is an override."""
    for lead, reason in ((bench.orchestrator, OVERRIDE), (bench.operator, HUMAN_OVERRIDE)):
        thread = await bench.thread()
        await _moved(thread, "blocked")
        await thread.status("closed", by=lead, reason=reason)
        await thread.get()


@stimulus("threads", exercises=("TH-STAT-05", "TH-ERR-CONFLICT"))
async def threads_are_moved_where_they_may_not_go(bench: ThreadsBench) -> None:
    """Every move that the state machine lacks, looked at around each."""
    for ways, wanted in (
        (("closed",), ("active", "blocked", "resolved")),
        (("blocked",), ("resolved",)),
        (("resolved",), ("blocked",)),
    ):
        thread = await bench.thread()
        await _moved(thread, *ways)
        for status in wanted:
            await thread.status(status)
            await thread.get()


@stimulus("threads", exercises=("TH-STAT-06",))
async def a_thread_is_moved_by_many_at_once(bench: ThreadsBench) -> None:
    """Closed, resolved and blocked at once, over connections of their own; then looked at."""
    thread = await bench.thread()
    await thread.get()
    lanes = [thread.at(await bench.lane()) for _ in range(3)]
    moves = zip(lanes, ("closed", "resolved", "blocked"), strict=True)
    await bench.together(*(lane.status(status) for lane, status in moves))
    await thread.get()
