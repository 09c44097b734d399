"""Promises of revisions: each change gives a new one, and a change that expects another one is refused."""

from collections import defaultdict
from collections.abc import Iterator

from conformance.contract import promises as p
from conformance.contract.asked import asked_as, key_places
from conformance.contract.catalogue import Contract
from conformance.contract.making import Call, Make
from conformance.contract.saying import place
from conformance.contract.schema import satisfied
from conformance.contract.templates import place_of
from conformance.judge.flights import raced
from conformance.judge.judgements import breach
from conformance.judge.kinds import alike, integer, spelled
from conformance.judge.promised.calls import repeated, value, without
from conformance.judge.promised.effects import nothing_changes
from conformance.judge.promised.entities import Entities, end, entities
from conformance.judge.promised.moves import leads_on, moves_of
from conformance.judge.promised.refusing import Fault, Likes, refused
from conformance.judge.promised.sightings import Name, Sighting, asked, name_of
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.pointer import ABSENT, scalars
from conformance.model.verdict import HELD, Judgement


def revised(history: History, contract: Contract, promise: p.Revised) -> Iterator[Judgement]:
    """Each accepted change that says something new gives its entity a new revision, a higher one of numbers."""
    make, seen, again = contract.makes[promise.entity], entities(history, contract), repeated(history, contract)
    own = [make.change] if make.change is not None else []
    calls = [*make.moves, *own] if promise.tools else own
    changing = {call.tool: call for call in calls if not promise.tools or call.tool in promise.tools}
    for name, sightings in list(seen.all(promise.entity)):
        said: set[str] = set()
        for change in sorted(seen.tried.get(name, ()), key=lambda call: call.sent):
            template = changing.get(change.tool or "")
            if template is None or not change.accepted or change in again:
                continue
            content = _content(change, template, contract)
            if moves_of(change, make):
                # what brings an entity into a state again changes it again; in that state it changes nothing
                state = seen.state(name, change)
                content = f"call {change.call}"
                said |= {content} if state is None or not leads_on(change, make, state) else set()
            if content not in said:
                # what its caller named may have been removed and made again: its revisions begin anew
                ends = [each for each in seen.removed.get(name, ()) if each.sent < end(change)]
                lately = [one for one in sightings if not any(end(each) > one.call.sent for each in ends)]
                yield from _risen(change, lately, seen.tried[name], make, _said(change, template, contract))
            said.add(content)


def _content(call: Exchange, template: Call, contract: Contract) -> str:
    return spelled(_said(call, template, contract))


def _said(call: Exchange, template: Call, contract: Contract) -> Json:
    """What a change says, but for what it expects and by which key it may be repeated."""
    places = [f"@{place_of(template, 'revision')}", *key_places(contract, template.tool)]
    return without(call, [each for each in places if each != "@"])


def _risen(
    change: Exchange, sightings: list[Sighting], writes: list[Exchange], make: Make, said: Json
) -> Iterator[Judgement]:
    """The revision that a change gave, beside each that was seen before: its answer tells it, else the next read."""
    shown = [(one, found) for one in sightings if (found := one.revision(make)) is not ABSENT and found is not None]
    earlier = [(one, found) for one, found in shown if one.call.before(change)]
    given = next(((one, found) for one, found in shown if one.call is change), None) or _read(change, shown, writes)
    if given is None or not earlier:
        return
    one, revision = given
    for other, found in earlier:
        lower = integer(found) is not None and integer(revision) is not None and revision < found
        if lower or (spelled(found) == spelled(revision) and not _as_before(one, other, said)):
            saw = f"{one.call.tool} gives the revision {revision!r}, an earlier answer had {found!r}"
            calls = (other.call, change) if one.call is change else (other.call, change, one.call)
            pointer = one.pointer + make.revision
            yield breach(saw, *calls, pointer=pointer, expected="a new revision", got=revision)
            return
    yield HELD


def _as_before(one: Sighting, other: Sighting, said: Json) -> bool:
    """Whether an entity is again as it was, with all that a change says: then so is a revision made of the content."""
    shown = {spelled(value) for _, value in scalars(one.entity)}
    return spelled(one.entity) == spelled(other.entity) and all(spelled(value) in shown for _, value in scalars(said))


def _read(change: Exchange, shown: list[tuple[Sighting, Json]], writes: list[Exchange]) -> tuple[Sighting, Json] | None:
    """The first sighting after a change, where nothing else was tried meanwhile."""
    later = [(one, found) for one, found in shown if change.before(one.call)]
    first = min(later, key=lambda each: each[0].call.sent, default=None)
    if first is None:
        return None
    until = end(first[0].call)
    between = any(one is not change and one.sent < until and end(one) > change.sent for one in writes)
    return None if between else first


def guarded(history: History, contract: Contract, promise: p.Guarded) -> Iterator[Judgement]:
    """A change that expects another revision than the current one is refused and changes nothing."""
    make = contract.makes[promise.entity]
    template = next(
        (call for call in (make.change, make.remove) if call is not None and call.tool == promise.tool), None
    )
    if template is None:
        return
    seen, again = entities(history, contract), repeated(history, contract)
    about = asked_as(contract, promise.tool, promise.expected) or {}
    stale = [
        call
        for call in history.calls(promise.tool)
        if call not in again
        and _stale(call, seen, make, template, promise)
        # what the tool's schema does not allow may be refused for that
        and satisfied(about, value(call, promise.expected)) is not False
    ]
    likes = Likes(history, contract, promise.tool, (promise.expected,), after=True)
    what = f"whose {place(promise.expected)} is not the current revision"
    yield from refused(history, [Fault(call, what) for call in stale], promise.codes, likes)
    yield from nothing_changes(history, contract, [call for call in stale if call.refused and likes.of(call)])
    if promise.concurrent:
        yield from _at_once(history, contract, promise, make, template)


def _stale(call: Exchange, seen: Entities, make: Make, template: Call, promise: p.Guarded) -> bool:
    """Whether a call surely expects another revision than its entity has."""
    name, expected = name_of(call, make, asked(call, template)), value(call, promise.expected)
    if name is None or expected is ABSENT or expected is None or not seen.lives(name, call):
        return False
    current = seen.current(name, make, call)
    return current is not ABSENT and alike(current, expected) is False and type(current) is type(expected)


def _at_once(
    history: History, contract: Contract, promise: p.Guarded, make: Make, template: Call
) -> Iterator[Judgement]:
    """Of different changes at once that expect the same revision one at most is accepted."""
    groups: dict[tuple[Name, str], list[Exchange]] = defaultdict(list)
    again, made = repeated(history, contract), entities(history, contract).made
    for call in sorted(history.calls(promise.tool), key=lambda one: one.sent):
        name, expected = name_of(call, make, asked(call, template)), value(call, promise.expected)
        if name in made and name is not None and expected is not ABSENT and expected is not None and call not in again:
            groups[name, spelled(expected)].append(call)
    for group in groups.values():
        race = [call for call in group if group[0].sent <= call.sent < end(group[0])]
        taken = [call for call in race if call.accepted]
        if len({spelled(call.arguments) for call in race}) < 2 or not taken:  # noqa: PLR2004 -- two are a race
            continue
        kept = HELD
        if len(taken) > 1:
            saw = f"{len(taken)} calls of {promise.tool} at once with the same {place(promise.expected)} were accepted"
            kept = breach(saw, *taken, expected="one at most", got=len(taken))
        yield from raced(history, race, [kept])
