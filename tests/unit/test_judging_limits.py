"""Judging ends: at its limit what is left is not judged, and nothing that was not judged passes."""

from collections.abc import Callable, Iterable, Iterator

import pytest

from conformance import judging
from conformance.contract.catalogue import load
from conformance.contract.limits import go_on
from conformance.judge.judge import judge
from conformance.judge.judgements import breach, unjudged
from conformance.judge.law import LAWS, Law
from conformance.judge.library import import_laws
from conformance.judge.tally import AT_ONCE, DEEPEST, LARGEST, SENTENCE
from conformance.model.events import Footer, Json
from conformance.model.verdict import HELD, Judgement, Outcome, Verdict
from tests.laws.histories import Story

OVER_HISTORY, OVER_EXCHANGE = "MC-CALL-08", "MC-CALL-02"


@pytest.fixture
def outcome(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Outcome]:
    """The outcome of a law of the test's own over three calls."""
    contract = load("mcp")
    import_laws(contract)
    story = Story("mcp")
    story.list([{"name": "read", "inputSchema": {"type": "object"}}])
    for _ in range(3):
        story.call("read", {}, {"at": "noon"})
    events = [*story.events, Footer(complete=True, events=len(story.events) + 1, calls=story.calls, t=story.now())]

    def judged(
        law: Callable[[], Iterable[Judgement]], *, spent: Callable[[], str] = lambda: "", over: str = OVER_HISTORY
    ) -> Outcome:
        def run(_subject: object, _contract: object) -> Iterable[Judgement]:
            return law()

        own = Law(over, over_history=run) if over == OVER_HISTORY else Law(over, over_exchange=run)
        monkeypatch.setitem(LAWS, over, own)
        found = judge(events, contract, spent=spent).outcome(over)
        assert found is not None
        return found

    return judged


class Patience:
    """Runs out after so many questions."""

    def __init__(self, questions: int) -> None:
        self.left = questions

    def __call__(self) -> str:
        self.left -= 1
        return "" if self.left >= 0 else "judging took longer than 0 s"


def held(count: int) -> Callable[[], Iterator[Judgement]]:
    return lambda: iter([HELD] * count)


def test_judging_without_limit(outcome) -> None:
    assert outcome(held(5)).verdict is Verdict.PASS
    assert outcome(held(5), over=OVER_EXCHANGE).subjects == 5 * 4


@pytest.mark.parametrize("over", [OVER_HISTORY, OVER_EXCHANGE])
def test_what_no_law_comes_to_is_not_judged(outcome, over: str) -> None:
    found = outcome(held(5), spent=Patience(0), over=over)
    assert (found.verdict, found.subjects) == (Verdict.NOT_OBSERVED, 0)
    assert found.reason == "not judged: judging took longer than 0 s"


def test_what_a_law_only_began_with_does_not_pass(outcome) -> None:
    found = outcome(held(5), spent=Patience(2), over=OVER_EXCHANGE)
    assert (found.verdict, found.subjects) == (Verdict.NOT_OBSERVED, 10)
    found = outcome(held(AT_ONCE * 1_000), spent=Patience(60))
    assert found.verdict is Verdict.NOT_OBSERVED
    assert 0 < found.subjects < AT_ONCE * 1_000


def test_a_law_that_looks_at_much_ends_between_two_pieces_of_it(outcome) -> None:
    def looking() -> Iterator[Judgement]:
        while True:
            go_on()

    assert outcome(looking, spent=Patience(500)).reason == "not judged: judging took longer than 0 s"


def test_a_breach_is_a_breach_also_where_the_rest_is_not_judged(outcome) -> None:
    def broken() -> Iterator[Judgement]:
        yield breach("it is not so")
        while True:
            go_on()

    assert outcome(broken, spent=Patience(500)).verdict is Verdict.FAIL


def test_a_subject_of_which_nothing_can_be_said_is_none(outcome) -> None:
    found = outcome(lambda: [unjudged("the first is too large"), unjudged("the second is too large")])
    assert (found.verdict, found.subjects) == (Verdict.NOT_OBSERVED, 0)
    assert found.reason == "not judged: the first is too large; and 1 more like it"
    found = outcome(lambda: [unjudged("it is too large"), HELD])
    assert (found.verdict, found.subjects) == (Verdict.PASS, 1)
    assert found.reason == "not judged: it is too large"


@pytest.mark.parametrize(
    ("over", "reason"),
    [
        (OVER_HISTORY, "not judged: a value is nested too deep"),
        (OVER_EXCHANGE, "not judged: the answer of tools/list is nested too deep; and 3 more like it"),
    ],
)
def test_a_law_that_cannot_walk_so_deep_is_no_error_of_ours(outcome, over: str, reason: str) -> None:
    def walking() -> Iterator[Judgement]:
        def deeper(level: int) -> int:
            return deeper(level + 1) + 1

        yield breach(str(deeper(0)))

    found = outcome(walking, over=over)
    assert (found.verdict, found.reason) == (Verdict.NOT_OBSERVED, reason)


def test_evidence_is_bounded(outcome) -> None:
    deep: Json = 1
    for _ in range(DEEPEST + 1):
        deep = [deep]
    found = outcome(lambda: [breach("x" * 100_000, expected=deep, got=[0] * (LARGEST + 1))])
    finding = found.findings[0]
    assert len(finding.saw) == SENTENCE
    assert finding.expected == "[[[[[...]]]]]"
    assert isinstance(finding.got, str)
    assert len(finding.got) <= 80
    kept = outcome(lambda: [breach("x", expected=[[1]], got={"a": 5})]).findings[0]
    assert (kept.expected, kept.got) == ([[1]], {"a": 5})


def test_a_run_is_judged_within_a_limit_of_its_own() -> None:
    assert judging._patience(60)() == ""
    assert judging._patience(-1)() == "judging took longer than -1 s"
