"""The file of a transcript, written line by line: whatever ends the suite leaves what came before."""

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from conformance.drive.errors import UsageError
from conformance.model.chain import Chain
from conformance.model.transcript import Record


class Sink:
    """Lines, each linked to the one before it. A disk that takes no more ends no run."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._chain = Chain()
        self.fault = ""
        """What the system says of why the file does not hold all; empty while it does."""

    @property
    def record(self) -> Record:
        """What is known of the file, as whoever reads it finds it; nothing where it does not hold all."""
        return Record() if self.fault else Record(lines=self._chain.lines, digest=self._chain.digest)

    def write(self, line: bytes) -> bool:
        """Writes a line at once, where the file still takes any; whether it holds it."""
        if self.fault:
            return False
        line = self._chain.linked(line)
        try:
            written = self._file.write(line + b"\n")
            if written <= len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError as error:
            self.fault = error.strerror or str(error)
            return False
        return True


@contextlib.contextmanager
def opened(path: Path | None) -> Iterator[Sink | None]:
    """A new file, and none where no path is given; UsageError where it cannot be written."""
    if path is None:
        yield None
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("wb", buffering=0)
    except OSError as error:
        raise UsageError(f"{path} cannot be written", "--transcript", error.strerror or "") from error
    with file:
        yield Sink(file)
