"""What a history tells of threads, and by it which faults a call has."""

from collections import defaultdict
from dataclasses import dataclass

from conformance.contract.catalogue import Contract
from conformance.contracts.threads.payloads import ENTITLED, FIELDS, malformed, misversioned, takes_thread
from conformance.judge.memo import once
from conformance.judge.unchanged import surely_refused
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History

Place = tuple[str, str]
"""A thread: its instance and its id."""

VOUCHING = 2
"""Methods that must have served an id that no create_thread gave, before it is taken for an older thread's."""
MOVING = ("thread_escalated", "thread_resolved")
"""Events at which a server may change the status by itself."""


@dataclass(frozen=True, slots=True)
class Made:
    """A thread, as it was made."""

    created: Exchange
    workspace: str | None
    """None where payload and claims name different ones."""
    participants: frozenset[str]
    creator: str


@dataclass(frozen=True, slots=True)
class Faults:
    """Why a call is to be refused, by code. `others`: a server may see a further cause, which is left open."""

    codes: frozenset[str]
    others: bool = False
    fields: tuple[str, ...] = ()
    """Those that break the payload; schema_version is not among them."""

    @property
    def none(self) -> bool:
        """Whether nothing speaks against serving the call."""
        return not self.codes and not self.others


UNPROVED = Faults(frozenset({"UNAUTHORIZED"}))
CLAIMED = {tool: [(name, f.claim) for name, f in fields.items() if f.claim] for tool, fields in FIELDS.items()}


class Known:
    """The threads of a history."""

    def __init__(self, history: History, contract: Contract) -> None:
        self._contract = contract
        self._made: dict[Place, Made] = {}
        self._changes: dict[Place, list[Exchange]] = defaultdict(list)
        """Calls that may have changed a thread's status."""
        self._served: dict[Place, set[str]] = defaultdict(set)
        self._required: dict[str, set[str]] = defaultdict(set)
        self._faults: dict[int, Faults] = {}
        self._by_codes: dict[frozenset[str], list[Exchange]] = defaultdict(list)
        for listing in history.listings:
            for tool in listing.tools:
                self._learn(tool)
        calls = list(history.calls(*FIELDS))
        for call in calls:
            self._take(call)
        for call in calls:
            found = self._faults[call.call] = self._judged(call)
            self._by_codes[found.codes].append(call)

    def _learn(self, tool: Json) -> None:
        schema = tool.get("inputSchema") if isinstance(tool, dict) else None
        required = schema.get("required") if isinstance(schema, dict) else None
        name = tool.get("name") if isinstance(tool, dict) else None
        if isinstance(required, list) and isinstance(name, str):
            self._required[name] |= {field for field in required if isinstance(field, str)}

    def _take(self, call: Exchange) -> None:
        if call.tool == "create_thread":
            if call.accepted:
                self._create(call)
            return
        place = self.place(call)
        if place is None or surely_refused(call, self._contract):
            return
        if call.accepted:
            self._served[place].add(call.tool or "")
        metadata = call.argument("metadata")
        moving = isinstance(metadata, dict) and metadata.get("event_type") in MOVING
        if call.tool == "update_thread_status" or moving:
            self._changes[place].append(call)

    def _create(self, call: Exchange) -> None:
        thread_id, claims = call.given.get("thread_id"), call.credential.claims
        if not isinstance(thread_id, str):
            return
        named, own = call.argument("workspace_id"), claims.get("workspace_id")
        people = call.argument("participants")
        self._made[call.instance, thread_id] = Made(
            created=call,
            workspace=own if isinstance(own, str) and named in (None, own) else None,
            participants=frozenset(p for p in people if isinstance(p, str))
            if isinstance(people, list)
            else frozenset(),
            creator=str(claims.get("agent_id", "")),
        )

    @staticmethod
    def place(call: Exchange) -> Place | None:
        """The thread that a call is about: instance and id; None where it names none."""
        thread_id = call.argument("thread_id")
        return (call.instance, thread_id) if takes_thread(call.tool) and isinstance(thread_id, str) else None

    def made(self, call: Exchange) -> Made | None:
        """The thread that a call is about, where it had been made before."""
        place = self.place(call)
        found = self._made.get(place) if place is not None else None
        return found if found is not None and found.created.before(call) else None

    def faults(self, call: Exchange) -> Faults:
        """Everything that is wrong with a method's call: its token, payload, workspace, thread and part in it."""
        return self._faults[call.call]

    def with_only(self, *codes: str) -> list[Exchange]:
        """The calls with exactly these faults, in the order sent; without any fault where none is named."""
        return self._by_codes.get(frozenset(codes), [])

    def with_any(self, code: str) -> list[Exchange]:
        """The calls with this fault and perhaps others."""
        return [call for codes, calls in self._by_codes.items() if code in codes for call in calls]

    def _judged(self, call: Exchange) -> Faults:
        if call.credential.defect is not None:
            return UNPROVED
        tool, place, made = call.tool or "", self.place(call), self.made(call)
        codes: set[str] = set()
        fields = tuple(malformed(tool, call.arguments, self._required.get(tool, ())))
        if fields or misversioned(tool, call.arguments):
            codes.add("VALIDATION_ERROR")
        if _foreign(call, made):
            codes.add("OUT_OF_SCOPE_WORKSPACE")
        elif made is not None and _outside(call, made):
            codes.add("FORBIDDEN")
        if place is not None and place not in self._made and len(self._served.get(place, ())) < VOUCHING:
            codes.add("NOT_FOUND")
        if mismatched(call):
            codes.add("CLAIM_MISMATCH")
        return Faults(frozenset(codes), self._open(call, place, made), fields)

    def _open(self, call: Exchange, place: Place | None, made: Made | None) -> bool:
        """Whether a server may have a reason of its own: a role without the right, a reply, a status."""
        tool, role = call.tool or "", call.credential.role
        if role not in ENTITLED.get(tool, (role,)) or (made is None and place in self._made):
            return True
        if tool != "post_message":
            return False
        return call.argument("in_reply_to") is not None or (place in self._changes and self.status(call) != "active")

    def status(self, call: Exchange) -> str | None:
        """The thread's status when a call was sent, where that is sure."""
        place, made = self.place(call), self.made(call)
        if place is None or made is None:
            return None
        earlier = [change for change in self._changes.get(place, ()) if change is not call and change.sent < _end(call)]
        if not earlier:
            return "active"
        last = max(earlier, key=_end)
        sure = last.accepted and last.before(call) and all(other.before(last) for other in earlier if other is not last)
        wanted = last.argument("status")
        return wanted if sure and last.tool == "update_thread_status" and isinstance(wanted, str) else None


known = once(Known)


def mismatched(call: Exchange) -> list[str]:
    """The fields of a payload that name another agent or session than the caller's claims."""
    given, claims = call.arguments, call.credential.claims
    if not isinstance(given, dict):
        return []
    named = [(name, given.get(name), claims.get(claim)) for name, claim in CLAIMED.get(call.tool or "", ())]
    return [name for name, value, own in named if isinstance(value, str) and isinstance(own, str) and value != own]


def _foreign(call: Exchange, made: Made | None) -> bool:
    """Whether a call names another workspace than its caller's, or a thread of one."""
    own = call.credential.claims.get("workspace_id")
    if not isinstance(own, str):
        return False
    named = call.argument("workspace_id") if "workspace_id" in FIELDS[call.tool or ""] else None
    return (isinstance(named, str) and named != own) or (made is not None and made.workspace not in (None, own))


def _outside(call: Exchange, made: Made) -> bool:
    """Whether the caller is a worker who neither takes part in the thread nor made it."""
    agent = call.credential.claims.get("agent_id")
    return (
        call.credential.role == "worker"
        and isinstance(agent, str)
        and agent not in made.participants
        and agent != made.creator
    )


def _end(call: Exchange) -> float:
    return call.received if call.received is not None else float("inf")
