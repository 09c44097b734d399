"""What a target declares of its tools: in the manifest that it publishes, else in the contract's own."""

import json
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from conformance.contract.catalogue import Contract, folder
from conformance.judge.memo import once
from conformance.model.events import Json
from conformance.model.history import History

DOCUMENT = "manifest"
OPEN_CODES = ("invalid_input", "not_found")
"""What any tool may answer: a value is invalid, or names what is not there."""
FLAGS = ("mutation", "requires_x_client", "requires_llm", "requires_db")


class Row(NamedTuple):
    """One entry of a published manifest, as it stands there."""

    pointer: str
    entry: Json

    @property
    def title(self) -> str:
        """What to call it: its name where it has one."""
        name = self.entry.get("name") if isinstance(self.entry, dict) else None
        return name if isinstance(name, str) else f"entry {self.pointer}"


class Declared:
    """The manifest that a run is judged by. Where a name is declared twice the first entry holds."""

    def __init__(self, history: History, contract: Contract) -> None:
        published = [document.content for document in history.documents if document.name == DOCUMENT]
        self.published = bool(published)
        """Whether the target publishes one; the contract's own is beyond doubt and no subject of a law."""
        content = published[-1] if published else _own(contract.edition)
        listed = content.get("tools") if isinstance(content, dict) else content
        self.well_formed = isinstance(listed, list)
        self._entries: list[Json] = listed if isinstance(listed, list) else []
        self._under = "/tools" if isinstance(content, dict) else ""
        self._tools: dict[str, dict[str, Json]] = {}
        for entry in self._entries:
            if isinstance(entry, dict) and isinstance(entry.get("name"), str):
                self._tools.setdefault(entry["name"], entry)

    def rows(self) -> Iterator[Row]:
        """The entries of the published manifest; none where the target publishes none."""
        for index, entry in enumerate(self._entries if self.published else ()):
            yield Row(f"{self._under}/{index}", entry)

    def flag(self, tool: str | None, name: str) -> bool | None:
        """What a tool's entry says of itself; None where it says neither true nor false, or there is no entry."""
        value = self._tools.get(tool or "", {}).get(name)
        return value if isinstance(value, bool) else None

    def codes(self, tool: str | None) -> list[Json] | None:
        """The codes that a tool may answer, None where its entry has no list of them.

        Of a target that publishes none nobody knows which values it takes for wrong, and what it asks first.
        """
        about = self._tools.get(tool or "", {})
        found = about.get("possible_error_codes")
        if not isinstance(found, list):
            return None
        more = () if self.published else (*OPEN_CODES, *(("db_error",) if about.get("requires_db") is True else ()))
        return [*found, *(code for code in more if code not in found)]

    def profiles(self, tool: str | None) -> list[Json] | None:
        """The profiles that a tool is in, None where its entry has no list of them."""
        found = self._tools.get(tool or "", {}).get("profiles")
        return found if isinstance(found, list) else None

    def names(self) -> Iterator[str]:
        """The tools that are declared, each once."""
        return iter(self._tools)

    def known(self, tool: str) -> bool:
        """Whether there is an entry of this name."""
        return tool in self._tools


@cache
def _own(edition: str) -> Json:
    """The contract's manifest of an edition; empty where the contract has none of that edition."""
    path = folder("tuitbot", f"manifest-{edition}.json")
    return json.loads(path.read_text("utf-8")) if path.is_file() else []


declared = once(Declared)
