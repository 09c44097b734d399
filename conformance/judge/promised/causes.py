"""Promises of a code for a cause: which calls have just that fault."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping

from conformance.contract import promises as p
from conformance.contract.asked import asked_as
from conformance.contract.catalogue import Contract
from conformance.contract.forms import form
from conformance.contract.making import Make
from conformance.contract.naming import id_shown
from conformance.contract.saying import place
from conformance.contract.schema import satisfied
from conformance.contract.templates import FRESH, fits, plain, slots
from conformance.contract.wording import an
from conformance.judge.circumstances import Circumstances
from conformance.judge.kinds import spelled
from conformance.judge.promised.calls import lacks, repeated, value, values
from conformance.judge.promised.coercing import coercible
from conformance.judge.promised.entities import Entities, end, entities
from conformance.judge.promised.refusing import Fault, Likes, refused
from conformance.judge.promised.sightings import Name, Sighting, name_of
from conformance.judge.refused import surely_refused
from conformance.judge.settings import setting
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.measure import quoted
from conformance.model.pointer import ABSENT, ASKED, at
from conformance.model.verdict import Judgement

SPAN_US = 5_000_000
"""Calls that are counted against a limit were made within so long: a limit of calls a minute is one within that."""


def judged(history: History, contract: Contract, promise: p.Refused) -> Iterator[Judgement]:
    """A call with one fault is refused, with one of these codes, where its like without the fault is accepted."""
    likes = Likes(
        history,
        contract,
        promise.tool,
        (promise.argument,) if promise.argument else (),
        caller=promise.cause == "role",
        conditions=frozenset(promise.under),
        settings=frozenset({promise.setting} - {""}),
    )
    return refused(history, _FAULTS[promise.cause](history, contract, promise), promise.codes, likes)


def _unknown(history: History, contract: Contract, promise: p.Refused) -> Iterator[Fault]:
    """Calls that name an entity by what looks like an id and is none of those that were seen."""
    seen = entities(history, contract)
    forms = {form(name.id) for name in (*seen.sightings, *seen.made) if name.kind == promise.entity}
    make = contract.makes[promise.entity]
    doubled, alike = {name[:3] for name in seen.doubled}, defaultdict[tuple[str, str, str], list[Name]](list)
    for name in seen.sightings:
        alike[name[:3]].append(name)
    given = {spelled(each) for each in promise.values}
    about = asked_as(contract, promise.tool, promise.argument)

    def known(name: Name, call: Exchange) -> bool:
        if any(_told(each, make) for one in alike.get(name[:3], ()) for each in seen.sightings.get(one, ())):
            return True
        if name[:3] in doubled or seen.named(*name[:3]):
            return True
        # any write that has such a name may have made it
        others = (each for each in seen.writes_about(name) if make.by_caller and each.tool != promise.tool)
        return any(each.sent < end(call) and not surely_refused(each, contract) for each in others)

    def at_fault(asked: Json, call: Exchange) -> bool:
        if not isinstance(asked, str | int) or isinstance(asked, bool):
            return False
        named = spelled(asked)
        # what the tool's schema does not allow may be refused for that
        allowed = about is None or satisfied(about, asked) is not False
        meant = allowed and (form(named) in forms or _as_made(make, asked))
        return named in given or (meant and not known(Name(call.instance, promise.entity, named), call))

    for call in history.calls(promise.tool):
        if any(at_fault(each, call) for each in values(call, promise.argument)):
            yield Fault(call, f"with an unknown {place(promise.argument)}")


def _as_made(make: Make, asked: Json) -> bool:
    """Whether a name is one that the contract gives to what it makes."""
    place_made = make.id.removeprefix(ASKED)
    if not make.by_caller or not fits(at(make.make.arguments, place_made), asked):
        return False
    own = [slot for slot in slots(make.make.arguments) if slot.at == place_made]
    return bool(own) and all(slot.kind in FRESH and plain(slot, asked) for slot in own)


def _told(sighting: Sighting, make: Make) -> bool:
    """Whether an answer tells of an entity by its id: one that was asked for by it, and shows none, need not exist."""
    return sighting.listed or name_of(sighting.call, make, id_shown(make, sighting.entity)) == sighting.name


def _taken(history: History, contract: Contract, promise: p.Refused) -> Iterator[Fault]:
    """Calls that give a name which an entity surely has: it was made with it, and nothing else was done to it."""
    seen, make = entities(history, contract), contract.makes[promise.entity]
    having: dict[tuple[str, str], list[Name]] = {}
    for name, made in seen.made.items():
        if name.kind == promise.entity and made.tool == make.make.tool:
            given = value(made, promise.argument)
            if isinstance(given, str | int):
                having.setdefault((name.instance, spelled(given)), []).append(name)
    again = repeated(history, contract)
    for call in history.calls(promise.tool):
        asked = value(call, promise.argument)
        names = having.get((call.instance, spelled(asked)), ()) if isinstance(asked, str | int) else ()
        if call not in again and any(_has(name, call, seen) for name in names):
            yield Fault(call, f"with {an(place(promise.argument))} that is taken")


def _has(name: Name, call: Exchange, seen: Entities) -> bool:
    """Whether an entity surely has still the name with which it was made when a call is served."""
    return seen.made[name] is not call and seen.lives(name, call) and not seen.altered(name, call, once=True)


def _invalid(history: History, contract: Contract, promise: p.Refused) -> Iterator[Fault]:
    """Calls whose argument is one of the values, or against the tool's schema; what is only spelt otherwise is not."""
    given = {spelled(each) for each in promise.values}
    schema = asked_as(contract, promise.tool, promise.argument)

    def against(asked: Json) -> bool:
        if given or schema is None:
            return spelled(asked) in given
        return satisfied(schema, asked) is False and not coercible(asked, schema)

    for call in history.calls(promise.tool):
        wrong = next((each for each in values(call, promise.argument) if against(each)), ABSENT)
        if wrong is not ABSENT:
            yield Fault(call, f"with {place(promise.argument)} {quoted(wrong)}")


def _missing(history: History, _: Contract, promise: p.Refused) -> Iterator[Fault]:
    path = promise.argument.removeprefix(ASKED)
    for call in history.calls(promise.tool):
        if isinstance(call.arguments, dict) and lacks(call.arguments, path):
            yield Fault(call, f"without {place(promise.argument)}")


def _role(history: History, _: Contract, promise: p.Refused) -> Iterator[Fault]:
    for call in history.calls(promise.tool):
        if call.credential.role == promise.role and call.credential.defect is None:
            yield Fault(call, f"by the role {promise.role}")


def _condition(history: History, _: Contract, promise: p.Refused) -> Iterator[Fault]:
    held = Circumstances(history)
    for call in history.calls(promise.tool):
        if all(held.value(call, name) == wanted for name, wanted in promise.under.items()):
            told = ", ".join(f"{name} {quoted(wanted)}" for name, wanted in promise.under.items())
            yield Fault(call, f"under {told}")


def _exhausted(history: History, contract: Contract, promise: p.Refused) -> Iterator[Fault]:
    """Calls of one caller beyond as many accepted ones as the setting allows; what repeats a key is not counted."""
    accepted: dict[tuple[str, str], list[Exchange]] = {}
    again = repeated(history, contract)
    for call in sorted(history.calls(promise.tool), key=lambda one: one.sent):
        most = setting(history, call, promise.setting)
        if not isinstance(most, int) or isinstance(most, bool) or call in again:
            continue
        whose = accepted.setdefault((call.instance, call.credential.name), [])
        used = [one for one in whose if one.before(call) and call.sent - one.sent < SPAN_US]
        if len(used) >= most:
            yield Fault(call, f"beyond {promise.setting} {most}")
        if call.accepted:
            whose.append(call)


_FAULTS: Mapping[str, Callable[[History, Contract, p.Refused], Iterator[Fault]]] = {
    "unknown": _unknown,
    "taken": _taken,
    "invalid": _invalid,
    "missing": _missing,
    "role": _role,
    "condition": _condition,
    "exhausted": _exhausted,
}
