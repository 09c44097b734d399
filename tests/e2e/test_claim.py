"""What a run claims, as a user reads it: never more than was seen, with the cause of what was not."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from conformance.certify import Options, certify
from conformance.drive.loading import checked
from conformance.drive.target import entry
from conformance.model.events import Json
from conformance.report.build import exit_code
from conformance.report.model import Report


def conformance(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "conformance.cli.main", *words]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, timeout=120)


def judged(*deviations: str, only: Sequence[str] = (), **statement: Json) -> Report:
    data = {**entry("reference").statement("threads", deviations=deviations), **statement}
    return certify(checked(data, "it"), Options(seed=1, only=only))


def test_a_wrong_audience_is_inconclusive_and_says_what_to_check(tmp_path: Path) -> None:
    forms = ("r.json", "r.xml", "r.md", "r.html")
    files = [word for form in forms for word in ("--output", form)]
    done = conformance("run", "--target", "reference:threads", "--audience", "wrong", *files, cwd=tmp_path)
    assert done.returncode == 3
    report = json.loads((tmp_path / "r.json").read_text())
    claim = report["claim"]
    assert claim.startswith(f"Inconclusive: {report['musts']['untested']} of {report['musts']['applicable']} MUSTs")
    assert 'Set-up failed: create_thread was refused with UNAUTHORIZED ("Audience doesn\'t match").' in claim
    assert "Check --signing-key, --issuer and --audience" in claim
    for written in (done.stdout, *((tmp_path / form).read_text() for form in forms)):
        assert "Inconclusive: " in written


def test_a_known_failure_covers_what_only_it_blocks() -> None:
    """The summary of TH-SUM-01's deviation has no form, so that nothing else of section 3.6 can be seen."""
    known = {"id": "TH-SUM-01", "reason": "until the summariser is deployed"}
    report = judged("TH-SUM-01", only=["TH-SUM-*", "TH-ENV-*"], known_failure=[known])
    assert exit_code(report) == 0, report.claim
    kinds = {each.id: each.kind for each in report.excused}
    assert kinds["TH-SUM-01"] == "known failure"
    assert len(kinds) > 1
    assert set(kinds.values()) <= {"known failure", "blocked by a known failure"}
    assert f"{len(kinds)} exceptions" in report.claim


@pytest.mark.parametrize(("tools", "code"), [(["post_message"], 0), (["get_thread"], 1), ([], 0)])
def test_a_known_failure_may_be_limited_to_tools(tools: list[str], code: int) -> None:
    known = {"id": "TH-MSG-05", "reason": "ticket 9", **({"tools": tools} if tools else {})}
    report = judged("TH-MSG-05", only=["TH-MSG-*"], known_failure=[known])
    assert exit_code(report) == code or (code == 0 and exit_code(report) == 3), report.claim
    (result,) = [r for r in report.requirements if r.id == "TH-MSG-05"]
    assert result.verdict == ("fail" if code else "xfail")


def test_an_entry_that_met_nothing_is_noted() -> None:
    report = judged(only=["TH-VER-*"], known_failure=[{"id": "TH-VER-01", "reason": "over plain HTTP"}])
    assert any("TH-VER-01 was neither confirmed nor refuted" in note for note in report.notes)


def test_a_should_fails_a_strict_run_alone(tmp_path: Path) -> None:
    words = ("run", "--target", "reference:mcp+MC-LIST-03")
    assert conformance(*words, cwd=tmp_path).returncode == 0
    done = conformance(*words, "--strict", cwd=tmp_path)
    assert done.returncode == 1
    assert "Does not conform to mcp: 1 requirement broken" in " ".join(done.stdout.split())


def test_an_empty_selection_is_a_usage_error(tmp_path: Path) -> None:
    done = conformance("run", "--only", "TH-IDEM-*", "--level", "SHOULD", cwd=tmp_path)
    assert done.returncode == 2
    assert "the selection is empty" in done.stderr


def test_a_selection_names_the_blocker_outside_it() -> None:
    data = entry("reference").statement("threads", deviations=("TH-SUM-01",))
    report = certify(checked(dict(data), "it"), Options(seed=1, only=["TH-SUM-04"]))
    (result,) = report.requirements
    assert result.blocked_by in {r.id for r in report.foundation}, "the root is shown beside the selection"


def test_a_run_that_is_cut_claims_nothing() -> None:
    data = dict(entry("reference").statement("threads"))
    report = certify(checked({**data, "limits": {"run_timeout_s": 0.05}}, "it"), Options(seed=1))
    assert exit_code(report) == 3
    assert report.claim.startswith("Inconclusive: ")
    assert any("not reached: the run's time limit of 0.05 s passed" in gap.cause for gap in report.gaps)


def test_every_tool_is_accounted_for() -> None:
    report = judged("mute:ack_read")
    uses = {use.name: use for use in report.tools}
    assert len(uses) == 9
    assert (uses["ack_read"].accepted, uses["ack_read"].refusals[0].ended) == (0, "refused with FORBIDDEN")
    assert all(use.accepted for name, use in uses.items() if name != "ack_read")
    assert exit_code(report) != 0
