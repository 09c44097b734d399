"""Sections 1 and 2.1: tokens, versions, threads."""

from typing import Any

from .desk import Desk, claims, message, seconds_of, signed
from .filing import clause


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
    return {
        await desk.code(
            "heartbeat_session",
            authorization=signed({claim: value for claim, value in claims().items() if claim != name}),
        )
        for name in names
    } == {"UNAUTHORIZED"}


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
    given: dict[str, Any] = {"runtime": "r", "resumable": True, "status": "idle"}
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
    return bool((await desk.read(thread))[0]["metadata"].get("event_version") == 2)


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
    given: dict[str, Any] = {"workspace_id": "wk", "title": 7, "type": "incident", "participants": ["ann"]}
    return await desk.code("create_thread", **given) != "ok"
