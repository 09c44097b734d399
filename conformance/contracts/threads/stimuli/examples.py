"""A call of each method that nothing speaks against, in the name of someone who may surely make it."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace

from conformance.contracts.threads.bench import METHODS, Thread, ThreadsBench
from conformance.contracts.threads.payloads import takes_thread
from conformance.model.events import Json
from conformance.model.exchange import Exchange

WORKERS = ("get_thread", "post_message", "read_messages", "ack_read", "summarize_thread", "heartbeat_session")
"""Methods that a worker who takes part may surely call."""

OTHERWISE: Mapping[str, dict[str, Json]] = {
    "create_thread": {"type": "incident"},
    "post_message": {"kind": "event", "metadata": {"event_type": "fix_pushed"}, "idempotency_key": "k-1"},
    "read_messages": {"since_seq": 1, "limit": 1},
    "ack_read": {"last_read_seq": 1},
    "summarize_thread": {"max_messages": 1},
    "heartbeat_session": {"management_mode": "unmanaged", "resumable": False, "status": "offline"},
    "update_thread_status": {"status": "resolved", "reason": "all_findings_verified", "metadata": {"ticket": "INC-7"}},
}
"""Other arguments of a method, with those that may be left out."""


@dataclass(frozen=True)
class Example:
    """A call, still to be made. Its arguments are whole but for identity."""

    thread: Thread
    tool: str
    arguments: dict[str, Json]

    @property
    def caller(self) -> str:
        """The first of the thread's workers, or its lead where a worker may be turned away."""
        return self.thread.members[0] if self.tool in WORKERS else self.thread.lead

    def callers(self) -> list[str]:
        """The roles that may make it."""
        return self.thread.bench.roles(self.tool)

    def identity(self, by: str | None = None) -> dict[str, Json]:
        """The arguments that repeat the caller's identity."""
        return self.thread.bench.identity(self.tool, by or self.caller)

    async def call(self, *, by: str | None = None, label: str = "", **more: Json) -> Exchange:
        """Makes the call, identity in it; `more` adds or replaces arguments."""
        return await self.bare(by or self.caller, label=label, **{**self.identity(by), **more})

    async def bare(self, by: str, *, label: str = "", **more: Json) -> Exchange:
        """Makes the call in anyone's name, without identity in it."""
        return await self.thread.bench.call(self.tool, {**self.arguments, **more}, credential=by, label=label)

    async def anew(self) -> "Example":
        """The same call where nobody has made it: whether a move may be made again is told nowhere."""
        if self.tool != "update_thread_status":
            return self
        thread = await self.thread.bench.news("a", "b")
        return replace(self, thread=thread, arguments={**self.arguments, "thread_id": thread.id})

    async def without(self, name: str) -> Exchange:
        """Makes the call without one of its arguments."""
        left = {key: value for key, value in {**self.arguments, **self.identity()}.items() if key != name}
        return await self.thread.bench.call(self.tool, left, credential=self.caller)


async def apart(bench: ThreadsBench) -> list[Example]:
    """The same calls, each about a thread of its own, so that they can be made side by side."""
    threads = await asyncio.gather(*(bench.news("a", "b") for _ in METHODS))
    return [examples(thread)[place] for place, thread in enumerate(threads)]


def examples(thread: Thread) -> list[Example]:
    """One call of each of the methods that the target has. The status asked for is `blocked`, the cursor stays at 0."""
    bench = thread.bench
    target = bench.agent_id(thread.members[-1])
    about = {"thread_id": thread.id}
    arguments: dict[str, dict[str, Json]] = {
        "create_thread": {
            "workspace_id": bench.workspace(thread.lead),
            "title": "Release 2 checklist",
            "type": "conversation",
            "participants": [bench.agent_id(thread.members[0])],
        },
        "get_thread": about,
        "post_message": {**about, "schema_version": 1, "kind": "chat", "body": "Is the checklist complete?"},
        "read_messages": {**about, "since_seq": 0, "limit": 20},
        "ack_read": {**about, "last_read_seq": 0},
        "summarize_thread": {**about, "max_messages": 50},
        "heartbeat_session": {
            "runtime": "codex_cli",
            "management_mode": "managed",
            "resumable": True,
            "status": "idle",
        },
        "trigger_participant": {
            **about,
            "target_agent_id": target,
            "reason": "new_unread_messages",
            "trigger_prompt": "Read on.",
        },
        "update_thread_status": {**about, "status": "blocked", "reason": "a finding is disputed"},
    }
    return [Example(thread, tool, given) for tool, given in arguments.items()]


def otherwise(example: Example) -> Example:
    """The same method asked for something else: a server may check who calls where it is asked for one thing alone."""
    return replace(example, arguments={**example.arguments, **OTHERWISE.get(example.tool, {})})


def about_a_thread(thread: Thread) -> list[Example]:
    """Those of the methods that take a thread."""
    return [example for example in examples(thread) if takes_thread(example.tool)]
