"""What is offered is served: each method in each way that the contract allows, by each role that may call it."""

from collections.abc import Sequence
from itertools import combinations, product

from conformance.contracts.threads.bench import Thread, ThreadsBench, seq_of
from conformance.contracts.threads.payloads import KINDS, LIVELINESS, MODES, RIGHTS, STATUSES, TYPES
from conformance.contracts.threads.stimuli.examples import Example, apart
from conformance.contracts.threads.stimuli.status import WAYS, stated
from conformance.contracts.threads.stimuli.texts import TITLES
from conformance.contracts.threads.stimuli.triggering import AUDIT
from conformance.drive.bench import in_turn, side_by_side, taken
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json

READERS = ("a", "b", "c")


async def _introduced(bench: ThreadsBench) -> None:
    """Everybody calls what every role may call, so that it is known which roles the server knows."""
    await in_turn(*(bench.heartbeat(bench.of_role(role)) for role in bench.roles()))


@stimulus("threads", exercises=("TH-SRV-01", "TH-SRV-03"))
async def every_role_calls_every_method(bench: ThreadsBench) -> None:
    """Each method by each role that may call it, with the arguments that the document shows, and without identity."""
    await _introduced(bench)
    found = await apart(bench)
    await side_by_side(*(_by(example, role) for example in found for role in example.callers()))


async def _by(example: Example, role: str) -> None:
    await example.call(by=example.thread.bench.of_role(role))


@stimulus("threads", exercises=("TH-SRV-01",))
async def threads_are_made_in_every_way(bench: ThreadsBench) -> None:
    """Of each type, with one participant and with many, with unusual titles, by each role that may."""
    await _introduced(bench)
    people = [bench.agent_id(bench.worker(f"w{number}")) for number in range(20)]
    for role in bench.roles("create_thread"):
        by = bench.of_role(role)
        for kind in TYPES:
            await bench.create(by=by, type=kind)
        for some in (people[:1], people[:2], people, [*people[:2], bench.agent_id(by)]):
            await bench.create(by=by, participants=some)
        for title in TITLES:
            await bench.create(by=by, title=title)


@stimulus("threads", exercises=("TH-SRV-01",))
async def messages_are_posted_in_every_way(bench: ThreadsBench) -> None:
    """Each kind, with and without metadata, key and reply, by each role that may, in threads of each open status."""
    await _introduced(bench)
    threads = [(await bench.thread(), way) for status, way in WAYS.items() if status != "closed"]
    await side_by_side(*(_posted(thread, way) for thread, way in threads))


async def _posted(thread: Thread, way: Sequence[str]) -> None:
    bench = thread.bench
    await thread.moved(*way)
    first = taken(await thread.post("a question"), "message_id")
    more: dict[str, Json] = {"metadata": {"mood": "calm"}, "in_reply_to": first, "idempotency_key": "k"}
    ways = [names for count in range(len(more) + 1) for names in combinations(more, count)]
    for role in bench.roles("post_message"):
        by = bench.of_role(role)
        for turn, (kind, names) in enumerate(product(KINDS, ways)):
            # every way on a thread that was never moved; on others each kind, and each field, once or more
            if not way or turn % 4 == 0:
                given = {name: more[name] for name in names}
                if "idempotency_key" in given:
                    given["idempotency_key"] = f"k: {kind}, {'+'.join(names)} äöü"
                await thread.post("one of many", by=by, kind=kind, **given)


@stimulus("threads", exercises=("TH-SRV-01",))
async def threads_are_read_in_every_way(bench: ThreadsBench) -> None:
    """With and without since_seq and limit, at the ends of both, by each role; and summed up."""
    await _introduced(bench)
    thread = await bench.thread()
    last = [seq_of(await thread.post(f"message {number}")) for number in range(4)][-1]
    sinces: tuple[Json, ...] = (None, 0, 1, last, last + 1_000, 2**31, 2**53 - 1)
    limits: tuple[Json, ...] = (None, 1, 3, 50, bench.limit("max_page"))
    mosts: tuple[Json, ...] = (None, 1, 50, bench.limit("max_summary"))
    for role in bench.roles():
        by = bench.of_role(role)
        for turn, (since, limit) in enumerate(product(sinces, limits)):
            if role == "worker" or turn % 6 == 0:
                await thread.read(by=by, **_given(since_seq=since, limit=limit))
        for most in mosts:
            await thread.summary(by=by, **_given(max_messages=most))
    empty = await bench.thread()
    for role in bench.roles():
        by = bench.of_role(role)
        await empty.read(by=by)
        await empty.summary(by=by)


@stimulus("threads", exercises=("TH-SRV-01",))
async def messages_are_acknowledged_in_every_way(bench: ThreadsBench) -> None:
    """None, some, the same again and all, by each role that may, each in a thread of its own; and in an empty one."""
    await _introduced(bench)
    for role in bench.roles("ack_read"):
        by, thread, empty = bench.of_role(role), await bench.thread(), await bench.thread()
        seqs = [seq_of(await thread.post(f"message {number}")) for number in range(3)]
        for seq in (0, seqs[0], seqs[0], seqs[-1]):
            await thread.ack(seq, by=by)
        await empty.ack(0, by=by)


def _given(**arguments: Json) -> dict[str, Json]:
    """Those that are given."""
    return {name: value for name, value in arguments.items() if value is not None}


@stimulus("threads", exercises=("TH-SRV-01",))
async def threads_are_moved_in_every_way(bench: ThreadsBench) -> None:
    """Each move of the state machine by each role that may make it, with metadata and without, as section 3.5 shows."""
    await _introduced(bench)
    known = stated(bench)
    moves = [
        (way, role, wanted)
        for status, way in WAYS.items()
        for wanted in STATUSES
        for role in bench.roles("update_thread_status")
        if (wanted in known[status] or wanted == status) and not (role == "worker" and wanted == "closed")
    ]
    await side_by_side(*(_moved(bench, *move) for move in moves))


async def _moved(bench: ThreadsBench, way: Sequence[str], role: str, wanted: str) -> None:
    """Moves a thread, and again to where it is: once with metadata and once without."""
    thread = await bench.thread()
    await thread.moved(*way)
    by, reason = bench.of_role(role), "human_override: all_findings_verified"
    await thread.status(wanted, by=by, reason=reason)
    await thread.status(wanted, by=by, reason=reason, metadata={"ticket": "INC-7", "findings": [1, 2]})
    await thread.get()


@stimulus("threads", exercises=("TH-SRV-01", "TH-SRV-02"))
async def threads_of_each_status_are_read(bench: ThreadsBench) -> None:
    """What was posted before is read, summed up and acknowledged by whoever may, whatever has become of the thread."""
    await _introduced(bench)
    await side_by_side(*(_read_of(bench, way) for way in WAYS.values()))


async def _read_of(bench: ThreadsBench, way: Sequence[str]) -> None:
    thread = await bench.thread()
    seqs = [seq_of(await thread.post(f"message {number}")) for number in range(3)]
    await thread.moved(*way)
    for role in bench.roles():
        by = bench.of_role(role)
        await thread.get(by=by)
        await thread.read(by=by, since_seq=0)
        await thread.read(by=by, since_seq=seqs[0], limit=1)
        await thread.summary(by=by)
        if role in RIGHTS["ack_read"]:
            await thread.ack(seqs[-1], by=by)


@stimulus("threads", exercises=("TH-SRV-01",))
async def sessions_are_told_in_every_way(bench: ThreadsBench) -> None:
    """Each mode, status and resumability, and no mode at all, of several runtimes, by each role."""
    for role in bench.roles():
        by = bench.of_role(role)
        for status, resumable in product(LIVELINESS, (True, False)):
            for mode in MODES:
                await bench.heartbeat(by, management_mode=mode, status=status, resumable=resumable)
            said = {"runtime": "claude code/2.1 (läuft)", "resumable": resumable, "status": status}
            whole = {**bench.identity("heartbeat_session", by), **said}
            await bench.call("heartbeat_session", whole, credential=by)


@stimulus("threads", exercises=("TH-SRV-01",))
async def participants_are_woken_in_every_way(bench: ThreadsBench) -> None:
    """Live, offline and unmanaged ones by each role that may, options given as they are anyway, various prompts."""
    await _introduced(bench)
    thread = await bench.news("live", "offline", "unmanaged")
    states: tuple[dict[str, Json], ...] = ({}, {"status": "offline"}, {"management_mode": "unmanaged"})
    options: tuple[dict[str, Json], ...] = ({"allow_defer": True}, {"allow_fallback": True}, {"force": False},
                                            {"force": False, "audit": AUDIT})  # fmt: skip
    prompts = ("Read on.", "Two\nlines, \"quoted\", 'and' $(odd) 😀", "p" * bench.limit("max_text"))
    for member, state in zip(thread.members, states, strict=True):
        target = bench.agent_id(member)
        await bench.heartbeat(member, **state)
        for role in bench.roles("trigger_participant"):
            by = bench.of_role(role)
            for prompt in prompts:
                await thread.trigger(target, by=by, trigger_prompt=prompt)
            await in_turn(*(thread.trigger(target, by=by, options=each) for each in options))


@stimulus("threads", exercises=("TH-SRV-02",))
async def what_is_written_is_read_elsewhere(bench: ThreadsBench) -> None:
    """Threads made, messages posted and statuses changed over one connection, and each read over all the others."""
    places = [bench, await bench.lane(), *bench.elsewhere()]
    for number, place in enumerate(places):
        thread = (await bench.thread(*READERS, title=f"made at place {number}")).at(place)
        await in_turn(*(_looked(thread.at(other)) for other in places))
        for turn, status in enumerate(("blocked", "active", "resolved", "active")):
            writer = thread.at(places[(number + turn) % len(places)])
            await writer.post(f"message {turn}", by=thread.members[turn % 3], key=f"k-{turn}", metadata={"turn": turn})
            await writer.status(status)
            await in_turn(*(_looked(thread.at(other)) for other in places))
            again = thread.at(places[(number + turn + 1) % len(places)])
            await again.post(f"message {turn}", by=thread.members[turn % 3], key=f"k-{turn}", metadata={"turn": turn})


async def _looked(thread: Thread) -> None:
    await thread.get(by=thread.members[1])
    await thread.read(by=thread.members[2], since_seq=0)
    await thread.summary(by=thread.lead)
