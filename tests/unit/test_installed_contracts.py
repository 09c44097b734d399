"""Contracts that packages of others install: by an entry point, and in nobody's way where they cannot be read."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

NOTES = Path("fixtures/notes/contract").resolve()
POINTS = """[conformance.contracts]
acme = acme_notes:FOLDER
absent = acme_absent:FOLDER
raising = acme_raising:FOLDER
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a package that installs three contracts, of which one can be read."""
    folder = tmp_path_factory.mktemp("site")
    shutil.copytree(NOTES, folder / "acme_notes" / "contract")
    (folder / "acme_notes/__init__.py").write_text("FOLDER = __path__[0] + '/contract'\n")
    (folder / "acme_raising.py").write_text("raise OSError('the disk is full')\n")
    about = folder / "acme_notes-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-notes\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(POINTS)
    return folder


def said(site: Path, *words: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "conformance", *words],
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("requirements",), 0, "NOTE-KEY"),
        (("requirements",), 0, "no contract is found by 'absent': No module named 'acme_absent'"),
        (("requirements",), 0, "acme_raising cannot be imported: OSError: the disk is full"),
        (("--version",), 0, "acme"),
        (("conditions",), 0, "quota_per_minute"),
        (("explain", "NOTE-KEY"), 0, "NOTE-KEY"),
        (("explain", "NOTE-KEYS"), 2, "nearest: NOTE-KEY"),
        (("contract", "check", "acme"), 0, "Nothing is wrong"),
        (("run", "--contract", "raising", "--server-command", "true"), 2, "the disk is full"),
    ],
)
def test_one_that_cannot_be_read_is_in_nobodys_way(site: Path, words: tuple[str, ...], code: int, told: str) -> None:
    status, text = said(site, *words)
    assert (status, "Traceback" in text) == (code, False), text
    assert told in text
