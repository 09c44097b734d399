"""Section 6: the situations of the codes that no other section brings about."""

from conformance.contracts.threads.bench import ThreadsBench
from conformance.contracts.threads.payloads import KINDS
from conformance.drive.stimulus import stimulus

QUOTA = 3
MINUTE_S = 70


@stimulus("threads", exercises=("TH-ERR-CONFLICT",))
async def a_closed_thread_is_to_move(bench: ThreadsBench) -> None:
    """A thread is closed, then asked to become each of the other statuses, by whoever closed it and by others."""
    thread = await bench.thread()
    await thread.moved("resolved", "closed")
    for status in ("active", "blocked", "resolved"):
        await thread.status(status)
        for lead in bench.leads():
            await thread.status(status, by=lead)


@stimulus("threads", exercises=("TH-ERR-IDEMPOTENCY_CONFLICT",))
async def a_key_is_used_for_something_else(bench: ThreadsBench) -> None:
    """One key with two bodies."""
    thread = await bench.thread()
    await thread.post("first", key="k-1")
    await thread.post("second", key="k-1")


@stimulus("threads", exercises=("TH-ERR-RATE_LIMITED",), settings={"quota_per_minute": QUOTA})
async def the_quota_is_used_up(bench: ThreadsBench) -> None:
    """More messages than twice the quota, so that a window that begins anew cannot let all of them through.

    A look at the thread before and after each.
    """
    thread = await bench.thread()
    for number in range(2 * QUOTA + 1):
        await thread.read(since_seq=0)
        await thread.post(f"message {number}", key=f"k-{number}")
    await thread.read(since_seq=0)


@stimulus("threads", exercises=("TH-ERR-RATE_LIMITED",), settings={"quota_per_minute": QUOTA})
async def the_quota_is_used_up_in_several_threads(bench: ThreadsBench) -> None:
    """By one agent in two threads in turn; then by another, who may go on, and whose replay uses up nothing.

    Where the clock can be moved the agent posts again a minute later.
    """
    threads = [await bench.thread(), await bench.thread()]
    for number in range(2 * QUOTA + 1):
        await threads[number % 2].post(f"message {number}", key=f"k-{number}")
    for number in range(QUOTA):
        await threads[0].post(f"mine {number}", by=threads[0].members[1], key=f"k-{number}")
    await threads[0].post("mine 0", by=threads[0].members[1], key="k-0")
    for number in range(QUOTA, 2 * QUOTA + 1):
        await threads[0].post(f"mine {number}", by=threads[0].members[1], key=f"k-{number}")
    if bench.toggles("clock"):
        later = threads[0].at(await bench.under(clock=MINUTE_S))
        await later.post("a minute later")


@stimulus("threads", exercises=("TH-ERR-RATE_LIMITED",), settings={"quota_per_minute": QUOTA})
async def the_quota_is_used_up_by_messages_of_each_kind(bench: ThreadsBench) -> None:
    """By several agents, each with messages of one kind, without keys."""
    thread = await bench.thread(*KINDS)
    for member, kind in zip(thread.members, KINDS, strict=True):
        for number in range(2 * QUOTA + 1):
            await thread.post(f"message {number}", by=member, kind=kind, metadata={"event_type": "fix_pushed"})
