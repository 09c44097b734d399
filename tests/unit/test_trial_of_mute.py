"""A muted tool meets stimuli that call it, one at a time, and all of them where none of these breaks the claim."""

from types import SimpleNamespace
from typing import Any

import pytest

from conformance.prove import mute
from conformance.prove.mute import Asked
from conformance.prove.runs import Subject

SUBJECT = Subject("threads", "reference")


@pytest.mark.parametrize(
    ("breaking", "met"),
    [("one", [["one"]]), ("other", [["one"], ["other"]]), ("all", [["one"], ["other"], None]), ("none", None)],
)
def test_it_meets_no_more_than_it_takes(
    monkeypatch: pytest.MonkeyPatch, breaking: str, met: list[list[str] | None] | None
) -> None:
    runs: list[list[str] | None] = []

    def run(_: Subject, stimuli: list[str] | None = None, **__: Any) -> SimpleNamespace:
        runs.append(stimuli)
        broken = breaking in (stimuli or ["all"])
        return SimpleNamespace(exit=1 if broken else 3, roots=[], claim="a claim")

    monkeypatch.setattr(mute, "run", run)
    monkeypatch.setattr(mute, "exit_code", lambda report: report.exit)
    row = mute._tried(SUBJECT, Asked("ack_read", ("one", "other")))
    assert runs == (met or [["one"], ["other"], None])
    assert (row.exit, row.passed) == (3 if breaking == "none" else 1, False)


def test_a_stimulus_that_calls_it_breaks_the_claim() -> None:
    row = mute._tried(SUBJECT, Asked("ack_read", ("threads.an_ack_goes_back",)))
    assert row.exit == 1
    assert "TH-SRV-01" in row.roots
