"""Why a call is to be refused, by the contract's codes, as far as a history tells."""

from collections import defaultdict
from collections.abc import Hashable, Iterator
from dataclasses import dataclass

from conformance.contract.catalogue import Contract
from conformance.contract.schema import Validator, compiled
from conformance.contracts.tasks.causes import collides, in_time, of_arguments, of_target, too_early, undecided
from conformance.contracts.tasks.entities import entities
from conformance.contracts.tasks.forms import formed, identifiers, is_name
from conformance.contracts.tasks.guards import ledger
from conformance.contracts.tasks.state import State
from conformance.judge.epochs import epochs
from conformance.judge.memo import once
from conformance.judge.served import served
from conformance.judge.unchanged import surely_refused
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History

AS_FOUND = "as found"
INIT = "branchmind_init"
STORE = ("storage", INIT)
"""Tools that need no workspace."""
SOURCES = ("tasks_create", "tasks_decompose", "tasks_context", "branchmind_graph_conflicts", "branchmind_graph_merge")
"""Tools whose answers give ids."""


@dataclass(frozen=True, slots=True)
class Faults:
    """What is wrong with a call. `open`: a server may see a further cause, or none."""

    codes: frozenset[str]
    open: bool = False

    @property
    def none(self) -> bool:
        """Whether nothing speaks against serving the call."""
        return not self.codes and not self.open


class Known:
    """The faults of every call of a history, worked out in the order in which they were sent."""

    def __init__(self, history: History, contract: Contract) -> None:
        self._contract, self._history = contract, history
        self._served, self._epochs = served(history, contract), epochs(history, contract)
        self._expected = {each.call.call: each for each in ledger(history, contract).expectations}
        self._guards = ledger(history, contract).guard_names
        self._inits: dict[Hashable, list[Exchange]] = defaultdict(list)
        """Calls that made a workspace, or may have: by instance, and by instance and name."""
        self._stored: dict[str, Exchange] = {}
        """By instance: the one of them that was the first to be accepted."""
        self._validators: dict[Hashable, Validator | None] = {}
        self._given: dict[Hashable, set[str]] = defaultdict(set)
        self._states: dict[Hashable, State] = defaultdict(State)
        self._faults: dict[int, Faults] = {}
        self._calls: dict[frozenset[str], list[Exchange]] = defaultdict(list)
        self._ready: set[int] = set()
        for call in history.calls(INIT):
            if not surely_refused(call, contract):
                self._inits[call.instance].append(call)
                self._inits[call.instance, str(call.argument("workspace"))].append(call)
        for call in sorted(history.accepted(INIT), key=lambda init: init.received or 0):
            self._stored.setdefault(call.instance, call)
        for call in history.accepted(*SOURCES):
            self._given[self._epochs.scope(call)].update(_ids(call))
        for call in history.calls():
            if call.tool in contract.tools:
                self._look(call)

    def faults(self, call: Exchange) -> Faults:
        """Everything that is wrong with a call."""
        return self._faults.get(call.call, Faults(frozenset(), open=True))

    def only(self, code: str) -> list[Exchange]:
        """The answered calls that are to be refused with this code and for nothing else, in the order sent."""
        return self._calls.get(frozenset((code,)), [])

    def ready(self, call: Exchange) -> bool:
        """Whether it closes a step both of whose checkpoints are surely confirmed, and nothing speaks against it."""
        return call.call in self._ready and self.faults(call).none

    def _look(self, call: Exchange) -> None:
        state = self._states[self._epochs.scope(call)]
        tool = self._served.tool(call)
        listed = tool.input_schema if tool is not None else None
        codes = set(of_arguments(call, listed))
        unclear = not codes & {"INVALID_INPUT", "INVALID_NAME"} and not self._fits(call, listed)
        unclear = unclear or any(
            each.malformed for each in identifiers(call) if isinstance(each.value, str) and each.value in self._of(call)
        )
        missing = "" if call.tool in STORE else self._missing(call)
        if missing:
            codes.add(missing)
        elif missing is None or state.blind or self._epochs.met(call) is None:
            unclear = True
        elif call.tool not in STORE:
            codes.update(self._of_state(call, state))
            settled = "INVALID_INPUT" in codes or "UNKNOWN_ID" in codes
            unclear = unclear or (not settled and undecided(call, state)) or self._doubtful(call)
        found = self._faults[call.call] = Faults(frozenset(codes), unclear)
        if call.received is not None and not unclear:
            self._calls[found.codes].append(call)
        self._take(call, state)

    def _take(self, call: Exchange, state: State) -> None:
        mark = self._contract.marks.get(call.tool or "")
        if call.accepted and call.argument("dry_run") is not True:
            state.take(call)
        if mark is not None and mark.effect == "write" and not surely_refused(call, self._contract):
            state.blind = state.blind or not call.accepted or self._epochs.met(call) is None

    def _fits(self, call: Exchange, listed: Json) -> bool:
        """Whether the arguments satisfy the schemas that the contract and the server have for the tool."""
        own = self._contract.tools[call.tool or ""].inputSchema
        given = {} if call.arguments is None else call.arguments
        validators = [self._validator(schema) for schema in (own, listed) if isinstance(schema, dict)]
        try:
            return all(validator is not None and validator.is_valid(given) for validator in validators)
        except ValueError:  # a text that is no Unicode
            return False

    def _validator(self, schema: Json) -> Validator | None:
        """Compiled once a schema that is held: to ask for it by its content takes longer than to use it."""
        if id(schema) not in self._validators:
            try:
                self._validators[id(schema)] = compiled(schema)
            except ValueError:
                self._validators[id(schema)] = None
        return self._validators[id(schema)]

    def _missing(self, call: Exchange) -> str | None:
        """The code for a store or a workspace that is not there; empty where it is, None where that is open."""
        if not is_name(call.argument("workspace")):
            # its absence is a fault of the arguments, its form is another rule's
            return "" if call.argument("workspace") is None else None
        own = self._inits.get((call.instance, str(call.argument("workspace"))), ())
        if any(init.accepted and init.before(call) for init in own):
            return ""
        if not any(_begun(init, call) for init in self._inits.get(call.instance, ())[:1]):
            instance = self._history.instances.get(call.instance)
            fresh = instance is not None and instance.means != AS_FOUND and not instance.settings.get("initialised")
            return "NOT_INITIALIZED" if fresh else None
        stored = self._stored.get(call.instance)
        made = any(_begun(init, call) for init in own)
        return "UNKNOWN_WORKSPACE" if stored is not None and stored.before(call) and not made else None

    def _of(self, call: Exchange) -> set[str]:
        """The ids that the workspace has ever given, malformed ones among them."""
        return self._given[self._epochs.scope(call)]

    def _of_state(self, call: Exchange, state: State) -> Iterator[str]:
        """Faults that show against what the workspace holds."""
        named = [each for each in identifiers(call) if each.form != "path" and each.argument != "expected_target_id"]
        if any(formed(each.form, each.value) and each.value not in self._of(call) for each in named):
            yield "UNKNOWN_ID"
        expectation = self._expected.get(call.call)
        if expectation is not None and expectation.missed:
            yield "REVISION_MISMATCH"
        if too_early(call, state):
            yield "CHECKPOINTS_NOT_CONFIRMED"
        if collides(call, state):
            yield "CONFLICT"
        if in_time(call, state):
            self._ready.add(call.call)
        yield from of_target(call, state)

    def _doubtful(self, call: Exchange) -> bool:
        """Whether it expects a revision of which nobody knows whether it is the current one."""
        expectation = self._expected.get(call.call)
        expects = any(call.argument(name) is not None for name in self._guards(call))
        return expects and (expectation is None or not (expectation.met or expectation.missed))


known = once(Known)


def _begun(init: Exchange, call: Exchange) -> bool:
    """Whether it was sent before the call had been answered."""
    return call.received is None or init.sent < call.received


def _ids(call: Exchange) -> Iterator[str]:
    yield from (seen.key[-1] for seen in entities(call) if seen.key[0] in ("task", "step", "conflict"))
    ids = call.given.get("conflict_ids")
    yield from (each for each in (ids if isinstance(ids, list) else ()) if isinstance(each, str))
