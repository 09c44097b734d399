"""Sections 1.1, 1.2 and 6: calls by the wrong people, or in the wrong name."""

import asyncio

from conformance.contracts.threads.bench import Thread, ThreadsBench
from conformance.contracts.threads.payloads import FIELDS
from conformance.contracts.threads.stimuli.examples import Example, about_a_thread, apart, examples
from conformance.drive.stimulus import stimulus

CLAIMS = ("agent_id", "workspace_id", "role", "session_id", "iat", "exp", "jti")


async def _seen(thread: Thread) -> None:
    """What can be seen of a thread."""
    await thread.get()
    await thread.read()


@stimulus("threads", exercises=("TH-AUTH-01", "TH-ERR-UNAUTHORIZED"))
async def calls_carry_no_token(bench: ThreadsBench) -> None:
    """Every method without a token, each after a call by someone who may make it; two with something that is none."""
    thread = await bench.thread()
    nobody, fool = bench.worker("a", defect="missing"), bench.worker("a", defect="garbage")
    for example in examples(thread):
        await thread.get(by=example.caller)
        await example.bare(nobody)
    await thread.get(by=fool)
    await thread.post("hello", by=fool)


@stimulus("threads", exercises=("TH-AUTH-02", "TH-AUTH-09", "TH-ERR-UNAUTHORIZED"))
async def tokens_do_not_hold(bench: ThreadsBench) -> None:
    """Forged, expired, premature, unsigned tokens, and one signed by another algorithm."""
    thread = await bench.thread()
    for defect in ("signature", "expired", "not_yet", "alg_none", "algorithm"):
        forger = bench.worker("a", defect=defect)
        await thread.get(by=forger)
        await thread.post("hello", by=forger)


@stimulus("threads", exercises=("TH-AUTH-03", "TH-ERR-UNAUTHORIZED"))
async def tokens_lack_a_claim(bench: ThreadsBench) -> None:
    """Each of the seven claims left out of the token, of a worker and of an orchestrator."""
    thread = await bench.thread()
    for claim in CLAIMS:
        defect = f"missing:{claim}"
        await thread.get(by=bench.worker("a", defect=defect))
        await thread.get(by=bench.credential("orchestrator", "forgetful", defect=defect))


@stimulus("threads", exercises=("TH-AUTH-04", "TH-ERR-CLAIM_MISMATCH"))
async def payloads_name_somebody_else(bench: ThreadsBench) -> None:
    """Every field that repeats the caller's identity with another's, and a look at the thread before and after."""
    await asyncio.gather(*map(_as_somebody_else, await apart(bench)))


async def _as_somebody_else(example: Example) -> None:
    other = example.thread.bench.claims(example.thread.bench.worker("b"))
    claims = {name: field.claim for name, field in FIELDS[example.tool].items() if field.claim}
    if claims:
        await _seen(example.thread)
    for name, claim in claims.items():
        await example.call(**{name: other[claim]})
        await _seen(example.thread)


@stimulus("threads", exercises=("TH-AUTH-05",))
async def payloads_leave_identity_out(bench: ThreadsBench) -> None:
    """Every method that repeats the caller's identity without it, and then with it."""
    thread = await bench.thread()
    for example in examples(thread):
        if example.identity:
            await example.bare(example.caller)
            await example.call()


@stimulus("threads", exercises=("TH-AUTH-06", "TH-ERR-OUT_OF_SCOPE_WORKSPACE"))
async def another_workspace_is_reached_for(bench: ThreadsBench) -> None:
    """Every method on a thread of another workspace, and those that name a workspace with another one."""
    thread = await bench.thread()
    await thread.post(f"between ourselves: {bench.unique('secret')}")
    foreign = bench.unique("ws")
    stranger = bench.credential("orchestrator", bench.unique("stranger"), workspace_id=foreign)
    for example in about_a_thread(thread):
        await example.bare(stranger)
    for example in examples(thread):
        if "workspace_id" in example.arguments:
            await example.call(workspace_id=foreign)


@stimulus("threads", exercises=("TH-AUTH-07", "TH-ERR-FORBIDDEN"))
async def a_worker_comes_from_outside(bench: ThreadsBench) -> None:
    """Every method on a thread by a worker of the workspace who takes no part in it."""
    thread = await bench.thread()
    for example in about_a_thread(thread):
        await example.bare(bench.worker("outsider"))
