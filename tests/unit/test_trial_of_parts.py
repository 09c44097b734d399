"""What each part of the suite adds: the trial on a few mutants' rows, and the parts that a contract has."""

from pathlib import Path

import pytest

from conformance.prove import parts
from conformance.prove.altered import Lost, Seen
from conformance.prove.mutants import Drawn
from conformance.prove.mutation import Mutant
from conformance.prove.parts import HAND, MODEL, RACES, RANDOM, SWEEPS, WHOLE, Parts, Row, parts_of, table, trial
from conformance.prove.runs import Subject


def row(**by: tuple[str, ...]) -> Row:
    return Row(id="0", file="a.py", line=1, change="", by=by)


def test_what_one_part_alone_noticed_is_counted_apart() -> None:
    rows = (
        row(stimuli=("TH-A",)),
        row(stimuli=(), sweeps=("TH-A",), random=("TH-B",)),
        row(stimuli=(), sweeps=(), random=("TH-B",)),
        row(stimuli=(), sweeps=(), random=(), whole=("TH-C",)),
        row(stimuli=(), sweeps=(), random=(), whole=()),
    )
    found = Parts(
        contract="c", edition=None, draw=1, random_calls=10, parts=(HAND, SWEEPS, RANDOM, RACES, WHOLE), rows=rows
    )
    assert table([found]).splitlines()[-1] == "| c | 5 | 1 | 1 (0) | 2 (1) | none | 0 (0) | 1 | 1 |"


@pytest.mark.parametrize(
    ("contract", "modelled"), [("threads", True), ("tasks", True), ("tuitbot", True), ("invocation", False)]
)
def test_only_a_contract_with_a_model_has_one_beside(contract: str, modelled: bool) -> None:
    assert (MODEL in parts_of(Subject(contract, "reference"))) is modelled


def test_a_part_is_asked_where_nothing_before_it_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the stimuli notice meets nothing else; what no part notices meets all of them together."""
    plain, breach = Seen(), Seen(frozenset({"TH-A"}))
    asked: list[tuple[str | None, bool, bool]] = []

    def seen(mutant: Mutant | None, *_: object, sweeps: bool = True, races: bool = True, **__: object) -> Seen | Lost:
        name = mutant.function if mutant is not None else None
        asked.append((name, sweeps, races))
        noticed = {"at once": not sweeps and not races, "by sweeps": sweeps and not races, "by all": sweeps and races}
        return breach if noticed.get(name) else plain

    mutants = [Mutant("m", Path("a.py"), 1, name, "", 0, 0) for name in ("at once", "by sweeps", "by all", "never")]
    monkeypatch.setattr(parts, "seen", seen)
    monkeypatch.setattr(parts, "original", lambda *_, **__: plain)
    # what stands in their place here is known to this process alone
    monkeypatch.setattr(parts, "spread", lambda work, items, _: ((item, work(item)) for item in items))
    monkeypatch.setattr(parts, "sample", lambda *_: mutants)
    monkeypatch.setattr(parts, "place_of", lambda _: "a.py")
    found = trial(Subject("tuitbot", "reference"), jobs=1, drawn=Drawn(4, 0, ()), told=lambda _: None)
    assert [each.noticed for each in found.rows] == [[HAND], [SWEEPS], [WHOLE], []]
    assert [name for name, *_ in asked].count("at once") == 1
