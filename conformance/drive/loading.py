"""Reads conformance.toml. What is wrong with it is said with its line and with what is expected there."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from conformance.drive.errors import UsageError
from conformance.drive.statement import Statement

_TABLE = re.compile(r"^\s*\[(\[?)\s*([^\]]+?)\s*\]?\]")
_KEY = re.compile(r"""^\s*("[^"]*"|'[^']*'|[A-Za-z0-9_-]+)\s*(?:\.[^=]*)?=""")


def load(path: Path) -> Statement:
    """The statement that a file holds; UsageError where it holds none."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = (error.strerror or "") if isinstance(error, OSError) else "it is not UTF-8"
        raise UsageError(f"{path} cannot be read", why=why, todo="--config names a conformance.toml") from error
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(
            f"{path} is no TOML", why=str(error), todo="the line named is the first that cannot be read"
        ) from error
    return checked(data, str(path), text)


def checked(data: Mapping[str, Any], name: str, text: str = "") -> Statement:
    """A statement from its data; UsageError that names each place that is wrong, with its line where there is text."""
    try:
        return Statement.model_validate(data)
    except ValidationError as error:
        wrong = "\n  ".join(_said(entry, text) for entry in error.errors())
        raise UsageError(
            f"{name} is no statement of implementation", why=wrong, todo="schemas/conformance.schema.json describes it"
        ) from error


def _said(entry: Mapping[str, Any], text: str) -> str:
    place = tuple(step for step in entry["loc"] if not _is_variant(step))
    line = line_of(text, place) if text else None
    dotted = ".".join(str(step) for step in place) or "the file"
    where = f"line {line}: " if line else ""
    match entry["type"]:
        case "missing":
            said = "is missing"
        case "extra_forbidden":
            said = "is no key that is known here"
        case _:
            said = str(entry["msg"]).removeprefix("Value error, ")
            said = (
                f"{said[0].lower()}{said[1:]}; it is {entry['input']!r:.80}"
                if not isinstance(entry["input"], dict)
                else said
            )
    return f"{where}{dotted}: {said}"


def _is_variant(step: object) -> bool:
    """Steps that pydantic adds for the arms of a union, which stand nowhere in the file."""
    return isinstance(step, str) and (step in ("str", "dict[str,any]") or step.startswith(("list[", "literal[")))


def line_of(text: str, place: Sequence[str | int]) -> int | None:
    """The line on which a key stands, or the table that should hold it; None where neither is found."""
    names = [str(step) for step in place if isinstance(step, str)]
    number = next((step for step in place if isinstance(step, int)), 0)
    table: list[str] = []
    count, best, depth = -1, None, 0
    for line, content in enumerate(text.splitlines(), 1):
        found = _TABLE.match(content)
        if found:
            before, table = table, [part.strip().strip("\"'") for part in found.group(2).split(".")]
            count = count + 1 if found.group(1) and table == before else 0
            if names[: len(table)] == table and count == number and len(table) > depth:
                best, depth = line, len(table)
            continue
        key = _KEY.match(content)
        if key and [*table, key.group(1).strip("\"'")] == names[: len(table) + 1] and (not table or count == number):
            return line
    return best
