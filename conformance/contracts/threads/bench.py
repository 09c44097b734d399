"""The bench of the threads contract: people and agents who make threads, post in them and read them."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from conformance.contracts.threads.options import options, without
from conformance.contracts.threads.payloads import FIELDS, IDENTITY, RIGHTS, ROLES
from conformance.drive.bench import Bench, stuck, taken
from conformance.drive.errors import SkipError, StuckError
from conformance.model.events import Json
from conformance.model.exchange import Exchange

METHODS = tuple(FIELDS)
"""The nine methods."""


@dataclass(frozen=True)
class Thread:
    """A thread that a stimulus made. Every method takes `by`, the credential of who calls.

    What repeats the caller's identity is in every payload, as in the document's examples, unless it is given otherwise.
    """

    bench: "ThreadsBench"
    id: str
    members: tuple[str, ...]
    """Credentials of the workers who take part; the first of them posts and reads unless another is named."""
    lead: str
    """Who made it, and moves it."""

    def at(self, bench: "ThreadsBench") -> "Thread":
        """The same thread, called from another bench: under other conditions, or over a connection of its own."""
        return replace(self, bench=bench)

    async def call(self, tool: str, *, by: str | None = None, label: str = "", **arguments: Json) -> Exchange:
        """Calls a method on this thread with these arguments besides its id and the caller's identity."""
        who = by or self.members[0]
        whole = {"thread_id": self.id, **self.bench.identity(tool, who), **arguments}
        return await self.bench.call(tool, whole, credential=who, label=label)

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
        """Asks for a status, as the thread's lead unless another is named."""
        who = by or self.lead
        return await self.call("update_thread_status", by=who, **{"status": status, "reason": "as planned", **more})

    async def moved(self, *statuses: str) -> None:
        """Moves it by these statuses; StuckError where none of those who may can do that."""
        for status in statuses:
            await self.bench.by_a_lead(partial(self._move, status), first=self.lead)

    async def _move(self, status: str, by: str) -> Exchange:
        return await self.status(status, by=by)

    async def summary(self, *, by: str | None = None, **arguments: Json) -> Exchange:
        """Summarises the thread."""
        return await self.call("summarize_thread", by=by, **arguments)

    async def trigger(
        self, target: str, *, by: str | None = None, options: dict[str, Json] | None = None, **more: Json
    ) -> Exchange:
        """Wakes a participant, as the thread's lead unless another is named.

        `options` are named as the contract has them; SkipError where the server has none of that name.
        """
        arguments = {"target_agent_id": target, "reason": "new_unread_messages", "trigger_prompt": "Read on.", **more}
        given = {self.bench.option(name): value for name, value in (options or {}).items()}
        return await self.call("trigger_participant", by=by or self.lead, **arguments, **given)


@dataclass(frozen=True)
class ThreadsBench(Bench):
    """Whoever takes part is this stimulus's own: agents and threads of one stimulus meet no other's."""

    def _agent(self, role: str, name: str, **claims: Any) -> str:
        return self.credential(role, f"{name}-{self.tag}", **claims)

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

    def of_role(self, role: str, **claims: Any) -> str:
        """Whoever has a role: the worker is `a`, who takes part in threads made without names."""
        names = {"human_operator": "operator", "worker": "a"}
        return self._agent(role, names.get(role, role), **claims)

    def roles(self, method: str | None = None) -> list[str]:
        """The roles that may call a method, as far as the target's statement provides credentials for them."""
        return [role for role in ROLES if (method is None or role in RIGHTS[method]) and self._provided(role)]

    def _provided(self, role: str) -> bool:
        try:
            self.of_role(role)
        except SkipError:
            return False
        return True

    def leads(self) -> list[str]:
        """Those who may make and move threads, as far as the target's statement provides them."""
        return [self.of_role(role) for role in ("orchestrator", "human_operator") if self._provided(role)]

    async def by_a_lead(self, ask: Callable[[str], Awaitable[Exchange]], *, first: str = "") -> tuple[Exchange, str]:
        """What one of those who may was answered, the first for whom it is done; StuckError where it is for none."""
        answers: list[Exchange] = []
        for lead in dict.fromkeys([*([first] if first else []), *self.leads()]):
            answers.append(await ask(lead))
            if answers[-1].accepted:
                return answers[-1], lead
        if not answers:
            message = "no credentials for an orchestrator or a human operator"
            raise SkipError(message)
        raise stuck(answers[0], "success")

    def identity(self, tool: str, credential: str) -> dict[str, Json]:
        """The arguments of a method that repeat its caller's identity."""
        claims = self.claims(credential)
        fields = ((name, FIELDS[tool][name].claim or name) for name in IDENTITY[tool])
        return {name: claims[claim] for name, claim in fields if claim in claims}

    def agent_id(self, credential: str) -> str:
        """The agent that a credential speaks for."""
        return str(self.claims(credential).get("agent_id", ""))

    def workspace(self, credential: str) -> str:
        """The workspace that a credential is of."""
        return str(self.claims(credential).get("workspace_id", ""))

    def limit(self, name: str) -> int:
        """A limit of the target's, else the contract's."""
        found = self.setting(name)
        return int(found if found is not None else self.contract.settings()[name].default)

    def option(self, name: str) -> str:
        """The server's name of an option of trigger_participant; SkipError where it has none."""
        history = self.session.recorder.history
        if lacks := without(history, self.contract, name):
            raise SkipError(lacks)
        return options(history, self.contract)[name]

    async def create(self, *, by: str | None = None, label: str = "", **more: Json) -> Exchange:
        """Creates a thread with a worker as participant, as the orchestrator unless another is named."""
        who = by or self.orchestrator
        arguments = {
            "workspace_id": self.workspace(who),
            "title": "Profile mapper review",
            "type": "workflow",
            "participants": [self.agent_id(self.worker("a"))],
            **self.identity("create_thread", who),
            **more,
        }
        return await self.call("create_thread", arguments, credential=who, label=label)

    async def thread(self, *names: str, label: str = "", **more: Json) -> Thread:
        """A thread in which workers of these names take part (a and b where none is named)."""
        members = tuple(self.worker(name) for name in names or ("a", "b"))
        people = [self.agent_id(member) for member in members]
        made, lead = await self.by_a_lead(
            lambda by: self.create(by=by, label=label, **{"participants": people, **more})
        )
        return Thread(self, str(taken(made, "thread_id")), members, lead)

    async def news(self, *names: str) -> Thread:
        """A thread in which there is a message that none of these has read: another worker takes part and tells it."""
        thread = await self.thread(*names, "teller")
        *members, teller = thread.members
        told = await thread.post("There is news.", by=teller)
        if not told.accepted:
            raise stuck(told, "success")
        return replace(thread, members=tuple(members))

    async def heartbeat(self, credential: str, *, label: str = "", **more: Json) -> Exchange:
        """A heartbeat of a credential's own session: managed, active and resumable unless said otherwise."""
        arguments = {
            **self.identity("heartbeat_session", credential),
            "runtime": "codex_cli",
            "management_mode": "managed",
            "resumable": True,
            "status": "active",
            **more,
        }
        return await self.call("heartbeat_session", arguments, credential=credential, label=label)


def seq_of(post: Exchange) -> int:
    """The seq that a post was given; StuckError where it was given none."""
    seq = taken(post, "seq")
    if isinstance(seq, bool) or not isinstance(seq, int):
        message = f"post_message gave the seq {seq!r}, which is no whole number"
        raise StuckError(message, post.call)
    return seq


BENCH = ThreadsBench
DEFAULT_ROLE = "orchestrator"
"""In whose name a call is made where a stimulus names nobody."""
