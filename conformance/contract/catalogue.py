"""Reads one contract's folder of schemas/: contract.toml, requirements.toml, errors.toml, tools.json."""

import json
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

import msgspec
from msgspec import Struct

from conformance.model.envelope import PLAIN, EnvelopeRule
from conformance.model.events import Json
from conformance.model.requirement import Requirement

CONTRACTS = ("threads", "tuitbot", "tasks", "mcp")
"""Those that this version of the suite can judge."""


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
    editions: tuple[str, ...]
    profiles: tuple[Profile, ...]
    foundation: tuple[str, ...]
    """Requirements, of mcp above all, without which nothing here can be observed."""
    envelope: EnvelopeRule
    requirements: Mapping[str, Requirement]
    errors: Mapping[str, ErrorCode]
    tools: Mapping[str, Tool]
    marks: Mapping[str, ToolMark]

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
def load(name: str) -> Contract:
    """Reads a contract; UnknownContractError where there is none of that name."""
    if name not in CONTRACTS:
        raise UnknownContractError(name)
    about = _toml(folder(name, "contract.toml"))
    rows = _toml(folder(name, "requirements.toml"))["requirement"]
    requirements = [msgspec.convert({"contract": name, **row}, Requirement) for row in rows]
    errors = [msgspec.convert(row, ErrorCode) for row in _toml(folder(name, "errors.toml")).get("error", [])]
    marks = [msgspec.convert(row, ToolMark) for row in about.get("tool", [])]
    listed = folder(name, "tools.json")
    tools = [msgspec.convert(row, Tool) for row in json.loads(listed.read_text("utf-8"))] if listed.exists() else []
    return Contract(
        name=name,
        title=about["title"],
        document=about["document"],
        edition=about["edition"],
        editions=tuple(about.get("editions", (about["edition"],))),
        profiles=tuple(msgspec.convert(row, Profile) for row in about.get("profile", [])),
        foundation=tuple(about.get("foundation", ())),
        envelope=msgspec.convert(about["envelope"], EnvelopeRule) if "envelope" in about else PLAIN,
        requirements=MappingProxyType({r.id: r for r in requirements}),
        errors=MappingProxyType({e.code: e for e in errors}),
        tools=MappingProxyType({t.name: t for t in tools}),
        marks=MappingProxyType({m.name: m for m in marks}),
    )


@cache
def requirement(identifier: str) -> Requirement | None:
    """A requirement by its id, of whichever contract; None where no contract has it."""
    for name in CONTRACTS:
        found = load(name).requirements.get(identifier)
        if found is not None:
            return found
    return None
