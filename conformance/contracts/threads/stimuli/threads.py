"""Sections 2.1, 3.1 and 6: threads made, moved, missed and asked for in malformed ways."""

from collections.abc import Iterator

from conformance.contracts.threads.bench import Thread, ThreadsBench, seq_of
from conformance.contracts.threads.payloads import FIELDS, KINDS, TYPES, Field, takes_thread
from conformance.contracts.threads.stimuli.examples import Example, apart
from conformance.contracts.threads.stimuli.texts import TITLES
from conformance.drive.bench import in_turn, side_by_side
from conformance.drive.stimulus import stimulus
from conformance.drive.sweeps.texts import misspelled, near
from conformance.model.events import Json

WRONG: dict[str, tuple[Json, ...]] = {
    "string": (["no", "text"], 7, True),
    "strings": ("no list", [{"id": "x"}], ["x", 7]),
    "integer": ("1", 1.5, True),
    "boolean": ("true", 1),
    "object": ("no object", ["no", "object"]),
}
"""Values of other types, by the type that is wanted."""
MANY = 20


@stimulus("threads", exercises=("TH-THR-01", "TH-THR-02", "TH-THR-03", "TH-THR-04", "TH-THR-05", "TH-THR-06"))
async def threads_are_made_and_shown(bench: ThreadsBench) -> None:
    """A thread of each type, with one participant, with several and with many."""
    names = ("a", "b", *(f"w{number}" for number in range(MANY - 2)))
    for count, kind in zip((1, 2, MANY), TYPES, strict=True):
        title = f"Null fallback in the mapper, for {count}"
        thread = await bench.thread(*names[:count], title=title, type=kind)
        await thread.get()
        await thread.get(by=thread.lead)


@stimulus("threads", exercises=("TH-THR-05",))
async def threads_have_unusual_titles(bench: ThreadsBench) -> None:
    """Titles of unusual characters, and a long one, each shown to a participant and to the lead."""
    await in_turn(*(_titled(bench, title) for title in TITLES))


async def _titled(bench: ThreadsBench, title: str) -> None:
    thread = await bench.thread(title=title)
    await thread.get()
    await thread.get(by=thread.lead)


@stimulus("threads", exercises=("TH-THR-05", "TH-MSG-04", "TH-IDEM-04", "TH-ACK-04"))
async def participants_are_nearly_the_same(bench: ThreadsBench) -> None:
    """Their ids differ in case alone: each posts under one key, acks what the others do not, and is woken."""
    thread = await bench.thread("Ann", "ann", "ANN", title="Who is Who")
    first, second, _ = thread.members
    seqs = [seq_of(await thread.post("hello", by=member, key="k-1")) for member in thread.members]
    await thread.get()
    for member, seq in zip(thread.members, reversed(seqs), strict=True):
        await thread.ack(seq, by=member)
    await thread.read(by=thread.lead, since_seq=0)
    others = await bench.news("Ann", "ann")
    await bench.heartbeat(first)
    await bench.heartbeat(second, status="offline", resumable=False)
    await others.trigger(bench.agent_id(first))
    await others.trigger(bench.agent_id(second))


@stimulus("threads", exercises=("TH-THR-02", "TH-THR-03", "TH-THR-06"))
async def a_thread_is_moved_and_shown(bench: ThreadsBench) -> None:
    """Every status in turn, the thread shown after each."""
    thread = await bench.thread()
    await thread.get()
    for status in ("blocked", "active", "resolved", "closed"):
        await thread.moved(status)
        await thread.get()
        await thread.summary()


@stimulus("threads", exercises=("TH-THR-06",))
async def a_thread_is_shown_after_each_message(bench: ThreadsBench) -> None:
    """A message of each kind is posted, read and acknowledged, the thread shown after each."""
    thread = await bench.thread()
    await thread.get()
    for kind in KINDS:
        post = await thread.post("Is it done?", kind=kind, metadata={"event_type": "fix_pushed"})
        await thread.get()
        await thread.read(since_seq=0)
        await thread.ack(seq_of(post))
        await thread.get()


@stimulus("threads", exercises=("TH-THR-07", "TH-ERR-NOT_FOUND"))
async def an_unknown_thread_is_asked_for(bench: ThreadsBench) -> None:
    """Every method, by every role that may call it, on a thread that there is not, each time another one.

    Among them are ids that are near to that of a thread that there is.
    """
    found = [example for example in await apart(bench) if takes_thread(example.tool)]
    await side_by_side(*(_missed(example, role) for example in found for role in example.callers()))


async def _missed(example: Example, role: str) -> None:
    bench = example.thread.bench
    by = bench.of_role(role)
    await example.call(by=by)
    others = misspelled(example.thread.id) if by == example.caller else ()
    for unknown in (bench.unique("th"), *others):
        await example.call(by=by, thread_id=unknown)


@stimulus("threads", exercises=("TH-THR-08", "TH-ERR-VALIDATION_ERROR"))
async def payloads_are_malformed(bench: ThreadsBench) -> None:
    """Every field left out where a call cannot lack it, and with another type or value; the thread seen around each."""
    await side_by_side(*map(_malformed, await apart(bench)))


async def _malformed(example: Example) -> None:
    await example.call()
    await _seen(example.thread)
    for name, field in FIELDS[example.tool].items():
        if field.needed:
            await example.without(name)
        for value in () if field.claim else _wrong(name, field, example.arguments.get(name)):
            await example.call(**{name: value})
    await example.thread.bench.call(example.tool, ["no", "object"], credential=example.caller)
    await _seen(example.thread)
    await example.call()


def _wrong(name: str, field: Field, good: Json) -> Iterator[Json]:
    """Values that break a field. A server that reads numbers as texts takes 7 for the id of an unknown thread."""
    if field.needed:
        yield None
    yield from WRONG[field.type][:1] if name.endswith("_id") else WRONG[field.type]
    if field.values:
        yield "shouted"
        yield from near(good) if isinstance(good, str) else ()


async def _seen(thread: Thread) -> None:
    """Twice: what a read changes is then seen to be that read's."""
    for _ in range(2):
        await thread.get()
        await thread.read()
