"""Options that more than one command takes, and the statement that those on the target amount to."""

import argparse
import re
import shlex
import sys
from pathlib import Path
from typing import Any, NamedTuple

from conformance.certify import Options, contract_of
from conformance.drive.command_line import hidden_url
from conformance.drive.endpoints import SCHEMES, at_url, by_command
from conformance.drive.errors import UsageError
from conformance.drive.installed import complete, of_installed
from conformance.drive.loading import checked, load
from conformance.drive.statement import Statement
from conformance.histories.fuzzing import Budget
from conformance.model.requirement import Level
from conformance.report.writers import FORMATS, TERMINAL

DEFAULT_TARGET = "reference:threads"
DEFAULT_FILE = "conformance.toml"
UNKNOWN_SERVER = "mcp"
"""The contract that a server is judged by where none is named: it holds for any."""


_INNER = re.compile(r"\senv:[A-Za-z_]\w*$")
"""What looks as if a part of a value were to come from a variable."""


def add_target(parser: argparse.ArgumentParser) -> None:
    """What is judged."""
    parser.set_defaults(min_tools=None)
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
        "--contract",
        metavar="NAME|PATH",
        help="the contract it claims: a name, a folder, MODULE:NAME; without it, mcp for a server of your own",
    )
    group.add_argument("--edition", metavar="NAME", help="of the contract, where it has several")
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
        help='sent with every HTTP request; VALUE may be env:NAME, which stands for all of it ("Bearer …" too)',
    )
    group.add_argument(
        "--env",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="added to the environment of the server that is started",
    )
    group.add_argument("--cwd", metavar="FOLDER", help="where the server is started")
    group.add_argument(
        "--signing-key", metavar="FILE", help="JWK or PEM that the server trusts in tests; tokens are minted with it"
    )
    group.add_argument("--algorithm", help="of the key, if not the usual one of its kind (EdDSA, ES256, RS256)")
    group.add_argument("--issuer", help="iss of minted tokens")
    group.add_argument("--audience", help="aud of minted tokens")
    group.add_argument(
        "--test-conditions", action="store_true", help="the server honours conditions in _meta (started for testing)"
    )


def add_calls(parser: argparse.ArgumentParser) -> None:
    """Which tools of a server that no contract knows are called."""
    group = parser.add_argument_group("calls", "of tools that no contract knows")
    group.add_argument(
        "--harmless",
        metavar="all|read-only|none|NAMES",
        help="tools that may be called; read-only (the default): those annotated readOnlyHint; all: but for "
        "those that end processes; names: read-only,save",
    )
    group.add_argument(
        "--skip",
        metavar="NAMES",
        action="append",
        default=[],
        help="tools that are not called, in any case",
    )


def add_run(parser: argparse.ArgumentParser) -> None:
    """How it is driven."""
    group = parser.add_argument_group("run")
    group.add_argument("--seed", type=int, help="a number: with the same one a run makes up the same names")
    group.add_argument(
        "--fuzz", metavar="N|Ns", help="random histories after the stimuli: so many calls, or seconds as 30s"
    )
    group.add_argument("--timeout", metavar="S", type=float, help="seconds a call may take (10)")
    group.add_argument("--run-timeout", metavar="S", type=float, help="seconds the whole run may take (600)")
    group.add_argument("--concurrency", metavar="N", type=int, help="calls in flight at once (48)")
    group.add_argument(
        "--beside",
        metavar="NAME",
        help="an installed target that is told the same calls in this process: reference. Differences are listed",
    )
    group.add_argument("--transcript", metavar="FILE", type=Path, help="keep what happened, for conformance judge")
    group.add_argument(
        "--conversations", metavar="FOLDER", type=Path, help="keep the calls of each finding, for conformance replay"
    )


def add_selection(parser: argparse.ArgumentParser) -> None:
    """What of it is judged."""
    group = add_judged(parser)
    group.add_argument(
        "--stimulus",
        metavar="NAME",
        action="append",
        default=[],
        help="drive these stimuli alone: threads.an_ack_goes_back",
    )
    group.add_argument(
        "--without",
        choices=(UNKNOWN_SERVER,),
        action="append",
        default=[],
        help="leave out what a run of a contract judges of the protocol besides",
    )


def add_judged(parser: argparse.ArgumentParser) -> Any:
    """The same, where what is driven is given; gives the group for more."""
    group = parser.add_argument_group("selection")
    group.add_argument(
        "--only", metavar="ID", action="append", default=[], help="requirement ids or patterns: TH-IDEM-01,TH-ACK-*"
    )
    group.add_argument(
        "--level", type=str.upper, choices=[level.value for level in Level], help="only requirements of this level"
    )
    return group


def add_strictness(parser: argparse.ArgumentParser) -> None:
    """What fails a run."""
    parser.add_argument("--strict", action="store_true", help="a SHOULD or MAY that is missed fails the run as well")


def add_minimum(parser: argparse.ArgumentParser) -> None:
    """What a claim needs besides its requirements."""
    parser.add_argument(
        "--min-tools",
        metavar="PERCENT",
        type=float,
        help="of the tools, so many have to accept a call; with fewer the run is inconclusive (exit code 3)",
    )


def add_baseline(parser: argparse.ArgumentParser) -> None:
    """What is known already."""
    parser.add_argument(
        "--baseline",
        metavar="REPORT",
        type=Path,
        help="an older report (.json) or bundle: only what got worse since fails the run",
    )


def add_output(parser: argparse.ArgumentParser) -> None:
    """How it is told."""
    group = parser.add_argument_group("report")
    group.add_argument(
        "--format",
        choices=(TERMINAL, *FORMATS),
        help="of what is printed, or of --output",
    )
    group.add_argument(
        "--annotations",
        choices=("auto", "on", "off"),
        default="auto",
        help="print annotations for GitHub's workflows, to stderr; auto: where GITHUB_ACTIONS is set",
    )
    group.add_argument(
        "--output",
        metavar="FILE",
        type=Path,
        action="append",
        default=[],
        help="also write a file; format by suffix .json .xml .md .html .sarif .svg .txt, "
        "or by name badge.svg badge.json",
    )


NOT_REPRODUCED = (
    *("--output", "--format", "--annotations", "--transcript", "--conversations", "--only", "--stimulus", "--baseline"),
    *("--min-tools", "--key", "--public-key", "--artifact"),
)
"""Options, each with a value, that say what is done with a run: they do not belong to the command that repeats it."""


class Stated(NamedTuple):
    """A statement, and where it comes from."""

    statement: Statement
    base: Path
    """Where its relative paths begin."""
    named: str
    """What to call it in an error."""
    text: str
    """The text of its file; empty where there is none."""


def statement_of(given: argparse.Namespace) -> Stated:
    """The statement that the options amount to."""
    chosen = [name for name in ("config", "target", "server_command", "server_url") if getattr(given, name)]
    if len(chosen) > 1:
        named = " and ".join(f"--{name.replace('_', '-')}" for name in chosen)
        if not (chosen[0] == "config" and len(chosen) == 2):  # noqa: PLR2004 -- the file and one way to reach the server
            raise UsageError(f"{named} each name a target", todo="give one of them")
    base, named, text = Path(), "the command line", ""
    if given.contract:
        given.contract = contract_of(given.contract).name
    if given.config or (not chosen and Path(DEFAULT_FILE).exists()):
        path = given.config or Path(DEFAULT_FILE)
        data, base, named = load(path).model_dump(exclude_unset=True), path.parent, str(path)
        text = path.read_text("utf-8")
        complete(data)
    elif given.server_command or given.server_url:
        data = {"contract": UNKNOWN_SERVER}
        if Path(DEFAULT_FILE).exists():
            note = f"note: {DEFAULT_FILE} in this folder is not read; add --config {DEFAULT_FILE} to use it"
            print(note, file=sys.stderr)
    else:
        data = of_installed(
            given.target or DEFAULT_TARGET,
            contract=given.contract,
            edition=given.edition,
            transport=given.transport,
        )
    if given.server_command:
        data["endpoint"] = [by_command(given.server_command)]
    elif given.server_url:
        data["endpoint"] = [_at(url, given.binding) for url in given.server_url]
    _apply(given, data)
    data["contract"] = contract_of(data["contract"], data.get("edition"), base).name
    if data["contract"] in given.without:
        raise UsageError(f"the run is about {data['contract']} itself", "--without", todo="leave out --without")
    return Stated(checked(data, named), base, named, text)


def _at(url: str, binding: str | None) -> dict[str, Any]:
    if not url.startswith(SCHEMES):
        shown = hidden_url(url)
        raise UsageError(f"{shown} is no URL of a server", "--server-url", todo="it begins with http:// or https://")
    return at_url(url, binding)


def _apply(given: argparse.Namespace, data: dict[str, Any]) -> None:
    """Options on top of what the statement says."""
    for name in ("contract", "edition", "protocol"):
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
    _called(given, data)
    _started(given, data)
    _headed(given, data)


def _headed(given: argparse.Namespace, data: dict[str, Any]) -> None:
    """What goes with every HTTP request: a header replaces the file's of that name."""
    called = [endpoint for endpoint in data["endpoint"] if endpoint.get("url")]
    if given.header and not called:
        raise UsageError(
            "no server is called over HTTP by this run", "--header", todo="give --server-url, or --env to a command"
        )
    for header in given.header:
        name, colon, value = header.partition(":")
        if not colon or not name.strip():
            raise UsageError("a header has no name or no colon", "--header", todo='write it as "Name: value"')
        if _INNER.search(value.strip()):
            raise UsageError(
                "env:NAME stands for the whole value of a header, not for a part of it",
                "--header",
                todo='export NAME="Bearer …" with the whole value, and --header "Authorization: env:NAME"',
            )
        for endpoint in called:
            endpoint["headers"] = {**endpoint.get("headers", {}), name.strip(): value.strip()}


def _called(given: argparse.Namespace, data: dict[str, Any]) -> None:
    """Which tools may be called: --harmless in the place of what the file says, --skip on top of it."""
    calls = dict(data.get("calls", {}))
    if given.harmless is not None:
        named = given.harmless in ("all", "read-only", "none")
        calls["harmless"] = given.harmless if named else _names(given.harmless)
    skipped = [name for names in given.skip for name in _names(names)]
    if given.min_tools is not None:
        calls["min_tools"] = given.min_tools
    if skipped:
        calls["skip"] = list(dict.fromkeys([*calls.get("skip", []), *skipped]))
    if calls:
        data["calls"] = calls


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _started(given: argparse.Namespace, data: dict[str, Any]) -> None:
    """How servers are started: a variable replaces the file's of that name, the folder the file's."""
    started = [endpoint for endpoint in data["endpoint"] if endpoint.get("command")]
    for option, wanted in (("--env", given.env), ("--cwd", given.cwd)):
        if wanted and not started:
            raise UsageError(
                "no server is started by this run", option, todo="give --server-command, or a file with a command"
            )
    for variable in given.env:
        name, equals, value = variable.partition("=")
        if not equals or not name:
            raise UsageError("a variable has no name or no `=`", "--env", todo="write it as NAME=VALUE")
        for endpoint in started:
            endpoint["env"] = {**endpoint.get("env", {}), name: value}
    if given.cwd:
        for endpoint in started:
            endpoint["cwd"] = given.cwd


def selection(given: argparse.Namespace, **more: Any) -> Options:
    """Which requirements are meant, and what else a run is told."""
    level = Level(given.level) if given.level else None
    strict, stimuli = getattr(given, "strict", False), getattr(given, "stimulus", ())
    protocol = UNKNOWN_SERVER not in given.without
    if getattr(given, "fuzz", None) is not None:
        more["fuzz"] = Budget.of(given.fuzz)
    return Options(only=given.only, level=level, stimuli=stimuli, protocol=protocol, strict=strict, **more)


def typed() -> str:
    """What was typed, for whoever wants to reproduce it: without where the report goes, and what it is held against."""
    words, kept = sys.argv[1:], ["conformance"]
    if words[:1] == ["certify"]:
        # a finding is reproduced without anything being signed
        words = ["run", *(word for word in words[1:] if word != "--unsigned")]
    skip = False
    for word in words:
        name, equals, _ = word.partition("=")
        if skip:
            skip = False
        elif name in NOT_REPRODUCED:
            skip = not equals
        else:
            kept.append(word)
    return shlex.join(kept)
