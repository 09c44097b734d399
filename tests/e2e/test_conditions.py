"""A target that is set up at its start, and not asked in requests: what it cannot bring about is not observed."""

import sys
from pathlib import Path

from conformance.certify import Options, certify
from conformance.drive.loading import load
from conformance.drive.statement import Statement

FILE = Path(__file__).parents[2] / "fixtures" / "conformance" / "threads-stdio.toml"


def test_settings_are_given_at_the_start_of_a_process() -> None:
    statement = load(FILE)
    (endpoint,) = statement.endpoint
    command = [sys.executable, *str(endpoint.command).split()[1:]]
    endpoint = endpoint.model_copy(update={"command": command})
    started = statement.model_copy(update={"endpoint": [endpoint], "unobservable": []})
    report = certify(
        started, Options(seed=1, base=FILE.parent, only=["TH-ERR-RATE_LIMITED", "TH-RET-01", "TH-TRIG-05"])
    )
    verdicts = {r.id: r.verdict for r in report.requirements}
    assert verdicts["TH-ERR-RATE_LIMITED"] == "pass"
    unseen = {r.id: r.reason for r in report.requirements if r.verdict == "not_observed"}
    assert {"TH-RET-01", "TH-TRIG-05"} <= unseen.keys()
    assert all("cannot bring about" in reason for reason in unseen.values())
    assert not report.conformant
    assert not report.broken
    assert report.claim.startswith(f"Inconclusive: {report.musts.untested} of ")


def test_a_start_that_is_refused_loses_only_what_needs_it() -> None:
    statement = load(FILE)
    (endpoint,) = statement.endpoint
    command = [sys.executable, *str(endpoint.command).split()[1:]]
    conditions = statement.conditions
    broken = conditions.start["quota_per_minute"].model_copy(update={"args": ["--no-such-option", "{value}"]})
    start = {**conditions.start, "quota_per_minute": broken}
    started = statement.model_copy(
        update={
            "endpoint": [endpoint.model_copy(update={"command": command})],
            "conditions": conditions.model_copy(update={"start": start}),
        }
    )
    report = certify(
        started, Options(seed=1, base=FILE.parent, only=["TH-ERR-RATE_LIMITED", "TH-IDEM-01", "TH-SRV-01"])
    )
    verdicts = {r.id: r.verdict for r in report.requirements}
    reasons = {r.id: r.reason for r in report.requirements if r.verdict == "not_observed"}
    assert "the server did not start with quota_per_minute" in reasons["TH-ERR-RATE_LIMITED"]
    assert "--no-such-option" in reasons["TH-ERR-RATE_LIMITED"]
    assert verdicts["TH-IDEM-01"] == verdicts["TH-SRV-01"] == "pass"
    assert not report.broken


def test_what_cannot_be_observed_is_excused_by_a_reason() -> None:
    statement = load(FILE)
    (endpoint,) = statement.endpoint
    command = [sys.executable, *str(endpoint.command).split()[1:]]
    started = statement.model_copy(update={"endpoint": [endpoint.model_copy(update={"command": command})]})
    report = certify(started, Options(seed=1, base=FILE.parent))
    excused = {each.id for each in statement.unobservable}
    assert report.conformant
    assert {each.id for each in report.excused} == excused
    assert {r.id for r in report.requirements if r.verdict == "not_observed"} == excused
    assert f"({len(excused)} exceptions: {len(excused)} unobservable)" in report.claim


def test_what_another_process_made_is_not_asked_of_the_one_that_was_started_without() -> None:
    command = f"{sys.executable} -m reference_server tuitbot --edition convergence --transport stdio --test-conditions"
    settings = ("profile", "llm", "policy")
    told = {
        "contract": "tuitbot",
        "edition": "convergence",
        "profiles": ["write"],
        "endpoint": [{"transport": "stdio", "command": command}],
        "conditions": {"start": {name: {"args": ["--setting", f"{name}={{value}}"]} for name in settings}},
    }
    chosen = Options(seed=1, only=["TB-MAN-08"], stimuli=("tuitbot.the_llm_is_taken_away",))
    report = certify(Statement.model_validate(told), chosen)
    (found,) = [each for each in report.requirements if each.id == "TB-MAN-08"]
    assert (found.verdict, found.breaches) == ("pass", 0)
    assert found.subjects > 90, "tools about things of their own are tried where these were made"


def test_a_target_without_an_x_client_is_tested_in_what_needs_none() -> None:
    command = f"{sys.executable} -m reference_server tuitbot --transport stdio --setting x_client=false"
    told = {
        "contract": "tuitbot",
        "endpoint": [{"transport": "stdio", "command": command}],
        "settings": {"x_client": False, "profile": "workflow"},
    }
    rows = ("TB-ENV-01", "TB-ENV-06", "TB-ERR-validation_error", "TB-POL-02")
    report = certify(Statement.model_validate(told), Options(seed=1, only=rows))
    assert [str(each.verdict) for each in report.requirements if each.id in rows] == [
        "pass", "pass", "pass", "not_observed"
    ]  # fmt: skip
