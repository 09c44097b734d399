"""Section 3.6: threads with findings, long threads, and how much of them is summed up."""

from conformance.contracts.threads.bench import ThreadsBench
from conformance.drive.bench import taken
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json

LOREM = "The mapper reads the field before it looks whether the profile is there at all; see the trace. "


@stimulus("threads", exercises=("TH-SUM-01", "TH-SUM-02"))
async def findings_are_reported_and_settled(bench: ThreadsBench) -> None:
    """Five findings, of which one is verified, one rejected, and one, known by its message alone, rejected as well."""
    thread = await bench.thread()
    await thread.get()
    await thread.summary()
    for task in ("TASK-1", "TASK-2", "TASK-3"):
        await thread.event("finding_reported", f"something is wrong in {task}", task_id=task, severity="high")
    named = await thread.event("finding_reported", "a finding with no task")
    await thread.event("finding_reported", "another with no task")
    reviewer = thread.members[1]
    await thread.event("finding_verified", "so it is", by=reviewer, task_id="TASK-1")
    await thread.event("finding_rejected", "not so", by=reviewer, task_id="TASK-2")
    message = taken(named, "message_id")
    rejected: dict[str, Json] = {"event_type": "finding_rejected", "message_id": message}
    await thread.post("nor that", by=reviewer, kind="event", metadata=rejected, in_reply_to=message)
    await thread.summary()
    await thread.get()


@stimulus("threads", exercises=("TH-SUM-01", "TH-SUM-02"))
async def findings_are_talked_about(bench: ThreadsBench) -> None:
    """What is no verdict names findings: events of other types, and verdicts on others, near to them by name."""
    thread = await bench.thread()
    reviewer = thread.members[1]
    for task in ("TASK-1", "TASK-12", "task-1", "TASK-3"):
        await thread.event("finding_reported", f"something is wrong in {task}", task_id=task)
    named = taken(await thread.event("finding_reported", "a finding with no task"), "message_id")
    about: tuple[dict[str, Json], ...] = ({"task_id": "TASK-1"}, {"message_id": named})
    for event_type in ("fix_pushed", "re_review_requested", "thread_escalated"):
        for each in about:
            await thread.event(event_type, "on it", by=reviewer, **each)
    await thread.post("is it so?", in_reply_to=named, by=reviewer, metadata={"task_id": "TASK-3"})
    await thread.summary()
    await thread.event("finding_verified", "so it is", by=reviewer, task_id="TASK-12")
    await thread.event("finding_rejected", "not so", by=reviewer, task_id="task-1")
    await thread.summary()


@stimulus("threads", exercises=("TH-SUM-01", "TH-SUM-02"))
async def a_thread_of_each_status_is_summarised(bench: ThreadsBench) -> None:
    """Active, blocked, active again, resolved, closed."""
    thread = await bench.thread()
    for status in ("blocked", "active", "resolved", "closed"):
        await thread.moved(status)
        await thread.get()
        await thread.summary()
        await thread.get()


@stimulus("threads", exercises=("TH-SUM-01", "TH-SUM-02", "TH-SUM-03"))
async def a_long_thread_is_summarised(bench: ThreadsBench) -> None:
    """Sixteen messages of several hundred characters, and findings before, among and after them."""
    thread = await bench.thread()
    await thread.event("finding_reported", "found first", task_id="TASK-FIRST")
    for number in range(16):
        await thread.post(f"{number}: {LOREM * 5}", by=thread.members[number % 2], key=f"k-{number}")
        if number in (7, 15):
            await thread.event("finding_reported", "found since", task_id=f"TASK-{number}")
    await thread.summary()


@stimulus("threads", exercises=("TH-SUM-01", "TH-SUM-02", "TH-SUM-04"))
async def a_summary_of_few_messages_is_asked_for(bench: ThreadsBench) -> None:
    """Five findings, all of them summed up, then of the latest messages each number."""
    thread = await bench.thread()
    for number in range(5):
        await thread.event("finding_reported", f"the {number}th thing that is wrong", task_id=f"STEP-{number}")
    for most in (100, 5, 4, 3, 2, 1, bench.limit("max_summary")):
        await thread.summary(max_messages=most)
