"""Sections 2.2, 3.2, 4 and 5: messages are posted, and read by everybody."""

from conformance.contracts.threads.bench import Thread, ThreadsBench
from conformance.contracts.threads.payloads import EVENT_TYPES
from conformance.contracts.threads.stimuli.texts import BODIES, METADATA, long_metadata
from conformance.drive.bench import in_turn, side_by_side, taken
from conformance.drive.stimulus import stimulus
from conformance.drive.sweeps.texts import longest, misspelled
from conformance.model.events import Json

FINDING: dict[str, Json] = {"severity": "high", "file": "lib/user_mapper.dart", "line": 42, "task_id": "TASK-219"}
AT_ONCE = 4
TIMES = 3
MOST_PAGES = 12


@stimulus("threads", exercises=("TH-MSG-01", "TH-MSG-04", "TH-MSG-05", "TH-MSG-08"))
async def messages_are_read_by_all(bench: ThreadsBench) -> None:
    """Chat, an event with nested metadata, a reply and a system message, read by three participants and the lead.

    Each reads them all together, from no since_seq and from 0, and then one by one.
    """
    thread = await bench.thread("a", "b", "c")
    first = await thread.post("Blocking issue found in null fallback, see línea 42 ☕ 😀")
    metadata: dict[str, Json] = {**FINDING, "nested": {"list": [1, True, None, "x"], "ratio": 0.5}}
    await thread.event("finding_reported", "null fallback", by=thread.members[1], **metadata)
    await thread.post("fixed", in_reply_to=taken(first, "message_id"), by=thread.members[1], key="k-1")
    await thread.post("thank you", by=thread.members[2], kind="system")
    readers = (*thread.members, thread.lead)
    await bench.together(*(thread.read(by=reader) for reader in readers))
    await bench.together(*(thread.read(by=reader, since_seq=0) for reader in readers))
    await side_by_side(*(_read_through(thread, by=reader, limit=1) for reader in readers))


@stimulus("threads", exercises=("TH-MSG-04", "TH-MSG-08"))
async def an_agent_posts_from_two_sessions(bench: ThreadsBench) -> None:
    """The same agent by two sessions in turn, and a lead; read by another participant."""
    thread = await bench.thread()
    other = bench.worker("a", session_id=bench.unique("session"))
    for by in (thread.members[0], other, thread.members[0], thread.lead):
        await thread.post("from one of my sessions", by=by)
    await thread.read(by=thread.members[1], since_seq=0)


@stimulus("threads", exercises=("TH-MSG-09",))
async def chat_has_metadata_and_has_none(bench: ThreadsBench) -> None:
    """The same words with metadata and without any, by each participant."""
    thread = await bench.thread()
    for member in thread.members:
        await thread.post("hello", by=member, metadata={"mood": "calm"})
        await thread.post("hello", by=member)


@stimulus("threads", exercises=("TH-MSG-08",))
async def texts_are_of_unusual_kinds(bench: ThreadsBench) -> None:
    """Bodies of unusual characters and lengths, up to the longest, read by the other participant."""
    thread = await bench.thread()
    bodies = (*BODIES, longest(bench.limit("max_body")))
    await in_turn(*(thread.post(body) for body in bodies))
    await _read_through(thread)


@stimulus("threads", exercises=("TH-MSG-08",))
async def metadata_is_of_unusual_kinds(bench: ThreadsBench) -> None:
    """Metadata of unusual keys, texts, numbers and depths, up to the largest, read by the other participant."""
    thread = await bench.thread()
    values = (*METADATA, long_metadata(bench.limit("max_metadata")))
    await in_turn(*(thread.post(f"metadata {number}", metadata=value) for number, value in enumerate(values)))
    await _read_through(thread)


async def _read_through(thread: Thread, *, by: str | None = None, limit: int = 5) -> None:
    """Reads all, by pages that any server gives, as the second participant unless another is named."""
    since: Json = 0
    for _ in range(MOST_PAGES):
        page = await thread.read(by=by or thread.members[1], since_seq=since, limit=limit)
        since = taken(page, "next_seq")
        if taken(page, "has_more") is not True:
            break


@stimulus("threads", exercises=("TH-MSG-07",))
async def every_registered_event_is_posted(bench: ThreadsBench) -> None:
    """The seven event types, each with what a finding has, by each participant; before them the same as chat."""
    thread = await bench.thread()
    for member in thread.members:
        await thread.post("about an event", by=member, metadata=FINDING)
        for event_type in EVENT_TYPES:
            await thread.event(event_type, "about an event", by=member, **FINDING)
    await thread.read(since_seq=0)


@stimulus("threads", exercises=("TH-MSG-06",))
async def messages_reply_to_others(bench: ThreadsBench) -> None:
    """To a message of the thread, to one of another thread, to none, to ids near to one of the thread.

    Plain messages beside; read so that ids are known.
    """
    thread, other = await bench.thread(), await bench.thread()
    here = taken(await thread.post("a question"), "message_id")
    await other.post("elsewhere")
    there = taken(await other.post("elsewhere again"), "message_id")
    await thread.post("an answer", by=thread.members[1], in_reply_to=here)
    await thread.post("an answer", by=thread.members[1])
    await thread.read(since_seq=0)
    for number, named in enumerate((there, bench.unique("msg"), *misspelled(str(here)))):
        for key in (None, f"k-{number}"):
            await thread.post("an answer to what is not there", in_reply_to=named, key=key)
            await thread.post("an answer to what is not there", key=key and f"{key} once more")
    await thread.read(since_seq=0)
    await thread.post("an answer to what is not there", in_reply_to=there)
    await thread.read(since_seq=0)
    await thread.post("an answer to what is not there")


@stimulus("threads", exercises=("TH-MSG-02", "TH-MSG-03"))
async def many_post_at_once(bench: ThreadsBench) -> None:
    """Two participants over two connections, several messages each, and one more each when all are answered; thrice."""
    thread, other = await bench.thread(), await bench.thread()
    lanes = [thread.at(await bench.lane()) for _ in thread.members]
    for time in bench.rounds(TIMES):
        posts = [
            lane.post(f"message {time}.{number}", by=sender)
            for number in range(AT_ONCE)
            for lane, sender in zip(lanes, thread.members, strict=True)
        ]
        await bench.together(*posts)
        await thread.post("a later one")
        await other.post("in another thread")
        await thread.post("the last one", by=thread.members[1])
    await thread.read(since_seq=0, limit=50)
    await other.read(since_seq=0)


@stimulus("threads", exercises=("TH-MSG-02",))
async def posts_follow_refused_ones(bench: ThreadsBench) -> None:
    """Each refused post is followed by one that is not; all that there are is read."""
    thread = await bench.thread()
    await thread.post("the first")
    wrong: tuple[dict[str, Json], ...] = (
        {"kind": "shout"},
        {"in_reply_to": bench.unique("msg")},
        {"schema_version": 2},
        {"sender_agent_id": bench.agent_id(thread.members[1])},
    )
    for number, fault in enumerate(wrong):
        await thread.post("refused", **fault)
        await thread.post("refused", by=bench.worker("outsider"))
        await thread.post(f"after refusal {number}")
    await thread.read(since_seq=0)
