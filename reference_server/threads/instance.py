"""One instance of the threads domain: its collaborators, and the way of a call through them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from reference_server.application import Answer, Json, Request, Tool, UnknownToolError
from reference_server.conditions import Clock
from reference_server.threads.access import Roles, Workspaces
from reference_server.threads.audit import AuditTrail, Entry
from reference_server.threads.call import Call
from reference_server.threads.catalogue import TOOLS
from reference_server.threads.cursors import Cursors
from reference_server.threads.delivery import Delivery
from reference_server.threads.idempotency import Ledger
from reference_server.threads.identity import AGENT_HINTS, SESSION_HINTS, Claims, Identity
from reference_server.threads.ids import Ids
from reference_server.threads.instants import Instants
from reference_server.threads.posting import Posting
from reference_server.threads.quota import Quota
from reference_server.threads.reading import Reading
from reference_server.threads.refusal import Refusal
from reference_server.threads.registry import ThreadRegistry
from reference_server.threads.sessions import Sessions
from reference_server.threads.settings import Settings
from reference_server.threads.status import StateMachine
from reference_server.threads.store import Store
from reference_server.threads.summary import Summaries
from reference_server.threads.supervisor import Supervisor
from reference_server.threads.validation import Arguments
from reference_server.threads.wake import WakePolicy
from reference_server.threads.world import CALM, World
from reference_server.tokens import Trust

Method = Callable[[Call], dict[str, Json]]

FIELDS: Final[Mapping[str, frozenset[str]]] = {tool.name: frozenset(tool.input_schema["properties"]) for tool in TOOLS}
"""The fields that each method knows; others are ignored (section 9), even where they bear the name of a hint."""
HINTS: Final = {name: tuple(fields & {*AGENT_HINTS, *SESSION_HINTS}) for name, fields in FIELDS.items()}
"""The fields of each method that repeat an identity."""


class Threads:
    """An `Application`. A call has no await inside, so it is atomic on one event loop."""

    def __init__(self, settings: Settings, trust: Trust, clock: Clock) -> None:
        self.tools: Sequence[Tool] = TOOLS
        self.settings = settings
        self.clock = clock
        self.instants = Instants(clock)
        self.ids = Ids()
        self.identity = Identity(trust)
        self.arguments = Arguments()
        self.workspaces = Workspaces()
        self.roles = Roles()
        self.audit = AuditTrail()
        self.store = Store()
        self.machine = StateMachine()
        self.registry = ThreadRegistry(self.store, self.machine, self.ids, self.instants)
        self.ledger = Ledger(settings.retention_s)
        self.quota = Quota(settings.quota_per_minute)
        self.posting = Posting(self.store, self.ledger, self.quota, self.ids, self.instants)
        self.reading = Reading()
        self.cursors = Cursors(self.instants)
        self.summaries = Summaries()
        self.sessions = Sessions(self.instants)
        self.delivery = Delivery(self.sessions, self.summaries, self.instants)
        self.supervisor = Supervisor(self.delivery, settings)
        self.wake = WakePolicy(self.supervisor, self.delivery, settings, self.instants)
        self.methods: dict[str, Method] = {
            "create_thread": self.registry.create,
            "get_thread": self.registry.get,
            "post_message": self.posting.post,
            "read_messages": self.reading.read,
            "ack_read": self.cursors.acknowledge,
            "update_thread_status": self.registry.update_status,
            "summarize_thread": self.summaries.summarize,
            "heartbeat_session": self.sessions.heartbeat,
            "trigger_participant": self.wake.trigger,
        }

    async def call(self, request: Request) -> Answer:
        """Answers a success as the bare object of the method's output, a failure as {error: ...}."""
        return self.answer(request)

    def answer(self, request: Request) -> Answer:
        """Lets the supervisor act, then serves the call and writes it into the audit trail."""
        if request.tool not in self.methods:
            raise UnknownToolError(request.tool)
        now, world = self.begin(request.conditions)
        effects: list[dict[str, Json]] = []
        self.supervisor.act(world, now, effects)
        self.supervisor.notice(world, now)
        request_id = self.request_id(request)
        claims: Claims | None = None
        try:
            claims = self.identity.claims(request.authorization)
            given = self.arguments.check(request.tool, request.arguments)
            call = Call(request.tool, claims, given, now, world, effects)
            self.admit(call)
            envelope = self.methods[request.tool](call)
            outcome = "ok"
        except Refusal as refusal:
            outcome = refusal.code
            envelope = self.failure(refusal, request_id)
        self.audit.record(Entry.of(now, claims, request, request_id, outcome))
        return Answer(envelope, failed=outcome != "ok", effects=tuple(effects))

    def begin(self, conditions: Mapping[str, Json]) -> tuple[float, World]:
        """The time of the call, after the calendar has moved, and what holds while it is served."""
        if not conditions:
            return self.instants.now(), CALM
        self.clock.advance(conditions.get("clock", 0.0))
        return self.instants.now(), World.of(conditions)

    def request_id(self, request: Request) -> str:
        """The caller's, or a new one."""
        return request.request_id or self.ids.next("req")

    def admit(self, call: Call) -> None:
        """Workspace, existence, identity, role, in this order."""
        fields = FIELDS[call.tool]
        if "workspace_id" in fields and "workspace_id" in call.arguments:
            self.workspaces.check_named(call.claims, call.arguments["workspace_id"])
        if "thread_id" in fields:
            call.named = self.store.find(call.arguments["thread_id"])
            self.workspaces.check_thread(call.claims, call.named)
        if hints := self.hints(call):
            self.identity.match(call.claims, hints)
        self.roles.check(call)

    def hints(self, call: Call) -> dict[str, Json]:
        """The hints of identity that the payload of this method has."""
        return {name: call.arguments[name] for name in HINTS[call.tool] if name in call.arguments}

    def failure(self, refusal: Refusal, request_id: str) -> dict[str, Json]:
        """The error envelope of section 6."""
        return {"error": {"code": refusal.code, "message": refusal.message, "request_id": request_id}}


def open_threads(settings: Mapping[str, Json] | None = None, *, trust: Trust, clock: Clock | None = None) -> Threads:
    """A fresh instance with a store of its own. Raises `ValueError` for a setting that has no meaning."""
    return Threads(Settings.of(settings), trust, clock or Clock())
