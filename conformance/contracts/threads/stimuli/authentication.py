"""Sections 1.1, 1.2 and 6: calls by the wrong people, or in the wrong name."""

from collections.abc import Sequence
from itertools import combinations

from conformance.contracts.threads.bench import Thread, ThreadsBench, seq_of
from conformance.contracts.threads.payloads import FIELDS
from conformance.contracts.threads.stimuli.examples import Example, about_a_thread, apart, examples, otherwise
from conformance.contracts.threads.stimuli.sessions import UP
from conformance.drive.bench import in_turn, side_by_side
from conformance.drive.signing import FORGED, OTHERWISE
from conformance.drive.stimulus import stimulus
from conformance.drive.sweeps.texts import others
from conformance.model.events import Json

CLAIMS = ("agent_id", "workspace_id", "role", "session_id", "iat", "exp", "jti")
LATELY, SOON = "expired:90", "not_yet:180"
"""A little beyond the minute that clocks may differ by; the second stays so while a slow run goes on."""


async def _seen(thread: Thread) -> None:
    """What can be seen of a thread. Twice: what a read changes is then seen to be that read's."""
    for _ in range(2):
        await thread.get()
        await thread.read()


async def _with_tokens(bench: ThreadsBench, *defects: str, turns: Sequence[str] = ()) -> None:
    """Every method, by every role that may call it: with a good token, and the same with tokens of these defects.

    Of `turns` each of these has one.
    """
    found = [(example, role) for example in await apart(bench) for role in example.callers()]
    rest = [turns[turn % len(turns) :][:1] if turns else () for turn in range(len(found))]
    await side_by_side(*(_tried(*each, (*defects, *more)) for each, more in zip(found, rest, strict=True)))


async def _tried(example: Example, role: str, defects: Sequence[str]) -> None:
    bench = example.thread.bench
    await example.call(by=bench.of_role(role))
    await _before(example)
    for defect in defects:
        await example.call(by=bench.of_role(role, defect=defect))
    await _after(example)


async def _before(example: Example) -> None:
    """Moves a thread back that the call moved: its effect would be seen then, and is looked for afterwards."""
    if example.tool == "update_thread_status":
        await example.call(status="active")
    await _after(example)


async def _after(example: Example) -> None:
    """A look at the thread, where the call would be seen to have an effect."""
    if example.tool in ("post_message", "update_thread_status"):
        await _seen(example.thread)


@stimulus("threads", exercises=("TH-AUTH-01", "TH-ERR-UNAUTHORIZED"))
async def calls_carry_no_token(bench: ThreadsBench) -> None:
    """Every method by every role without a token, with something that is none, and with one for another audience."""
    named = bench.session.statement.auth.audience is not None
    await _with_tokens(bench, "missing", "garbage", *(("audience",) if named else ()))


@stimulus("threads", exercises=("TH-AUTH-02", "TH-ERR-UNAUTHORIZED"))
async def tokens_do_not_hold(bench: ThreadsBench) -> None:
    """Every method by every role with tokens that are forged, expired or premature, by hours and by little."""
    await _with_tokens(bench, "signature", "expired", LATELY, "not_yet", SOON, turns=FORGED)


@stimulus("threads", exercises=("TH-AUTH-03", "TH-ERR-UNAUTHORIZED"))
async def tokens_lack_a_claim(bench: ThreadsBench) -> None:
    """Every method with tokens that lack each of the seven claims by one role, and with some of them by others."""
    lacking = [f"missing:{claim}" for claim in CLAIMS]
    turns = [(example, role) for example in await apart(bench) for role in example.callers()]
    await side_by_side(*(_tried(example, role, _some(lacking, turn)) for turn, (example, role) in enumerate(turns)))


def _some(defects: Sequence[str], turn: int) -> Sequence[str]:
    """All of them at every third turn, else two, other ones each time."""
    if turn % 3 == 0:
        return defects
    return [defects[turn % len(defects)], defects[(turn + 3) % len(defects)]]


@stimulus("threads", exercises=("TH-AUTH-09", "TH-ERR-UNAUTHORIZED"))
async def tokens_are_signed_otherwise(bench: ThreadsBench) -> None:
    """Every method by every role with tokens that are not signed, or signed by another algorithm, in several forms."""
    await _with_tokens(bench, "alg_none", "algorithm", turns=OTHERWISE)


@stimulus("threads", exercises=("TH-AUTH-04", "TH-ERR-CLAIM_MISMATCH"))
async def payloads_name_somebody_else(bench: ThreadsBench) -> None:
    """Every field that repeats the caller's identity with another's, and a look at the thread before and after.

    With what is nearly the caller's own as well: in another case, or longer or shorter by a character. Each method is
    asked for two things.
    """
    await side_by_side(*map(_as_somebody_else, [*await apart(bench), *map(otherwise, await apart(bench))]))


async def _as_somebody_else(example: Example) -> None:
    bench = example.thread.bench
    own, other = bench.claims(example.caller), bench.claims(bench.worker("b"))
    claims = {name: field.claim for name, field in FIELDS[example.tool].items() if field.claim}
    if claims:
        await _seen(example.thread)
        for name, claim in claims.items():
            for named in (other[claim], *others(str(own[claim]))):
                await example.call(**{name: named})
                await _seen(example.thread)
        await example.call()


@stimulus("threads", exercises=("TH-AUTH-04", "TH-ERR-CLAIM_MISMATCH"))
async def a_replay_names_somebody_else(bench: ThreadsBench) -> None:
    """A message is posted under a key, then as it was but for who posts it: another's id, and another session's."""
    thread = await bench.thread()
    other = bench.identity("post_message", thread.members[1])
    await thread.post("hello", key="k-1")
    await thread.read(since_seq=0)
    for name in other:
        await thread.post("hello", key="k-1", **{name: other[name]})
        await thread.read(since_seq=0)
    await thread.post("hello", key="k-1")


@stimulus("threads", exercises=("TH-AUTH-05", "TH-MSG-04"))
async def payloads_leave_identity_out(bench: ThreadsBench) -> None:
    """Every method that repeats the caller's identity: with none of it, with each part of it, and with all.

    With none first: a move is made once, and whether it may be made again is told nowhere. What was posted so is read
    back.
    """
    await side_by_side(*map(_in_part, await apart(bench)))


async def _in_part(example: Example) -> None:
    whole = example.identity()
    if not whole:
        return
    for count in range(len(whole) + 1):
        for names in combinations(whole, count):
            await example.bare(example.caller, **{name: whole[name] for name in names})
    await example.call()
    if example.tool == "post_message":
        await example.thread.read()


@stimulus(
    "threads", exercises=("TH-AUTH-05", "TH-MSG-04", "TH-IDEM-04", "TH-ACK-02", "TH-ACK-04", "TH-TRIG-02", "TH-TRIG-12")
)
async def several_leave_identity_out(bench: ThreadsBench) -> None:
    """No payload names its caller: the claims alone tell the callers apart.

    Two agents tell of sessions that differ, and are woken. Three post under one key, which is read back. Two
    acknowledge, one of them less than before.
    """
    thread = await bench.news("a", "b")
    a, b = thread.members

    async def bare(tool: str, by: str, **arguments: Json) -> None:
        await bench.call(tool, {"thread_id": thread.id, **arguments}, credential=by)

    for by, status in ((a, "active"), (b, "offline")):
        await bench.call("heartbeat_session", {"runtime": "codex_cli", **UP, "status": status}, credential=by)
    for by in (a, b):
        await thread.trigger(bench.agent_id(by))
    seqs = [seq_of(await thread.post(f"message {number}")) for number in range(3)]
    for number, by in enumerate((b, a, thread.lead)):
        message: dict[str, Json] = {"schema_version": 1, "kind": "chat", "body": f"I am number {number}"}
        await bare("post_message", by, idempotency_key="k-1", **message)
    await thread.read()
    for by, seq in ((b, seqs[0]), (a, seqs[2]), (b, seqs[1]), (a, seqs[1])):
        await bare("ack_read", by, last_read_seq=seq)


@stimulus("threads", exercises=("TH-AUTH-06", "TH-ERR-OUT_OF_SCOPE_WORKSPACE"))
async def another_workspace_is_reached_for(bench: ThreadsBench) -> None:
    """Every method on a thread of another workspace, and those that name a workspace with another one.

    Among the others are those whose name is nearly the thread's. One of those who come from elsewhere has the id of
    somebody who takes part here. Each method is asked for two things.
    """
    thread = await bench.news("a", "b")
    await thread.post(f"between ourselves: {bench.unique('secret')}")
    foreign = [bench.unique("ws"), *others(bench.workspace(thread.lead))]
    strangers = [
        bench.credential(role, bench.unique(role), workspace_id=other)
        for number, other in enumerate(foreign)
        for role in (bench.roles() if number == 0 else ("orchestrator", "worker"))
    ]
    member = bench.agent_id(thread.members[0])
    strangers.append(bench.credential("worker", "namesake", workspace_id=foreign[0], agent_id=member))
    for stranger in strangers:
        await bench.heartbeat(stranger)
    found = about_a_thread(thread)
    await in_turn(*(_from_elsewhere(example, strangers) for example in (*found, *map(otherwise, found))))
    for example in examples(thread):
        if "workspace_id" in FIELDS[example.tool]:
            await example.call()
            for other in foreign:
                await example.call(workspace_id=other)


async def _from_elsewhere(example: Example, strangers: list[str]) -> None:
    await example.call()
    await _before(example)
    for stranger in strangers:
        await example.call(by=stranger)
    await _after(example)


@stimulus("threads", exercises=("TH-AUTH-07", "TH-ERR-FORBIDDEN"))
async def a_worker_comes_from_outside(bench: ThreadsBench) -> None:
    """Every method on a thread by workers of the workspace who take no part in it, and by somebody who may.

    Some of them have nearly the id of somebody who takes part; one takes part in another thread. Each method is asked
    for two things.
    """
    thread = await bench.news("Ann", "b")
    await bench.news("outsider")
    likes = others(bench.agent_id(thread.members[0]))
    outsiders = [bench.worker("outsider"), *(bench.worker("outsider", agent_id=like) for like in likes)]
    await in_turn(*map(bench.heartbeat, outsiders))
    found = about_a_thread(thread)
    await in_turn(*(_from_elsewhere(example, outsiders) for example in (*found, *map(otherwise, found))))
