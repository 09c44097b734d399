"""Sections 2.1, 3.1 and 6: threads made, moved, missed and asked for in malformed ways."""

import asyncio
from collections.abc import Iterator

from conformance.contracts.threads.bench import Thread, ThreadsBench
from conformance.contracts.threads.payloads import FIELDS, TYPES, Field
from conformance.contracts.threads.stimuli.examples import Example, about_a_thread, apart
from conformance.drive.bench import taken
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json

WRONG: dict[str, tuple[Json, ...]] = {
    "string": (["no", "text"], 7),
    "strings": ("no list", [{"id": "x"}]),
    "integer": ("1", 1.5),
    "boolean": ("true",),
    "object": ("no object",),
}
"""Values of other types, by the type that is wanted."""


@stimulus("threads", exercises=("TH-THR-01", "TH-THR-02", "TH-THR-03", "TH-THR-04", "TH-THR-05", "TH-THR-06"))
async def threads_are_made_and_shown(bench: ThreadsBench) -> None:
    """A thread of each type, with one participant and with several."""
    workers = [bench.agent_id(bench.worker(name)) for name in ("a", "b", "c")]
    for number, kind in enumerate(TYPES, 1):
        made = await bench.create(
            title=f"Null fallback in the mapper, round {number}", type=kind, participants=workers[:number]
        )
        thread = Thread(bench, str(taken(made, "thread_id")), (bench.worker("a"),))
        await thread.get()
        await thread.get(by=bench.orchestrator)


@stimulus("threads", exercises=("TH-THR-02", "TH-THR-03", "TH-THR-06"))
async def a_thread_is_moved_and_shown(bench: ThreadsBench) -> None:
    """Every status in turn, the thread shown after each."""
    thread = await bench.thread()
    await thread.get()
    for status in ("blocked", "active", "resolved", "closed"):
        await thread.status(status)
        await thread.get()
        await thread.summary()


@stimulus("threads", exercises=("TH-THR-07", "TH-ERR-NOT_FOUND"))
async def an_unknown_thread_is_asked_for(bench: ThreadsBench) -> None:
    """Every method on a thread that there is not, each time another one."""
    thread = await bench.thread()
    for example in about_a_thread(thread):
        await example.bare(bench.orchestrator, thread_id=bench.unique("th"))


@stimulus("threads", exercises=("TH-THR-08", "TH-ERR-VALIDATION_ERROR"))
async def payloads_are_malformed(bench: ThreadsBench) -> None:
    """Every field left out where a call cannot lack it, and with another type or value; the thread seen around each."""
    await asyncio.gather(*map(_malformed, await apart(bench)))


async def _malformed(example: Example) -> None:
    await _seen(example.thread)
    for name, field in FIELDS[example.tool].items():
        if field.needed:
            await example.without(name)
        for value in () if field.claim else _wrong(name, field):
            await example.call(**{name: value})
    await example.thread.bench.call(example.tool, ["no", "object"], credential=example.caller)
    await _seen(example.thread)


def _wrong(name: str, field: Field) -> Iterator[Json]:
    """Values that break a field. A server that reads numbers as texts takes 7 for the id of an unknown thread."""
    yield from WRONG[field.type][:1] if name.endswith("_id") else WRONG[field.type]
    if field.values:
        yield "shouted"


async def _seen(thread: Thread) -> None:
    await thread.get()
    await thread.read()
