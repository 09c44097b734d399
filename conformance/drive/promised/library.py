"""The stimuli of a contract's promises, each under a name that tells what is tried."""

import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from conformance.contract import promises as p
from conformance.contract.catalogue import Contract
from conformance.drive.bench import Bench
from conformance.drive.promised import bounds, calling, keys, pages, refusing, revisions, states
from conformance.drive.stimulus import BINDINGS, StimulusPlan


class _Made(NamedTuple):
    """How a promise is brought about."""

    run: Callable[[Bench, Any], Awaitable[object]]
    name: Callable[[Any], str]
    last: bool = False
    """Whether nothing else may be written meanwhile: a read is to show what this alone has changed."""


_NO_WORD = re.compile(r"\W")


def _word(place: p.Place) -> str:
    return _NO_WORD.sub("_", place.removeprefix("@/"))


EVERYWHERE = (p.Answer, p.Mirrored, p.Catalogued, p.Retryable, p.Echoed)
"""Promises about every answer: one stimulus shows all of them."""
REFUSING = (p.Refused, p.Barred, p.Conflicting, p.Guarded, p.Bounded, p.Enforced)
"""Promises that are shown by refusals, which have codes."""
OF_REFUSALS = (p.Catalogued, p.Retryable)
MADE: dict[type, _Made] = {
    p.Refused: _Made(refusing.a_call_is_refused, lambda of: f"{of.tool}_is_refused_{of.cause}"),
    p.Barred: _Made(states.a_state_bars_a_call, lambda of: f"{of.tool}_on_a_{of.entity}_by_its_state"),
    p.Replayed: _Made(keys.a_write_is_repeated, lambda of: f"{of.tool}_is_repeated", last=True),
    p.Conflicting: _Made(keys.a_key_is_used_for_something_else, lambda of: f"{of.tool}_says_something_else", last=True),
    p.Revised: _Made(revisions.an_entity_is_changed, lambda of: f"a_{of.entity}_is_changed"),
    p.Guarded: _Made(
        revisions.a_stale_revision_is_expected, lambda of: f"{of.tool}_expects_a_stale_revision", last=True
    ),
    p.Shows: _Made(calling.what_is_written_is_read, lambda of: f"what_{of.tool}_writes_is_read"),
    p.Lives: _Made(calling.an_entity_lives, lambda of: f"a_{of.entity}_lives"),
    p.Listed: _Made(calling.an_entity_lives, lambda of: f"each_{of.entity}_is_listed"),
    p.Steady: _Made(calling.nothing_is_written, lambda _: "nothing_is_written", last=True),
    p.Rising: _Made(pages.many_are_made, lambda of: f"{of.tool}_is_called_again_and_again"),
    p.Unique: _Made(pages.many_are_made, lambda of: f"many_{of.entity}_are_made"),
    p.Ordered: _Made(pages.a_list_is_read, lambda of: f"{of.tool}_lists_several"),
    p.Paged: _Made(pages.pages_are_read_on, lambda of: f"{of.tool}_is_read_on", last=True),
    p.Filtered: _Made(pages.a_list_is_filtered, lambda of: f"{of.tool}_is_filtered_by_{_word(of.argument)}"),
    p.Capped: _Made(
        pages.a_list_is_asked_for_more_and_less, lambda of: f"{of.tool}_is_asked_for_more_and_less", last=True
    ),
    p.Enforced: _Made(bounds.schemas_are_tried, lambda of: f"arguments_of_{'_'.join(of.tools) or 'all_tools'}"),
    p.Bounded: _Made(bounds.bounds_are_tried, lambda of: f"{of.tool}_at_its_bounds"),
}


def plans(contract: Contract) -> Sequence[StimulusPlan]:
    """The stimuli of all its promises, each made once."""
    known = _KNOWN.get(contract.name)
    if known is None or known[0] is not contract:
        known = _KNOWN[contract.name] = (contract, tuple(_plans(contract)))
    return known[1]


_KNOWN: dict[str, tuple[Contract, tuple[StimulusPlan, ...]]] = {}
"""By contract, so that a stimulus is the same object throughout a run."""


def _plans(contract: Contract) -> Iterator[StimulusPlan]:
    promises = {
        (identifier, name): each
        for identifier, about in contract.requirements.items()
        for name, each in (contract.promised(identifier) if about.is_of(contract.edition) else {}).items()
    }
    of_refusals = _exercised(names for names, each in promises.items() if _of_refusals(each))
    yield from _general(contract, promises)
    taken: set[str] = set()
    for (identifier, named), promise in promises.items():
        made = MADE.get(type(promise))
        if made is None:
            continue
        said = made.name(promise)
        name = said if said not in taken else f"{said}_{_NO_WORD.sub('_', named.lower())}"
        taken.add(name)
        more = of_refusals if isinstance(promise, REFUSING) else ()
        yield StimulusPlan(
            name=f"{contract.name}.{name}",
            contract=contract.name,
            run=partial(_run, made.run, promise),
            exercises=_exercised([(identifier, named), *((each, each) for each in more)]),
            last=made.last,
        )


def _of_refusals(promise: p.Promise) -> bool:
    """Whether a promise is about all refusals."""
    return isinstance(promise, OF_REFUSALS) or (isinstance(promise, p.Answer) and promise.outcome == "refusal")


def _exercised(names: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Requirements, and their promises where they have several: each may be shown by another stimulus."""
    return tuple(dict.fromkeys(name for both in names for name in both))


def _general(contract: Contract, promises: dict[tuple[str, str], p.Promise]) -> Iterator[StimulusPlan]:
    """Those that show several promises at once. A contract that says of no tool how it is called has its own."""
    if not contract.makes and not contract.examples and contract.package:
        return
    for kinds, run, bindings in (
        ((p.Served,), calling.what_is_offered_is_served, BINDINGS),
        (EVERYWHERE, calling.every_tool_is_called, BINDINGS),
        ((p.Declared,), the_tools_are_listed, ("mcp",)),
    ):
        shown = _exercised(names for names, each in promises.items() if isinstance(each, kinds))
        if shown:
            name = f"{contract.name}.{run.__name__}"
            yield StimulusPlan(name, contract.name, run, shown, bindings=bindings)


async def the_tools_are_listed(bench: Bench) -> None:
    """The tools are listed."""
    await bench.tools()


async def _run(run: Callable[[Bench, Any], Awaitable[object]], promise: p.Promise, bench: Bench) -> None:
    await run(bench, promise)
