"""Arguments for one tool, one attempt after the other: each takes into account what the last was refused with."""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from posixpath import basename
from typing import Any

from conformance.contract.dialect import seems_valid
from conformance.contracts.mcp.reach import told
from conformance.contracts.mcp.reach.known import Known
from conformance.contracts.mcp.reach.slots import Path, Slot, at, slots, with_at
from conformance.contracts.mcp.reach.usual import by_form, by_name, deed
from conformance.contracts.mcp.reach.words import words
from conformance.model.events import Json
from conformance.model.listed import ListedTool

CANDIDATES = 12
"""Values of one argument."""
ELSEWHERE = re.compile(r"/|[A-Za-z]:\\\\")
"""A path that a refusal gives as an example leads nowhere."""
LEAST = 3
"""Characters of a value by which a refusal can be seen to speak of it."""
MADE = "{{made}}"
"""What stands in the data for new names of what other tools made."""
Arguments = dict[str, Json]
Filled = Callable[[Json], Json]
"""Fills in placeholders; LookupError where nothing is known for one."""


class Attempts:
    """Begins with what is required; an argument that a refusal names is changed, or added, next."""

    def __init__(self, tool: ListedTool, plain: Arguments, full: Arguments, known: Known, filled: Filled) -> None:
        self._tool = tool
        self._schema: dict[str, Any] = tool.input_schema if isinstance(tool.input_schema, dict) else {}
        self._full = full
        self._known, self._filled = known, filled
        self._arguments = plain
        self._slots: dict[Path, Slot] = {}
        self._left: dict[Path, list[Json]] = {}
        self._tried: set[str] = set()
        self._blamed: set[Path] = set()
        self._settled: set[Path] = set()
        """Slots that a refusal spoke of, and the next no more."""
        self._widened = False
        self._take(plain)

    def first(self) -> Arguments:
        """What is required, each argument with its likeliest value."""
        for path in self._slots:
            self._advance(path)
        return self._noted()

    def again(self) -> Arguments | None:
        """Another attempt, once more is known than when this tool was last refused; None where nothing new fits."""
        for path, slot in self._slots.items():
            new = list(self._usable(path, self._known.fitting(slot, self._tool.name)))
            self._left[path] = [*new, *(value for value in self._left[path] if value not in new)]
            if new:
                self._advance(path)
        return self._noted() if self._new() else self.after("")

    def after(self, refusal: str) -> Arguments | None:
        """What to try after a refusal; None where nothing is left to try."""
        refusal = refusal.replace(self._tool.name, "")
        meant = self._meant(refusal) or self._counted(refusal)
        self._settled = (self._settled | (self._blamed - set(meant))) - set(meant)
        self._blamed = set(meant)
        for path in meant:
            quoted = (text for text in told.quoted(refusal) if text not in (self._shown(path), self._slots[path].name))
            likely = [*self._usable(path, self._right(path, refusal)), *self._left[path]]
            self._left[path] = [*likely, *(text for text in self._usable(path, quoted) if text not in likely)]
            self._advance(path)
        if not self._new():
            self._add(name for name in self._full if name not in self._arguments and _names(refusal, name))
        if not self._new():
            free = [path for path in self._left if self._left[path] and path not in self._settled]
            for path in sorted(free, key=lambda each: (self._proven(each), not self._slots[each].required))[:1]:
                self._advance(path)
        if not self._new() and not self._widened:
            self._widened = True
            self._add(name for name in self._full if name not in self._arguments)
        return self._noted() if self._new() else None

    def placed(self) -> list[tuple[Slot, Json]]:
        """The slots of the last attempt, each with its value."""
        return [(slot, at(self._arguments, path)) for path, slot in self._slots.items()]

    @property
    def makes(self) -> bool:
        """Whether the tool makes something, by its name."""
        return deed(self._tool) == "make"

    def _take(self, arguments: Arguments) -> None:
        """Looks at the slots that arguments have besides those that are known."""
        for slot in slots(self._schema, arguments):
            if slot.path not in self._slots:
                self._slots[slot.path] = slot
                self._left[slot.path] = list(self._usable(slot.path, self._candidates(slot)))

    def _candidates(self, slot: Slot) -> Iterator[Json]:
        if "const" in slot.schema:
            return
        yield from slot.given
        if "enum" in slot.schema:
            return
        usual = self._usual(slot)
        if self.makes:  # what is made has mostly a new name
            yield from islice(usual, 1)
        yield from self._known.fitting(slot, self._tool.name)
        if slot.schema.get("default") not in (None, "", at(self._arguments, slot.path)):
            yield slot.schema["default"]
        yield from (value for text in told.examples(slot.says) for value in _typed(text))
        yield from (value for text in told.choices(slot.says) for value in _typed(text))
        yield from (value for text in told.among(slot.says) for value in _typed(text))
        yield from by_form(slot.says)
        yield from usual
        yield from told.quoted(slot.says)

    def _usual(self, slot: Slot) -> Iterator[Json]:
        for value in by_name(slot.name, slot.says, self._tool):
            if value == MADE:
                yield from self._known.made(self._tool.name)
            else:
                yield value

    def _usable(self, path: Path, values: Iterable[Json]) -> Iterator[Json]:
        """Those with which the arguments satisfy the schema, each once."""
        seen: list[Json] = []
        for value in values:
            if value in seen or len(seen) >= CANDIDATES:
                continue
            try:
                whole = self._filled(with_at(self._arguments, path, value))
            except LookupError:
                continue
            if seems_valid(self._schema, whole):
                seen.append(value)
                yield value

    def _advance(self, path: Path) -> None:
        if self._left[path]:
            self._arguments = with_at(self._arguments, path, self._left[path].pop(0))

    def _add(self, names: Iterable[str]) -> None:
        """Takes in optional arguments, as far as the schema allows it."""
        for name in list(names):
            wider = {**self._arguments, name: self._full[name]}
            try:
                if not seems_valid(self._schema, self._filled(wider)):
                    continue
            except LookupError:
                continue
            self._arguments = wider
            self._take(wider)
            for path in [path for path in self._slots if path[0] == name]:
                self._advance(path)

    def _meant(self, refusal: str) -> list[Path]:
        """The slots that a refusal speaks of: by name, else by value."""
        by_name = [path for path, slot in self._slots.items() if _names(refusal, slot.name)]
        by_value = [path for path in self._slots if self._shown(path) in refusal]
        return [path for path in by_name if path in by_value] or by_name or by_value

    def _counted(self, refusal: str) -> list[Path]:
        """The slots of numbers, where a refusal names a bound and none of the slots."""
        numbers = [path for path in self._slots if type(at(self._arguments, path)) in (int, float)]
        return numbers if next(told.bounds(refusal), None) is not None else []

    def _shown(self, path: Path) -> str:
        try:
            value = self._filled(at(self._arguments, path))
        except LookupError:
            value = None
        return value if isinstance(value, str) and len(value) >= LEAST else "\0"

    def _right(self, path: Path, refusal: str) -> Iterator[Json]:
        """What a refusal says would be right there."""
        sent = self._shown(path)
        for folder in told.guarded(refusal):
            if folder not in sent and sent not in folder:
                inside = f"{folder}/{basename(sent)}"
                yield from (inside, folder) if "." in basename(sent) else (folder, inside)
        for text in (*told.choices(refusal), *told.examples(refusal)):
            yield from _typed(text) if not ELSEWHERE.match(text) else ()
        yield from told.bounds(refusal)
        yield from by_form(refusal)

    def _proven(self, path: Path) -> bool:
        """Whether what stands there was answered, or accepted, by another tool: that is doubted last."""
        return at(self._arguments, path) in self._known.fitting(self._slots[path], self._tool.name)

    def _new(self) -> bool:
        return json.dumps(self._arguments, sort_keys=True) not in self._tried

    def _noted(self) -> Arguments:
        self._tried.add(json.dumps(self._arguments, sort_keys=True))
        return self._arguments


def _typed(text: str) -> Iterator[Json]:
    """A text, and the number that it spells."""
    yield text
    if re.fullmatch(r"-?\d{1,15}", text):
        yield int(text)
    elif re.fullmatch(r"-?\d{1,15}\.\d{1,15}", text):
        yield float(text)


def _names(text: str, name: str) -> bool:
    """Whether a text names an argument: as it is spelled, or by its words."""
    if not text or not name:
        return False
    spelled = r"[\s_-]?".join(map(re.escape, words(name)))
    return name in text or (bool(spelled) and re.search(rf"\b{spelled}\b", text, re.IGNORECASE) is not None)
