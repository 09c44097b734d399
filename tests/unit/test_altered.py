"""A mutant is killed by its hanging where it hangs by itself as well, and not where it was slow beside others."""

import time
from pathlib import Path

import pytest

from conformance.prove import mutants, parts
from conformance.prove.altered import HANG, PATIENCE, settled
from conformance.prove.mutation import Mutant, mutants_of

LIMIT_S = 10.0
NEEDED_S = {0: 1.0, 1: LIMIT_S * 2, 2: float("inf"), 3: 1.0}
"""By mutant, how long its run takes."""


def row(number: int, by: tuple[str, ...]) -> mutants.Row:
    return mutants.Row(id=str(number), file="", line=0, change="", outcome="", by=by, reason="")


def test_what_was_not_over_is_judged_again_by_itself(tmp_path: Path) -> None:
    path = tmp_path / "judged.py"
    path.write_text("def judged(one, other):\n    return one + 1 if one and other else other + 2\n")
    chosen = list(mutants_of("judged", path))[: len(NEEDED_S)]
    limits: list[tuple[int, float]] = []
    told: list[str] = []
    running: set[int] = set()

    def judged(mutant: Mutant, limit_s: float) -> mutants.Row:
        number = chosen.index(mutant)
        limits.append((number, limit_s))
        running.add(number)
        time.sleep(0.01)
        if limit_s > LIMIT_S:
            assert running == {number}, "it is tried by itself"
        running.remove(number)
        return row(number, () if NEEDED_S[number] <= limit_s else (HANG,))

    rows = settled(chosen, judged, lambda found: told.append(found.id), jobs=2, limit_s=LIMIT_S)
    assert [(found.id, found.by) for found in rows] == [("0", ()), ("1", ()), ("2", (HANG,)), ("3", ())]
    assert told == ["0", "3", "1", "2"], "each is told once, when it is settled"
    assert limits[len(chosen) :] == [(1, LIMIT_S * PATIENCE), (2, LIMIT_S * PATIENCE)]


@pytest.mark.parametrize(("by", "hung"), [((), False), (("TH-IDEM-01",), False), (("crash",), False), ((HANG,), True)])
def test_a_row_says_whether_its_mutant_hung(by: tuple[str, ...], hung: bool) -> None:
    assert row(1, by).hung == hung
    beside = parts.Row(id="1", file="", line=0, change="", by={parts.HAND: (), parts.RACES: by})
    assert beside.hung == hung
