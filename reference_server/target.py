"""How a harness finds the reference: opened in process, or described so that it can be started as any other server."""

import sys
from collections.abc import Mapping, Sequence
from typing import Final

from reference_server.application import Json
from reference_server.bindings.jsonrpc import Dispatcher, Message, Notify, open_dispatcher
from reference_server.bindings.surface import Surface
from reference_server.contracts import CONTRACTS as TABLE
from reference_server.contracts import served
from reference_server.deviations.registry import all_deviations
from reference_server.host import Host
from reference_server.tokens import TEST_ISSUER, TEST_KEY, Trust

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
    deviations: Sequence[str] = (),
    settings: Mapping[str, Json] | None = None,
) -> InProcess:
    """The reference of a contract in this process, test conditions on. LookupError: unknown contract or deviation."""
    host = Host(contract, test_conditions=True, deviations=deviations, settings=settings, trust=Trust.for_tests())
    for deviation in host.deviations:
        if deviation.transport is not None:
            message = f"{deviation.requirement} can be broken over {deviation.transport} only"
            raise ValueError(message)
    return InProcess(open_dispatcher(Surface(host)))


def statement(
    contract: str,
    *,
    transport: str = "in-process",
    deviations: Sequence[str] = (),
    port: int | None = None,
) -> dict[str, Json]:
    """The statement of implementation of the reference. Transports: in-process, stdio, http (MCP and /v1, one port).

    `port` is that of the HTTP server; None: one that is free. LookupError: unknown contract.
    """
    about = served(contract)
    stated: dict[str, Json] = {
        "contract": contract,
        "edition": about.edition,
        "endpoint": _endpoints(contract, transport, deviations, port or 0),
        "settings": about.settings(),
        "conditions": {"means": "meta"},
        "calls": {"harmless": "all", "examples": [dict(example) for example in about.examples]},
    }
    if about.publishes:
        served_so = Host(contract, test_conditions=True, deviations=deviations, trust=Trust.for_tests())
        instance = served_so.instance({}).application
        stated["documents"] = {name: getattr(instance, name)() for name in about.publishes}
    if about.audience is not None:
        signed = {"signing_key": dict(TEST_KEY), "algorithm": "EdDSA", "issuer": TEST_ISSUER}
        stated["auth"] = {**signed, "audience": about.audience}
    return stated


def deviations(contract: str) -> list[dict[str, Json]]:
    """What can be broken on purpose: requirement, what goes wrong, and the only transport it shows on, if any."""
    return [
        {"requirement": one.requirement, "what": one.what, "transport": one.transport}
        for one in all_deviations(contract)
    ]


def _endpoints(contract: str, transport: str, deviated: Sequence[str], port: int) -> list[dict[str, Json]]:
    if transport == "in-process":
        return [{"transport": "in-process", "target": "+".join((f"reference:{contract}", *deviated))}]
    command = [sys.executable, "-m", "reference_server", contract, "--transport", transport, "--test-conditions"]
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
