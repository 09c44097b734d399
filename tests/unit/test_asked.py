"""What is asked of a run is judged alone, with all that may explain it: its outcome is that of a whole judgement."""

from pathlib import Path

import pytest

from conformance.contract.catalogue import load
from conformance.judge.judge import UNASKED, Judged, judge
from conformance.judge.library import import_laws
from conformance.model.transcript import Reading
from conformance.model.verdict import Verdict

FIXTURES = Path(__file__).parents[2] / "fixtures" / "transcripts"
THREADS = load("threads")


def judged(path: Path, only: set[str] | None = None) -> Judged:
    import_laws(THREADS)
    return judge(Reading(path), THREADS, only=only)


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*.jsonl")), ids=lambda path: path.stem)
def test_an_outcome_does_not_depend_on_what_else_is_asked(path: Path) -> None:
    whole = judged(path)
    told = [outcome for outcome in whole.outcomes if outcome.verdict is not Verdict.NOT_OBSERVED]
    assert told
    for outcome in told:
        assert judged(path, {outcome.id}).outcome(outcome.id) == outcome


def test_a_rule_of_the_protocol_gives_way_whatever_is_asked() -> None:
    path = FIXTURES / "threads-idempotency-breaks-TH-ENV-01.jsonl"
    whole, alone = judged(path), judged(path, {"MC-CALL-03"})
    assert whole.outcome("MC-CALL-03") == alone.outcome("MC-CALL-03")


def test_what_is_not_asked_is_not_judged() -> None:
    path = FIXTURES / "threads-idempotency-breaks-TH-IDEM-01.jsonl"
    found = judged(path, {"TH-ENV-01"})
    unasked = [outcome for outcome in found.outcomes if outcome.reason == f"not judged: {UNASKED}"]
    assert len(unasked) > len(found.outcomes) / 2
    assert {(outcome.verdict, outcome.subjects) for outcome in unasked} == {(Verdict.NOT_OBSERVED, 0)}
