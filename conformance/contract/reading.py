"""Reads a contract's folder: contract.toml, requirements.toml, errors.toml, tools.json."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from msgspec import Struct, structs

from conformance.contract.checking import check
from conformance.contract.citing import cited
from conformance.contract.errors import Fault, UnknownEditionError
from conformance.contract.founding import founded
from conformance.contract.making import Call, Make
from conformance.contract.marking import marks
from conformance.contract.promises import Mirrored, Promise, Steady, numbered_as
from conformance.contract.rows import Callers, Contract, ErrorCode, Modelling, Profile, Shown, Tool, ToolMark
from conformance.contract.saying import KINDS, seen, sentences
from conformance.contract.source import Source
from conformance.contract.terms import Term
from conformance.contract.texts import Text, all_right
from conformance.model.envelope import EnvelopeRule
from conformance.model.requirement import Requirement

PROTOCOL = "mcp"
"""What tools are served over, where a contract says nothing of it."""


class _About(Struct, frozen=True, forbid_unknown_fields=True):
    """contract.toml, without its tables."""

    name: str = ""
    title: str = ""
    document: str = ""
    edition: str = "1"
    editions: tuple[str, ...] = ()
    protocol: str = PROTOCOL
    foundation: tuple[str, ...] | None = None
    roots: tuple[str, ...] | None = None
    carries: tuple[str, ...] = ()
    envelope: EnvelopeRule = EnvelopeRule()
    callers: Callers = Callers()
    model: Modelling | None = None
    documents: dict[str, str] = {}
    """By the short names that sources begin with, the titles of its documents."""


MIRRORED = 'write a requirement that promises { law = "mirrored" }'
LISTED = "write [[requirement]] before each"
TABLES = ("tool", "profile", "term", "shown", "make", "example")
"""Those of contract.toml."""


def read(source: Source, edition: str | None, load: Callable[[str], Contract]) -> Contract:
    """An edition of a contract, its own choice where none is named; `load` gives the protocol that it is served over.

    ContractError: the folder holds no contract. UnknownEditionError: it has none of this name.
    """
    folder, faults = source.folder, list[Fault]()
    head = Text(folder / "contract.toml", faults)
    data = head.toml(needed=True)
    about: _About = head.row({k: v for k, v in data.items() if k not in TABLES}, _About, (), known=TABLES) or _About()
    if isinstance(envelope := data.get("envelope"), Mapping) and "mirrored" in envelope:
        head.wrong("mirrored is not written here", head.line(("envelope", "mirrored")), MIRRORED)
    all_right(source.name, faults)
    editions = about.editions or (about.edition,)
    if edition is not None and edition not in editions:
        raise UnknownEditionError(source.name, edition, editions)
    meant = edition or about.edition
    errors = Text(folder / "errors.toml", faults)
    codes = errors.rows(errors.toml(), "error", ErrorCode)
    tools = _tools(folder / ("tools.json" if meant == about.edition else f"tools-{meant}.json"), faults)
    promised = _Promised(Text(folder / "requirements.toml", faults), source, about)
    profiles = head.rows(data, "profile", Profile)
    served = {tool.name: tool for tool in tools}
    makes = _makes(head, data)
    given = {mark.name: mark for mark in head.rows(data, "tool", ToolMark).values()}
    marked = marks(makes, served, given, promised.steady)
    beneath = load(about.protocol) if about.protocol else None
    contract = Contract(
        name=source.name,
        title=about.title or source.name,
        document=about.document or about.title or source.name,
        edition=meant,
        editions=editions,
        profiles=tuple(each for each in profiles.values() if not each.editions or meant in each.editions),
        protocol=about.protocol or None,
        foundation=about.foundation if about.foundation is not None else beneath.carries if beneath else (),
        roots=about.roots if about.roots is not None else promised.roots,
        carries=about.carries,
        envelope=about.envelope,
        callers=about.callers,
        requirements=MappingProxyType(promised.requirements),
        promises=MappingProxyType(promised.promises),
        makes=MappingProxyType(makes),
        errors=MappingProxyType({e.code: e for e in codes.values() if not e.editions or meant in e.editions}),
        tools=MappingProxyType(served),
        marks=MappingProxyType({name: mark for name, mark in marked.items() if not served or name in served}),
        terms=tuple(head.rows(data, "term", Term).values()),
        shown=tuple(head.rows(data, "shown", Shown).values()),
        examples=tuple(head.rows(data, "example", Call).values()),
        model=about.model,
        folder=folder,
        named=source.named or source.name,
        package=source.package,
        digest=source.digest,
    )
    rests = founded(contract.requirements, {name: contract.promised(name) for name in contract.requirements})
    mirrored = any(isinstance(each, Mirrored) for each in promised.promises.values())
    rule = structs.replace(contract.envelope, mirrored=mirrored)
    contract = structs.replace(contract, requirements=MappingProxyType(rests), envelope=rule)
    # who refers to a row that could not be read is not at fault
    all_right(source.name, faults)
    check(contract, promised.text, head, places=promised.places, taken=beneath.requirements if beneath else {})
    all_right(source.name, faults)
    return contract


class _Promised:
    """The requirements of a file, with what they promise as data."""

    def __init__(self, text: Text, source: Source, about: _About) -> None:
        self.text = text
        self.has_laws = source.has_laws
        self.requirements: dict[str, Requirement] = {}
        self.promises: dict[str, Promise] = {}
        self.places: dict[str, int] = {}
        """By requirement, its number in the file."""
        rows = text.toml(needed=True).get("requirement", [])
        if not isinstance(rows, list):
            text.wrong("requirement is no list of tables", text.line(("requirement",)), LISTED)
        for number, row in enumerate(rows if isinstance(rows, list) else ()):
            self._take(row, ("requirement", number), source.name, about)

    def _take(self, row: Any, place: Sequence[str | int], contract: str, about: _About) -> None:
        if not isinstance(row, Mapping):
            self.text.wrong("requirement is no list of tables", self.text.line(place), LISTED)
            return
        known = dict(row)
        promises = self._promises(known.pop("promise", None), (*place, "promise"), str(row.get("id", "")))
        if promises is None:
            return
        defaults = {"contract": contract, "level": "MUST", "source": about.title or contract, "seen": "scenario"}
        derived = {"seen": seen(promises), "statement": sentences(promises)} if promises else {}
        if not promises and not self.has_laws:
            todo = "add promise = { law = … }, or a law in Python in laws/ beside this file"
            self.text.wrong(f"{known.get('id', 'a requirement')} has no law", self.text.line(place), todo)
            return
        if isinstance(known.get("source"), str):
            known["source"] = cited(known["source"], about.documents)
        named = str(known.get("id", ""))
        found: Requirement | None = self.text.row({**defaults, **derived, **known}, Requirement, place, named)
        if found is None:
            return
        one = len(promises) == 1
        names = [found.id if one else numbered_as(found.id, number) for number in range(1, len(promises) + 1)]
        for name in (found.id, *names):
            if name in self.requirements or name in self.promises:
                self.text.wrong(f"a second requirement is named {name}", self.text.line((*place, "id")), "rename one")
                return
        self.requirements[found.id], self.places[found.id] = found, int(place[1])
        self.promises.update(zip(names, promises, strict=True))

    def _promises(self, given: Any, place: Sequence[str | int], named: str) -> list[Promise] | None:
        """What a row promises, one or several; none of a law in Python. None where something is wrong."""
        if given is None:
            return []
        if given == []:
            self.text.wrong(f"{named}: promise: it names no law", self.text.line(place), "name one, or leave it out")
            return None
        several = isinstance(given, list)
        rows = [(row, (*place, number)) for number, row in enumerate(given)] if several else [(given, place)]
        found = [self.text.row(row, Promise, where, named) for row, where in rows]
        return found if None not in found else None

    @property
    def steady(self) -> tuple[str, ...]:
        """The tools of which a promise says that they read."""
        return tuple(tool for each in self.promises.values() if isinstance(each, Steady) for tool in each.tools)

    @property
    def roots(self) -> tuple[str, ...]:
        """Those that promise that good calls are served."""
        return tuple(name for name, promise in self.promises.items() if KINDS[type(promise)].root)


def _makes(head: Text, data: Mapping[str, Any]) -> dict[str, Make]:
    found: dict[str, Make] = {}
    for number, make in head.rows(data, "make", Make).items():
        if make.entity in found or not make.entity:
            wrong = f"a second [[make]] says how a {make.entity} is made" if make.entity else "make.entity has no name"
            head.wrong(wrong, head.line(("make", number, "entity")), "name another kind, or leave one out")
        found.setdefault(make.entity, make)
    return found


def _tools(path: Path, faults: list[Fault]) -> list[Tool]:
    text = Text(path, faults)
    rows = text.json()
    listed = rows.get("tools") if isinstance(rows, dict) else rows
    if rows is not None and not isinstance(listed, list):
        text.wrong("it is no list of tools", todo="write what the server answers to tools/list")
        return []
    # a server may list null for what it does not say
    rows = [_without_null(row) if isinstance(row, dict) else row for row in listed or ()]
    named = [(row.get("name", "") if isinstance(row, dict) else "", row) for row in rows]
    found = [each for name, row in named if (each := text.row(row, Tool, (name,))) is not None]
    for name, count in Counter(tool.name for tool in found).items():
        if count > 1:
            text.wrong(f"{name} stands there {count} times", text.line((name,)), "leave one of them")
    return found


def _without_null(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: said for name, said in row.items() if said is not None}
