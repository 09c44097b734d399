"""A law that says it compares no more than an entity, or a call, finds the same breaches in each of them alone.

Transcripts that are larger than memory are judged so. The refusals that a law finds right may be fewer: their controls
may be calls about another entity.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterator
from pathlib import Path

import pytest

from conformance.contract.catalogue import Contract, load
from conformance.judge.law import LAWS, Law
from conformance.judge.library import import_laws
from conformance.judge.unchanged import entity_of
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.transcript import Reading
from conformance.prove.runs import Subject, run
from reference_server.deviations.registry import all_deviations
from reference_server.target import CONTRACTS

LESS = ("entity", "call")


def _on_trial() -> Iterator[tuple[str, str]]:
    for contract in CONTRACTS:
        import_laws(load(contract))
        for deviation in all_deviations(contract):
            law = LAWS.get(deviation.requirement)
            if law is not None and law.over_history is not None and law.compares in LESS and not deviation.transport:
                yield contract, deviation.requirement


ON_TRIAL = list(_on_trial())


def _parts(history: History, law: Law, contract: Contract) -> Iterator[History]:
    """The calls about each entity, or each call: what is not divided is one part."""
    kept = {killed.instance for killed in history.killed} | {killed.again for killed in history.killed}
    kept |= {condition.instance for condition in history.conditions}
    kept |= {exchange.instance for exchange in history.exchanges if "clock" in exchange.conditions}
    groups: dict[Hashable, list[Exchange]] = defaultdict(list)
    for exchange in history.exchanges:
        groups[_group(exchange, law, contract, kept)].append(exchange)
    for calls in groups.values():
        part, numbers = history.of_calls(calls), {call.call for call in calls}
        part.conditions, part.stimuli = history.conditions, history.stimuli
        part.effects = [effect for effect in history.effects if effect.call in numbers]
        part.flights = [flight for flight in history.flights if numbers.issuperset(flight.calls)]
        yield part


def _group(exchange: Exchange, law: Law, contract: Contract, kept: set[str]) -> Hashable:
    if exchange.instance in kept:
        return exchange.instance
    if law.compares == "call":
        return exchange.call
    mark = contract.marks.get(exchange.tool or "")
    unit = contract.unit
    return entity_of(exchange, mark, (unit,)) if mark is not None and unit is not None else None


def _broken(law: Law, history: History, contract: Contract) -> set[tuple[int, ...]]:
    assert law.over_history is not None
    return {found.calls[-1:] for found in law.over_history(history, contract) if found.judged and not found.ok}


def test_some_laws_compare_less() -> None:
    assert {LAWS[requirement].compares for _, requirement in ON_TRIAL} == {*LESS}


@pytest.mark.parametrize(("contract", "requirement"), ON_TRIAL, ids=[each for _, each in ON_TRIAL])
def test_a_law_finds_the_same_breaches_in_less(contract: str, requirement: str, tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    run(Subject(contract, "reference"), deviations=(requirement,), only=[requirement], transcript=path)
    about, law = load(contract), LAWS[requirement]
    history = History.of(Reading(path), about.envelope)
    whole = _broken(law, history, about)
    assert whole
    assert set().union(*(_broken(law, part, about) for part in _parts(history, law, about))) == whole
