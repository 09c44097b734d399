"""Waits until a server that was started listens: at the address that it prints, or at the port that its URL names."""

import asyncio
import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from conformance.drive.command_line import hidden
from conformance.drive.errors import StartError
from conformance.drive.frames import frame
from conformance.drive.kin import ports
from conformance.drive.place import POLL_S, Place
from conformance.drive.process import Process
from conformance.model.events import Json

LINE = 8_192
"""Bytes of a line that is not over yet in which an address is looked for."""
MOST = 64
"""Addresses that are tried."""
UNSAID_S = 2.0
"""After so long a server that says no address is looked for at the one port on which it listens."""
_HERE = rb"localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]"
_URL = re.compile(rb"(https?)://(" + _HERE + rb"):(\d{1,5})\b")
_HOST = re.compile(rb"(?<![\w.\]/])(" + _HERE + rb"|\*)?:(\d{3,5})\b")
_PORT = re.compile(rb"\bport\b\W{0,4}(\d{2,5})\b", re.IGNORECASE)
_ANY = {"0.0.0.0": "127.0.0.1", "[::]": "[::1]", "*": "127.0.0.1", "::": "[::1]", "::1": "[::1]", "": "127.0.0.1"}  # noqa: S104 -- read, not bound
_HOSTS = ("host", "hostname", "address", "addr", "ip", "bind")


class Announced:
    """The addresses of this machine in what a server prints, in the order in which they came."""

    def __init__(self) -> None:
        self.found: dict[str, None] = {}
        self._line = b""

    def take(self, chunk: bytes) -> None:
        """Looks through what was printed."""
        *lines, self._line = (self._line + chunk).split(b"\n")
        self._line = self._line[-LINE:]
        for line in (*lines, self._line):
            if len(self.found) < MOST:
                self.found.update(dict.fromkeys(addresses(line)))


def addresses(line: bytes) -> Iterator[str]:
    """The addresses that a line names: as fields or in texts of a JSON object, as a URL, HOST:PORT or a port alone."""
    record = frame(line).payload if line.lstrip().startswith(b"{") else None
    if isinstance(record, dict):
        yield from _fields(record)
        return
    for scheme, host, port in _URL.findall(line):
        yield _address(scheme.decode(), host.decode(), int(port))
    for host, port in _HOST.findall(line):
        yield _address("http", host.decode(), int(port))
    for port in _PORT.findall(line):
        yield _address("http", "", int(port))


def _fields(value: Json, depth: int = 3) -> Iterator[str]:
    if isinstance(value, str):
        yield from addresses(value.encode("utf-8", "replace").lstrip(b"{"))
    if not isinstance(value, dict) or not depth:
        return
    port = value.get("port")
    if isinstance(port, int | str) and str(port).isdigit():
        host = next((value[name] for name in _HOSTS if isinstance(value.get(name), str)), "")
        if host in _ANY or host in ("localhost", "127.0.0.1"):
            yield _address("http", host, int(port))
    for inner in value.values():
        yield from _fields(inner, depth - 1)


def _address(scheme: str, host: str, port: int) -> str:
    return f"{scheme}://{_ANY.get(host, host)}:{port}"


async def announced(process: Process, wait_s: float) -> str:
    """The address at which a server that was just started accepts connections; StartError where it says none."""
    said = Announced()
    process.heard = said.take
    if process.stdout is not None:
        process.drain(process.stdout)
    loop = asyncio.get_running_loop()
    began = loop.time()
    while loop.time() - began < wait_s:
        for address in await _likely(said, process, late=loop.time() - began > UNSAID_S):
            if not await Place(address).accepts():
                process.heard = None
                return address
        if process.status is not None and await process.gone(0):
            break
        await asyncio.sleep(POLL_S / 2)
    raise _silent(process, f"it said no address on which it accepts connections within {wait_s:g} s")


async def _likely(said: Announced, process: Process, *, late: bool) -> list[str]:
    """Of the addresses said those on which the server's own processes listen, as far as that can be seen."""
    if not said.found and not late:
        return []
    listens = await asyncio.to_thread(ports, process.mark)
    found = [at for at in said.found if not listens or urlsplit(at).port in listens]
    return found or ([_address("http", "", port) for port in listens] if late and len(listens) == 1 else [])


async def accepting(process: Process, url: str, wait_s: float) -> None:
    """Waits until a server that was just started accepts connections at its URL; StartError where it does not."""
    if process.stdout is not None:
        process.drain(process.stdout)
    # a command that ends well may have started what stays, as `docker compose up -d` does
    why = await Place(url).within(wait_s, lambda: bool(process.status))
    if why:
        raise _silent(process, f"nothing accepted connections at {url} within {wait_s:g} s: {why}")


def _silent(process: Process, what: str) -> StartError:
    return StartError(
        "the server did not start to listen",
        " ".join(hidden(process.words)),
        process.fate if process.status else f"{what}; {process.fate}",
        "start the command in a shell and look at what it prints; [limits] start_timeout_s gives it more time",
    )
