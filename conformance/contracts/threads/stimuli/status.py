"""Section 3.5: threads are moved from status to status, by those who may and those who may not."""

from conformance.contracts.threads.bench import Thread, ThreadsBench
from conformance.contracts.threads.payloads import STATUSES
from conformance.drive.bench import in_turn, side_by_side
from conformance.drive.stimulus import stimulus

OVERRIDES = {"orchestrator": "coordinator_override: it is settled", "human_operator": "human_override: it is settled"}
"""Some servers want an override to say that it is one."""
TIMES = 4
LOOKS = 2
WAYS: dict[str, tuple[str, ...]] = {
    "active": (),
    "blocked": ("blocked",),
    "resolved": ("resolved",),
    "closed": ("closed",),
}
"""How a new thread is brought to each status."""


async def _moved(thread: Thread, *statuses: str) -> None:
    """Moves a thread by these statuses, and gets it."""
    await thread.moved(*statuses)
    await thread.get()


def stated(bench: ThreadsBench) -> dict[str, set[str]]:
    """The transitions that the target states, else the contract's."""
    table = bench.choice("transitions")
    return {status: set(table.get(status, ())) if isinstance(table, dict) else set() for status in STATUSES}


@stimulus("threads", exercises=("TH-STAT-01",))
async def a_thread_goes_its_way(bench: ThreadsBench) -> None:
    """Blocked, active, resolved, closed, looked at after each."""
    thread = await bench.thread()
    for status in ("blocked", "active", "resolved", "closed"):
        await _moved(thread, status)


@stimulus("threads", exercises=("TH-STAT-01", "TH-STAT-05"))
async def a_thread_is_moved_to_where_it_is(bench: ThreadsBench) -> None:
    """Each status twice in a row, looked at around the second time."""
    await side_by_side(*(_again(bench, way) for way in WAYS.values() if way))


async def _again(bench: ThreadsBench, way: tuple[str, ...]) -> None:
    thread = await bench.thread()
    await _moved(thread, *way)
    await thread.status(way[-1])
    await thread.get()


@stimulus("threads", exercises=("TH-STAT-02",))
async def a_thread_is_moved_without_a_reason(bench: ThreadsBench) -> None:
    """Everything is there but the reason; then with one."""
    thread = await bench.thread()
    await thread.get()
    await thread.call("update_thread_status", by=thread.lead, status="resolved")
    await thread.get()
    await thread.status("resolved")
    await thread.get()


@stimulus("threads", exercises=("TH-STAT-03", "TH-ERR-INSUFFICIENT_AUTHORITY"))
async def a_worker_closes_what_is_disputed(bench: ThreadsBench) -> None:
    """Participants ask to close a blocked thread, also as those who may override would ask; then the lead does."""
    thread = await bench.thread()
    await _moved(thread, "blocked")
    for member in thread.members:
        await thread.status("closed", by=member)
        for reason in OVERRIDES.values():
            await thread.status("closed", by=member, reason=reason, metadata={"override": True})
    await thread.get()
    await thread.status("closed", reason=OVERRIDES["orchestrator"])
    await thread.get()


@stimulus("threads", exercises=("TH-STAT-04",))
async def leads_close_disputed_threads(bench: ThreadsBench) -> None:
    """The orchestrator and the operator each block a thread and close it, saying that it is an override."""
    await in_turn(*(_overridden(bench, role, reason) for role, reason in OVERRIDES.items()))


async def _overridden(bench: ThreadsBench, role: str, reason: str) -> None:
    thread, lead = await bench.thread(), bench.of_role(role)
    await thread.status("blocked", by=lead)
    await thread.get()
    await thread.status("closed", by=lead, reason=reason)
    await thread.get()


@stimulus("threads", exercises=("TH-STAT-05", "TH-ERR-CONFLICT"))
async def threads_are_moved_where_they_may_not_go(bench: ThreadsBench) -> None:
    """Every move that the state machine lacks, by every role that may move threads, looked at around each."""
    known = stated(bench)
    roles = bench.roles("update_thread_status")
    lacking = [
        (way, role, wanted)
        for status, way in WAYS.items()
        for wanted in STATUSES
        for role in roles
        if wanted != status and wanted not in known[status]
    ]
    await side_by_side(*(_refused(bench, way, role, wanted) for way, role, wanted in lacking))


async def _refused(bench: ThreadsBench, way: tuple[str, ...], role: str, wanted: str) -> None:
    thread, mover = await bench.thread(), bench.of_role(role)
    await thread.status("active", by=mover)
    await _moved(thread, *way)
    await thread.status(wanted, by=mover)
    await thread.get()


@stimulus("threads", exercises=("TH-STAT-06",))
async def a_thread_is_moved_by_many_at_once(bench: ThreadsBench) -> None:
    """Closed, resolved and blocked at once, over connections of their own; looked at meanwhile and then; many times."""
    lanes = [await bench.lane() for _ in range(3)]
    for _ in bench.rounds(TIMES):
        thread = await bench.thread()
        await thread.get()
        moves = zip(lanes, ("closed", "resolved", "blocked"), strict=True)
        looks = (thread.at(lane).get() for lane in lanes[:LOOKS])
        await bench.together(*(thread.at(lane).status(status) for lane, status in moves), *looks)
        await thread.get()
