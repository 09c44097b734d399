"""A target that is set up at its start, and not asked in requests: what it cannot bring about is not observed."""

import sys
from pathlib import Path

from conformance.certify import Options, certify
from conformance.drive.loading import load

FILE = Path(__file__).parents[2] / "fixtures" / "conformance" / "threads-stdio.toml"


def test_settings_are_given_at_the_start_of_a_process() -> None:
    statement = load(FILE)
    (endpoint,) = statement.endpoint
    command = [sys.executable, *str(endpoint.command).split()[1:]]
    started = statement.model_copy(update={"endpoint": [endpoint.model_copy(update={"command": command})]})
    report = certify(started, Options(seed=1, base=FILE.parent))
    verdicts = {r.id: r.verdict for r in report.requirements}
    assert verdicts["TH-ERR-RATE_LIMITED"] == "pass"
    unseen = {r.id: r.reason for r in report.requirements if r.verdict == "not_observed"}
    assert {"TH-IDEM-07", "TH-RET-01", "TH-TRIG-05"} <= unseen.keys()
    assert all("cannot bring about the condition" in reason for reason in unseen.values())
    assert report.conformant
