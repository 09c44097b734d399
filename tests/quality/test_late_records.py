"""A runtime may write its records after its answers: nobody is accused for it."""

import time

import pytest

from conformance.model.verdict import Verdict
from conformance.prove.runs import Subject, run
from reference_server.invocation.ledger import Ledger

LATE_S = 0.25


@pytest.mark.parametrize("together", [False, True], ids=["each", "together"])
def test_records_that_come_late_break_nothing(monkeypatch: pytest.MonkeyPatch, together: bool) -> None:
    written: dict[str, float] = {}
    write, read = Ledger.write, Ledger.read

    def noted(self, *given):  # type: ignore[no-untyped-def]
        record = write(self, *given)
        written[record["id"]] = time.monotonic()
        return record

    def shown(self, *given, **filters):  # type: ignore[no-untyped-def]
        now = time.monotonic()
        until = now - now % LATE_S if together else now - LATE_S
        return [record for record in read(self, *given, **filters) if written[record["id"]] <= until]

    monkeypatch.setattr(Ledger, "write", noted)
    monkeypatch.setattr(Ledger, "read", shown)
    report = run(Subject("invocation", "reference", None))
    broken = [each.id for each in report.requirements if each.verdict in (Verdict.FAIL, Verdict.WARN, Verdict.ERROR)]
    assert written
    assert broken == []
    assert {each.id: each.verdict for each in report.requirements}["IR-CACHE-02"] is Verdict.PASS
