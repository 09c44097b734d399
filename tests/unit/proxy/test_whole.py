"""A breakage counts as noticed only by what a run finds with it, and no run without it."""

from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest

from conformance.drive.statement import Statement
from conformance.engine import Engine
from conformance.prove import runs
from conformance.prove.proxy import whole
from conformance.prove.proxy.breakage import Proxy
from conformance.prove.proxy.lists import Turns
from conformance.prove.proxy.trial import MISSED, NOTICED

SUBJECT = runs.Subject("threads", "reference")
LIMIT_S = 10.0


def report(*roots: str) -> Any:
    findings = tuple(SimpleNamespace(requirement=root) for root in roots)
    return SimpleNamespace(roots=findings, claim="", target=SimpleNamespace(name="reference"))


@pytest.mark.parametrize(
    ("found", "outcome", "by"),
    [((), MISSED, ()), (("MC-CALL-10",), MISSED, ()), (("MC-CALL-10", "TH-READ-01"), NOTICED, ("TH-READ-01",))],
)
def test_what_the_protocol_finds_without_a_breakage_is_no_sign_of_one(
    monkeypatch: pytest.MonkeyPatch, found: tuple[str, ...], outcome: str, by: tuple[str, ...]
) -> None:
    def run(subject: runs.Subject, *, protocol: bool, patient: bool, between: Any = None, **_: Any) -> Any:
        assert subject == SUBJECT
        assert patient
        if not isinstance(between, Proxy):
            return report("MC-CALL-10") if protocol else report()
        breakage.acted += 1
        between._breakage.acted += 1
        return report(*found) if protocol else report()

    breakage = Turns("turned", "get_thread", "/participants")
    monkeypatch.setattr(whole, "run", run)
    monkeypatch.setattr(whole, "history_of", lambda *_: (None, SimpleNamespace(exchanges=[])))
    monkeypatch.setattr(whole, "breakages", lambda *_: [breakage])
    monkeypatch.setattr(whole, "occasions", lambda *_: Counter({"reading": 1}))
    monkeypatch.setattr(whole, "spread", lambda function, items, _: [(each, function(each)) for each in items])
    told: list[whole.Row] = []
    row = whole.prove(SUBJECT, engine=Engine(1), told=told.append).rows[0]
    assert (row.outcome, row.by) == (outcome, by)
    assert told == [row]


@pytest.mark.parametrize(("patient", "limit_s"), [(False, 1.0), (True, LIMIT_S)])
def test_where_every_call_is_answered_it_may_take_as_long_as_in_any_run(
    monkeypatch: pytest.MonkeyPatch, patient: bool, limit_s: float
) -> None:
    stated: list[Statement] = []
    monkeypatch.setattr(runs, "certify", lambda statement, _: stated.append(statement))
    runs.run(SUBJECT, patient=patient)
    assert [statement.limits.call_timeout_s for statement in stated] == [limit_s]
