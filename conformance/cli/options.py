"""Options that more than one command takes, and the statement that those on the target amount to."""

import argparse
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from conformance.certify import Options, contract_of
from conformance.drive.errors import UsageError
from conformance.drive.loading import checked, load
from conformance.drive.statement import Statement
from conformance.drive.target import entry
from conformance.model.requirement import Level

DEFAULT_TARGET = "reference:threads"
DEFAULT_FILE = "conformance.toml"
UNKNOWN_SERVER = "mcp"
"""The contract that a server is judged by where none is named: it holds for any."""


def add_target(parser: argparse.ArgumentParser) -> None:
    """What is judged."""
    group = parser.add_argument_group("target", "one of these; without any, conformance.toml here, else the reference")
    group.add_argument(
        "--config", metavar="FILE", type=Path, help="a conformance.toml: contract, endpoints, tokens, conditions"
    )
    group.add_argument("--target", metavar="NAME:CONTRACT", help=f"an installed target, such as {DEFAULT_TARGET}")
    group.add_argument("--server-command", metavar="COMMAND", help="start this and speak MCP over its stdin and stdout")
    group.add_argument(
        "--server-url", metavar="URL", action="append", help="a running server; twice compares two endpoints"
    )
    group.add_argument(
        "--contract", metavar="NAME", help="the contract it claims; without it, mcp for a server of your own"
    )
    group.add_argument(
        "--binding",
        choices=("mcp", "http"),
        help="http: the contract's plain HTTP binding; guessed from a URL ending in /v1",
    )
    group.add_argument("--transport", choices=("in-process", "stdio", "http"), help="how an installed target is served")
    group.add_argument("--protocol", metavar="REVISION", help="a revision of MCP instead of the newest both know")
    group.add_argument("--profile", metavar="NAME", action="append", help="only these profiles")
    group.add_argument(
        "--header",
        metavar="NAME: VALUE",
        action="append",
        default=[],
        help="sent with every HTTP request; VALUE may be env:NAME",
    )
    group.add_argument(
        "--signing-key", metavar="FILE", help="JWK or PEM that the server trusts in tests; tokens are minted with it"
    )
    group.add_argument("--algorithm", help="of the signing key (EdDSA)")
    group.add_argument("--issuer", help="iss of minted tokens")
    group.add_argument("--audience", help="aud of minted tokens")
    group.add_argument(
        "--test-conditions", action="store_true", help="the server honours conditions in _meta (started for testing)"
    )


def add_run(parser: argparse.ArgumentParser) -> None:
    """How it is driven."""
    group = parser.add_argument_group("run")
    group.add_argument("--seed", type=int, help="names of a run are derived from it")
    group.add_argument("--timeout", metavar="S", type=float, help="seconds a call may take (10)")
    group.add_argument("--run-timeout", metavar="S", type=float, help="seconds the whole run may take (600)")
    group.add_argument("--concurrency", metavar="N", type=int, help="calls in flight at once (48)")
    group.add_argument("--transcript", metavar="FILE", type=Path, help="keep what happened, for conformance judge")


def add_selection(parser: argparse.ArgumentParser) -> None:
    """What of it is judged."""
    group = parser.add_argument_group("selection")
    group.add_argument(
        "--only", metavar="ID", action="append", default=[], help="requirement ids or patterns: TH-IDEM-01,TH-ACK-*"
    )
    group.add_argument(
        "--level", type=str.upper, choices=[level.value for level in Level], help="only requirements of this level"
    )


def add_output(parser: argparse.ArgumentParser) -> None:
    """How it is told."""
    group = parser.add_argument_group("report")
    group.add_argument(
        "--format", choices=("terminal", "json", "junit", "markdown", "html"), help="of what is printed, or of --output"
    )
    group.add_argument(
        "--output",
        metavar="FILE",
        type=Path,
        action="append",
        default=[],
        help="also write a file; format by suffix .json .xml .md .html",
    )


def statement_of(given: argparse.Namespace) -> tuple[Statement, Path]:
    """The statement that the options amount to, and where its relative paths begin."""
    chosen = [name for name in ("config", "target", "server_command", "server_url") if getattr(given, name)]
    if len(chosen) > 1:
        named = " and ".join(f"--{name.replace('_', '-')}" for name in chosen)
        if not (chosen[0] == "config" and len(chosen) == 2):  # noqa: PLR2004 -- the file and one way to reach the server
            raise UsageError(f"{named} each name a target", todo="give one of them")
    base = Path()
    if given.contract:
        contract_of(given.contract)
    if given.config or (not chosen and Path(DEFAULT_FILE).exists()):
        path = given.config or Path(DEFAULT_FILE)
        data, base = load(path).model_dump(exclude_unset=True), path.parent
    elif given.server_command or given.server_url:
        data = {"contract": UNKNOWN_SERVER}
    else:
        data = _installed(given.target or DEFAULT_TARGET, given.transport, given.contract)
    if given.server_command:
        data["endpoint"] = [{"transport": "stdio", "command": given.server_command}]
    elif given.server_url:
        data["endpoint"] = [_at(url, given.binding) for url in given.server_url]
    _apply(given, data)
    contract_of(data["contract"])
    return checked(data, "the command line" if not given.config else str(given.config)), base


def _at(url: str, binding: str | None) -> dict[str, Any]:
    if not url.startswith(("http://", "https://")):
        raise UsageError(f"{url} is no URL of a server", "--server-url", todo="it begins with http:// or https://")
    plain = binding == "http" or (binding is None and url.rstrip("/").endswith("/v1"))
    return {"transport": "http", "binding": "http" if plain else "mcp", "url": url}


def _installed(target: str, transport: str | None, contract: str | None) -> dict[str, Any]:
    """The statement that an installed target has of itself."""
    name, _, served = target.partition(":")
    served, *deviations = (served or contract or "threads").split("+")
    module = entry(name)
    try:
        found: Mapping[str, Any] = module.statement(
            contract or served, transport=transport or "in-process", deviations=deviations
        )
    except LookupError as error:
        raise UsageError(f"{name} cannot serve {target}", "--target", str(error).strip("'\"")) from error
    over = f" over {transport}" if transport not in (None, "in-process") else ""
    return {"name": "+".join((f"{name}:{contract or served}", *deviations)) + over, **found}


def _apply(given: argparse.Namespace, data: dict[str, Any]) -> None:
    """Options on top of what the statement says."""
    for name in ("contract", "protocol"):
        if getattr(given, name):
            data[name] = getattr(given, name)
    if given.profile:
        data["profiles"] = given.profile
    auth = {
        name: getattr(given, name)
        for name in ("signing_key", "algorithm", "issuer", "audience")
        if getattr(given, name)
    }
    if auth:
        data["auth"] = {**data.get("auth", {}), **auth}
    if given.test_conditions:
        data["conditions"] = {**data.get("conditions", {}), "means": "meta"}
    limits = {"call_timeout_s": given.timeout, "run_timeout_s": given.run_timeout, "concurrency": given.concurrency}
    stated = {name: value for name, value in limits.items() if value is not None}
    if stated:
        data["limits"] = {**data.get("limits", {}), **stated}
    for header in given.header:
        name, colon, value = header.partition(":")
        if not colon or not name.strip():
            raise UsageError(f"{header!r} is no header", "--header", todo='write it as "Name: value"')
        for endpoint in data["endpoint"]:
            endpoint["headers"] = {**endpoint.get("headers", {}), name.strip(): value.strip()}


def selection(given: argparse.Namespace, **more: Any) -> Options:
    """Which requirements are meant, and what else a run is told."""
    return Options(only=given.only, level=Level(given.level) if given.level else None, **more)


def typed() -> str:
    """What was typed, for whoever wants to reproduce it: without where the report goes, without header values."""
    words, kept = sys.argv[1:], ["conformance"]
    skip = False
    for word, following in zip(words, [*words[1:], ""], strict=True):
        name, equals, _ = word.partition("=")
        if skip:
            skip = False
        elif name in ("--output", "--format", "--transcript", "--only", "--header"):
            skip = not equals
            if name == "--header":
                value = word.partition("=")[2] if equals else following
                kept += ["--header", f"{value.partition(':')[0]}: …"]
        else:
            kept.append(word)
    return shlex.join(kept)
