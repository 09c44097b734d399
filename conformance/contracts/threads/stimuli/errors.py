"""Section 6: the situations of the codes that no other section brings about."""

from conformance.contracts.threads.bench import ThreadsBench
from conformance.drive.stimulus import stimulus

QUOTA = 3


@stimulus("threads", exercises=("TH-ERR-CONFLICT",))
async def a_closed_thread_is_to_move(bench: ThreadsBench) -> None:
    """A thread is closed, then asked to become each of the other statuses."""
    thread = await bench.thread()
    await thread.status("resolved")
    await thread.status("closed")
    for status in ("active", "blocked", "resolved"):
        await thread.status(status)
        await thread.status(status, by=bench.operator)


@stimulus("threads", exercises=("TH-ERR-INSUFFICIENT_AUTHORITY",))
async def a_worker_asks_for_an_override(bench: ThreadsBench) -> None:
    """A blocked thread, and a participant who would close it."""
    thread = await bench.thread()
    await thread.status("blocked")
    await thread.status("closed", by=bench.worker("a"))


@stimulus("threads", exercises=("TH-ERR-IDEMPOTENCY_CONFLICT",))
async def a_key_is_used_for_something_else(bench: ThreadsBench) -> None:
    """One key with two bodies."""
    thread = await bench.thread()
    await thread.post("first", key="k-1")
    await thread.post("second", key="k-1")


@stimulus("threads", exercises=("TH-ERR-RATE_LIMITED",), settings={"quota_per_minute": QUOTA})
async def the_quota_is_used_up(bench: ThreadsBench) -> None:
    """More messages than twice the quota, so that a window that begins anew cannot let all of them through."""
    thread = await bench.thread()
    for number in range(2 * QUOTA + 1):
        await thread.post(f"message {number}", key=f"k-{number}")
