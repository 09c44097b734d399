"""What the documents of a workspace hold under each key, as far as accepted writes tell."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from conformance.model.events import Json
from conformance.model.exchange import Exchange

Place = tuple[str, str]
"""A branch and a document."""
Key = tuple[str, ...]
"""("node", id), ("edge", from, rel, to) or ("note", content)."""
Page = dict[Key, "Cell"]

OF_ITEM: Final = re.compile(r"(PLAN|TASK)-[0-9]{3,}")
"""A branch or document of a plan or task: a server may write to it by itself."""


@dataclass(frozen=True, slots=True)
class Cell:
    """What one write left under a key."""

    call: Exchange
    fields: Mapping[str, Json] | None
    """What the write gave, by field; others are the server's. None: it deleted what was there."""
    sure: bool = True
    """Whether that is surely what is there."""
    own: bool = True
    """Whether it was written in this branch, not inherited."""
    joined: bool = False
    """Whether a merge or a resolution wrote it: a server may add to its meta where it came from."""

    @property
    def compared(self) -> Mapping[str, Json] | None:
        """The fields that can be held against those of another cell."""
        if self.fields is None or not self.joined:
            return self.fields
        return {name: value for name, value in self.fields.items() if name != "meta"}


class Began(NamedTuple):
    """How a branch began."""

    base: str
    held: Mapping[str, Page]
    """What its base held then, by document."""


class Clash(NamedTuple):
    """A key that both sides of a merge changed, as its conflict holds it."""

    place: Place
    key: Key
    theirs: Cell
    ours: Cell | None
    base: Cell | None = None
    """What both had in common."""


@dataclass(slots=True)
class Documents:
    """The documents of one workspace."""

    pages: dict[Place, Page] = field(default_factory=dict)
    began: dict[str, Began] = field(default_factory=dict)
    """Branches that were made of others."""
    known: set[str] = field(default_factory=set)
    """Branches all of whose content was written by calls on record."""
    fogged: set[Place] = field(default_factory=set)
    """Places to which something was written that nobody can tell."""
    merged: set[tuple[str, str, str]] = field(default_factory=set)
    """Source, target and document of the merges so far."""
    clashes: dict[str, Clash] = field(default_factory=dict)
    """By the id of their conflict."""
    waiting: list[Clash] = field(default_factory=list)
    """Clashes whose conflict is not known by its id yet."""

    def page(self, place: Place) -> Page:
        """What a place holds."""
        return self.pages.setdefault(place, {})

    def cell(self, place: Place, key: Key) -> Cell | None:
        """What it holds under a key; None where nothing was ever written there."""
        return self.pages.get(place, {}).get(key)

    def holds(self, place: Place, key: Key) -> bool | None:
        """Whether it surely does, or surely does not; None where that is open."""
        cell = self.cell(place, key)
        if cell is not None:
            return cell.fields is not None if cell.sure else None
        return False if self.clear(place) else None

    def clear(self, place: Place) -> bool:
        """Whether nothing is there but what calls on record wrote."""
        return place[0] in self.known and place not in self.fogged and OF_ITEM.search(place[1]) is None

    def put(self, place: Place, key: Key, cell: Cell) -> None:
        """Writes a cell."""
        self.page(place)[key] = cell

    def begin(self, name: str, base: str) -> None:
        """A branch is made of another one: it holds what that one holds, and nothing that it gets later."""
        held = {doc: dict(page) for (branch, doc), page in self.pages.items() if branch == base}
        self.began[name] = Began(base, held)
        for doc, page in held.items():
            self.pages[name, doc] = {key: replace(cell, own=False) for key, cell in page.items()}
        if base in self.known:
            self.known.add(name)
        self.fogged |= {(name, doc) for branch, doc in self.fogged if branch == base}

    def found(self, name: str) -> None:
        """A branch that nobody made: the first one, or one that a first note made."""
        if name not in self.began and OF_ITEM.search(name) is None:
            self.known.add(name)

    def doubt(self, place: Place, *keys: Key) -> None:
        """Nobody knows any more what a place holds under these keys; without keys, under any."""
        page = self.page(place)
        for key in keys or list(page):
            if key in page:
                page[key] = replace(page[key], sure=False)
        if not keys:
            self.fogged.add(place)

    def shared(self, source: str, doc: str) -> Page | None:
        """What a branch and its base had in common when it was made; None where it has no base on record."""
        began = self.began.get(source)
        return dict(began.held.get(doc, {})) if began is not None else None

    def elsewhere(self, place: Place, key: Key) -> Cell | None:
        """What another branch holds under a key in a document of the same name, written by it."""
        for (branch, doc), page in self.pages.items():
            cell = page.get(key)
            if doc == place[1] and branch != place[0] and cell is not None and cell.fields is not None and cell.own:
                return cell
        return None

    def beside(self, place: Place, key: Key) -> tuple[str, Cell] | None:
        """Which other document of the branch holds something under a key, written by it, and what."""
        for (branch, doc), page in self.pages.items():
            cell = page.get(key)
            if cell is None or cell.fields is None or not cell.own or OF_ITEM.search(doc) is not None:
                continue
            if branch == place[0] and doc != place[1]:
                return doc, cell
        return None

    def anywhere(self, key: Key) -> bool:
        """Whether anything was ever written under a key, wherever."""
        return any(key in page for page in self.pages.values())

    def doubt_branch(self, branch: Json, *keys: Key) -> None:
        """A write went to a document that nobody named, of this branch, or of any where that is no name.

        Keys: what it wrote; without keys, nobody can tell.
        """
        for place in [each for each in self.pages if each[0] == branch or not isinstance(branch, str)]:
            self.doubt(place, *keys)
        self.known -= {branch} if isinstance(branch, str) else set(self.known)

    def learn(self, conflict_id: str, named: Key) -> None:
        """A conflict's id and what it is about, as an answer shows them together."""
        for clash in self.waiting:
            if clash.key == named and conflict_id not in self.clashes:
                self.clashes[conflict_id] = clash
                self.waiting.remove(clash)
                return


def live(page: Page) -> Iterator[tuple[Key, Cell, Mapping[str, Json]]]:
    """The cells that surely hold something, with what it is."""
    for key, cell in page.items():
        if cell.sure and cell.fields is not None:
            yield key, cell, cell.fields


def settled(page: Page) -> bool:
    """Whether every cell is sure."""
    return all(cell.sure for cell in page.values())


def same(one: Cell | None, other: Cell | None) -> bool | None:
    """Whether two cells hold the same; None where that is open."""
    first, second = (cell.compared if cell is not None else None for cell in (one, other))
    if not all(cell is None or cell.sure for cell in (one, other)):
        return None
    if first is None or second is None:
        return first is second
    if one is not None and other is not None and one.call is other.call:
        return True
    if any(first[name] != second[name] for name in first.keys() & second.keys()):
        return False
    return True if first.keys() == second.keys() else None
