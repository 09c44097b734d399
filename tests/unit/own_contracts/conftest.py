"""The example of an own contract, and a copy of it that a test may change."""

import shutil
from pathlib import Path

import pytest

from conformance.contract import registry

NOTES = Path(__file__).parents[3] / "fixtures" / "notes" / "contract"


@pytest.fixture(autouse=True)
def _forgotten(monkeypatch):
    """What a test names is known to no other."""
    monkeypatch.setattr(registry, "_named", {})


@pytest.fixture
def folder(tmp_path):
    shutil.copytree(NOTES, tmp_path / "contract")
    return tmp_path / "contract"
