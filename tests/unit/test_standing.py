"""A claim is never wider than what was seen: what exit 0 needs, and in which words anything less is told."""

import pytest

from conformance.model.requirement import Level
from conformance.model.verdict import Outcome, Verdict
from conformance.report.model import Gap
from conformance.report.standing import claim, standing, unmet
from conformance.report.usage import Reach


def outcome(identifier: str, verdict: Verdict, level: Level = Level.MUST, **more: object) -> Outcome:
    return Outcome(id=identifier, level=level, verdict=verdict, **more)  # type: ignore[arg-type]


HELD = outcome("A", Verdict.PASS)
UNSEEN = outcome("B", Verdict.NOT_OBSERVED)
EXCUSED = outcome("B", Verdict.NOT_OBSERVED, excused="nobody can see it here")
KNOWN = outcome("C", Verdict.XFAIL, excused="ticket 5")


@pytest.mark.parametrize(
    ("own", "foundation", "complete", "conformant", "fallen"),
    [
        ([HELD], [], True, True, False),
        ([HELD, outcome("S", Verdict.NOT_OBSERVED, Level.SHOULD)], [], True, True, False),
        ([HELD, outcome("S", Verdict.WARN, Level.SHOULD)], [], True, True, False),
        ([HELD, outcome("B", Verdict.NOT_APPLICABLE)], [], True, True, False),
        ([HELD, EXCUSED, KNOWN], [], True, True, False),
        ([HELD, UNSEEN], [], True, False, False),
        ([HELD, outcome("B", Verdict.BLOCKED, blocked_by="S")], [], True, False, False),
        ([HELD, outcome("B", Verdict.BLOCKED, blocked_by="C", excused="blocked by C"), KNOWN], [], True, True, False),
        ([HELD], [], False, False, False),
        ([UNSEEN], [], True, False, False),
        ([], [], True, False, False),
        ([HELD, outcome("B", Verdict.FAIL)], [], True, False, True),
        ([HELD, outcome("B", Verdict.XPASS)], [], True, False, True),
        ([outcome("S", Verdict.PASS, Level.SHOULD)], [], True, True, False),
        ([outcome("S", Verdict.WARN, Level.SHOULD)], [], True, True, False),
        ([outcome("S", Verdict.NOT_OBSERVED, Level.SHOULD)], [], True, False, False),
        ([outcome("S", Verdict.PASS, Level.SHOULD), UNSEEN], [], True, False, False),
        ([HELD], [outcome("MC", Verdict.FAIL)], True, False, True),
        ([HELD], [outcome("MC", Verdict.NOT_OBSERVED)], True, True, False),
    ],
)
def test_what_a_claim_needs(own, foundation, complete, conformant, fallen) -> None:
    stands = standing(own, foundation, complete=complete, selection=True)
    assert (stands.conformant, stands.fallen) == (conformant, fallen)


def test_a_strict_run_falls_with_a_should() -> None:
    assert standing([HELD, outcome("S", Verdict.WARN, Level.SHOULD)], [], complete=True, strict=True).fallen


def test_the_parts_of_the_musts_add_up() -> None:
    own = [HELD, UNSEEN, outcome("D", Verdict.FAIL), KNOWN, outcome("E", Verdict.NOT_APPLICABLE)]
    musts = standing(own, [], complete=True).musts
    assert (musts.applicable, musts.held, musts.broken, musts.untested, musts.excused) == (4, 1, 1, 1, 1)


GAP = Gap(cause='set-up failed: make was refused with NO ("not you")', todo="check --issuer", ids=("B",), call=7)


def told(own: list[Outcome], *, selected: int | None = None, complete: bool = True, gaps: tuple[Gap, ...] = ()) -> str:
    return claim(
        "notes", standing(own, [], complete=complete, selection=selected is not None), gaps, whole=9, selected=selected
    )


def test_what_was_not_tested_is_counted_with_its_cause_and_what_to_do() -> None:
    assert told([HELD, UNSEEN], gaps=(GAP,)) == (
        "Inconclusive: 1 of 2 MUSTs of notes was not tested; the 1 that was tested holds. "
        'Set-up failed: make was refused with NO ("not you"). Check --issuer.'
    )


def test_several_that_were_not_tested_are_counted_in_the_plural() -> None:
    unseen = [UNSEEN, outcome("C", Verdict.NOT_OBSERVED)]
    held = [HELD, outcome("D", Verdict.PASS)]
    assert told([*held, *unseen]).startswith(
        "Inconclusive: 2 of 4 MUSTs of notes were not tested; the 2 that were tested hold."
    )


@pytest.mark.parametrize(
    ("own", "words"),
    [
        ([HELD], "Conforms to notes: the 1 MUST that applies was tested and holds."),
        (
            [HELD, EXCUSED, KNOWN],
            "Conforms to notes: 1 of 3 MUSTs hold (2 exceptions: 1 unobservable, 1 known failure).",
        ),
        (
            [HELD, outcome("B", Verdict.FAIL), UNSEEN],
            "Does not conform to notes: 1 requirement broken, 1 of 3 MUSTs not tested.",
        ),
        ([outcome("E", Verdict.ERROR)], "No verdict on notes: the suite itself failed at 1 requirement."),
    ],
)
def test_the_words_of_a_claim(own: list[Outcome], words: str) -> None:
    assert told(own) == words


def test_a_cut_run_claims_nothing() -> None:
    assert told([HELD], complete=False) == "Inconclusive: the run of notes was cut short."


@pytest.mark.parametrize("own", [[HELD], [HELD, UNSEEN], [outcome("B", Verdict.FAIL)]])
def test_a_selection_claims_nothing_beyond_itself(own: list[Outcome]) -> None:
    said = told(own, selected=len(own))
    assert "onforms to notes" not in said
    assert said.endswith(f"Nothing is claimed of the other {9 - len(own)}.")


def test_a_selection_may_have_no_must() -> None:
    kept, missed = outcome("S", Verdict.PASS, Level.SHOULD), outcome("M", Verdict.WARN, Level.MAY)
    rest = " Nothing is claimed of the other 7."
    head = "Of 2 selected requirements of notes: none is a MUST; 2 were tested, "
    assert told([kept, kept], selected=2) == f"{head}none missed.{rest}"
    assert told([kept, missed], selected=2) == f"{head}1 missed.{rest}"
    unseen = outcome("S", Verdict.NOT_OBSERVED, Level.SHOULD)
    assert told([unseen, unseen], selected=2).startswith(
        "Inconclusive: nothing of 2 selected requirements of notes was"
    )
    assert told([kept]) == "Inconclusive: no MUST of notes was tested."


def test_an_entry_that_met_nothing_is_told() -> None:
    said = "the known failure B was neither confirmed nor refuted: the requirement is not observed"
    assert unmet(["B", "A"], [HELD, UNSEEN]) == [said]


CONFORMS = "Conforms to notes: the 1 MUST that applies was tested and holds."


@pytest.mark.parametrize(
    ("reach", "conformant", "words"),
    [
        (Reach(3, 3, 100), True, CONFORMS),
        (Reach(0, 0, 100), True, CONFORMS),
        (Reach(2, 3), True, f"{CONFORMS} 1 of 3 tools accepted no call: nothing is claimed of its behaviour."),
        (Reach(1, 3, 30), True, f"{CONFORMS} 2 of 3 tools accepted no call: nothing is claimed of their behaviour."),
        (Reach(1, 3, 50), False, "Inconclusive: 1 of 3 tools accepted a call, and at least 50 % have to. "),
    ],
)
def test_a_claim_is_limited_by_the_tools_that_accepted_a_call(reach: Reach, conformant: bool, words: str) -> None:
    stands = standing([HELD], [], complete=True, reach=reach)
    assert stands.conformant is conformant
    assert claim("notes", stands, (), whole=1, selected=None).startswith(words)


def test_of_a_selection_no_tools_are_counted() -> None:
    stands = standing([HELD], [], complete=True, selection=True, reach=Reach(0, 3, 100))
    assert stands.conformant
    assert "tools" not in claim("notes", stands, (), whole=9, selected=1)
