"""What a history tells of threads, and by it which faults a call has."""

import re
from collections import defaultdict
from dataclasses import dataclass

from conformance.contract.catalogue import Contract
from conformance.contract.dialect import seems_valid
from conformance.contract.references import subschemas
from conformance.contracts.threads.fitting import in_limits
from conformance.contracts.threads.payloads import FIELDS, RIGHTS, malformed, misversioned, takes_thread
from conformance.judge.characters import doubtful
from conformance.judge.memo import once
from conformance.judge.parameters import parameters
from conformance.judge.served import served
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History

Place = tuple[str, str]
"""A thread: its instance and its id."""

VOUCHING = 2
"""Methods that must have served an id that no create_thread gave, before it is taken for an older thread's."""
NUMBERED = re.compile(r"(.*?)([0-9]{1,12})", re.DOTALL)
PERHAPS_OLDER = "of a thread that may be older than the run"
"""In place of a code: whether such a call is to be refused, and with which code, is left open."""


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
    unfit: bool = False
    """A value breaks the contract's schema, or the one that is served, beyond what the document says of payloads.

    Or it holds what a server need not take, such as control characters and more than any has to, and was not accepted.
    """


UNPROVED = Faults(frozenset({"UNAUTHORIZED"}))
NO_FAULT = Faults(frozenset())
"""Nothing is wrong with the call by itself, and nothing in doubt: what it is refused for is about its thread."""
CLAIMED = {tool: [(name, f.claim) for name, f in fields.items() if f.claim] for tool, fields in FIELDS.items()}


class Known:
    """The threads of a history."""

    def __init__(self, history: History, contract: Contract) -> None:
        self._history, self._contract, self._listed = history, contract, served(history, contract)
        self._made: dict[Place, Made] = {}
        self._numbers: dict[Place, list[int]] = defaultdict(list)
        """By instance and how the ids begin: the numbers at their ends."""
        self._served: dict[Place, set[str]] = defaultdict(set)
        self._whole: dict[int, Json] = {}
        """By the identity of the parameters of a tool, which live as long as the history."""
        self._faults: dict[int, Faults] = {}
        self._by_codes: dict[frozenset[str], list[Exchange]] = defaultdict(list)
        calls = list(history.calls(*FIELDS))
        for call in calls:
            if call.accepted:
                self._take(call)
        for call in calls:
            found = self._faults[call.call] = self._judged(call)
            self._by_codes[found.codes].append(call)

    def _take(self, call: Exchange) -> None:
        place = self.place(call)
        if call.tool == "create_thread":
            self._create(call)
        elif place is not None:
            self._served[place].add(call.tool or "")

    def _create(self, call: Exchange) -> None:
        thread_id, claims = call.given.get("thread_id"), call.credential.claims
        if not isinstance(thread_id, str):
            return
        named, own = call.argument("workspace_id"), claims.get("workspace_id")
        people = call.argument("participants")
        if number := NUMBERED.fullmatch(thread_id):
            self._numbers[call.instance, number[1]].append(int(number[2]))
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
        fields = tuple(name for name in malformed(tool, call.arguments) if self._known_there(call, name))
        if fields or misversioned(tool, call.arguments):
            codes.add("VALIDATION_ERROR")
        if foreign(call, made):
            codes.add("OUT_OF_SCOPE_WORKSPACE")
        elif made is not None and _outside(call, made):
            codes.add("FORBIDDEN")
        if place is not None and place not in self._made and len(self._served.get(place, ())) < VOUCHING:
            codes.add(PERHAPS_OLDER if self._perhaps_older(place) else "NOT_FOUND")
        if mismatched(call):
            codes.add("CLAIM_MISMATCH")
        # a role without the right, a thread that was being made, a value out of bounds: a server may name that first
        others = call.credential.role not in RIGHTS[tool] or (made is None and place in self._made)
        unfit = "VALIDATION_ERROR" not in codes and not (self._in_bounds(call) and self._taken(call))
        return Faults(frozenset(codes), others or unfit, fields, unfit)

    def _perhaps_older(self, place: Place) -> bool:
        """Whether threads are numbered, and this is a lower number than the run's own: a store may outlive a run."""
        number = NUMBERED.fullmatch(place[1])
        known_numbers = self._numbers.get((place[0], number[1]), []) if number is not None else []
        return number is not None and len(known_numbers) > 1 and int(number[2]) < min(known_numbers)

    def _known_there(self, call: Exchange, name: str) -> bool:
        """Whether the server has to know a field: an optional one that it does not list it may ignore."""
        field = FIELDS[call.tool or ""].get(name)
        if field is None or field.needed:
            return True
        listed = self._listed.tool(call)
        named = parameters(listed.input_schema) if listed is not None else frozenset()
        return not named or name in named

    def _in_bounds(self, call: Exchange) -> bool:
        """Whether each value keeps the contract's own schema for it, and the one that is served."""
        listed = self._listed.tool(call)
        schemas = (self._contract.tools[call.tool or ""].inputSchema, listed.input_schema if listed is not None else {})
        return all(self._keeps(call.arguments, schema) for schema in schemas)

    def _taken(self, call: Exchange) -> bool:
        """Whether no value of the payload may be refused for its size or its characters: an accepted one was not."""
        return call.accepted or (not doubtful(call.arguments) and in_limits(call, self._history, self._contract))

    def _keeps(self, given: Json, schema: Json) -> bool:
        properties = schema.get("properties") if isinstance(schema, dict) else None
        if not isinstance(given, dict) or not isinstance(properties, dict):
            return True
        if seems_valid(self._together(properties), given):
            return True
        return all(
            seems_valid(properties[name], value) is not False for name, value in given.items() if name in properties
        )

    def _together(self, properties: dict[str, Json]) -> Json:
        """A schema that no arguments keep of which a value breaks its own; one that nothing keeps where none is known.

        What refers to other places means something else within another schema.
        """
        if id(properties) not in self._whole:
            plain = not any(
                key.startswith("$") for each in properties.values() for part in subschemas(each) for key in part
            )
            self._whole[id(properties)] = {"properties": properties} if plain else False
        return self._whole[id(properties)]


known = once(Known)


def mismatched(call: Exchange) -> list[str]:
    """The fields of a payload that name another agent or session than the caller's claims."""
    given, claims = call.arguments, call.credential.claims
    if not isinstance(given, dict):
        return []
    named = [(name, given.get(name), claims.get(claim)) for name, claim in CLAIMED.get(call.tool or "", ())]
    return [name for name, value, own in named if isinstance(value, str) and isinstance(own, str) and value != own]


def foreign(call: Exchange, made: Made | None) -> bool:
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
