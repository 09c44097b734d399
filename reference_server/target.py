"""How a harness finds the reference: opened in process, or described so that it can be started as any other server."""

import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from reference_server.application import Application, Json
from reference_server.bindings.jsonrpc import Dispatcher, Message, Notify, open_dispatcher
from reference_server.bindings.surface import Surface
from reference_server.contracts import CONTRACTS as TABLE
from reference_server.contracts import served
from reference_server.deviations.registry import all_deviations
from reference_server.host import Host
from reference_server.tokens import REFERENCE_SCOPE, TEST_ISSUER, TEST_KEY, Trust

DATA_MODULES: Final = ("catalogue", "published", "schema", "schemas", "seed", "spec", "__main__")
"""Modules that describe tools or hold the world that an instance begins with."""
LIBRARIES: Final = ("mcp",)
LONG_CALL_S: Final = 10
"""What a call may take where tools take their time; on a busy machine all of them do."""
CONTRACTS: Final = tuple(TABLE)
"""Contracts served here. `mcp` is the threads server, judged as any MCP server."""


class InProcess:
    """The reference without a transport: one message in, its answer out."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        self._dispatcher = dispatcher

    async def handle(self, message: Message, notify: Notify | None = None) -> Message | None:
        """The answer to a JSON-RPC message, None to a notification. `notify` gets whatever else the server sends."""
        return await self._dispatcher.handle(message, notify)


def open(  # noqa: A001 -- the name by which an entry point is asked for it
    contract: str,
    *,
    edition: str | None = None,
    deviations: Sequence[str] = (),
    settings: Mapping[str, Json] | None = None,
    store: str | None = None,
) -> InProcess:
    """The reference of a contract in this process, test conditions on. `store`: a file on which it is kept.

    LookupError: unknown contract, edition or deviation. ValueError: the contract keeps no store.
    """
    host = _host(contract, edition, deviations, settings, store)
    for deviation in host.deviations:
        if deviation.transport is not None:
            message = f"{deviation.requirement} can be broken over {deviation.transport} only"
            raise ValueError(message)
    return InProcess(open_dispatcher(Surface(host)))


def statement(
    contract: str,
    *,
    edition: str | None = None,
    transport: str = "in-process",
    deviations: Sequence[str] = (),
    port: int | None = None,
) -> dict[str, Json]:
    """The statement of implementation of the reference. Transports: in-process, stdio, http (MCP and /v1, one port).

    `port` is that of the HTTP server; None: one that is free. LookupError: unknown contract or edition.
    """
    about = served(contract)
    stated: dict[str, Json] = {
        "contract": contract,
        "edition": about.edition_of(edition),
        "endpoint": _endpoints(contract, edition, transport, deviations, port or 0),
        "settings": about.settings(edition),
        "conditions": {"means": "meta"},
        "calls": {"harmless": "all", "examples": [dict(example) for example in about.examples]},
    }
    if about.state:
        stated["store"] = {"kept": True, "args": ["--store", "{tmp}/store.sqlite"]}
    if about.streams:
        stated["limits"] = {"call_timeout_s": LONG_CALL_S}
    if about.choices:
        stated["choices"] = dict(about.choices)
    if about.publishes:
        instance = _host(contract, edition, deviations).instance({}).application
        stated["documents"] = {name: getattr(instance, name)() for name in about.publishes}
    if about.audience is not None:
        signed = {"signing_key": dict(TEST_KEY), "algorithm": "EdDSA", "issuer": TEST_ISSUER}
        stated["auth"] = {**signed, "audience": about.audience}
        if about.guarded:
            stated["auth"] |= {"challenges": True, "fixed": {"scope": REFERENCE_SCOPE}}
    return stated


def editions(contract: str) -> list[str]:
    """The editions of a contract that can be asked for, the one that is meant by default in front; none: it has one."""
    return list(served(contract).editions)


def deviations(contract: str, edition: str | None = None) -> list[dict[str, Json]]:
    """What can be broken on purpose: requirement, what goes wrong, and the only transport it shows on, if any."""
    meant = served(contract).edition_of(edition)
    return [
        {"requirement": one.requirement, "what": one.what, "transport": one.transport}
        for one in all_deviations(contract)
        if one.edition in (None, meant)
    ]


def mutes(contract: str, edition: str | None = None) -> list[str]:
    """The tools of a contract, of all its profiles: each can refuse every call, as the deviation `mute:TOOL`."""
    profiles: list[dict[str, Json]] = [{"profile": name} for name in served(contract).profiles(edition)] or [{}]
    instances = [_host(contract, edition, (), settings).instance({}).application for settings in profiles]
    return list(dict.fromkeys(name for application in instances for name in _named(application)))


def domain(contract: str) -> dict[str, Json]:
    """Where a contract's domain is: the packages that mutants are made of, and the modules that hold data alone.

    No packages: the contract is about no domain. `libraries` take long to import, and no mutant changes them.
    """
    about = served(contract)
    packages = [about.module] if about.domain else []
    return {"packages": packages, "leave_out": list(DATA_MODULES), "libraries": list(LIBRARIES)}


def known_mutants(contract: str) -> dict[str, dict[str, str]]:
    """Mutants that no client can tell from the original, or that the contract leaves open: by id, each with why."""
    return _known("mutants", contract, "mutant", "id")


def known_breakages(contract: str) -> dict[str, dict[str, str]]:
    """Changes on the wire that are no breach of a contract, in words: for each why, as for mutants."""
    return _known("breakages", contract, "breakage", "what")


def _known(folder: str, contract: str, table: str, key: str) -> dict[str, dict[str, str]]:
    path = Path(__file__).parent / folder / f"{contract}.toml"
    rows = tomllib.loads(path.read_text("utf-8")).get(table, []) if path.exists() else []
    return {row[key]: {"outcome": row["outcome"], "reason": row["reason"]} for row in rows}


def _named(application: Application) -> list[str]:
    """The tools that an application serves, and those behind them that have names of their own."""
    behind: Sequence[str] = getattr(application, "behind", ())
    return [*(tool.name for tool in application.tools), *behind]


def _host(
    contract: str,
    edition: str | None,
    deviations: Sequence[str],
    settings: Mapping[str, Json] | None = None,
    store: str | None = None,
) -> Host:
    return Host(
        contract,
        edition=edition,
        test_conditions=True,
        deviations=deviations,
        settings=settings,
        store=store,
        trust=Trust.for_tests(served(contract).audience),
    )


def _endpoints(
    contract: str, edition: str | None, transport: str, deviated: Sequence[str], port: int
) -> list[dict[str, Json]]:
    of_edition = f"{contract}@{edition}" if edition is not None else contract
    if transport == "in-process":
        return [{"transport": "in-process", "target": "+".join((f"reference:{of_edition}", *deviated))}]
    command = [sys.executable, "-m", "reference_server", contract, "--transport", transport, "--test-conditions"]
    if edition is not None:
        command += ["--edition", edition]
    switches = [word for requirement in deviated for word in ("--deviate", requirement)]
    if transport == "stdio":
        return [{"transport": "stdio", "command": [*command, *switches]}]
    if transport == "http":
        started = [*command, "--port", str(port), *switches]
        plain = [{"transport": "http", "binding": "http", "url": "{listening}/v1"}]
        return [
            {"transport": "http", "command": started, "url": "{listening}/mcp"},
            *(plain if "http" in served(contract).binds else []),
        ]
    message = f"no transport {transport!r}: in-process, stdio, http"
    raise ValueError(message)
