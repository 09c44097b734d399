"""Tools that each ask a service far away, one call after another: what can look ever further leaves time to others."""

from pathlib import Path

import pytest

from tests.e2e.driving import over_stdio

UNSHOWN = {
    "answers": set[str](),
    # no call is accepted: nothing shows that the server goes on, or that a client need not offer anything
    "away": {"MC-CALL-09", "MC-CALL-14"},
}


@pytest.mark.parametrize("how", [*UNSHOWN])
def test_a_run_comes_to_its_end_before_its_time(tmp_path: Path, how: str) -> None:
    limits = {"call_timeout_s": 1.0, "run_timeout_s": 24.0}
    run = over_stdio(tmp_path, "asks_far", "0.12", how, calls={"harmless": "all"}, limits=limits)
    assert run.found() == set()
    untested = {each.id for each in run.report.requirements if each.verdict == "not_observed" and each.level == "MUST"}
    assert untested <= UNSHOWN[how]
    subjects = {each.id: each.subjects for each in run.report.requirements}
    assert subjects["MC-CALL-04"]
    assert subjects["MC-CALL-17"]
    bad = "mcp.tools_are_called_with_bad_arguments: its share of the run's time, 4.8 s, was over before "
    assert any(note.startswith(bad) for note in run.report.notes)
