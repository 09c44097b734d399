"""A store on disk: what each instance holds, as its last call left it. A server started on it goes on from there.

The whole state is one value, written in one transaction before the call is answered. That costs time in proportion to
what an instance holds, and leaves no way for keys, revisions and cursors to differ from what they belong to.
"""

import io
import pickle
import sqlite3
from collections.abc import Sequence
from operator import attrgetter
from typing import Final, Generic, TypeVar

from reference_server.application import Answer, Application, Json, Request, Tool

OTHERS: Final = {("collections", "Counter"), ("collections", "deque")}
"""The kinds of value in a state that are not this package's own."""
Domain = TypeVar("Domain", bound=Application)
OWN: Final = f"{__package__}."


class Shelf:
    """The file. One server at a time works on it."""

    def __init__(self, path: str) -> None:
        """Raises sqlite3.Error where the file cannot be opened, or is none of sqlite."""
        self._database = sqlite3.connect(path, isolation_level=None)
        self._database.execute("PRAGMA journal_mode = WAL")
        self._database.execute("PRAGMA synchronous = FULL")
        self._database.execute("CREATE TABLE IF NOT EXISTS instances (name TEXT PRIMARY KEY, state BLOB NOT NULL)")

    def found(self, name: str) -> bytes | None:
        """The state of an instance; None where none was kept."""
        row = self._database.execute("SELECT state FROM instances WHERE name = ?", (name,)).fetchone()
        return row[0] if row is not None else None

    def keep(self, name: str, state: bytes) -> None:
        """Takes the place of the instance's earlier state. It is on disk when this returns."""
        self._database.execute("INSERT OR REPLACE INTO instances VALUES (?, ?)", (name, state))


class Kept(Generic[Domain]):
    """An application whose state is on a shelf whenever a call of it is answered."""

    def __init__(self, application: Domain, parts: Sequence[str], shelf: Shelf, name: str) -> None:
        """`parts`: the attributes that are its state, dotted. What the shelf has of it takes their place."""
        self.application = application
        self._parts = tuple(parts)
        self._shelf = shelf
        self._name = name
        self._last = shelf.found(name)
        if self._last is not None:
            self.restore(self._last)

    @property
    def tools(self) -> Sequence[Tool]:
        """Those of the application."""
        return self.application.tools

    async def call(self, request: Request) -> Answer:
        """Answers as the application does, when what the call changed has been written."""
        answer = await self.application.call(request)
        state = self.state()
        if state != self._last:
            self.keep(state)
            self._last = state
        return answer

    def state(self) -> bytes:
        """The state as it is now."""
        return pickle.dumps([attrgetter(part)(self.application) for part in self._parts])

    def restore(self, state: bytes) -> None:
        """The application goes on from a state."""
        for part, value in zip(self._parts, _Reader(io.BytesIO(state)).load(), strict=True):
            owner, _, attribute = part.rpartition(".")
            setattr(attrgetter(owner)(self.application), attribute, value)

    def keep(self, state: bytes) -> None:
        """Writes a state down."""
        self._shelf.keep(self._name, state)


class _Reader(pickle.Unpickler):
    """Reads values of this server's own kinds and no others: a file from elsewhere runs nothing."""

    def find_class(self, module: str, name: str) -> Json:
        found = super().find_class(module, name) if module.startswith(OWN) or (module, name) in OTHERS else None
        if not isinstance(found, type):
            message = f"a store holds no {module}.{name}"
            raise pickle.UnpicklingError(message)
        return found
