"""Each clause as a short scenario that says whether it is kept: true of the reference, false under its deviation."""

import asyncio
import shlex
from collections.abc import Awaitable, Callable
from typing import Any

from .desk import Desk, claims, message, result, seconds_of, signed

Scenario = Callable[[Desk], Awaitable[bool]]
SCENARIOS: dict[str, Scenario] = {}

DAY_S = 86_400.0
TYPES = ("finding_reported", "fix_pushed", "re_review_requested", "finding_verified", "finding_rejected") + (
    "thread_escalated",
    "thread_resolved",
)


def clause(requirement: str) -> Callable[[Scenario], Scenario]:
    """Files the scenario of a requirement."""

    def file(scenario: Scenario) -> Scenario:
        SCENARIOS[requirement] = scenario
        return scenario

    return file


def keys(requirement: str, tool: str, *fields: str) -> None:
    """Files a clause that a method's answer has these fields."""

    async def scenario(desk: Desk) -> bool:
        thread = await desk.thread()
        await desk.post(thread)
        given: dict[str, dict[str, Any]] = {
            "create_thread": {"workspace_id": "wk", "title": "t", "type": "incident", "participants": ["ann"]},
            "post_message": message(thread),
            "ack_read": {"thread_id": thread, "last_read_seq": 1},
            "update_thread_status": {"thread_id": thread, "status": "blocked", "reason": "r"},
            "heartbeat_session": {"runtime": "r", "resumable": True, "status": "idle"},
            "trigger_participant": {"thread_id": thread, "target_agent_id": "bob", "reason": "r"}
            | {"trigger_prompt": "p"},
        }
        answer = await desk.answer(tool, **given.get(tool, {"thread_id": thread}))
        return set(fields) <= set(answer.envelope)

    SCENARIOS[requirement] = scenario


keys("TH-THR-01", "get_thread", "thread_id", "workspace_id", "title", "type", "status", "participants", "updated_at")
keys("TH-THR-04", "create_thread", "thread_id", "status", "created_at")
keys("TH-MSG-05", "post_message", "message_id", "seq", "thread_status", "created_at")
keys("TH-ACK-01", "ack_read", "ok", "updated_at")
keys("TH-STAT-01", "update_thread_status", "thread_id", "status", "updated_at")
keys("TH-SES-01", "heartbeat_session", "ok", "recorded_at")
keys("TH-TRIG-01", "trigger_participant", "target_agent_id", "action", "result", "triggered_at")


@clause("TH-AUTH-01")
async def no_token(desk: Desk) -> bool:
    thread = await desk.thread()
    return await desk.code("get_thread", thread_id=thread, authorization=None) != "ok"


@clause("TH-AUTH-02")
async def token_times(desk: Desk) -> bool:
    expired, early = claims(exp=1, iat=0), claims(iat=claims()["exp"] - 60)
    return [await desk.code("heartbeat_session", authorization=signed(each)) for each in (expired, early)] == [
        "UNAUTHORIZED"
    ] * 2


@clause("TH-AUTH-03")
async def missing_claims(desk: Desk) -> bool:
    names = ("agent_id", "workspace_id", "role", "session_id", "iat", "exp", "jti")
    return {await desk.code("heartbeat_session", authorization=signed(claims(**{name: None}))) for name in names} == {
        "UNAUTHORIZED"
    }


@clause("TH-AUTH-04")
async def hints_conflict(desk: Desk) -> bool:
    thread = await desk.thread()
    mine = message(thread)
    codes = {
        await desk.code("post_message", "ann", **mine, sender_agent_id="bob"),
        await desk.code("post_message", "ann", **mine, sender_session_id="other"),
        await desk.code("read_messages", "ann", thread_id=thread, agent_id="bob"),
    }
    return "ok" not in codes and not await desk.read(thread)


@clause("TH-AUTH-05")
async def hints_left_out(desk: Desk) -> bool:
    given = {"runtime": "r", "resumable": True, "status": "idle"}
    return await desk.code("heartbeat_session", **given) == "ok"


@clause("TH-AUTH-06")
async def another_workspace(desk: Desk) -> bool:
    thread = await desk.thread()
    answer = await desk.answer("get_thread", workspace="other", thread_id=thread)
    return "title" not in answer.envelope


@clause("TH-AUTH-07")
async def outsider(desk: Desk) -> bool:
    thread = await desk.thread()
    return await desk.code("read_messages", "eve", thread_id=thread) != "ok"


@clause("TH-AUTH-09")
async def unsigned(desk: Desk) -> bool:
    return await desk.code("get_thread", thread_id="x", authorization=signed(claims(), None, "none")) != "NOT_FOUND"


@clause("TH-VER-02")
async def versions(desk: Desk) -> bool:
    thread = await desk.thread()
    return await desk.code("post_message", "ann", **{**message(thread), "schema_version": 2}) != "ok"


@clause("TH-VER-03")
async def unknown_fields(desk: Desk) -> bool:
    return await desk.code("get_thread", thread_id=await desk.thread(), surplus=1) == "ok"


@clause("TH-VER-04")
async def event_version(desk: Desk) -> bool:
    thread = await desk.thread()
    await desk.event(thread, "fix_pushed", event_version=2)
    return (await desk.read(thread))[0]["metadata"].get("event_version") == 2


@clause("TH-THR-02")
async def statuses(desk: Desk) -> bool:
    thread = await desk.thread()
    await desk.move(thread, "blocked")
    return await desk.status(thread) in {"active", "blocked", "resolved", "closed"}


@clause("TH-THR-03")
async def one_id(desk: Desk) -> bool:
    thread = await desk.thread()
    await desk.move(thread, "resolved")
    return bool((await desk.ok("get_thread", thread_id=thread))["thread_id"] == thread)


@clause("TH-THR-05")
async def as_created(desk: Desk) -> bool:
    shown = await desk.ok("get_thread", thread_id=await desk.thread())
    return (shown["title"], shown["participants"]) == ("Mapper review loop", ["ann", "bob"])


@clause("TH-THR-06")
async def updated_after_created(desk: Desk) -> bool:
    thread = await desk.thread()
    await desk.move(thread, "blocked")
    shown = await desk.ok("get_thread", thread_id=thread)
    return seconds_of(shown["updated_at"]) >= seconds_of(shown["created_at"])


@clause("TH-THR-07")
async def unknown_thread(desk: Desk) -> bool:
    return await desk.code("read_messages", thread_id="th_unknown") != "ok"


@clause("TH-THR-08")
async def malformed(desk: Desk) -> bool:
    given = {"workspace_id": "wk", "title": 7, "type": "incident", "participants": ["ann"]}
    return await desk.code("create_thread", **given) != "ok"


@clause("TH-MSG-01")
async def message_fields(desk: Desk) -> bool:
    thread = await desk.thread()
    await desk.post(thread)
    fields = {"message_id", "seq", "kind", "body", "sender_agent_id", "created_at"}
    return fields <= set((await desk.read(thread))[0])


@clause("TH-MSG-02")
async def concurrent_seqs(desk: Desk) -> bool:
    thread = await desk.thread()
    answers = await asyncio.gather(*(desk.post(thread, f"m{n}") for n in range(4)))
    return sorted(each["seq"] for each in answers) == [1, 2, 3, 4]


@clause("TH-MSG-03")
async def message_ids(desk: Desk) -> bool:
    first, second = await desk.thread(), await desk.thread()
    return bool((await desk.post(first))["message_id"] != (await desk.post(second))["message_id"])


@clause("TH-MSG-04")
async def senders(desk: Desk) -> bool:
    thread = await desk.thread()
    await desk.post(thread)
    read = (await desk.read(thread))[0]
    return (read["sender_agent_id"], read["sender_session_id"]) == ("ann", "sess_ann")


@clause("TH-MSG-06")
async def replies(desk: Desk) -> bool:
    first, second = await desk.thread(), await desk.thread()
    elsewhere = (await desk.post(first))["message_id"]
    return await desk.code("post_message", "ann", **message(second), in_reply_to=elsewhere) != "ok"


@clause("TH-MSG-07")
async def event_types(desk: Desk) -> bool:
    thread = await desk.thread()
    posts = [message(thread, kind="event", metadata={"event_type": each}) for each in TYPES]
    return {await desk.code("post_message", "ann", **each) for each in posts} == {"ok"}


@clause("TH-MSG-08")
async def read_whole(desk: Desk) -> bool:
    thread = await desk.thread()
    await desk.post(thread, "a longer body")
    return [(await desk.read(thread, by))[0]["body"] for by in ("ann", "bob")] == ["a longer body"] * 2


@clause("TH-MSG-09")
async def plain_chat(desk: Desk) -> bool:
    return await desk.code("post_message", "ann", **message(await desk.thread())) == "ok"


@clause("TH-RET-01")
async def kept_for_years(desk: Desk) -> bool:
    thread = await desk.thread()
    await desk.post(thread)
    return len(await desk.read(thread, conditions={"clock": 1_000 * DAY_S})) == 1


@clause("TH-IDEM-01")
async def replay_is_the_original(desk: Desk) -> bool:
    thread = await desk.thread()
    return await desk.post(thread, idempotency_key="k") == await desk.post(thread, idempotency_key="k")


@clause("TH-IDEM-02")
async def replay_adds_nothing(desk: Desk) -> bool:
    thread = await desk.thread()
    for _ in range(2):
        await desk.post(thread, idempotency_key="k")
    return len(await desk.read(thread)) == 1


@clause("TH-IDEM-03")
async def another_payload(desk: Desk) -> bool:
    thread = await desk.thread()
    await desk.post(thread, "one", idempotency_key="k")
    return await desk.code("post_message", "ann", **message(thread, "two", idempotency_key="k")) != "ok"


@clause("TH-IDEM-04")
async def another_sender(desk: Desk) -> bool:
    thread = await desk.thread()
    first = await desk.post(thread, by="ann", idempotency_key="k")
    return bool(first["seq"] != (await desk.post(thread, by="bob", idempotency_key="k"))["seq"])


@clause("TH-IDEM-05")
async def no_key(desk: Desk) -> bool:
    thread = await desk.thread()
    return bool((await desk.post(thread))["seq"] != (await desk.post(thread))["seq"])


@clause("TH-IDEM-06")
async def concurrent_keys(desk: Desk) -> bool:
    thread = await desk.thread()
    await asyncio.gather(*(desk.post(thread, idempotency_key="k") for _ in range(4)))
    return len(await desk.read(thread)) == 1


@clause("TH-IDEM-07")
async def retention(desk: Desk) -> bool:
    thread = await desk.thread()
    first = await desk.post(thread, idempotency_key="k")
    later = await desk.post(thread, idempotency_key="k", conditions={"clock": DAY_S - 1})
    after = await desk.post(thread, idempotency_key="k", conditions={"clock": DAY_S + 1})
    return first["seq"] == later["seq"] != after["seq"]


@clause("TH-IDEM-08")
async def key_order(desk: Desk) -> bool:
    thread = await desk.thread()
    await desk.post(thread, idempotency_key="k", metadata={"a": 1, "b": {"c": 2, "d": 3}})
    again = message(thread, idempotency_key="k", metadata={"b": {"d": 3, "c": 2}, "a": 1})
    return await desk.code("post_message", "ann", **again) == "ok"


async def _five(desk: Desk) -> str:
    thread = await desk.thread()
    for n in range(5):
        await desk.post(thread, f"m{n}")
    return thread


@clause("TH-READ-01")
async def ascending(desk: Desk) -> bool:
    return [each["seq"] for each in await desk.read(await _five(desk), since_seq=2)] == [3, 4, 5]


@clause("TH-READ-02")
async def has_more(desk: Desk) -> bool:
    thread = await _five(desk)
    pages = [await desk.ok("read_messages", thread_id=thread, limit=limit) for limit in (4, 5, 6)]
    return [(len(page["messages"]), page["has_more"]) for page in pages] == [(4, True), (5, False), (5, False)]


@clause("TH-READ-03")
async def reading_on(desk: Desk) -> bool:
    thread = await _five(desk)
    seqs: list[int] = []
    since = 0
    for _ in range(4):
        page = await desk.ok("read_messages", thread_id=thread, since_seq=since, limit=2)
        since = page["next_seq"]
        seqs += [each["seq"] for each in page["messages"]]
        await desk.post(thread)
    return seqs == list(range(1, 9))


@clause("TH-READ-04")
async def empty_page(desk: Desk) -> bool:
    page = await desk.ok("read_messages", thread_id=await _five(desk), since_seq=5)
    return (page["messages"], page["next_seq"], page["has_more"]) == ([], 5, False)


@clause("TH-READ-05")
async def reading_moves_nothing(desk: Desk) -> bool:
    thread = await _five(desk)
    await desk.read(thread)
    return await desk.code("ack_read", "ann", thread_id=thread, last_read_seq=1) == "ok"


@clause("TH-ACK-02")
async def no_way_back(desk: Desk) -> bool:
    thread = await _five(desk)
    codes = [await desk.code("ack_read", "ann", thread_id=thread, last_read_seq=seq) for seq in (3, 2, 2)]
    return codes[0] == "ok" and "ok" not in codes[1:]


@clause("TH-ACK-03")
async def not_beyond(desk: Desk) -> bool:
    return await desk.code("ack_read", "ann", thread_id=await _five(desk), last_read_seq=6) != "ok"


@clause("TH-ACK-04")
async def own_cursors(desk: Desk) -> bool:
    thread = await _five(desk)
    await desk.ok("ack_read", "ann", thread_id=thread, last_read_seq=5)
    return await desk.code("ack_read", "bob", thread_id=thread, last_read_seq=1) == "ok"


@clause("TH-ACK-05")
async def the_same_again(desk: Desk) -> bool:
    thread = await _five(desk)
    return [await desk.code("ack_read", "ann", thread_id=thread, last_read_seq=3) for _ in range(2)] == ["ok"] * 2


@clause("TH-STAT-02")
async def reason(desk: Desk) -> bool:
    return await desk.code("update_thread_status", thread_id=await desk.thread(), status="blocked") != "ok"


@clause("TH-STAT-03")
async def workers_do_not_force(desk: Desk) -> bool:
    thread = await desk.thread()
    await desk.move(thread, "blocked")
    return await desk.move(thread, "closed", "ann") != "ok"


@clause("TH-STAT-04")
async def leads_override(desk: Desk) -> bool:
    codes = []
    for by in ("op", "lead"):
        thread = await desk.thread()
        await desk.move(thread, "blocked")
        codes.append(await desk.move(thread, "closed", by))
    return codes == ["ok", "ok"]


@clause("TH-STAT-05")
async def closed_is_final(desk: Desk) -> bool:
    thread = await desk.thread()
    await desk.move(thread, "closed")
    return await desk.move(thread, "active") != "ok"


@clause("TH-STAT-06")
async def concurrent_moves(desk: Desk) -> bool:
    thread = await desk.thread()
    codes = await asyncio.gather(desk.move(thread, "closed"), desk.move(thread, "blocked"))
    return sorted(codes) != ["ok", "ok"] and await desk.status(thread) == "closed"


@clause("TH-SUM-01")
async def summary_fields(desk: Desk) -> bool:
    summary = await desk.ok("summarize_thread", thread_id=await desk.thread())
    return isinstance(summary["summary"], str) and isinstance(summary["open_items"], list)


@clause("TH-SUM-02")
async def open_items(desk: Desk) -> bool:
    thread = await desk.thread()
    for task in ("T1", "T2", "T3"):
        await desk.event(thread, "finding_reported", task_id=task)
    await desk.event(thread, "finding_verified", task_id="T1")
    await desk.event(thread, "finding_rejected", task_id="T2")
    return [each["id"] for each in (await desk.ok("summarize_thread", thread_id=thread))["open_items"]] == ["T3"]


@clause("TH-SUM-03")
async def compact(desk: Desk) -> bool:
    thread = await desk.thread()
    for n in range(30):
        await desk.post(thread, f"{n} " * 30)
    size = sum(len(each["body"]) for each in await desk.read(thread))
    return len((await desk.ok("summarize_thread", thread_id=thread))["summary"]) < size / 4


@clause("TH-SUM-04")
async def bounded(desk: Desk) -> bool:
    thread = await desk.thread()
    await desk.event(thread, "finding_reported", task_id="T1")
    await desk.post(thread)
    return (await desk.ok("summarize_thread", thread_id=thread, max_messages=1))["open_items"] == []


@clause("TH-SES-02")
async def heartbeats(desk: Desk) -> bool:
    given = {"runtime": "r", "resumable": False}
    states = ("active", "idle", "offline")
    return {await desk.code("heartbeat_session", status=status, **given) for status in states} == {"ok"}


@clause("TH-SES-03")
async def newest_heartbeat(desk: Desk) -> bool:
    thread = await desk.thread()
    await desk.beat()
    first = result(await desk.trigger(thread))
    await desk.beat(management_mode="unmanaged")
    return [first, result(await desk.trigger(thread))] == ["triggered", "resumed"]


@clause("TH-TRIG-02")
async def live(desk: Desk) -> bool:
    await desk.beat()
    return result(await desk.trigger(await desk.thread())) == "triggered"


@clause("TH-TRIG-03")
async def unmanaged(desk: Desk) -> bool:
    await desk.beat(management_mode="unmanaged")
    return result(await desk.trigger(await desk.thread())) == "resumed"


BUSY = {"human_input": ["bob"]}


@clause("TH-TRIG-04")
async def deferred(desk: Desk) -> bool:
    await desk.beat()
    answer = await desk.trigger(await desk.thread(), conditions=BUSY)
    return result(answer) == "deferred" and {"defer_reason", "deferred_until"} <= set(answer.envelope)


@clause("TH-TRIG-05")
async def quiet(desk: Desk) -> bool:
    await desk.beat()
    await desk.trigger(await desk.thread(), conditions=BUSY)
    return [await desk.at(19), await desk.at(100)] == [[], [("trigger_runtime", 20.0)]]


@clause("TH-TRIG-06")
async def force(desk: Desk) -> bool:
    await desk.beat()
    return result(await desk.trigger(await desk.thread(), conditions=BUSY, force=True)) == "VALIDATION_ERROR"


@clause("TH-TRIG-07")
async def spawned_with_summary(desk: Desk) -> bool:
    thread = await desk.thread()
    await desk.post(thread, "something to sum up")
    summary = (await desk.ok("summarize_thread", thread_id=thread))["summary"]
    (effect,) = (await desk.trigger(thread)).effects
    return effect["means"] == "spawn_session" and summary in effect["prompt"]


@clause("TH-TRIG-08")
async def nothing_left(desk: Desk) -> bool:
    answer = await desk.trigger(await desk.thread(), allow_fallback=False)
    return "error" in answer.envelope and not answer.effects


@clause("TH-TRIG-09")
async def nothing_left_unmanaged(desk: Desk) -> bool:
    await desk.beat(management_mode="unmanaged")
    answer = await desk.trigger(await desk.thread(), allow_fallback=False)
    return "error" in answer.envelope and not answer.effects


@clause("TH-TRIG-10")
async def may_not_wait(desk: Desk) -> bool:
    await desk.beat()
    answer = await desk.trigger(await desk.thread(), conditions=BUSY, allow_defer=False)
    return "error" in answer.envelope and await desk.at(100) == []


@clause("TH-TRIG-11")
async def quoted(desk: Desk) -> bool:
    await desk.beat(management_mode="unmanaged")
    hostile = 'it\'s "$(reboot)" `x`; &'
    answer = await desk.trigger(await desk.thread(), trigger_prompt=hostile)
    words = ["codex", "exec", "resume", "sess_bob", hostile]
    return shlex.split(answer.envelope["runtime_command"]) == words and answer.envelope[
        "runtime_command"
    ] == shlex.join(words)


@clause("TH-TRIG-12")
async def resumed_first(desk: Desk) -> bool:
    await desk.beat()
    down = {"runtime_down": ["bob"]}
    first = await desk.trigger(await desk.thread(), conditions=down)
    gone = {**down, "resume_unavailable": ["bob"]}
    return [result(first), result(await desk.trigger(await desk.thread(), conditions=gone))] == ["resumed", "spawned"]


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


CODES = (
    "UNAUTHORIZED FORBIDDEN OUT_OF_SCOPE_WORKSPACE NOT_FOUND CONFLICT IDEMPOTENCY_CONFLICT RATE_LIMITED "
    "VALIDATION_ERROR WAKE_FAILED UNMANAGED_RUNTIME HUMAN_INPUT_COLLISION CLAIM_MISMATCH INSUFFICIENT_AUTHORITY"
).split()
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
