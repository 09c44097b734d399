"""What each part of the suite adds to the mutants that are noticed: sweeps, random histories, a model beside, races.

The stimuli that are written by hand are asked first, one call after another. What they do not notice is tried with each
other part beside them, and what none of these notices with all parts together.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec import Struct

from conformance.certify import contract_of
from conformance.drive.target import entry
from conformance.engine import spread, whole
from conformance.histories.fuzzing import Budget
from conformance.prove.altered import STDIO, Seen, engine_of, original, seen
from conformance.prove.mutants import Drawn, place_of, sample
from conformance.prove.mutation import Mutant
from conformance.prove.runs import Subject

HAND, SWEEPS, RANDOM, MODEL, RACES, WHOLE = "stimuli", "sweeps", "random", "model", "races", "whole"
ADDED = (SWEEPS, RANDOM, MODEL, RACES)
SAMPLE = 60
CALLS = 2_000
"""Of random histories at each mutant."""
LIMIT_S = 300
ALONE: Mapping[str, Any] = {"sweeps": False, "races": False}


class Row(Struct, frozen=True, kw_only=True):
    """One mutant."""

    id: str
    file: str
    line: int
    change: str
    by: dict[str, tuple[str, ...]]
    """By part that was asked, the requirements that failed or warned; none: it noticed nothing."""

    @property
    def noticed(self) -> list[str]:
        """The parts that noticed it."""
        return [part for part, found in self.by.items() if found]


class Parts(Struct, frozen=True, kw_only=True):
    """The trial of a contract, as reports/parts-<contract>.json holds it."""

    contract: str
    edition: str | None
    draw: int
    """By which the sample was drawn."""
    random_calls: int
    parts: tuple[str, ...]
    """Those that the contract has."""
    rows: tuple[Row, ...]


def parts_of(subject: Subject) -> dict[str, dict[str, Any]]:
    """How a run is made with each part, beside what is written by hand."""
    found: dict[str, dict[str, Any]] = {
        HAND: {**ALONE},
        SWEEPS: {**ALONE, "sweeps": True},
        RANDOM: {**ALONE, "fuzz": Budget(calls=CALLS)},
        RACES: {**ALONE, "races": True},
        WHOLE: {"fuzz": Budget(calls=CALLS)},
    }
    if contract_of(subject.contract, subject.edition).model is not None:
        # in this process the model has to be the original
        found[MODEL] = {**ALONE, "beside": subject.target, "transport": STDIO}
    return found


def trial(subject: Subject, *, jobs: int, drawn: Drawn, told: Callable[[Row], None]) -> Parts:
    """Runs the suite in parts at each mutant of the sample that a client could tell from the original."""
    known: Mapping[str, Mapping[str, str]] = entry(subject.target).known_mutants(subject.contract)
    engine = engine_of(subject, jobs)
    parts = parts_of(subject)
    plain = {part: whole(found) for part, found in spread(partial(_plain, subject), parts, engine)}
    chosen = [
        mutant
        for mutant in sample(subject.contract, subject.target, drawn)
        if known.get(mutant.id, {}).get("outcome") != "equivalent"
    ]
    rows = dict[str, Row]()
    for mutant, found in spread(partial(_judged, subject, plain), chosen, engine):
        rows[mutant.id] = whole(found)
        told(rows[mutant.id])
    return Parts(
        contract=subject.contract,
        edition=subject.edition,
        draw=drawn.seed,
        random_calls=CALLS,
        parts=tuple(parts),
        rows=tuple(rows[mutant.id] for mutant in chosen),
    )


def _plain(subject: Subject, part: str) -> Seen:
    return original(subject, LIMIT_S, **parts_of(subject)[part])


def _judged(subject: Subject, plain: Mapping[str, Seen], mutant: Mutant) -> Row:
    def asked(part: str) -> tuple[str, ...]:
        return seen(mutant, subject, LIMIT_S, **parts_of(subject)[part]).beyond(plain[part])

    by = {HAND: asked(HAND)}
    if not by[HAND]:
        by |= {part: asked(part) for part in ADDED if part in plain}
    if not any(by.values()):
        by[WHOLE] = asked(WHOLE)
    return Row(id=mutant.id, file=place_of(mutant), line=mutant.line, change=mutant.told, by=by)


HEADS = {
    SWEEPS: "sweeps",
    RANDOM: "random histories",
    MODEL: "a model beside",
    RACES: "calls at once",
    WHOLE: "only all together",
}
INTRODUCTION = """# What each part of the suite adds

Each mutant of a sample met the stimuli that are written by hand first, one call after another. What they did not
notice met them again with one more part: sweeps; {calls} calls of random histories; a model beside, which is the
original; calls that overlap. Each column says how many the part noticed, and in brackets how many of these no other
part did. none: the contract has no such part. Mutants that no client can tell from the original are left out; most of
the last column differ where the contract leaves it open. Written by `conformance prove --trial parts`.

"""


def table(found: Sequence[Parts]) -> str:
    """The trials of several contracts as one page of Markdown."""
    heads = ["contract", "mutants", "by hand", *HEADS.values(), "not noticed"]
    lines = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    lines += [f"| {' | '.join(_cells(each))} |" for each in found]
    calls = ", ".join(sorted({f"{each.random_calls:,}" for each in found}))
    return INTRODUCTION.format(calls=calls) + "\n".join(lines) + "\n"


def _cells(found: Parts) -> list[str]:
    counted = [found.contract if found.edition is None else f"{found.contract} {found.edition}", str(len(found.rows))]
    counted.append(str(sum(HAND in row.noticed for row in found.rows)))
    for part in HEADS:
        noticed = [row.noticed for row in found.rows if part in row.noticed]
        alone = sum(len(each) == 1 for each in noticed)
        told = str(len(noticed)) if part == WHOLE else f"{len(noticed)} ({alone})"
        counted.append(told if part in found.parts else "none")
    return [*counted, str(sum(not row.noticed for row in found.rows))]
