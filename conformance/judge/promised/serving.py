"""The promise that what is offered is served: a call that nothing speaks against is accepted."""

from collections.abc import Iterator

from conformance.contract import promises as p
from conformance.contract.asked import asked_as
from conformance.contract.catalogue import Contract
from conformance.contract.making import Call, Make
from conformance.contract.naming import within
from conformance.contract.schema import satisfied
from conformance.contract.templates import FRESH, fits, given, plain, slots
from conformance.judge.kinds import spelled
from conformance.judge.promised.entities import Entities, entities
from conformance.judge.promised.sightings import Name, asked, name_of
from conformance.judge.serving import Unsupported, all_served
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.pointer import ABSENT, scalars
from conformance.model.verdict import Judgement


def served(history: History, contract: Contract, promise: p.Served) -> Iterator[Judgement]:
    """A call as the contract writes it, on what exists and with its current revision, is accepted."""
    return all_served(Good(history, contract).calls(promise))


class Good:
    """The calls of a history that nothing speaks against."""

    def __init__(self, history: History, contract: Contract) -> None:
        self._history, self._contract = history, contract
        self._seen: Entities = entities(history, contract)
        self._unsupported = Unsupported(history)
        self._used: dict[tuple[str, str], int] = {}
        """By instance and value, the first call that had it in its arguments."""
        for call in sorted(history.calls(*contract.tools), key=lambda one: one.sent):
            for _, value in scalars(call.arguments):
                self._used.setdefault((call.instance, spelled(value)), call.call)

    def calls(self, promise: p.Served) -> Iterator[Exchange]:
        """Those of the tools that a promise is about."""
        for make in self._contract.makes.values():
            for template in make.calls:
                yield from self._of(template, make, promise)
        for template in self._contract.examples:
            yield from self._of(template, None, promise)

    def _of(self, template: Call, make: Make | None, promise: p.Served) -> Iterator[Exchange]:
        if promise.tools and template.tool not in promise.tools:
            return
        accepted = any(call.accepted for call in self._history.calls(template.tool))
        for call in self._history.calls(template.tool):
            meant = fits(template.arguments, call.arguments) and self._allowed(call, accepted=accepted)
            if meant and all(self._fits(call, slot, template, make) for slot in slots(template.arguments)):
                yield call

    def _allowed(self, call: Exchange, *, accepted: bool) -> bool:
        """Whether neither the caller, nor a condition, nor a limit speaks against it."""
        instance = self._history.instances.get(call.instance)
        plain = not call.conditions and not (instance is not None and instance.settings)
        barred = {
            p_.role for p_ in self._contract.promises.values() if isinstance(p_, p.Refused) and p_.tool == call.tool
        }
        caller = call.credential.defect in (None, "missing") and call.credential.role not in barred - {""}
        error = self._contract.errors.get(call.code or "")
        # to be told to try again later is no word against the call, unless nobody ever heard another
        later = error is not None and error.retryable is True and accepted
        return plain and caller and not later and not self._unsupported.concerns(call)

    def _fits(self, call: Exchange, slot: Json, template: Call, make: Make | None) -> bool:
        value = given(call.arguments, slot)
        match slot.kind:
            case "id" | "revision" if make is not None:
                name = name_of(call, make, asked(call, template))
                if name is None or not self._exists(name, call) or not self._in_state(name, call, template, make):
                    return False
                return slot.kind == "id" or self._current(name, make, call, value)
            case "made":
                other = self._contract.makes.get(slot.name)
                name = name_of(call, other, value) if other is not None else None
                return name is not None and self._exists(name, call) and not self._seen.altered(name, call, once=True)
            case "its" if make is not None:
                name = name_of(call, make, asked(call, template))
                made = self._seen.made.get(name) if name is not None else None
                # a list names none: it is about whatever was made there
                own = made is None or spelled(within(make, made.arguments).get(slot.name)) == spelled(value)
                other = self._contract.makes.get(slot.name)
                above = name_of(call, other, value) if other is not None else None
                return own and above is not None and self._exists(above, call)
            case kind if kind in FRESH:
                about = asked_as(self._contract, template.tool, f"@{slot.at}") or {}
                allowed = plain(slot, value) and satisfied(about, value) is not False
                return allowed and self._used.get((call.instance, spelled(value))) == call.call
            case _:
                return True

    def _exists(self, name: Name, call: Exchange) -> bool:
        made = self._seen.made.get(name)
        return made is not None and made.credential.name == call.credential.name and self._seen.lives(name, call)

    def _in_state(self, name: Name, call: Exchange, template: Call, make: Make) -> bool:
        """Whether it is in the state for it. That a state has no end once it was left is its own promise's matter."""
        barring = (each for each in self._contract.promises.values() if isinstance(each, p.Barred))
        for_ever = any(
            each.tool == call.tool and call.code in each.codes and self._seen.left(name, call, each.state)
            for each in barring
        )
        return not for_ever and self._seen.in_state(name, call, make.state_for(template))

    def _current(self, name: Name, make: Make, call: Exchange, value: Json) -> bool:
        current = self._seen.current(name, make, call, wary=True)
        return current is not ABSENT and spelled(current) == spelled(value)
