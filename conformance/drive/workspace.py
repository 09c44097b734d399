"""The run's own folder, with a file of each ordinary kind: what arguments that want a path can name."""

import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from conformance.drive.files import MAKING, TEXTS
from conformance.model.ours import PREFIX

PLACEHOLDER = "{files}"
"""In a server's command, environment and folder: this folder."""


class Workspace:
    """Made when it is first asked for, removed when the run is over."""

    def __init__(self) -> None:
        self._folder: Path | None = None
        self._made: dict[str, str] = {}

    @property
    def folder(self) -> str:
        """Its path; its text files are in it from the beginning."""
        if self._folder is None:
            # what a server shows of a path is the real one
            self._folder = Path(tempfile.mkdtemp(prefix=PREFIX)).resolve()
            for kind in TEXTS:
                MAKING[kind](self._folder)
        return str(self._folder)

    def whole(self) -> str:
        """Its path, with a file of every kind that can be made here."""
        for kind in MAKING:
            with suppress(LookupError):
                self.path(kind)
        return self.folder

    def path(self, kind: str) -> str:
        """The path of a file or folder of this kind; LookupError where there is none, or it cannot be made here."""
        if kind not in self._made:
            self._made[kind] = str(MAKING[kind](Path(self.folder)))
        return self._made[kind]

    def close(self) -> None:
        """Removes it with all that is in it."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
