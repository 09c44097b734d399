"""Sections 3.2 and 7: the same message posted again."""

from conformance.contracts.threads.bench import ThreadsBench
from conformance.drive.stimulus import stimulus

METADATA = {"event_type": "finding_reported", "severity": "high", "line": 42, "task_id": "TASK-219"}


@stimulus("threads", exercises=("TH-IDEM-01", "TH-IDEM-02"))
async def the_same_message_is_posted_twice(bench: ThreadsBench) -> None:
    """Once and again with its key, with and without metadata, and read before and after."""
    thread = await bench.thread()
    await thread.post("hello", key="k-1")
    await thread.post("finding", key="k-2", kind="event", metadata=METADATA)
    await thread.read()
    await thread.post("hello", key="k-1")
    await thread.post("finding", key="k-2", kind="event", metadata=METADATA)
    await thread.read()
