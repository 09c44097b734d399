"""Reads conformance.toml. What is wrong with it is said with its line and with what is expected there."""

import tomllib
from collections.abc import Collection, Mapping, Sequence
from datetime import date, time
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from conformance.contract.lines import line_of
from conformance.contract.wrongs import meant
from conformance.drive import wellformed
from conformance.drive.errors import UsageError
from conformance.drive.statement import Statement
from conformance.model.measure import quoted

PRIVATE = frozenset({"env", "headers", "url", "command", "args", "on", "off", "auth", "arguments"})
"""Keys whose values are not shown in an error: secrets may be among them."""
OPTIONS = {
    "limits.call_timeout_s": "--timeout",
    "limits.run_timeout_s": "--run-timeout",
    "limits.concurrency": "--concurrency",
    "calls.harmless": "--harmless",
    "calls.skip": "--skip",
    "calls.min_tools": "--min-tools",
    "profiles": "--profile",
    "protocol": "--protocol",
    "edition": "--edition",
    "endpoint.0.command": "--server-command",
    "endpoint.0.url": "--server-url",
    "auth.signing_key": "--signing-key",
    "auth.algorithm": "--algorithm",
    "auth.issuer": "--issuer",
    "auth.audience": "--audience",
}
"""What an option stands for, where there is no file that an error could name a line of."""


def load(path: Path) -> Statement:
    """The statement that a file holds; UsageError where it holds none."""
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = (error.strerror or "") if isinstance(error, OSError) else "it is not UTF-8"
        raise UsageError(
            f"{path} cannot be read", why=why, todo="name a conformance.toml; `conformance init` writes one"
        ) from error
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        why = (
            str(error) if isinstance(error, tomllib.TOMLDecodeError) else "tables or arrays lie too deep in one another"
        )
        raise UsageError(
            f"{path} is no TOML", why=why, todo="the line named is the first that cannot be read"
        ) from error
    return checked(data, str(path), text)


def checked(data: Mapping[str, Any], name: str, text: str | None = None) -> Statement:
    """A statement from its data; UsageError that names each place that is wrong, with its line where there is text."""
    data = _dated(data)
    unfit = wellformed.value(data)
    if unfit is not None:
        wrong = f"{_where(unfit[0], text)}: {unfit[1]}"
    else:
        try:
            return Statement.model_validate(data)
        except ValidationError as error:
            wrong = "\n  ".join(said(entry, text, _keys()) for entry in error.errors())
    known = (
        "the README tells what it may hold" if text is not None else "--help of the command tells what its options are"
    )
    raise UsageError(f"{name} is not valid", why=wrong, todo=known)


def _dated(value: Any, levels: int = wellformed.DEEPEST + 2) -> Any:
    """A value as JSON has it: TOML has dates and times of its own."""
    if isinstance(value, Mapping) and levels:
        return {str(name): _dated(inner, levels - 1) for name, inner in value.items()}
    if isinstance(value, list | tuple) and levels:
        return [_dated(inner, levels - 1) for inner in value]
    return value.isoformat() if isinstance(value, date | time) else value


@cache
def _keys() -> frozenset[str]:
    """What conformance.toml may hold, at any place."""
    schema = Statement.model_json_schema()
    return frozenset(key for each in (schema, *schema["$defs"].values()) for key in each.get("properties", ()))


def said(entry: Mapping[str, Any], text: str | None = None, known: Collection[str] = ()) -> str:
    """What is wrong at one place, with its line where there is text, and which of the known keys may be meant."""
    place = tuple(step for step in entry["loc"] if not _is_variant(step))
    where = _where(place, text)
    match entry["type"]:
        case "missing":
            wrong = "is missing"
        case "extra_forbidden":
            name = str(place[-1]) if place else ""
            near = meant(name, known)
            # known at another place, it is no name that was spelt wrongly
            wrong = f"is not a known key; {near}" if near and name not in known else "is not a known key here"
        case _:
            wrong = str(entry["msg"]).removeprefix("Value error, ")
            wrong = f"{wrong[0].lower()}{wrong[1:]}"
            hidden = isinstance(entry["input"], dict) or PRIVATE.intersection(map(str, place))
            wrong = wrong if hidden else f"{wrong}; it is {quoted(entry['input'])}"
    return f"{where}: {wrong}"


def _where(place: Sequence[str | int], text: str | None) -> str:
    line = line_of(text, place) if text else None
    dotted = ".".join(map(str, place)) or "the file"
    if text is None:
        return OPTIONS.get(dotted, dotted)
    return f"line {line}: {dotted}" if line else dotted


def _is_variant(step: object) -> bool:
    """Steps that pydantic adds for the arms of a union, which stand nowhere in the file."""
    return isinstance(step, str) and (step in ("str", "dict[str,any]") or step.startswith(("list[", "literal[")))
