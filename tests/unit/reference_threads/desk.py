"""People and agents who call one instance of the threads domain, on a calendar that stands still."""

import time
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Any

import jwt

from reference_server.application import Answer, Request
from reference_server.conditions import Clock
from reference_server.threads import Threads, open_threads
from reference_server.tokens import TEST_AUDIENCE, TEST_ISSUER, TEST_KEY, Trust

KEY = jwt.PyJWK(dict(TEST_KEY)).key
START = 1_790_000_000.0
AGENTS = {"op": "human_operator", "lead": "orchestrator", "ann": "worker", "bob": "worker", "eve": "worker"} | {
    "eye": "auditor"
}
"""Roles; ann and bob take part in threads, eve does not."""


def claims(agent: str = "lead", **changed: Any) -> dict[str, Any]:
    """The claims of an agent; a claim changed to None is left out."""
    now = int(time.time())
    whole = {
        "agent_id": agent,
        "workspace_id": "wk",
        "role": AGENTS[agent],
        "session_id": f"sess_{agent}",
        "iat": now,
        "exp": now + 3_600,
        "jti": f"jti_{agent}",
        "iss": TEST_ISSUER,
        "aud": TEST_AUDIENCE,
        **changed,
    }
    return {name: value for name, value in whole.items() if value is not None}


def signed(payload: Mapping[str, Any], key: Any = KEY, algorithm: str = "EdDSA") -> str:
    """An Authorization value for these claims."""
    return f"Bearer {jwt.encode(dict(payload), key, algorithm=algorithm, headers={'kid': TEST_KEY['kid']})}"


@cache
def token(agent: str, workspace: str = "wk") -> str:
    """A good token of an agent."""
    return signed(claims(agent, workspace_id=workspace))


class Desk:
    """One instance and those who call it."""

    def __init__(self, threads: Threads | None = None, **settings: Any) -> None:
        self.threads = threads or open_threads(settings, trust=Trust.for_tests(), clock=Clock(source=lambda: START))

    async def answer(
        self,
        tool: str,
        by: str = "lead",
        *,
        conditions: Mapping[str, Any] | None = None,
        workspace: str = "wk",
        authorization: str | None = "",
        request_id: str | None = None,
        **arguments: Any,
    ) -> Answer:
        """The answer to a call; arguments given as None are sent as they are."""
        value = token(by, workspace) if authorization == "" else authorization
        return await self.threads.call(Request(tool, arguments, value, conditions or {}, request_id))

    async def ok(self, tool: str, by: str = "lead", **given: Any) -> dict[str, Any]:
        """The result of a call that succeeds."""
        answer = await self.answer(tool, by, **given)
        assert "error" not in answer.envelope, answer
        return answer.envelope

    async def code(self, tool: str, by: str = "lead", **given: Any) -> str:
        """The code of a failure, `ok` of a success."""
        answer = await self.answer(tool, by, **given)
        return str(answer.envelope["error"]["code"]) if "error" in answer.envelope else "ok"

    async def thread(self, **changed: Any) -> str:
        """A thread with ann and bob."""
        given = {
            "workspace_id": "wk",
            "title": "Mapper review loop",
            "type": "workflow",
            "participants": ["ann", "bob"],
        }
        return str((await self.ok("create_thread", **{**given, **changed}))["thread_id"])

    async def post(self, thread: str, body: str = "hello there", by: str = "ann", **more: Any) -> dict[str, Any]:
        """Posts chat unless `more` says otherwise."""
        return await self.ok("post_message", by, **message(thread, body, **more))

    async def event(self, thread: str, event_type: str, by: str = "ann", **more: Any) -> dict[str, Any]:
        """Posts an event."""
        reply = {"in_reply_to": more.pop("in_reply_to")} if "in_reply_to" in more else {}
        return await self.post(thread, "event", by, kind="event", metadata={"event_type": event_type, **more}, **reply)

    async def read(self, thread: str, by: str = "ann", **more: Any) -> list[dict[str, Any]]:
        """The messages of a page."""
        return list((await self.ok("read_messages", by, thread_id=thread, **more))["messages"])

    async def move(self, thread: str, status: str, by: str = "lead", reason: str = "because", **more: Any) -> str:
        """The code of a move."""
        return await self.code("update_thread_status", by, thread_id=thread, status=status, reason=reason, **more)

    async def status(self, thread: str) -> str:
        """The status that get_thread shows."""
        return str((await self.ok("get_thread", thread_id=thread))["status"])

    async def beat(self, by: str = "bob", **changed: Any) -> dict[str, Any]:
        """A heartbeat: managed, resumable and active unless changed."""
        given = {"runtime": "codex_cli", "management_mode": "managed", "resumable": True, "status": "active"}
        return await self.ok("heartbeat_session", by, **{"session_id": f"sess_{by}", **given, **changed})

    async def trigger(self, thread: str, by: str = "op", **changed: Any) -> Answer:
        """Asks for bob to be woken."""
        given = {"target_agent_id": "bob", "reason": "unread", "trigger_prompt": "read on"}
        return await self.answer("trigger_participant", by, **{"thread_id": thread, **given, **changed})

    async def at(self, seconds: float, **conditions: Any) -> list[tuple[str, float]]:
        """Moves the calendar; what was delivered since: by which means, how many seconds after the start."""
        answer = await self.answer("heartbeat_session", "eye", conditions={"clock": seconds, **conditions})
        return [(effect["means"], seconds_of(effect["at"])) for effect in answer.effects]


def message(thread: str, body: str = "hello there", **more: Any) -> dict[str, Any]:
    """The arguments of post_message."""
    return {"thread_id": thread, "schema_version": 1, "kind": "chat", "body": body, **more}


def result(answer: Answer) -> str:
    """What came of a trigger: its result or its code."""
    envelope = answer.envelope
    return str(envelope["error"]["code"] if "error" in envelope else envelope["result"])


def seconds_of(instant: str) -> float:
    """Seconds after the start of the calendar."""
    return round(datetime.fromisoformat(instant).timestamp() - START, 3)
