"""Section 6: the codes and the envelope."""

from reference_server.threads.refusal import CODES

from .desk import Desk, message, result
from .filing import SCENARIOS, Scenario, clause

BUSY = {"human_input": ["bob"]}


async def provoke(desk: Desk) -> dict[str, str]:
    """Each code of section 6 with the code that is answered where it is due."""
    thread, keyed, blocked, closed = [await desk.thread() for _ in range(4)]
    await desk.post(keyed, "one", idempotency_key="k")
    await desk.move(blocked, "blocked")
    await desk.move(closed, "closed")
    desk.threads.quota.per_minute, quota = 0, desk.threads.quota.per_minute
    limited = await desk.code("post_message", "bob", **message(thread))
    desk.threads.quota.per_minute = quota
    await desk.beat()
    busy = await desk.trigger(thread, conditions=BUSY, allow_defer=False)
    down = await desk.trigger(thread, conditions={"runtime_down": ["bob"]}, allow_fallback=False)
    await desk.beat(management_mode="unmanaged")
    return {
        "UNAUTHORIZED": await desk.code("get_thread", thread_id=thread, authorization="Bearer x"),
        "FORBIDDEN": await desk.code("get_thread", "eve", thread_id=thread),
        "OUT_OF_SCOPE_WORKSPACE": await desk.code("get_thread", workspace="other", thread_id=thread),
        "NOT_FOUND": await desk.code("get_thread", thread_id="th_unknown"),
        "CONFLICT": await desk.move(closed, "active"),
        "IDEMPOTENCY_CONFLICT": await desk.code("post_message", "ann", **message(keyed, "two", idempotency_key="k")),
        "RATE_LIMITED": limited,
        "VALIDATION_ERROR": await desk.code("get_thread"),
        "WAKE_FAILED": result(down),
        "UNMANAGED_RUNTIME": result(await desk.trigger(thread, allow_fallback=False)),
        "HUMAN_INPUT_COLLISION": result(busy),
        "CLAIM_MISMATCH": await desk.code("read_messages", thread_id=thread, agent_id="somebody"),
        "INSUFFICIENT_AUTHORITY": await desk.move(blocked, "closed", "ann"),
    }


def _code(code: str) -> Scenario:
    async def scenario(desk: Desk) -> bool:
        return (await provoke(desk))[code] == code

    return scenario


SCENARIOS.update({f"TH-ERR-{code}": _code(code) for code in CODES})


@clause("TH-ENV-01")
async def envelope(desk: Desk) -> bool:
    error = (await desk.answer("get_thread")).envelope["error"]
    return set(error) == {"code", "message", "request_id"} and all(error.values())


@clause("TH-ENV-02")
async def request_ids(desk: Desk) -> bool:
    ids = [(await desk.answer("get_thread")).envelope["error"]["request_id"] for _ in range(3)]
    return len(set(ids)) == len(ids)


@clause("TH-ENV-03")
async def instants(desk: Desk) -> bool:
    return str((await desk.ok("get_thread", thread_id=await desk.thread()))["created_at"]).endswith("Z")


@clause("TH-ENV-04")
async def is_error(desk: Desk) -> bool:
    return (await desk.answer("get_thread")).failed


@clause("TH-SRV-01")
async def served_without_options(desk: Desk) -> bool:
    return await desk.code("summarize_thread", thread_id=await desk.thread()) == "ok"


@clause("TH-SRV-02")
async def told_as_it_is(desk: Desk) -> bool:
    thread = await desk.thread()
    await desk.move(thread, "blocked")
    return bool((await desk.post(thread))["thread_status"] == "blocked")


@clause("TH-SRV-03")
async def nothing_of_the_inside(desk: Desk) -> bool:
    return "Traceback" not in (await desk.answer("get_thread")).envelope["error"]["message"]
