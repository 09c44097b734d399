"""MC-LIST-11: x-mcp-header, by which a schema asks clients to repeat an argument in a header; whether one does so."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from conformance.contract.catalogue import Contract
from conformance.contract.dialect import seems_valid
from conformance.contract.references import subschemas
from conformance.contracts.mcp.laws.repeated import decoded
from conformance.contracts.mcp.laws.toolless import or_no_tools
from conformance.judge.judgements import breach
from conformance.judge.law import law
from conformance.judge.served import distinct
from conformance.model.arguments import properties
from conformance.model.events import Json
from conformance.model.history import History
from conformance.model.listed import tools_of
from conformance.model.measure import quoted
from conformance.model.revision import stateless
from conformance.model.verdict import HELD, Judgement

MARK = "x-mcp-header"
PARAM, PARAM_TOLD = "mcp-param-", "Mcp-Param-"
PLAIN = re.compile(r"[!-~]+(?: [!-~]+)*")
"""Texts that a header holds as they are, and that nobody on the way shortens."""
SAFE = 2**53
"""From here on not all write a number alike."""
TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
PRIMITIVE = {"string", "integer", "boolean", "null"}
DEEPEST = 32


def misfit(schema: Json, arguments: Json, headers: Mapping[str, str]) -> str:
    """The Mcp-Param header that a call lacks, or has with another value than its argument; empty where all fit.

    A tool whose marks are not all valid is none that a client calls.
    """
    for name, value in _given(schema, arguments, DEEPEST) if soundly_marked(schema) else ():
        if not isinstance(value, str | bool | int):
            continue  # no header can hold it
        given = headers.get(f"{PARAM}{name.lower()}")
        if given is None:
            return f"without {PARAM_TOLD}{name}"
        if not _says(decoded(given), value):
            return f"with {PARAM_TOLD}{name}: {given}"
    return ""


def repeats(schema: Json, arguments: Json, headers: Mapping[str, str]) -> bool:
    """Whether the Mcp-Param headers of a good call are those of its arguments, and no others.

    Calls with values that not all write alike are none: null, numbers with a fraction or of 2**53 and more, texts with
    blanks that somebody on the way may shorten.
    """
    given = {name: value for name, value in headers.items() if name.startswith(PARAM)}
    if not _marked(schema):
        return not given
    if not soundly_marked(schema) or misfit(schema, arguments, headers) or not seems_valid(schema, arguments):
        return False
    wanted = {f"{PARAM}{name.lower()}": value for name, value in _given(schema, arguments, DEEPEST)}
    return given.keys() == wanted.keys() and all(_written_alike(given[name], value) for name, value in wanted.items())


def _written_alike(header: str, value: Json) -> bool:
    if isinstance(value, int):
        return abs(value) < SAFE
    return isinstance(value, str) and (decoded(header) != header or PLAIN.fullmatch(header) is not None)


def soundly_marked(schema: Json) -> bool:
    """Whether a schema marks arguments that headers repeat, each mark a valid one."""
    marked, reached = _marked(schema), {id(part) for part in _reached(schema, DEEPEST)}
    names: set[str] = set()
    return bool(marked) and not any(_wrong(part, names) or id(part) not in reached for part in marked)


def _given(schema: Json, value: Json, levels: int) -> Iterator[tuple[str, Json]]:
    """The marks whose arguments are given, each with the argument."""
    if not isinstance(value, dict) or not levels:
        return
    for key, inner in properties(schema).items():
        if key not in value or not isinstance(inner, dict):
            continue
        if MARK in inner:
            yield inner[MARK], value[key]
        yield from _given(inner, value[key], levels - 1)


def _says(text: str, value: Json) -> bool:
    """Whether a header says what an argument is; integers are compared as numbers."""
    if isinstance(value, str):
        return text == value
    if isinstance(value, bool):
        return text == str(value).lower()
    try:
        return bool(float(text) == value)
    except (ValueError, OverflowError):
        return False


def _marked(schema: Json) -> list[dict[str, Any]]:
    return [part for part in subschemas(schema) if MARK in part]


def _unmarked(history: History, _: Contract) -> str:
    """That no tool of the lists has the mark; empty where there is no list."""
    lists = list(distinct(history))
    marked = any(_marked(tool.input_schema) for listing in lists for tool in tools_of(listing))
    return f"no tool that is listed has {MARK}" if lists and not marked else ""


@law("MC-LIST-11", absent=or_no_tools(_unmarked))
def headers_are_asked_for_rightly(history: History, _: Contract) -> Iterator[Judgement]:
    """Each x-mcp-header is a valid name, unique in its tool, on a primitive property that properties alone lead to."""
    for listing in distinct(history):
        connection = history.connections.get(listing.connection)
        if connection is None or not stateless(connection.revision):
            continue
        evidence = [found for call in listing.calls if (found := history.find(call)) is not None]
        for tool in tools_of(listing):
            reached = [id(part) for part in _reached(tool.input_schema, DEEPEST)]
            names: set[str] = set()
            for part in _marked(tool.input_schema):
                wrong = _wrong(part, names) or ("" if id(part) in reached else "stands where properties do not lead")
                saw = f"in the inputSchema of {tool.name} {MARK} {quoted(part[MARK])} {wrong}"
                yield breach(saw, *evidence, pointer="/result/tools", got=part) if wrong else HELD


def _reached(schema: Json, levels: int) -> Iterator[dict[str, Any]]:
    """The properties that a chain of `properties` leads to."""
    for part in properties(schema).values() if levels else ():
        if isinstance(part, dict):
            yield part
            yield from _reached(part, levels - 1)


def _wrong(part: dict[str, Any], names: set[str]) -> str:
    name, kind = part[MARK], part.get("type", "string")
    if not isinstance(name, str) or not TOKEN.fullmatch(name):
        return "is no name of a header"
    if name.lower() in names:
        return "stands twice"
    names.add(name.lower())
    kinds = kind if isinstance(kind, list) else [kind]
    return "" if all(each in PRIMITIVE for each in kinds) else f"stands on a property of type {quoted(kind)}"
