"""Why a call is to be refused, by the contract's codes, as far as a history tells."""

from collections import defaultdict
from collections.abc import Hashable, Iterator
from dataclasses import dataclass

from conformance.contract.catalogue import Contract
from conformance.contract.schema import compiled
from conformance.contracts.tasks.causes import OPEN, TIGHT
from conformance.contracts.tasks.causes.form import PAGES, of_form
from conformance.contracts.tasks.causes.graph import of_graph
from conformance.contracts.tasks.causes.place import of_conflict, of_events, of_place
from conformance.contracts.tasks.causes.target import of_expected, of_names, of_target
from conformance.contracts.tasks.forms import identifiers, is_name
from conformance.contracts.tasks.guards import ledger
from conformance.contracts.tasks.likes import Sizes
from conformance.contracts.tasks.listing import listed
from conformance.contracts.tasks.state import State
from conformance.contracts.tasks.steps import deep
from conformance.contracts.tasks.thoughts import in_words
from conformance.contracts.tasks.walk import Stage, walk
from conformance.judge.characters import doubtful
from conformance.judge.kinds import integer
from conformance.judge.memo import once
from conformance.judge.refused import surely_refused
from conformance.judge.served import served
from conformance.judge.sizes import large
from conformance.model.arguments import properties
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History

AS_FOUND = "as found"
INIT = "branchmind_init"
STORE = ("storage", INIT)
"""Tools that need no workspace."""
PATCH = "tasks_patch"
PAGE = 20
"""Entries that any server gives on one page, unless it says otherwise."""


@dataclass(frozen=True, slots=True)
class Faults:
    """What is wrong with a call. `open`: a server may see a further cause, or none."""

    codes: frozenset[str]
    open: bool = False
    tight: bool = False
    """The budget may be too small, which is not certain."""

    @property
    def none(self) -> bool:
        """Whether nothing speaks against serving the call."""
        return not self.codes and not self.open and not self.tight


class Known:
    """The faults of every call of a history, worked out in the order in which they were sent."""

    def __init__(self, history: History, contract: Contract) -> None:
        self._contract, self._instances = contract, history.instances
        self._settings = history.header.settings if history.header is not None else {}
        self._served, self._sizes = served(history, contract), Sizes(history, contract)
        self._expected = {each.call.call: each for each in ledger(history, contract).expectations}
        self._guards, self._names = ledger(history, contract).guard_names, listed(history, contract).names
        self._inits: dict[Hashable, list[Exchange]] = defaultdict(list)
        """Calls that made a workspace, or may have: by instance, and by instance and name."""
        self._stored: dict[str, Exchange] = {}
        """By instance: the one of them that was the first to be accepted."""
        self._own_ids: dict[int, set[Json]] = {}
        """By call: the malformed ids that it takes from earlier answers."""
        self._most: dict[Hashable, dict[str, int]] = {}
        self._faults: dict[int, Faults] = {}
        self._calls: dict[tuple[frozenset[str], bool], list[Exchange]] = defaultdict(list)
        for call in history.calls(INIT):
            if not surely_refused(call, contract):
                self._inits[call.instance].append(call)
                self._inits[call.instance, str(call.argument("workspace"))].append(call)
        for call in sorted(history.accepted(INIT), key=lambda init: init.received or 0):
            self._stored.setdefault(call.instance, call)
        for stage in walk(history, contract):
            if stage.call.tool in contract.tools:
                self._look(stage)

    def faults(self, call: Exchange) -> Faults:
        """Everything that is wrong with a call."""
        return self._faults.get(call.call, Faults(frozenset(), open=True))

    def good(self, call: Exchange) -> bool:
        """Whether nothing speaks against serving a call."""
        return self.faults(call).none

    def ill(self, call: Exchange) -> bool:
        """Whether its arguments are to be refused: what a server that takes them makes of them is promised nowhere."""
        return "INVALID_INPUT" in self.faults(call).codes

    def only(self, code: str) -> list[Exchange]:
        """The answered calls that are to be refused with this code and for nothing else, in the order sent.

        A tool that the server does not list is left out: that it is missing is another rule's.
        """
        return self._calls.get((frozenset((code,)), False), [])

    def tight(self) -> list[Exchange]:
        """Those that may be refused for their budget, and for nothing else."""
        return self._calls.get((frozenset(), True), [])

    def gave(self, call: Exchange, value: Json) -> bool:
        """Whether the workspace of a call had given this id before it, of whatever form."""
        return call.call in self._own_ids and value in self._own_ids[call.call]

    def _look(self, stage: Stage) -> None:
        call, state, alone = stage
        ill = {each.value for each in identifiers(call) if each.malformed and each.value in state.given}
        if ill:
            self._own_ids[call.call] = ill
        schema = self._listed(call)
        names = self._names(call)
        causes = set(of_form(call, self._own(call), schema, names, self._pages(call, schema)))
        missing = "" if call.tool in STORE else self._missing(call)
        if missing:
            causes.add(missing)
        elif missing is None or (call.tool not in STORE and (state.blind or not alone)):
            causes.add(OPEN)
        elif call.tool not in STORE:
            shown = set(self._of_state(call, state))
            # what is open because an argument is malformed is no further cause: beside its control only that differs
            causes |= shown - {OPEN} if "INVALID_INPUT" in causes else shown
        if not causes & {"INVALID_INPUT", OPEN} and not self._fits(call):
            causes.add(OPEN)
        if self._unlisted(call, schema) or (not causes and (doubtful(call.arguments) or self._may_refuse(call))):
            causes.add(OPEN)
        tight = TIGHT in causes and not self._sizes.suffices(call)
        found = Faults(frozenset(causes - {OPEN, TIGHT}), OPEN in causes, tight)
        self._faults[call.call] = found
        if call.received is not None and not found.open and not self._served.unknown(call):
            self._calls[found.codes, found.tight].append(call)

    def _of_state(self, call: Exchange, state: State) -> Iterator[str]:
        """Faults that show against what the workspace holds."""
        for rule in (of_names, of_place, of_conflict, of_events, of_graph, of_expected, of_target):
            yield from rule(call, state)
        if call.call in self._own_ids:
            # an id that the server gave is good for its own calls, whatever its form
            yield OPEN
        expectation = self._expected.get(call.call)
        expects = call.gives(self._guards(call))
        if expectation is not None and expectation.missed:
            yield "REVISION_MISMATCH"
        elif expects and (expectation is None or not expectation.met):
            yield OPEN

    def _own(self, call: Exchange) -> Json:
        return self._contract.tools[call.tool or ""].inputSchema

    def _listed(self, call: Exchange) -> Json:
        tool = self._served.tool(call)
        return tool.input_schema if tool is not None else None

    def _unlisted(self, call: Exchange, listed: Json) -> bool:
        """Whether it needs what only a server that lists it has: a patch, or a target from the focus."""
        if call.tool == PATCH:
            return self._served.unknown(call)
        required = listed.get("required") if isinstance(listed, dict) else None
        bound = isinstance(required, list) and "task" in required
        return bound and "task" not in self._own(call).get("required", ()) and call.argument("task") is None

    def _pages(self, call: Exchange, listed: Json) -> dict[str, int]:
        """The largest pages that the server surely takes, by what its statement says, else by its list of tools."""
        key = call.instance, id(listed)
        if key not in self._most:
            said = integer(self._settings.get("max_page"))
            known = properties(listed)
            shown = {name: integer(known[name].get("maximum")) for name in PAGES if isinstance(known.get(name), dict)}
            most = {name: top for name, top in shown.items() if top is not None}
            own = {name: min(most.get(name, said), said) for name in PAGES} if said is not None else most
            self._most[key] = {"limit": PAGE, **own}
        return self._most[key]

    def _may_refuse(self, call: Exchange) -> bool:
        """Whether it may be refused as it was.

        A workspace may be there already. A size, a depth or a form may be more than the server takes: no clause says
        how much any server does.
        """
        if call.tool == INIT and call.code == "CONFLICT":
            own = self._inits.get((call.instance, str(call.argument("workspace"))), ())
            return any(not call.before(init) for init in own if init is not call)
        if call.code != "INVALID_INPUT":
            return False
        return large(call.arguments or {}, self._served.tool(call)) or deep(call) or in_words(call)

    def _fits(self, call: Exchange) -> bool:
        """Whether the arguments satisfy the schema that the contract has for the tool."""
        given = {} if call.arguments is None else call.arguments
        try:
            return compiled(self._own(call)).is_valid(given)
        except ValueError:  # a text that is no Unicode
            return False

    def _missing(self, call: Exchange) -> str | None:
        """The code for a store or a workspace that is not there; empty where it is, None where that is open."""
        if not is_name(call.argument("workspace")):
            # its absence is a fault of the arguments, its form is another rule's
            return "" if call.argument("workspace") is None else None
        own = self._inits.get((call.instance, str(call.argument("workspace"))), ())
        if any(init.accepted and init.before(call) for init in own):
            return ""
        if not any(_begun(init, call) for init in self._inits.get(call.instance, ())[:1]):
            instance = self._instances.get(call.instance)
            fresh = instance is not None and instance.means != AS_FOUND and not instance.settings.get("initialised")
            return "NOT_INITIALIZED" if fresh else None
        stored = self._stored.get(call.instance)
        made = any(_begun(init, call) for init in own)
        return "UNKNOWN_WORKSPACE" if stored is not None and stored.before(call) and not made else None


known = once(Known)


def _begun(init: Exchange, call: Exchange) -> bool:
    """Whether it was sent before the call had been answered."""
    return call.received is None or init.sent < call.received
