"""The bench of the threads contract: people and agents who make threads, post in them and read them."""

from dataclasses import dataclass, replace
from typing import Any

from conformance.drive.bench import Bench, taken
from conformance.model.events import Json
from conformance.model.exchange import Exchange

METHODS: dict[str, str] = {
    "create_thread": "",
    "get_thread": "thread_id",
    "post_message": "thread_id",
    "read_messages": "thread_id",
    "ack_read": "thread_id",
    "update_thread_status": "thread_id",
    "summarize_thread": "thread_id",
    "heartbeat_session": "",
    "trigger_participant": "thread_id",
}
"""The nine methods, each with the argument that names its thread."""


@dataclass(frozen=True)
class Thread:
    """A thread that a stimulus made. Every method takes `by`, the credential of who calls."""

    bench: "ThreadsBench"
    id: str
    members: tuple[str, ...]
    """Credentials of the workers who take part; the first of them posts and reads unless another is named."""

    def at(self, bench: "ThreadsBench") -> "Thread":
        """The same thread, called from another bench: under other conditions, or over a connection of its own."""
        return replace(self, bench=bench)

    async def call(self, tool: str, *, by: str | None = None, label: str = "", **arguments: Json) -> Exchange:
        """Calls a method on this thread with exactly these arguments besides its id."""
        whole = {"thread_id": self.id, **arguments}
        return await self.bench.call(tool, whole, credential=by or self.members[0], label=label)

    async def post(
        self, body: str, *, by: str | None = None, key: str | None = None, label: str = "", **more: Json
    ) -> Exchange:
        """Posts a chat message; `more` adds or replaces arguments."""
        arguments: dict[str, Json] = {"schema_version": 1, "kind": "chat", "body": body}
        if key is not None:
            arguments["idempotency_key"] = key
        return await self.call("post_message", by=by, label=label, **{**arguments, **more})

    async def event(self, event_type: str, body: str, *, by: str | None = None, **metadata: Json) -> Exchange:
        """Posts an event of the registry."""
        return await self.post(body, by=by, kind="event", metadata={"event_type": event_type, **metadata})

    async def read(self, *, by: str | None = None, label: str = "", **arguments: Json) -> Exchange:
        """Reads messages."""
        return await self.call("read_messages", by=by, label=label, **arguments)

    async def get(self, *, by: str | None = None, label: str = "") -> Exchange:
        """Gets the thread."""
        return await self.call("get_thread", by=by, label=label)

    async def ack(self, seq: Json, *, by: str | None = None) -> Exchange:
        """Acknowledges all up to a seq."""
        return await self.call("ack_read", by=by, last_read_seq=seq)

    async def status(self, status: str, *, by: str | None = None, **more: Json) -> Exchange:
        """Asks for a status, as the orchestrator unless another is named."""
        who = by or self.bench.orchestrator
        return await self.call("update_thread_status", by=who, **{"status": status, "reason": "as planned", **more})

    async def summary(self, *, by: str | None = None, **arguments: Json) -> Exchange:
        """Summarises the thread."""
        return await self.call("summarize_thread", by=by, **arguments)

    async def trigger(self, target: str, *, by: str | None = None, **more: Json) -> Exchange:
        """Wakes a participant, as the orchestrator unless another is named."""
        arguments = {"target_agent_id": target, "reason": "new_unread_messages", "trigger_prompt": "Read on.", **more}
        return await self.call("trigger_participant", by=by or self.bench.orchestrator, **arguments)


@dataclass(frozen=True)
class ThreadsBench(Bench):
    """Whoever takes part is this stimulus's own: agents and threads of one stimulus meet no other's."""

    def _agent(self, role: str, name: str, **claims: Any) -> str:
        return self.credential(role, f"{name}-{self.stimulus.partition('.')[2]}", **claims)

    @property
    def orchestrator(self) -> str:
        """The stimulus's orchestrator."""
        return self._agent("orchestrator", "orchestrator")

    @property
    def operator(self) -> str:
        """The stimulus's human operator."""
        return self._agent("human_operator", "operator")

    @property
    def auditor(self) -> str:
        """The stimulus's auditor."""
        return self._agent("auditor", "auditor")

    def worker(self, name: str, **claims: Any) -> str:
        """A worker of the stimulus, by a name within it. `defect` and claims as Bench.credential takes them."""
        return self._agent("worker", name, **claims)

    def agent_id(self, credential: str) -> str:
        """The agent that a credential speaks for."""
        return str(self.claims(credential).get("agent_id", ""))

    def workspace(self, credential: str | None = None) -> str:
        """The workspace that a credential is of."""
        return str(self.claims(credential or self.orchestrator).get("workspace_id", ""))

    async def create(self, *, by: str | None = None, label: str = "", **more: Json) -> Exchange:
        """Creates a thread with a worker as participant, as the orchestrator unless another is named."""
        arguments = {
            "workspace_id": self.workspace(by),
            "title": "Profile mapper review",
            "type": "workflow",
            "participants": [self.agent_id(self.worker("a"))],
            **more,
        }
        return await self.call("create_thread", arguments, credential=by or self.orchestrator, label=label)

    async def thread(self, *names: str, label: str = "", **more: Json) -> Thread:
        """A thread in which workers of these names take part (a and b where none is named)."""
        members = tuple(self.worker(name) for name in names or ("a", "b"))
        made = await self.create(participants=[self.agent_id(member) for member in members], label=label, **more)
        return Thread(self, str(taken(made, "thread_id")), members)

    async def heartbeat(self, credential: str, *, label: str = "", **more: Json) -> Exchange:
        """A heartbeat of a credential's own session: managed, active and resumable unless said otherwise."""
        claims = self.claims(credential)
        arguments = {
            "agent_id": claims.get("agent_id"),
            "workspace_id": claims.get("workspace_id"),
            "session_id": claims.get("session_id"),
            "runtime": "codex_cli",
            "management_mode": "managed",
            "resumable": True,
            "status": "active",
            **more,
        }
        return await self.call("heartbeat_session", arguments, credential=credential, label=label)


BENCH = ThreadsBench
DEFAULT_ROLE = "orchestrator"
"""In whose name a call is made where a stimulus names nobody."""
