"""Reads one contract's folder of schemas/: contract.toml, requirements.toml, errors.toml, tools.json."""

import json
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

import msgspec
from msgspec import Struct

from conformance.contract.sources import named
from conformance.contract.terms import Term, of_kind
from conformance.model.envelope import PLAIN, EnvelopeRule
from conformance.model.events import Json
from conformance.model.requirement import Requirement

CONTRACTS = ("threads", "tuitbot", "tasks", "invocation", "mcp")
"""Those that this version of the suite can judge."""


class UnknownEditionError(LookupError):
    """A contract has no edition of this name."""

    def __init__(self, contract: str, edition: str, known: Iterable[str]) -> None:
        super().__init__(f"{contract} has no edition {edition!r}: it is one of {', '.join(known)}")


class UnknownContractError(LookupError):
    """No contract has this name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"no contract is named {name!r}: it is one of {', '.join(CONTRACTS)}")


class ErrorCode(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One code of the error catalogue: what it means, and whether a caller may try again."""

    code: str
    meaning: str
    retryable: bool | None = None
    category: str = ""
    editions: tuple[str, ...] = ()
    status: int | None = None
    """Its HTTP status over a plain HTTP binding."""
    uncertain: bool = False
    """Whether a call that is answered with it may have taken effect all the same, or in part."""


class ToolMark(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a law needs to know of a tool beyond its schema."""

    name: str
    effect: Literal["read", "write"]
    scope: tuple[str, ...] = ()
    """Arguments that name the entity which a read shows or a write changes; none: the whole instance. A tool that
    makes the entity names it in its answer."""
    identity: tuple[str, ...] = ()
    """Arguments that repeat the caller's identity."""
    state: bool = True
    """A read that shows calls, times or an LLM's words is no state: laws on equal reads leave it out."""
    personal: bool = False
    """A read whose answer depends on who asks."""
    shown: tuple[str, ...] | None = None
    """The reads that show what a write changes; None: all of its scope."""
    volatile: tuple[str, ...] = ()
    """Keys, at any depth of a read's answer, that may change while the state does not: a summary, views of a tweet."""


class Guard(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How a write says which revision of an entity it expects."""

    entity: str
    """Kind of the entity whose revision is compared."""
    argument: str
    alias: str
    revision: str
    """JSON Pointer to that revision in what a success gives."""


class Writes(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a write makes or changes."""

    entity: str
    """Its kind."""
    guard: Guard | None = None
    """None: it takes no expectation."""
    shown_by: tuple[str, ...] = ()
    """Reads that show it."""


class Tool(Struct, frozen=True, omit_defaults=True):
    """A tool of the contract as a server lists it, with the contract's marks on it."""

    name: str
    description: str = ""
    inputSchema: dict[str, Json] = {}  # noqa: N815 -- the wire's own name
    outputSchema: dict[str, Json] | None = None  # noqa: N815 -- the wire's own name
    annotations: dict[str, Json] = {}
    writes: Writes | None = None
    """For a contract whose entities have revisions."""
    budgets: dict[str, str] = {}
    """Its budget knobs, each with its unit."""


class Shown(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A row of [[shown]]: which arguments of a write a read shows.

    Pointers are JSON Pointers into an answer's payload, or into a call's arguments where `@` stands before them.
    """

    kind: str
    """Of the entity that is written and shown."""
    write: str
    read: str
    entity: str
    """Where the write names the entity."""
    named: str
    """Where the read names it: in the entry, or among its arguments."""
    fields: dict[str, str]
    """By argument of the write, the pointer in the entry."""
    entry: str = ""
    """Where in the read's payload the entity stands; `*` stands for each entry of a list."""
    within: tuple[str, ...] = ()
    """What entities' names are unique within, where both calls name it: a workspace."""
    partial: bool = False
    """Whether a server may leave a field out of the read for all entities: one that it never shows is no subject."""


class Modelling(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How answers are compared with those of a model that was told the same, and what a difference breaks."""

    made: tuple[str, ...]
    """Keys whose values a server makes: those of the two are matched pairwise."""
    volatile: tuple[str, ...] = ()
    """Keys whose values differ from one time to the next, or that are words for a reader."""
    numbers: tuple[str, ...] = ()
    """Keys of numbers that a server gives and takes back: where the two number differently, no more is compared."""
    within: tuple[str, ...] = ()
    """Arguments that name what such values are unique within."""
    cut: tuple[str, ...] = ()
    """Keys that say, by true, that an answer leaves something out."""
    shown: str = ""
    """The requirement that what was written is shown."""
    codes: dict[str, str] = {}
    """Codes of which the cause leaves no doubt, each with the requirement that a call accepted in its place breaks."""


class Profile(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A named subset of the tools with its own rules."""

    name: str
    editions: tuple[str, ...] = ()


class Contract(Struct, frozen=True, kw_only=True):
    """A contract, ready for use."""

    name: str
    title: str
    document: str
    """The document that states it."""
    edition: str
    """The one that is meant: profiles, codes, tools and marks are its own, requirements those of all editions."""
    editions: tuple[str, ...]
    profiles: tuple[Profile, ...]
    protocol: str | None
    """The contract of the protocol that its tools are served over: a run judges it as well."""
    foundation: tuple[str, ...]
    """Requirements, of the protocol above all, without which nothing here can be observed."""
    roots: tuple[str, ...]
    """Requirements whose breach explains a breach of any other in the same calls: that good calls are served."""
    envelope: EnvelopeRule
    requirements: Mapping[str, Requirement]
    errors: Mapping[str, ErrorCode]
    tools: Mapping[str, Tool]
    marks: Mapping[str, ToolMark]
    terms: tuple[Term, ...] = ()
    shown: tuple[Shown, ...] = ()
    model: Modelling | None = None
    """None: answers are not compared with a model's."""

    def settings(self) -> dict[str, Term]:
        """What a target says under [settings], and what an instance can be set to."""
        return of_kind(self.terms, "setting", "both")

    def conditions(self) -> dict[str, Term]:
        """The circumstances that a target can bring about."""
        return of_kind(self.terms, "condition", "both")

    def choices(self) -> dict[str, Term]:
        """What the contract leaves open."""
        return of_kind(self.terms, "choice")

    def reads(self) -> tuple[str, ...]:
        """Tools that show state."""
        return tuple(m.name for m in self.marks.values() if m.effect == "read" and m.state)

    def writes(self) -> tuple[str, ...]:
        """Tools that change state."""
        return tuple(m.name for m in self.marks.values() if m.effect == "write")


def folder(*parts: str) -> Path:
    """A place in schemas/: inside the installed package, or beside it in a checkout."""
    packaged = Path(str(files("conformance"))) / "schemas"
    root = packaged if packaged.is_dir() else packaged.parent.parent / "schemas"
    return root.joinpath(*parts)


def _toml(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text("utf-8")) if path.exists() else {}


@cache
def load(name: str, edition: str | None = None) -> Contract:
    """Reads an edition of a contract, its own choice where none is named.

    UnknownContractError, UnknownEditionError: there is none of that name.
    """
    if name not in CONTRACTS:
        raise UnknownContractError(name)
    about = _toml(folder(name, "contract.toml"))
    editions = tuple(about.get("editions", (about["edition"],)))
    if edition is not None and edition not in editions:
        raise UnknownEditionError(name, edition, editions)
    meant = edition or about["edition"]
    rows = _toml(folder(name, "requirements.toml"))["requirement"]
    documents = about.get("documents", {})
    stated = [{"contract": name, **row, "source": named(row["source"], documents)} for row in rows]
    requirements = [msgspec.convert(row, Requirement) for row in stated]
    errors = [msgspec.convert(row, ErrorCode) for row in _toml(folder(name, "errors.toml")).get("error", [])]
    marks = [msgspec.convert(row, ToolMark) for row in about.get("tool", [])]
    profiles = [msgspec.convert(row, Profile) for row in about.get("profile", [])]
    listed = folder(name, "tools.json" if meant == about["edition"] else f"tools-{meant}.json")
    tools = [msgspec.convert(row, Tool) for row in json.loads(listed.read_text("utf-8"))] if listed.exists() else []
    served = {tool.name for tool in tools}
    return Contract(
        name=name,
        title=about["title"],
        document=about["document"],
        edition=meant,
        editions=editions,
        profiles=tuple(each for each in profiles if not each.editions or meant in each.editions),
        protocol=about.get("protocol"),
        foundation=tuple(about.get("foundation", ())),
        roots=tuple(about.get("roots", ())),
        envelope=msgspec.convert(about["envelope"], EnvelopeRule) if "envelope" in about else PLAIN,
        requirements=MappingProxyType({r.id: r for r in requirements}),
        errors=MappingProxyType({e.code: e for e in errors if not e.editions or meant in e.editions}),
        tools=MappingProxyType({t.name: t for t in tools}),
        marks=MappingProxyType({m.name: m for m in marks if not served or m.name in served}),
        terms=tuple(msgspec.convert(row, Term) for row in about.get("term", [])),
        shown=tuple(msgspec.convert(row, Shown) for row in about.get("shown", [])),
        model=msgspec.convert(about["model"], Modelling) if "model" in about else None,
    )


@cache
def requirement(identifier: str) -> Requirement | None:
    """A requirement by its id, of whichever contract; None where no contract has it."""
    for name in CONTRACTS:
        found = load(name).requirements.get(identifier)
        if found is not None:
            return found
    return None
