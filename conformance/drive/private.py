"""What a statement holds that is nobody else's business: found for masking, and left out of what is shown of it."""

import base64
import binascii
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec

from conformance.drive.command_line import HIDDEN, hidden, hidden_url, values
from conformance.drive.ordinary import ordinary, random_looking, says_secret
from conformance.model.events import Json

DEEPEST = 12
"""Levels of a statement in which names are looked at."""
LEAST_LINE = 32
"""Characters of a line of a key file that are worth hiding: the last one may be a few."""
_REFERENCE = re.compile(r"(?:env|file):.+", re.DOTALL)
_SCHEME = re.compile(r"\s*(Bearer|Basic|Token|Digest|ApiKey|Negotiate)\s+(\S.*)", re.IGNORECASE | re.DOTALL)
_GIVEN = re.compile(
    r"api[-_]?key|(access|auth|refresh|bearer|id)[-_]?token|passw(or)?d|secret|authorization|credentials?$|private[-_]?key",
    re.IGNORECASE,
)
"""Names anywhere in a statement whose text is a secret. `key` and `token` alone are arguments of many tools."""
PARTS_OF_A_KEY = ("d", "k", "p", "q", "dp", "dq", "qi")
"""The private parameters of a JSON Web Key (RFC 7518)."""


class Private(NamedTuple):
    """A value to hide."""

    value: str
    name: str
    named: bool
    """Whether its name says that it is a secret: then it is one wherever it comes up."""


def of_header(name: str, value: str) -> Iterator[Private]:
    """A header's value, what follows a scheme word in it, and the values of cookies."""
    named, about = says_secret(name), f"header {name}"
    yield Private(value, about, named)
    if found := _SCHEME.fullmatch(value):
        yield from of_proof(found[1], found[2].strip(), about)
    if name.lower() == "cookie":
        for part in value.split(";"):
            yield Private(part.partition("=")[2].strip(), about, True)


def of_proof(scheme: str, proof: str, about: str) -> Iterator[Private]:
    """What follows a scheme word; of Basic the user and the password too."""
    yield Private(proof, about, True)
    if scheme.lower() != "basic":
        return
    try:
        pair = base64.b64decode(proof, validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return
    user, _, password = pair.partition(":")
    yield Private(pair, about, True)
    yield Private(user, f"user of {about}", False)
    yield Private(password, f"password of {about}", True)


def of_url(url: str) -> Iterator[Private]:
    """User, password, values of the query, and what in the path looks drawn at random."""
    try:
        parts = urlsplit(url)
        given = parts.netloc.rpartition("@")[0]
    except ValueError:
        return
    user, _, password = given.partition(":")
    for text, name, named in ((given, "user and password", True), (user, "user", False), (password, "password", True)):
        yield Private(text, f"{name} of the URL", named)
        yield Private(unquote(text), f"{name} of the URL", named)
    for name, value in parse_qsl(parts.query, keep_blank_values=True):
        yield Private(value, f"query {name}", says_secret(name))
    for segment in parts.path.split("/"):
        if random_looking(segment):
            yield Private(segment, "part of the URL", False)


def of_statement(data: Json) -> Iterator[Private]:
    """Every value of a statement that is to be hidden, as it stands there. What is malformed holds none."""
    return (each for each in _of_statement(data) if not _REFERENCE.fullmatch(each.value))


def _of_statement(data: Json) -> Iterator[Private]:
    for endpoint in _tables(_in(data, "endpoint")):
        yield from _of_env(endpoint.get("env"))
        for name, value in _texts(endpoint.get("headers")):
            yield from of_header(name, value)
        if isinstance(url := endpoint.get("url"), str):
            yield from of_url(url)
        yield from of_command(endpoint.get("command"))
    conditions = _in(data, "conditions")
    for start in (*_tables(_in(conditions, "start")), *_tables([_in(data, "store")])):
        yield from _of_env(start.get("env"))
        yield from of_command(start.get("args"))
    for command in _tables(_in(conditions, "command")):
        yield from of_command(command.get("on"))
        yield from of_command(command.get("off"))
    for name, value in _texts(_in(data, "auth", "signing_key")):
        if name in PARTS_OF_A_KEY:
            yield Private(value, "signing key", True)
    for token in _tables(_in(data, "auth", "tokens")):
        if isinstance(token.get("token"), str):
            yield Private(token["token"], f"token of {token.get('role')}", True)
    yield from _given(data, DEEPEST)


def of_command(command: Json) -> Iterator[Private]:
    """The values in the words of a command."""
    for name, value in values(command):
        if name == "URL":
            yield from of_url(value)
        elif name.startswith("header "):
            yield from of_header(name.removeprefix("header "), value)
        else:
            yield Private(value, name, says_secret(name))


def of_value(value: Json) -> Iterator[Private]:
    """The texts in a value, at any depth that is looked at, whose names say that they are secrets."""
    return _given(value, DEEPEST)


def of_key(text: str) -> Iterator[Private]:
    """The private parameters of a JSON Web Key, or the lines of a PEM file."""
    if text.lstrip().startswith("{"):
        try:
            key = msgspec.json.decode(text)
        except (msgspec.DecodeError, RecursionError):
            return
        yield from (Private(value, "signing key", True) for name, value in _texts(key) if name in PARTS_OF_A_KEY)
        return
    for line in text.splitlines():
        if len(line.strip()) >= LEAST_LINE and not line.startswith("---"):
            yield Private(line.strip(), "signing key", True)


def without(statement: Mapping[str, Any]) -> dict[str, Any]:
    """A statement with placeholders for what it hides. A value that is named, as by env:NAME, stays named."""
    shown = dict(statement)
    if "endpoint" in shown:
        shown["endpoint"] = [_endpoint(endpoint) for endpoint in shown["endpoint"]]
    if "store" in shown:
        shown["store"] = _start(shown["store"])
    if "conditions" in shown:
        shown["conditions"] = conditions = dict(shown["conditions"])
        for kind, inner in (("start", _start), ("command", _commands)):
            if kind in conditions:
                conditions[kind] = {name: inner(table) for name, table in conditions[kind].items()}
    return shown


def _endpoint(endpoint: Mapping[str, Any]) -> dict[str, Any]:
    shown = dict(endpoint)
    if "env" in shown:
        shown["env"] = {name: _variable(name, value) for name, value in shown["env"].items()}
    if "headers" in shown:
        shown["headers"] = {name: _placeholder(value) for name, value in shown["headers"].items()}
    if "url" in shown:
        shown["url"] = hidden_url(shown["url"])
    if "command" in shown:
        shown["command"] = hidden(shown["command"])
    return shown


def _start(table: Mapping[str, Any]) -> dict[str, Any]:
    shown = dict(table)
    if "env" in shown:
        shown["env"] = {name: _variable(name, value) for name, value in shown["env"].items()}
    if "args" in shown:
        shown["args"] = hidden(shown["args"])
    return shown


def _commands(table: Mapping[str, Any]) -> dict[str, Any]:
    return {name: hidden(command) for name, command in table.items()}


def _placeholder(value: str) -> str:
    return value if _REFERENCE.fullmatch(value) else HIDDEN


def _variable(name: str, value: str) -> str:
    """A variable's value, where it is an ordinary one: a folder, a level, a port is part of how a server is started."""
    return value if not says_secret(name) and ordinary(value, named=False) and "@" not in value else _placeholder(value)


def _of_env(env: Json) -> Iterator[Private]:
    for name, value in _texts(env):
        yield Private(value, f"environment {name}", says_secret(name))
        if "://" in value:
            yield from of_url(value)


def _given(value: Json, levels: int) -> Iterator[Private]:
    if not levels:
        return
    if isinstance(value, list):
        for inner in value:
            yield from _given(inner, levels - 1)
    elif isinstance(value, dict):
        for name, inner in value.items():
            if isinstance(inner, str) and _GIVEN.search(str(name)):
                yield Private(inner, str(name), True)
            yield from _given(inner, levels - 1)


def _in(data: Json, *steps: str) -> Json:
    for step in steps:
        data = data.get(step) if isinstance(data, dict) else None
    return data


def _tables(value: Json) -> Iterator[dict[str, Any]]:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return (each for each in inner if isinstance(each, dict))


def _texts(value: Json) -> Iterator[tuple[str, str]]:
    pairs = value.items() if isinstance(value, dict) else ()
    return ((str(name), text) for name, text in pairs if isinstance(text, str))
