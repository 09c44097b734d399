"""Sections 2.2, 3.2, 4 and 5: messages are posted, and read by everybody."""

from conformance.contracts.threads.bench import ThreadsBench
from conformance.drive.bench import taken
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json

EVENT_TYPES = (
    "finding_reported",
    "fix_pushed",
    "re_review_requested",
    "finding_verified",
    "finding_rejected",
    "thread_escalated",
    "thread_resolved",
)
FINDING: dict[str, Json] = {"severity": "high", "file": "lib/user_mapper.dart", "line": 42, "task_id": "TASK-219"}
AT_ONCE = 4


@stimulus("threads", exercises=("TH-MSG-01", "TH-MSG-04", "TH-MSG-05", "TH-MSG-08", "TH-MSG-09"))
async def messages_are_read_by_all(bench: ThreadsBench) -> None:
    """Chat, an event with nested metadata, a reply and a lead's message, read by two participants and the lead."""
    thread = await bench.thread("a", "b", "c")
    first = await thread.post("Blocking issue found in null fallback, see línea 42 ☕ 😀")
    metadata: dict[str, Json] = {**FINDING, "nested": {"list": [1, True, None, "x"], "ratio": 0.5}}
    await thread.event("finding_reported", "null fallback", by=thread.members[1], **metadata)
    await thread.post("fixed", in_reply_to=taken(first, "message_id"), by=thread.members[1])
    await thread.post("thank you", by=bench.orchestrator, kind="system")
    await bench.together(*(thread.read(by=reader, since_seq=0) for reader in (*thread.members, bench.orchestrator)))


@stimulus("threads", exercises=("TH-MSG-07",))
async def every_registered_event_is_posted(bench: ThreadsBench) -> None:
    """The seven event types, each with what a finding has, those that may move the thread last."""
    thread = await bench.thread()
    for event_type in EVENT_TYPES:
        await thread.event(event_type, f"about {event_type}", **FINDING)


@stimulus("threads", exercises=("TH-MSG-06",))
async def messages_reply_to_others(bench: ThreadsBench) -> None:
    """To a message of the thread, to one of another thread, to none; read at the end so that ids are known."""
    thread, other = await bench.thread(), await bench.thread()
    here = taken(await thread.post("a question"), "message_id")
    await other.post("elsewhere")
    there = taken(await other.post("elsewhere again"), "message_id")
    await thread.post("an answer", by=thread.members[1], in_reply_to=here)
    await thread.read(since_seq=0)
    await thread.post("an answer to another thread", in_reply_to=there)
    await thread.post("an answer to nothing", in_reply_to=bench.unique("msg"))
    await thread.read(since_seq=0)


@stimulus("threads", exercises=("TH-MSG-02", "TH-MSG-03"))
async def many_post_at_once(bench: ThreadsBench) -> None:
    """Two participants over two connections, several messages each, and one more each when all are answered."""
    thread, other = await bench.thread(), await bench.thread()
    one, two = await bench.lane(), await bench.lane()
    posts = []
    for number in range(AT_ONCE):
        for place, sender in ((one, thread.members[0]), (two, thread.members[1])):
            arguments = {"thread_id": thread.id, "schema_version": 1, "kind": "chat", "body": f"message {number}"}
            posts.append(place.call("post_message", arguments, credential=sender))
    await bench.together(*posts)
    await thread.post("a later one")
    await other.post("in another thread")
    await thread.post("the last one", by=thread.members[1])
    await thread.read(since_seq=0)
    await other.read(since_seq=0)
