"""`python -m reference_server`: serves a contract, prints its tools, lists what can be broken on purpose."""

import argparse
import gc
import json
import os
import sqlite3
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from pickle import UnpicklingError
from typing import TYPE_CHECKING

from reference_server.contracts import CONTRACTS, MissingLibraryError, served
from reference_server.host import Host

if TYPE_CHECKING:
    from reference_server.application import Json
    from reference_server.tokens import Trust

SERVING = ("mcp", "uvicorn", "starlette")
"""What serving takes, and a plain installation of the suite does not bring."""
# Nothing heavy is imported before it is known what is asked: the SDK alone takes 0.8 s.


class UsageError(Exception):
    """What was asked for cannot be done; says why and what would help."""


def main(argv: Sequence[str] | None = None) -> int:
    """Exit code 0: done. 2: bad invocation."""
    options = _parser().parse_args(argv)
    try:
        if options.command == "tools":
            _print_tools(options.contract)
        elif options.command == "deviations":
            _print_deviations(options.contract)
        else:
            _serve(options)
        sys.stdout.flush()
    except (UsageError, MissingLibraryError) as error:
        sys.stderr.write(f"reference_server: {error}\n")
        return 2
    except BrokenPipeError:
        # The reader of our output went away, as `head` does: what is left goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2
    except KeyboardInterrupt:
        return 0
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="reference_server", description=__doc__, allow_abbrev=False)
    commands = parser.add_subparsers(dest="command", required=True)
    for contract in CONTRACTS:
        serve = commands.add_parser(contract, help=f"serve the contract {contract}", allow_abbrev=False)
        serve.add_argument("--transport", choices=("stdio", "http"), default="stdio")
        editions = CONTRACTS[contract].editions
        if editions:
            serve.add_argument("--edition", choices=tuple(editions), help="of the contract (default: the first)")
        serve.add_argument("--host", default="127.0.0.1", help="address for HTTP (default: %(default)s, loopback)")
        serve.add_argument("--port", type=int, default=0, help="port for HTTP; 0: one that is free")
        serve.add_argument("--test-conditions", action="store_true", help="obey conditions and instances in requests")
        serve.add_argument("--deviate", action="append", default=[], metavar="ID", help="break this requirement")
        serve.add_argument("--jwks", metavar="FILE", help="JWK set of the keys that sign tokens")
        serve.add_argument("--issuer", help="issuer of the tokens (with --jwks)")
        serve.add_argument("--audience", help="audience of the tokens (with --jwks)")
        serve.add_argument("--page-size", type=int, metavar="N", help="tools a page of tools/list (default: all)")
        if CONTRACTS[contract].state:
            serve.add_argument("--store", metavar="FILE", help="keep what is accepted in FILE (default: in memory)")
        serve.add_argument("--setting", action="append", default=[], metavar="KEY=VALUE", help="VALUE: JSON, or text")
    tools = commands.add_parser("tools", help="print the tools of a contract as JSON")
    tools.add_argument("contract", choices=CONTRACTS)
    deviations = commands.add_parser("deviations", help="list what can be broken on purpose")
    deviations.add_argument("contract", nargs="?", choices=CONTRACTS)
    return parser


def _print_tools(contract: str) -> None:
    from reference_server.tokens import Trust  # noqa: PLC0415 -- only what is used is imported

    tools = Host(contract, trust=Trust.for_tests(served(contract).audience)).instance({}).application.tools
    json.dump([tool.as_listed() for tool in tools], sys.stdout, indent=2, ensure_ascii=False)
    sys.stdout.write("\n")


def _print_deviations(contract: str | None) -> None:
    from reference_server.deviations.registry import (  # noqa: PLC0415 -- only what is used is imported
        all_deviations,
        all_variants,
    )

    for name in (contract,) if contract else CONTRACTS:
        for one in sorted((*all_deviations(name), *all_variants(name)), key=lambda one: one.id):
            where = f" [{one.transport}]" if one.transport else ""
            sys.stdout.write(f"{one.id}{where}: {one.what}\n")


def _serve(options: argparse.Namespace) -> None:
    # what is made until the first request stays: to look for garbage in it takes a sixth of the start
    gc.disable()
    host = _host(options)
    for library in SERVING:
        if find_spec(library) is None:
            raise MissingLibraryError("serving over stdio and HTTP", library)
    from reference_server.bindings import serving  # noqa: PLC0415 -- only what is used is imported: this one brings the SDK

    try:
        if options.transport == "stdio":
            server = serving.stdio_server(host)
        else:
            app = serving.http_app(host, options.host)
            listener = serving.listen(options.host, options.port)
    except (serving.TransportMismatchError, OSError, OverflowError) as error:
        raise UsageError(str(error)) from error
    gc.freeze()
    gc.enable()
    if options.transport == "stdio":
        serving.run_stdio(server)
    else:
        serving.run_http(app, options.host, listener)


def _host(options: argparse.Namespace) -> Host:
    from reference_server.deviations.registry import UnknownDeviationError  # noqa: PLC0415 -- only what is used is imported

    try:
        return Host(
            options.command,
            edition=getattr(options, "edition", None),
            test_conditions=options.test_conditions,
            deviations=options.deviate,
            settings=_settings(options),
            store=getattr(options, "store", None),
            trust=_trust(options),
        )
    except UnknownDeviationError as error:
        raise UsageError(str(error)) from error
    except (sqlite3.Error, UnpicklingError) as error:
        raise UsageError(f"{options.store} cannot be used as a store: {error}") from error
    except (ValueError, TypeError) as error:
        raise UsageError(f"setting: {error}") from error


def _settings(options: argparse.Namespace) -> "dict[str, Json]":
    settings: dict[str, Json] = {}
    for text in options.setting:
        key, equals, value = text.partition("=")
        if not (key and equals):
            raise UsageError(f"--setting {text!r}: write KEY=VALUE")
        try:
            settings[key] = json.loads(value)
        except ValueError:
            settings[key] = value
    if options.page_size is not None:
        settings["page_size"] = options.page_size
    return settings


def _trust(options: argparse.Namespace) -> "Trust":
    from jwt import PyJWTError  # noqa: PLC0415 -- only what is used is imported

    from reference_server.tokens import Trust, Verifier  # noqa: PLC0415 -- only what is used is imported

    if options.jwks is None:
        if served(options.command).audience is not None and not options.test_conditions:
            raise UsageError("--jwks is required: the published test key is trusted with --test-conditions only")
        return Trust.for_tests(served(options.command).audience)
    if not (options.issuer and options.audience):
        raise UsageError("--jwks needs --issuer and --audience: a token for another server must not be believed")
    try:
        jwks = json.loads(Path(options.jwks).read_bytes())
    except (OSError, ValueError) as error:
        raise UsageError(f"{options.jwks} cannot be read as JSON: {error}") from error
    if not isinstance(jwks, dict) or not isinstance(jwks.get("keys"), list):
        raise UsageError(f"{options.jwks} is no JWK set: an object whose keys is a list")
    trust = Trust(jwks, options.issuer, options.audience)
    try:
        Verifier(trust)
    except PyJWTError as error:
        raise UsageError(f"{options.jwks} has no usable key: {error}") from error
    return trust


if __name__ == "__main__":
    sys.exit(main())
