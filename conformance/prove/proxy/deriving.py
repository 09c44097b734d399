"""From what a promise says to how it can be broken."""

from collections.abc import Callable, Iterator
from typing import Any

from conformance.contract import promises as p
from conformance.contract.asked import asked_as
from conformance.contract.catalogue import Contract
from conformance.contract.naming import naming
from conformance.contract.promises import Place, Promise
from conformance.contract.saying import place
from conformance.contract.wording import an
from conformance.model.arguments import properties
from conformance.prove.proxy import answers as a
from conformance.prove.proxy import entities as e
from conformance.prove.proxy import keys as k
from conformance.prove.proxy import lists as li
from conformance.prove.proxy.breakage import Breakage

MOST = 6
"""Breakages that differ in nothing but the tool or the key that they are about."""


def breakages(contract: Contract, promise: Promise) -> list[Breakage]:
    """The ways in which a promise can be broken on the wire; none: nobody between can break it."""
    return list(_KINDS[type(promise)](contract, promise)) if type(promise) in _KINDS else []


def _served(contract: Contract, of: p.Served) -> Iterator[Breakage]:
    for tool in list(of.tools or contract.tools)[:MOST]:
        yield a.Refuses(f"good calls of {tool} are refused", (tool,))


def _answer(_: Contract, of: p.Answer) -> Iterator[Breakage]:
    where = place(of.at)
    required, known = of.schema.get("required", []), of.schema.get("properties", {})
    for key in required[:MOST]:
        yield a.Spoils(f"{key} is left out of {where}", of.tools, of.outcome, f"{of.at}/{key}", gone=True)
    if of.schema.get("additionalProperties") is False:
        yield a.Spoils(f"{where} has an unknown key", of.tools, of.outcome, f"{of.at}/of_no_contract", "leaked")
    for key, schema in [(key, each) for key, each in known.items() if isinstance(each, dict) and each][:MOST]:
        what = f"{key} of {where} is something else"
        yield a.Misfits(what, of.tools, of.outcome, f"{of.at}/{key}", schema)
    if of.at:
        yield a.Misfits(f"{where} is something else", of.tools, of.outcome, of.at, of.schema)


def _mirrored(_: Contract, of: p.Mirrored) -> Iterator[Breakage]:
    yield a.Flags("a refusal has isError false", of.tools, refusals=True)
    yield a.Flags("a success has isError true", of.tools, refusals=False)


def _catalogued(_: Contract, of: p.Catalogued) -> Iterator[Breakage]:
    yield a.Codes("refusals have a code of no catalogue", of.tools, a.NOWHERE)


def _retryable(_: Contract, of: p.Retryable) -> Iterator[Breakage]:
    yield a.Retries(f"{place(of.at)} says the opposite", of.tools, of.at, gone=False)
    yield a.Retries(f"{place(of.at)} is left out", of.tools, of.at, gone=True)


def _refused(contract: Contract, of: p.Refused) -> Iterator[Breakage]:
    yield from _swapped(contract, (of.tool,), of.codes)
    yield a.Accepts(f"{of.tool} accepts what it ought to refuse", (of.tool,), of.codes)


def _barred(contract: Contract, of: p.Barred) -> Iterator[Breakage]:
    make = contract.makes[of.entity]
    yield a.Accepts(f"{of.tool} accepts what it ought to refuse", (of.tool,), of.codes)
    state = next(each for each in make.states if each.name == of.state)
    found = next(iter(naming(contract, of.tool, of.entity)), None)
    if found is not None and of.codes and state.leave is not None and not of.outside:
        what = f"{an(of.entity)} stays {of.state}: {of.tool} is refused for ever"
        yield e.StaysBarred(what, make, state.enter, of.tool, found.place, of.codes[0])
    yield from _swapped(contract, (of.tool,), of.codes)


def _swapped(contract: Contract, tools: tuple[str, ...], codes: tuple[str, ...]) -> Iterator[Breakage]:
    """Another code of the catalogue in the place of the right ones, where these are named."""
    other = next((code for code in contract.errors if code not in codes), a.NOWHERE)
    if codes:
        yield a.Codes(f"{other} in the place of {' or '.join(codes)}", tools, other, codes)


def _replayed(_: Contract, of: p.Replayed) -> Iterator[Breakage]:
    key = place(of.key)
    yield k.Forgets(f"{key} is forgotten: the write is done again", of.tool, of.key, besides=False)
    yield k.Forgets("the first answer is given again, and the write done again", of.tool, of.key, besides=True)


def _conflicting(contract: Contract, of: p.Conflicting) -> Iterator[Breakage]:
    yield k.HidesConflicts("a conflict is answered with the earlier success", of.tool, of.key)
    yield k.WritesConflicts("a conflict is refused, and written all the same", of.tool, of.key)
    yield from _swapped(contract, (of.tool,), of.codes)


def _revised(contract: Contract, of: p.Revised) -> Iterator[Breakage]:
    yield e.StaysAtRevision(f"a change leaves the revision of {an(of.entity)} as it was", contract.makes[of.entity])


def _guarded(contract: Contract, of: p.Guarded) -> Iterator[Breakage]:
    make, expected = contract.makes[of.entity], place(of.expected)
    for template in (make.change, make.remove):
        if template is not None and template.tool == of.tool:
            yield e.Unguards(f"{expected} is not looked at", make, template, of.expected, besides=False)
            what = f"an old {expected} is refused, and {of.tool} done all the same"
            yield e.Unguards(what, make, template, of.expected, besides=True)
    yield from _swapped(contract, (of.tool,), of.codes)


def _shows(contract: Contract, of: p.Shows) -> Iterator[Breakage]:
    make = contract.makes[of.entity]
    places = map(p.argued, of.fields)
    for where in [each for each in places if _free(contract, of.tool, each)][:MOST]:
        yield e.WritesOtherwise(f"{of.tool} keeps another {place(where)}", of.tool, where)
    if make.change is not None and of.tool == make.change.tool:
        if make.read is not None:
            yield e.FirstSights(f"{make.read.tool} shows what was there before", make)
        yield e.SwallowsChanges(f"{of.tool} is answered and not done", make, dict(of.fields))


def _free(contract: Contract, tool: str, where: Place) -> bool:
    """Whether another value of the same form is a good one."""
    about = asked_as(contract, tool, where) or {}
    return not {"enum", "const", "pattern", "format"} & about.keys()


def _lives(contract: Contract, of: p.Lives) -> Iterator[Breakage]:
    make = contract.makes[of.entity]
    if make.read is not None and (of.codes or make.read.at):
        yield e.Unfinds(f"{an(of.entity)} that is there is not found", make, of.codes[0] if of.codes else "")
    if make.remove is not None:
        yield e.SwallowsRemovals(f"{make.remove.tool} is answered and not done", make)
        if make.read is not None:
            yield e.StillFinds(f"{an(of.entity)} that was removed can still be read", make)
            yield from _swapped(contract, (make.read.tool,), of.codes)


def _listed(contract: Contract, of: p.Listed) -> Iterator[Breakage]:
    make = contract.makes[of.entity]
    if make.list is not None:
        yield li.HidesEntry(f"{make.list.tool} leaves out {an(of.entity)} that is there", make, make.list.at)


def _steady(contract: Contract, of: p.Steady) -> Iterator[Breakage]:
    for tool in list(of.tools or contract.reads())[:MOST]:
        yield li.Drifts(f"{tool} shows something else when it is called again", (tool,))


def _rising(_: Contract, of: p.Rising) -> Iterator[Breakage]:
    yield li.Stalls(f"{place(of.at)} is the first one again and again", of.tool, of.at, of.within)


def _ordered(_: Contract, of: p.Ordered) -> Iterator[Breakage]:
    yield a.Reverses(f"{place(of.entries)} come in the opposite order", (of.tool,), of.entries, of.by)


def _unique(contract: Contract, of: p.Unique) -> Iterator[Breakage]:
    what = f"every {of.entity} is made with the {place(of.at)} of the first"
    yield e.SharesValue(what, contract.makes[of.entity], of.at)


def _paged(contract: Contract, of: p.Paged) -> Iterator[Breakage]:
    make = contract.makes[of.entity]
    if make.list is not None:
        entries: Place = make.list.at
        yield li.LosesEntry("a later page leaves one out", make, of.tool, of.cursor, entries)
        yield li.RepeatsEntry("a later page begins with the end of the one before", of.tool, of.cursor, entries)


def _filtered(contract: Contract, of: p.Filtered) -> Iterator[Breakage]:
    paged = [each for each in contract.promises.values() if isinstance(each, p.Paged) and each.tool == of.tool]
    yield li.Unfilters(f"{of.tool} is asked without {place(of.argument)}", of.tool, of.argument)
    for each in paged[:1]:
        what = f"a later page of {of.tool} is asked for without {place(of.argument)}"
        yield li.Unfilters(what, of.tool, of.argument, each.cursor)


def _capped(_: Contract, of: p.Capped) -> Iterator[Breakage]:
    what = f"{of.tool} gives one of {place(of.entries)} more than it may"
    yield li.Overfills(what, of.tool, of.entries, of.size, of.most)
    if of.truncated:
        yield li.Untruncates(f"{place(of.truncated)} is false where something is left out", of.tool, of.truncated)


def _bounded(contract: Contract, of: p.Bounded) -> Iterator[Breakage]:
    what, code = place(of.argument), next(iter(of.codes), "")
    for bound, upper in ((of.least, False), (of.most, True)):
        if bound is not None:
            about = ((of.tool,), of.argument, of.unit, bound, upper)
            yield a.Bounds(f"{what} of {bound:g} {of.unit} is refused", *about, beyond=False, code=code)
            side = "more" if upper else "less"
            yield a.Bounds(f"{what} of {side} than {bound:g} {of.unit} is accepted", *about, beyond=True)
    yield from _swapped(contract, (of.tool,), of.codes)


def _enforced(contract: Contract, of: p.Enforced) -> Iterator[Breakage]:
    asking = [tool for tool in of.tools or contract.tools if properties(contract.tools[tool].inputSchema)]
    for tool in asking[:MOST]:
        yield a.Accepts(f"{tool} accepts what is against its schema", (tool,), of.codes)
    yield from _swapped(contract, of.tools, of.codes)


def _echoed(_: Contract, of: p.Echoed) -> Iterator[Breakage]:
    yield a.Echoes(f"{place(of.at)} is another value", of.tools, of.argument, of.at, gone=False)
    yield a.Echoes(f"{place(of.at)} is left out", of.tools, of.argument, of.at, gone=True)


def _declared(contract: Contract, of: p.Declared) -> Iterator[Breakage]:
    tool = next(iter(of.tools or contract.tools))
    yield li.Lists(f"{tool} is not listed", tool, "gone")
    yield li.Lists(f"{tool} is listed with an argument more that is required", tool, "required")
    bounded = next((name for name in of.tools or contract.tools if li.bounds(contract.tools[name].inputSchema)), "")
    if bounded:
        yield li.Lists(f"{bounded} is listed with another bound", bounded, "bound")
    if any(isinstance(value, bool) for value in contract.tools[tool].annotations.values()):
        yield li.Lists(f"{tool} is listed with the opposite annotations", tool, "hint")


_KINDS: dict[type, Callable[[Contract, Any], Iterator[Breakage]]] = {
    p.Served: _served,
    p.Answer: _answer,
    p.Mirrored: _mirrored,
    p.Catalogued: _catalogued,
    p.Retryable: _retryable,
    p.Refused: _refused,
    p.Barred: _barred,
    p.Replayed: _replayed,
    p.Conflicting: _conflicting,
    p.Revised: _revised,
    p.Guarded: _guarded,
    p.Shows: _shows,
    p.Lives: _lives,
    p.Listed: _listed,
    p.Steady: _steady,
    p.Rising: _rising,
    p.Ordered: _ordered,
    p.Unique: _unique,
    p.Paged: _paged,
    p.Filtered: _filtered,
    p.Capped: _capped,
    p.Bounded: _bounded,
    p.Enforced: _enforced,
    p.Echoed: _echoed,
    p.Declared: _declared,
}
