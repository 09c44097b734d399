"""Sections 3.5 to 3.8: status, summaries, sessions, triggers."""

import asyncio
import shlex
from typing import Any

from .desk import Desk, result
from .filing import clause


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
    return bool((await desk.ok("summarize_thread", thread_id=thread, max_messages=1))["open_items"] == [])


@clause("TH-SES-02")
async def heartbeats(desk: Desk) -> bool:
    given: dict[str, Any] = {"runtime": "r", "resumable": False}
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
