"""What the workers of one pytest run share: whichever comes first drives the server, the others read its report."""

import os
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from conformance.drive.errors import UsageError
from conformance.report import json as written
from conformance.report.model import Report

POLL_S = 0.05
Told = Report | UsageError


class Shared:
    """A folder, where there are workers; without them nothing is shared."""

    KEY = "conformance_folder"

    def __init__(self, config: pytest.Config) -> None:
        given = getattr(config, "workerinput", {}).get(self.KEY)
        self._folder = Path(given) if given else None
        self._own = False

    def folder(self) -> Path:
        """The folder, made by whoever starts the workers."""
        if self._folder is None:
            self._folder, self._own = Path(tempfile.mkdtemp(prefix="conformance-")), True
        return self._folder

    def once(self, make: Callable[[], Told]) -> Told:
        """What was made by the first to ask, in whichever process."""
        if self._folder is None:
            return make()
        claim = self._folder / "claim"
        while (found := self.found()) is None:
            try:
                handle = os.open(claim, os.O_CREAT | os.O_EXCL | os.O_WRONLY)
            except FileExistsError:
                # the one who drives may have died: its claim is then nobody's
                if not _alive(claim):
                    claim.unlink(missing_ok=True)
                time.sleep(POLL_S)
                continue
            os.write(handle, str(os.getpid()).encode())
            os.close(handle)
            return self._kept(make())
        return found

    def _kept(self, told: Told) -> Told:
        folder = self.folder()
        text = written.render(told) if isinstance(told, Report) else msgspec.json.encode(_parts(told)).decode()
        name = "report.json" if isinstance(told, Report) else "error.json"
        partial = folder / f"{name}.part"
        partial.write_text(text, "utf-8")
        partial.rename(folder / name)
        return told

    def found(self) -> Told | None:
        """What another process made; None where nothing is there yet."""
        if self._folder is None:
            return None
        report, error = self._folder / "report.json", self._folder / "error.json"
        if report.exists():
            return written.load(report)
        return UsageError(*msgspec.json.decode(error.read_bytes())) if error.exists() else None

    def close(self) -> None:
        """Removes the folder, where this process made it."""
        if self._own and self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)


def _parts(error: UsageError) -> list[str]:
    return [error.what, error.where, error.why, error.todo]


def _alive(claim: Path) -> bool:
    """Whether the process that claimed to drive is there; one that has not written its number yet is."""
    try:
        text = claim.read_text()
        os.kill(int(text), 0) if text else None
    except (OSError, ValueError):
        return False
    return True
