"""Servers that misbehave, each in one way: the finding that is expected, in time and memory, with nothing left over.

A fast part runs with all other tests; `make hostile` runs the whole.
"""

import os
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from conformance.certify import Options, rejudge
from tests.e2e.catalogue.run import ran

CATALOGUE = Path(__file__).parent / "catalogue" / "catalogue.toml"
WHOLE = bool(os.environ.get("HOSTILE"))
OURS = re.compile(r'File "[^"]*[/\\]conformance[/\\]|the suite itself failed')
OBEYED = re.compile("\x1b\\]|\x1b\\[2J|\u202e|^::error", re.MULTILINE)
"""What of a server's must not reach a terminal or a page as it is."""
LINES = {"MC-RPC-07", "MC-RPC-08"}
"""Requirements on stdio alone."""


def _cases() -> list[Any]:
    rows = tomllib.loads(CATALOGUE.read_text())["behaviour"]
    return [
        pytest.param(row, transport, id=f"{row['name']} ({transport})")
        for row in rows
        for transport in row["transports"]
        if WHOLE or (row.get("fast") and transport == row["transports"][0])
    ]


@pytest.mark.parametrize(("row", "transport"), _cases())
def test_misbehaviour(row: dict[str, Any], transport: str, tmp_path: Path) -> None:
    run = ran(tmp_path, row["name"], transport)
    said = run.stdout + run.stderr
    assert not OURS.search(said), said
    assert not OBEYED.search(said)
    expected = set(row["found"]) - (LINES if transport == "http" else set())
    # on a busy machine any call may be late; what depends on the order of calls stands in `may`
    may = {"MC-CALL-10", *row.get("may", ())}
    assert run.found - may == expected - may, said
    assert expected - run.found == set()
    assert run.exit_code in ({row["exit"], 3} if "MC-CALL-10" in run.found - expected else {row["exit"]}), said
    assert run.with_verdict("error") == set()
    assert run.seconds < row.get("seconds", 60)
    assert run.megabytes < row.get("megabytes", 250)
    assert run.left == ()
    if run.report is not None:
        page = (tmp_path / "report.html").read_text()
        assert not OBEYED.search(page)
        assert "<script>alert" not in page
        again = rejudge(tmp_path / "run.jsonl", Options())
        assert {r.id: r.verdict for r in again.requirements} == {
            r["id"]: r["verdict"] for r in run.report["requirements"]
        }


def test_the_catalogue_is_whole() -> None:
    """Each behaviour that the servers have is in it, and none twice."""
    rows = [row["name"] for row in tomllib.loads(CATALOGUE.read_text())["behaviour"]]
    source = "".join(path.read_text() for path in sorted(CATALOGUE.parent.glob("*.py")))
    made = re.findall(
        r'(?:behaviour|whole|result|listed|listing|written|door|called|session|resumed)\(\s*"([^"]+)"', source
    )
    assert sorted(rows) == sorted(made)
    assert len(rows) >= 60
