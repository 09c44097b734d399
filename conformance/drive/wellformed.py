"""What the strings of a statement have to be: a command, a variable, a URL, a header. Each says what is wrong."""

import re
import shlex
from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

from conformance.model.events import Json

PLACEHOLDERS = ("{listening}", "{port}")
MOST_PORT = 65_535
DEEPEST = 100
"""Levels of tables and arrays in a statement."""
WIDEST = 2**63
_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
NUL = "\0"


def command(value: str | Sequence[str]) -> str:
    """Why a command is none; empty where it is one."""
    try:
        words = shlex.split(value) if isinstance(value, str) else list(value)
    except ValueError as error:
        return f"the command cannot be split into words as a shell does: {str(error).lower()}"
    if not words or not words[0]:
        return "the command is empty: give the words that start it"
    return "a command holds no NUL" if any(NUL in word for word in words) else ""


def variables(env: Mapping[str, str]) -> str:
    """Why an environment is none."""
    for name, value in env.items():
        if not name or "=" in name or NUL in name:
            return f"{name!r} is no name of a variable: it has no =, and is not empty"
        if NUL in value:
            return f"the value of {name} holds NUL"
    return ""


def harmless(named: str | Sequence[str]) -> str:
    """Why a choice of harmless tools is none."""
    if isinstance(named, str):
        return ""
    # beside `all` are named those that it leaves out
    alone = "none" if "none" in named else "all" if set(named) == {"all"} else ""
    return f'write harmless = "{alone}", without a list' if alone else ""


def headers(given: Mapping[str, str]) -> str:
    """Why headers are none."""
    for name, value in given.items():
        if wrong := header(name, value):
            return wrong
    return ""


def header(name: str, value: str) -> str:
    """Why a header is none."""
    if not _NAME.fullmatch(name):
        return f"{name!r} is no name of a header: letters, digits and hyphens are expected"
    if _CONTROL.search(value):
        return f"the value of {name} holds a line break or another control character"
    try:
        value.encode()
    except UnicodeEncodeError:
        return f"the value of {name} holds half a surrogate pair"
    return ""


def url(value: str) -> str:
    """Why a URL is none."""
    if value.startswith(PLACEHOLDERS[0]):
        rest = value.removeprefix(PLACEHOLDERS[0])
        return "" if not rest or rest[0] in "/?" else "after {listening} a path is expected"
    if _CONTROL.search(value) or " " in value:
        return "a URL holds no spaces and no control characters"
    try:
        parts = urlsplit(value.replace(PLACEHOLDERS[1], "1"))
        port = parts.port
    except ValueError as error:
        return f"it is no URL: {error}"
    wrong = ""
    if parts.scheme not in ("http", "https"):
        wrong = "it begins with http:// or https://"
    elif not parts.hostname:
        wrong = "it names no host"
    elif port == 0:
        wrong = f"a port from 1 to {MOST_PORT} is expected"
    return wrong or _host(parts.hostname or "")


def _host(name: str) -> str:
    try:
        name.encode("idna")
    except UnicodeError:
        return "its host is no name of a host"
    return ""


def value(given: Json, place: tuple[str | int, ...] = ()) -> tuple[tuple[str | int, ...], str] | None:
    """The first place at which a statement holds what JSON cannot, and why; None where it holds none."""
    if len(place) > DEEPEST:
        return place[:3], f"tables and arrays lie more than {DEEPEST} levels in one another"
    if isinstance(given, dict):
        inner = given.items()
    elif isinstance(given, list):
        inner = enumerate(given)  # type: ignore[assignment] # places are names and numbers
    else:
        wide = isinstance(given, int) and not -WIDEST <= given < WIDEST
        unreal = isinstance(given, float) and given - given != 0
        return (place, "a number of JSON that fits 64 bits is expected") if wide or unreal else None
    return next((found for step, each in inner if (found := value(each, (*place, step)))), None)
