"""Usual values of arguments, from schemas/mcp/arguments.toml: by name, by the form that is asked for."""

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

import msgspec
from msgspec import Struct

from conformance.contract.catalogue import folder
from conformance.contracts.mcp.reach.words import REMEMBERED, Deed, ends_with, singular, words
from conformance.model.arguments import required
from conformance.model.events import Json
from conformance.model.listed import ListedTool
from conformance.model.texts import decoded

OPENS = "open"
"""A verb that makes, as in opening a ticket, or reads, as in opening a file."""
NAMING = {(name,) for name in ("id", "ids", "names", "path", "paths", "file", "files", "filename", "uri", "url")}
"""Last words of arguments that name what is there already."""
LONGEST = 4_000
"""Characters of a description that are looked through."""


class Form(Struct, frozen=True, forbid_unknown_fields=True):
    """A form of text that descriptions and refusals name."""

    says: str
    values: tuple[Json, ...]


class Parameter(Struct, frozen=True, forbid_unknown_fields=True):
    """Values of arguments whose names end with one of these words."""

    names: tuple[str, ...]
    values: tuple[Json, ...]
    make: tuple[Json, ...] = ()
    """Tried first where the tool makes something."""
    tool: str = ""
    """A regular expression that the tool's name or description has to match."""
    says: str = ""
    """The same of the argument's description."""


class Refusals(Struct, frozen=True, forbid_unknown_fields=True):
    """How a failure is told."""

    begins: tuple[str, ...]


class Usual(Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file."""

    verbs: dict[Deed, tuple[str, ...]]
    refusals: Refusals
    form: tuple[Form, ...]
    parameter: tuple[Parameter, ...]


@cache
def usual() -> Usual:
    """What the file holds."""
    return msgspec.convert(tomllib.loads(folder("mcp", "arguments.toml").read_text("utf-8")), Usual)


def deed(tool: ListedTool) -> Deed | None:
    """What a tool does by the first verb of its name, else of its description; None: neither says.

    One that says of itself that it reads does so, whatever its verb: `open_nodes` opens no ticket.
    """
    if tool.reads_only:
        return "read"
    described = words(description(tool)[:LONGEST])[:1]
    for word in (*words(tool.name), *described, *(singular(word) for word in described)):
        for found, verbs in usual().verbs.items():
            if word in verbs:
                return "read" if word == OPENS and _asks_for_what_is_there(tool) else found
    return None


def _asks_for_what_is_there(tool: ListedTool) -> bool:
    """Whether all that a tool requires names what it opens: `open_card(title)` makes one, `open_card(id)` shows it."""
    kinds = {singular(word) for word in words(tool.name)}
    asked = [words(name) for name in required(tool.input_schema)]
    return bool(asked) and all(
        name[-1:] in NAMING and (name[-1] not in ("id", "ids") or {singular(word) for word in name[:-1]} <= kinds)
        for name in asked
    )


def is_verb(word: str) -> bool:
    """Whether a word in the name of a tool says what it does."""
    return any(word in verbs for verbs in usual().verbs.values())


def description(tool: ListedTool) -> str:
    """A tool's description; empty where it has none."""
    said = tool.definition.get("description")
    return said if isinstance(said, str) else ""


def by_name(name: str, says: str, tool: ListedTool) -> Iterator[Json]:
    """Values of an argument of this name and description, those of the longest matching name first."""
    parts, about = words(name), f"{tool.name}: {description(tool)}"[:LONGEST]
    makes = deed(tool) == "make"
    found: list[tuple[int, int, Sequence[Json]]] = []
    for place, row in enumerate(usual().parameter):
        length = max((len(tail) for each in row.names if ends_with(parts, tail := words(each))), default=0)
        if length and _says(row.tool, about) and _says(row.says, says):
            narrowed = bool(row.tool) + bool(row.says)
            found.append((-length - narrowed, place, (*row.make, *row.values) if makes else row.values))
    for _, _, values in sorted(found, key=lambda each: each[:2]):
        yield from values


@lru_cache(REMEMBERED)
def _rows(name: str) -> frozenset[int]:
    parts = words(name)
    return frozenset(
        place for place, row in enumerate(usual().parameter) if any(parts == words(each) for each in row.names)
    )


def akin(one: str, other: str) -> bool:
    """Whether arguments of these names mostly take the same values: `source` and `path`."""
    return bool(_rows(one) & _rows(other))


def _says(pattern: str, text: str) -> bool:
    return not pattern or re.search(pattern, text[:LONGEST], re.IGNORECASE) is not None


def by_form(text: str) -> Iterator[Json]:
    """Values of the forms that a text names."""
    for row in usual().form:
        if _says(row.says, text):
            yield from row.values


def tells_of_failure(text: str) -> bool:
    """Whether a text begins as one does that tells of a failure, or is an object that says so of itself."""
    held = decoded(text) if text.lstrip().startswith("{") else None
    if isinstance(held, dict):
        says = held.get("success") is False or held.get("ok") is False or held.get("status") == "error"
        return says or (isinstance(held.get("error"), str | dict) and bool(held["error"]))
    return text.lstrip(" *#>⚠️\n").casefold().startswith(usual().refusals.begins)
