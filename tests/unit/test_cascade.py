"""From tallies to verdicts: one failure is one finding, and nothing passes without a subject."""

from collections.abc import Iterable

import pytest

from conformance.contract.catalogue import load
from conformance.judge import roots
from conformance.judge.cascade import settle
from conformance.judge.claims import Claims, Known
from conformance.judge.law import Law
from conformance.judge.tally import Tally
from conformance.model.events import Agreed, Instance, Opened, Stimulus
from conformance.model.history import History
from conformance.model.requirement import Applies, Level, Requirement
from conformance.model.verdict import HELD, Judgement, Outcome, Verdict

CONTRACT = load("threads")


def requirement(identifier: str, level: Level = Level.MUST, **more: object) -> Requirement:
    about = {"contract": "threads", "source": "1", "seen": "exchange", "statement": "it is so", **more}
    return Requirement(id=identifier, level=level, **about)  # type: ignore[arg-type]


def tally(about: Requirement, *judgements: Judgement) -> Tally:
    made = Tally(about, Law(about.id, over_history=lambda _h, _c: judgements))
    made.take_all(lambda _h, _c: judgements, History(), CONTRACT)
    return made


def breach(*calls: int) -> Judgement:
    return Judgement(ok=False, saw="it is not so", calls=calls)


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch):
    def run(*tallies: Tally, history: History | None = None, claims: Claims | None = None) -> dict[str, Outcome]:
        known = {t.requirement.id: t.requirement for t in tallies}
        monkeypatch.setattr(roots, "lookup", known.get)
        return settle({t.requirement.id: t for t in tallies}, history or History(), claims or Claims())

    return run


def test_a_pass_has_a_subject(settled) -> None:
    outcomes = settled(tally(requirement("A"), HELD, HELD), tally(requirement("B")))
    assert (outcomes["A"].verdict, outcomes["A"].subjects) == (Verdict.PASS, 2)
    assert outcomes["B"].verdict is Verdict.NOT_OBSERVED


def test_one_breach_among_many_subjects_fails(settled) -> None:
    outcome = settled(tally(requirement("A"), HELD, breach(1), HELD))["A"]
    assert (outcome.verdict, outcome.subjects, outcome.breaches) == (Verdict.FAIL, 3, 1)
    assert [finding.calls for finding in outcome.findings] == [(1,)]


@pytest.mark.parametrize("level", [Level.SHOULD, Level.MAY])
def test_what_is_only_recommended_warns(settled, level: Level) -> None:
    assert settled(tally(requirement("A", level), breach(1)))["A"].verdict is Verdict.WARN


def test_a_breach_in_the_calls_of_its_prerequisite_is_a_consequence(settled) -> None:
    outcomes = settled(
        tally(requirement("ROOT"), breach(1)),
        tally(requirement("MIDDLE", requires=("ROOT",)), breach(1, 2)),
        tally(requirement("LEAF", requires=("MIDDLE",)), breach(2, 3)),
    )
    assert outcomes["ROOT"].verdict is Verdict.FAIL
    assert (outcomes["MIDDLE"].verdict, outcomes["MIDDLE"].blocked_by) == (Verdict.BLOCKED, "ROOT")
    assert (outcomes["LEAF"].verdict, outcomes["LEAF"].blocked_by) == (Verdict.BLOCKED, "ROOT")


def test_of_a_pair_that_falls_together_both_are_roots(settled) -> None:
    outcomes = settled(
        tally(requirement("ROOT"), breach(1)),
        tally(requirement("A", requires=("ROOT",), falls_with=("ROOT",)), breach(1)),
    )
    assert [outcomes["ROOT"].verdict, outcomes["A"].verdict] == [Verdict.FAIL, Verdict.FAIL]


def test_a_breach_in_other_calls_is_a_finding_of_its_own(settled) -> None:
    outcomes = settled(
        tally(requirement("ROOT"), breach(1)), tally(requirement("A", requires=("ROOT",)), breach(1), breach(9))
    )
    assert outcomes["A"].verdict is Verdict.FAIL
    assert [finding.blocked_by for finding in outcomes["A"].findings] == ["ROOT", None]


def test_without_subjects_a_failed_prerequisite_blocks(settled) -> None:
    outcomes = settled(tally(requirement("ROOT"), breach(1)), tally(requirement("A", requires=("ROOT",))))
    assert (outcomes["A"].verdict, outcomes["A"].blocked_by) == (Verdict.BLOCKED, "ROOT")


def test_a_law_that_raises_is_an_error_of_ours(settled) -> None:
    def broken(_history: object, _contract: object) -> Iterable[Judgement]:
        yield HELD
        raise KeyError("x")

    made = Tally(requirement("A"), Law("A", over_history=broken))
    made.take_all(broken, History(), CONTRACT)
    outcome = settled(made)["A"]
    assert outcome.verdict is Verdict.ERROR
    assert "KeyError" in outcome.reason


def test_a_requirement_without_a_law_is_an_error_of_ours(settled) -> None:
    assert settled(Tally(requirement("A")))["A"].verdict is Verdict.ERROR


@pytest.mark.parametrize(
    ("judgement", "claims", "verdict"),
    [
        (breach(1), Claims(failing={"A": [Known("ticket 5")]}), Verdict.XFAIL),
        (HELD, Claims(failing={"A": [Known("ticket 5")]}), Verdict.XPASS),
        (breach(1), Claims(wavering={"A": [Known("a race")]}), Verdict.FLAKY),
        (HELD, Claims(wavering={"A": [Known("a race")]}), Verdict.PASS),
    ],
)
def test_what_a_statement_knows_beforehand(settled, judgement: Judgement, claims: Claims, verdict: Verdict) -> None:
    assert settled(tally(requirement("A"), judgement), claims=claims)["A"].verdict is verdict


def test_what_does_not_apply_is_said_so(settled) -> None:
    events = [
        Instance(id="main"),
        Opened(connection="c1", transport="stdio", instance="main", t=0),
        Agreed(connection="c1", revision="2025-11-25", t=0),
    ]
    history = History.of(events)
    outcomes = settled(
        tally(requirement("HTTP", applies=Applies(transports=("http",)))),
        tally(requirement("NEW", applies=Applies(revisions=("2026-07-28",)))),
        tally(requirement("HERE", applies=Applies(transports=("stdio",), revisions=("2025-11-25",)))),
        history=history,
    )
    assert outcomes["HTTP"].verdict is Verdict.NOT_APPLICABLE
    assert outcomes["NEW"].verdict is Verdict.NOT_APPLICABLE
    assert outcomes["HERE"].verdict is Verdict.NOT_OBSERVED


@pytest.mark.parametrize(
    ("state", "verdict"),
    [
        ("skipped", Verdict.NOT_OBSERVED),
        ("stuck", Verdict.NOT_OBSERVED),
        ("error", Verdict.ERROR),
        ("done", Verdict.NOT_OBSERVED),
    ],
)
def test_why_nothing_was_observed_is_told(settled, state: str, verdict: Verdict) -> None:
    history = History.of([Stimulus(name="s", exercises=("A",), state=state, why="no clock", t=1)])
    outcome = settled(tally(requirement("A")), history=history)["A"]
    assert outcome.verdict is verdict
    assert ("no clock" in outcome.reason) == (state != "done")


@pytest.mark.parametrize(
    ("states", "verdict"),
    [
        (("done",), Verdict.PASS),
        (("done", "stuck"), Verdict.PASS),
        (("stuck", "cut"), Verdict.NOT_OBSERVED),
        (("done", "error"), Verdict.ERROR),
    ],
)
def test_what_was_seen_proves_nothing_where_a_stimulus_failed_by_our_fault(
    settled, states: tuple[str, ...], verdict: Verdict
) -> None:
    """Nor where none that was made to show it came to its end."""
    history = History.of([Stimulus(name=s, exercises=("A",), state=s, why="KeyError: x", t=1) for s in states])
    outcome = settled(tally(requirement("A"), HELD), history=history)["A"]
    assert outcome.verdict is verdict
    broken = settled(tally(requirement("A"), breach(1)), history=history)["A"]
    assert broken.verdict is Verdict.FAIL, "what was seen to be broken is broken"
