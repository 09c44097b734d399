"""Which stimuli a mutant meets until it is noticed, and what becomes of one that nobody notices."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from conformance.prove import mutants
from conformance.prove.altered import Lost, Seen
from conformance.prove.mutants import Drawn, trial
from conformance.prove.mutation import Mutant
from conformance.prove.reach import Reach
from conformance.prove.runs import Subject

SUBJECT = Subject("threads", "reference")
PLAIN = {"cheap": Seen(), "dear": Seen(frozenset({"TH-OLD"})), "dearest": Seen()}
"""What each stimulus shows at the original."""
STEPS = tuple((SUBJECT, Reach(name, 1.0, found, frozenset())) for name, found in PLAIN.items())
NOTICED = {
    ("noticed", "dear"): Seen(frozenset({"TH-OLD", "TH-A"})),
    ("noticed", "dearest"): Seen(frozenset({"TH-B"})),
    ("as before", "dear"): PLAIN["dear"],
    ("together", ""): Seen(frozenset({"TH-C"})),
    ("explained", ""): Seen(frozenset({"TH-D"})),
}
"""What a stimulus shows at a mutant, and under no name all of them together; else nothing."""


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Which mutant met which stimulus, in order."""
    found: list[tuple[str, str]] = []
    now: list[str] = []

    def alone(_: Subject, stimulus: str) -> Seen:
        found.append((now[-1], stimulus))
        return NOTICED.get(found[-1], Seen())

    def seen(mutant: Mutant, *_: Any) -> Seen | Lost:
        found.append((mutant.function, ""))
        return NOTICED.get(found[-1], Seen())

    named = [Mutant("m", Path("a.py"), 1, name, "", 0, 0) for name in ("noticed", "as before", "together", "explained")]
    unreached = Mutant("m", Path("a.py"), 1, "unreached", "", 0, 0)
    known = {named[-1].id: {"outcome": "open", "reason": "the contract leaves it open"}}
    monkeypatch.setattr(mutants, "entry", lambda _: SimpleNamespace(known_mutants=lambda _: known))
    monkeypatch.setattr(mutants, "engine_of", lambda *_: None)
    monkeypatch.setattr(mutants, "sample", lambda *_: [*named, unreached])
    monkeypatch.setattr(mutants, "_steps", lambda *_: {**dict.fromkeys(named, STEPS), unreached: ()})
    monkeypatch.setattr(mutants, "spread", lambda work, items, _: [(item, work(item)) for item in items])
    monkeypatch.setattr(mutants, "apart", lambda _, work, __: work())
    monkeypatch.setattr(mutants, "altered", lambda mutant: now.append(mutant.function))
    monkeypatch.setattr(mutants, "allow", lambda _: None)
    monkeypatch.setattr(mutants, "alone", alone)
    monkeypatch.setattr(mutants, "seen", seen)
    monkeypatch.setattr(mutants, "original", lambda *_: Seen())
    return found


def tried(drawn: Drawn | None = None, **how: Any) -> dict[str, tuple[str, tuple[str, ...], str]]:
    found = trial([SUBJECT], jobs=1, drawn=drawn or Drawn(), told=lambda _: None, **how)
    return {row.change.partition(":")[0]: (row.outcome, row.by, row.stimulus) for row in found.rows}


def test_the_first_stimulus_that_shows_more_than_at_the_original_is_the_last(asked: list[tuple[str, str]]) -> None:
    assert tried()["noticed"] == ("killed", ("TH-A",), "dear")
    assert [stimulus for name, stimulus in asked if name == "noticed"] == ["cheap", "dear"]


def test_what_noticed_it_the_last_time_comes_first(asked: list[tuple[str, str]]) -> None:
    noticed = Mutant("m", Path("a.py"), 1, "noticed", "", 0, 0)
    assert tried(before={noticed.id: "dearest"})["noticed"] == ("killed", ("TH-B",), "dearest")
    assert [stimulus for name, stimulus in asked if name == "noticed"] == ["dearest"]


def test_what_nobody_noticed_and_nothing_explains_meets_all_together(asked: list[tuple[str, str]]) -> None:
    found = tried()
    assert found["as before"] == ("survived", (), "")
    assert found["together"] == ("killed", ("TH-C",), "")
    assert [stimulus for name, stimulus in asked if name == "together"] == ["cheap", "dear", "dearest", ""]


def test_what_no_stimulus_executes_meets_all_together_alone(asked: list[tuple[str, str]]) -> None:
    assert tried()["unreached"] == ("survived", (), "")
    assert [stimulus for name, stimulus in asked if name == "unreached"] == [""]


def test_what_is_explained_meets_its_stimuli_and_keeps_its_reason(asked: list[tuple[str, str]]) -> None:
    assert tried()["explained"] == ("open", (), "")
    assert [stimulus for name, stimulus in asked if name == "explained"] == ["cheap", "dear", "dearest"]


@pytest.mark.parametrize("how", [{"every": True}, {"drawn": Drawn(ids=("one",))}])
def test_each_meets_all_together_where_that_is_asked_for(asked: list[tuple[str, str]], how: dict[str, Any]) -> None:
    assert tried(**how)["explained"] == ("killed", ("TH-D",), "")
    assert {stimulus for _, stimulus in asked} == {""}
