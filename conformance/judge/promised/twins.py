"""What lists show of a write that was made again under its key: one entity, not two; none of one that was refused."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping

from conformance.contract.catalogue import Contract
from conformance.contract.making import Make
from conformance.contract.naming import id_made, id_shown
from conformance.contract.promises import Conflicting, Replayed
from conformance.contract.saying import place
from conformance.contract.templates import given
from conformance.contract.wording import an
from conformance.judge.judgements import breach
from conformance.judge.kinds import spelled
from conformance.judge.promised.calls import fresh, value, writes
from conformance.judge.promised.entities import entities
from conformance.judge.promised.sightings import Name, listed, name_of
from conformance.judge.refused import surely_refused
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.pointer import ABSENT, scalars
from conformance.model.verdict import HELD, Judgement

SHORTEST = 8
"""Characters of a text that tells one write from all others."""
Words = dict[tuple[str, str], set[str]]
_Word = tuple[str, str]
"""A place in a value, and a text there."""


def twins(history: History, contract: Contract, promise: Replayed) -> Iterator[Judgement]:
    """No list shows two entities that hold the words of one repeated write, which no other write had."""
    make = next((each for each in contract.makes.values() if each.make.tool == promise.tool), None)
    if make is None or make.list is None:
        return
    words, lists = _words(history, contract, promise), entities(history, contract).lists
    for group in _groups(history, promise):
        first = min(group, key=lambda call: call.sent)
        key = _key(first, promise)
        own = {word for _, word in _texts(first.arguments) if words[first.instance, word] == {key}}
        name = name_of(first, make, id_made(make, first.arguments, first.payload)) if first.accepted else None
        if own and name is not None:
            pages = [call for call in lists.get((first.instance, make.entity), ()) if group[-1].before(call)]
            yield from _judged(pages, make, promise, group, own, name)


def _judged(  # noqa: PLR0913, PLR0917 -- what is looked for in which pages
    pages: Collection[Exchange],
    make: Make,
    promise: Replayed,
    group: list[Exchange],
    own: set[str],
    name: Name,
) -> Iterator[Judgement]:
    shown = [seen for page in pages for seen in listed(page, make)]
    original = next((seen for seen in shown if seen.name == name), None)
    told = _told(own, original.entity) if original is not None else set()
    if original is None or not told:
        return
    other = next((seen for seen in shown if seen.name != name and told <= set(_texts(seen.entity))), None)
    if other is None:
        yield HELD
        return
    saw = f"{promise.tool} made again with the same {place(promise.key)} made a second {make.entity}"
    yield breach(saw, *group, original.call, other.call, pointer=other.pointer, got=id_shown(make, other.entity))


def ghosts(
    history: History, contract: Contract, promise: Conflicting, refused: Collection[Exchange]
) -> Iterator[Judgement]:
    """No list shows more entities with the words of a refused write than other writes can have made."""
    make = next((each for each in contract.makes.values() if each.make.tool == promise.tool), None)
    if make is None or make.list is None or not refused:
        return
    others = [each for each in writes(history, contract) if each not in refused and not surely_refused(each, contract)]
    # each call may have made one, a repeated one as well: that it should not is another promise's matter
    makers: dict[tuple[str, str], set[int]] = defaultdict(set)
    under: dict[tuple[str, str], set[str]] = defaultdict(set)
    for call in others:
        said = {word for _, word in _texts(call.arguments)}
        for word in said:
            makers[call.instance, word].add(call.call)
        if call.tool == promise.tool:
            under[call.instance, _key(call, promise)] |= said
    lists = entities(history, contract).lists
    for call in refused:
        own = _fresh(call, contract) - under[call.instance, _key(call, promise)]
        pages = [page for page in lists.get((call.instance, make.entity), ()) if call.before(page)]
        holding = _with_words(own, make, pages)
        for (_, word), shown in holding.items():
            most = len(makers[call.instance, word])
            if len(shown) > most:
                saw = (
                    f"{promise.tool} was refused for its {place(promise.key)}, and made {an(make.entity)} all the same"
                )
                yield breach(saw, call, *list(shown.values())[-1:], got=len(shown), expected=most)
                break
        else:
            if holding:
                yield HELD


def _fresh(call: Exchange, contract: Contract) -> set[str]:
    """The texts of a call that are new in each: what was there before, or stands there by default, has none of them."""
    found = (given(call.arguments, slot) for slot in fresh(contract, call.tool or ""))
    return {word for each in found if each is not ABSENT for _, word in _texts(each)}


def _with_words(own: set[str], make: Make, pages: Collection[Exchange]) -> Mapping[_Word, dict[Name, Exchange]]:
    """By place and word, the entities of lists that hold one of these words there, each with a page that shows it."""
    shown: dict[_Word, dict[Name, Exchange]] = defaultdict(dict)
    for page in pages:
        for seen in listed(page, make):
            for word in _told(own, seen.entity):
                shown[word].setdefault(seen.name, page)
    return shown


def _groups(history: History, promise: Replayed) -> Iterator[list[Exchange]]:
    """The calls of one caller under one key, two of them at least, in order."""
    groups: dict[tuple[str, str, str], list[Exchange]] = defaultdict(list)
    for call in sorted(history.calls(promise.tool), key=lambda one: one.sent):
        if key := _key(call, promise):
            groups[call.instance, call.credential.name, key].append(call)
    return (group for group in groups.values() if len({spelled(call.arguments) for call in group}) < len(group))


def _words(history: History, contract: Contract, promise: Replayed) -> Words:
    """By each longer text in the arguments of a write, what wrote it: the key of such a call, else its number."""
    found: Words = defaultdict(set)
    for call in writes(history, contract):
        key = _key(call, promise) if call.tool == promise.tool else ""
        for _, word in _texts(call.arguments):
            found[call.instance, word].add(key or str(call.call))
    return found


def _key(call: Exchange, promise: Replayed | Conflicting) -> str:
    key = value(call, promise.key)
    return "" if key is ABSENT or key is None else spelled(key)


def _told(own: Collection[str], entity: Json) -> set[_Word]:
    """What an entity holds of these words, each with its place in it: an entity within another is no second one."""
    return {each for each in _texts(entity) if each[1] in own}


def _texts(value: Json) -> Iterator[_Word]:
    """The longer texts in a value, each with its place."""
    return ((place, each) for place, each in scalars(value) if isinstance(each, str) and len(each) >= SHORTEST)
