"""Runs the bindings as a process: stdio, or one HTTP port for /mcp and /v1."""

import asyncio
import logging
import socket
import sys

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException

from reference_server.bindings.jsonrpc import open_dispatcher
from reference_server.bindings.plain_http import PlainHttp
from reference_server.bindings.sdk import HttpServer, StdioServer
from reference_server.bindings.surface import Surface
from reference_server.host import Host


class TransportMismatchError(ValueError):
    """A deviation that cannot be observed over the transport asked for."""


def surface_of(host: Host, transport: str) -> Surface:
    """The surface with the host's deviations. TransportMismatchError: one of them does not act over `transport`."""
    there = {"stdio": {"stdio"}, "http": {"http", "v1"}}[transport]
    for deviation in host.deviations:
        if deviation.transport is not None and deviation.transport not in there:
            message = f"{deviation.requirement} can be broken over {deviation.transport} only, not over {transport}"
            raise TransportMismatchError(message)
    dispatcher = open_dispatcher(Surface(host))
    if dispatcher.replaced():
        message = "a deviation of the messages themselves acts in process only: over stdio and HTTP the SDK writes them"
        raise TransportMismatchError(message)
    return dispatcher.surface


def stdio_server(host: Host) -> StdioServer:
    """The server over stdin and stdout, with the host's deviations."""
    server = StdioServer(surface_of(host, "stdio"))
    for deviation in host.deviations:
        if deviation.transport == "stdio":
            deviation.apply(server)
    return server


def http_app(host: Host, name: str = "127.0.0.1") -> Starlette:
    """The ASGI application of /mcp and /v1, reached as `name`, with the host's deviations."""
    server, plain = HttpServer(surface_of(host, "http"), name), PlainHttp(host)
    for deviation in host.deviations:
        if deviation.transport == "http":
            deviation.apply(server)
        elif deviation.transport == "v1":
            deviation.apply(plain)
    app = server.app(*(plain.mounts() if "http" in host.served.binds else ()))
    app.add_exception_handler(HTTPException, plain.refused_by_router)
    app.add_exception_handler(Exception, plain.fault)
    app.router.redirect_slashes = False
    return app


def listen(name: str, port: int) -> socket.socket:
    """A socket that listens; port 0: one that is free. OSError, OverflowError: the address cannot be had."""
    family, kind, protocol, _, address = socket.getaddrinfo(name, port, type=socket.SOCK_STREAM)[0]
    # asyncio turns Nagle's algorithm off only where the socket says that it is TCP: 22 calls a second without, 265 with
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(socket.SOMAXCONN)
    except OSError:
        listener.close()
        raise
    return listener


def run_stdio(server: StdioServer) -> None:
    """Serves over stdin and stdout until stdin closes."""
    logging.basicConfig(stream=sys.stderr, level=logging.CRITICAL)
    asyncio.run(server.run())


def run_http(app: Starlette, name: str, listener: socket.socket) -> None:
    """Serves over HTTP until a signal ends it; says on stderr where it listens."""
    logging.basicConfig(stream=sys.stderr, level=logging.CRITICAL)
    address = f"http://{name}:{listener.getsockname()[1]}"
    config = uvicorn.Config(app, log_level="error", access_log=False, timeout_graceful_shutdown=2)
    with listener:
        asyncio.run(_Announcing(config, address).serve(sockets=[listener]))


class _Announcing(uvicorn.Server):
    """Says where it listens as soon as it does: whoever started it waits for that line."""

    def __init__(self, config: uvicorn.Config, address: str) -> None:
        super().__init__(config)
        self._address = address

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        sys.stderr.write(f"listening on {self._address}\n")
        sys.stderr.flush()
