"""Whole runs of the reference, recorded once for all workers: many tests judge what one run gave."""

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from conformance.certify import Options, certify
from conformance.contract.catalogue import load
from conformance.drive.loading import checked
from conformance.drive.target import entry

Recorded = Callable[..., Path]
"""The transcript of a contract's run, by the contract's name and an edition."""


def recordings(factory: pytest.TempPathFactory) -> Recorded:
    """Records in the folder that the workers of one test run share, each run where it is asked for first."""
    base = factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "recordings"
    folder.mkdir(exist_ok=True)

    def recorded(contract: str, edition: str | None = None) -> Path:
        path = folder / f"{contract}-{load(contract, edition).edition}.jsonl"
        with path.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not path.exists():
                made = path.with_suffix(".made")
                statement = checked(dict(entry("reference").statement(contract, edition=edition)), "the reference")
                certify(statement, Options(seed=1, transcript=made))
                made.rename(path)
        return path

    return recorded
