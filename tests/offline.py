"""What is fetched or read while something runs: nothing may be, whatever a stranger's schema refers to."""

import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

WATCHED = ("open", "socket.connect", "socket.getaddrinfo", "socket.sendto", "urllib.Request", "subprocess.Popen")
CODE = (".py", ".pyc", ".so", ".pyi")
"""Modules that are imported late."""
_watching: list[list[str]] = []


def _hook(event: str, arguments: tuple[object, ...]) -> None:
    if _watching and event in WATCHED:
        told = f"{event} {arguments[:2]!r}"
        if event != "open" or not str(arguments[0]).endswith(CODE):
            _watching[-1].append(told)
            raise PermissionError(f"a test forbids it: {told}")


sys.addaudithook(_hook)


@contextmanager
def offline() -> Iterator[list[str]]:
    """Forbids files and the network; gives what was tried."""
    tried: list[str] = []
    _watching.append(tried)
    try:
        yield tried
    finally:
        _watching.remove(tried)


@contextmanager
def listening() -> Iterator[tuple[int, list[bytes]]]:
    """A port of this machine, and what is said to it: for what no hook of Python's sees."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        heard: list[bytes] = []

        def answer() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:  # the server is closed
                    return
                with connection, suppress(OSError):
                    heard.append(connection.recv(1000))
                    body = b'{"const": "FETCHED"}'
                    connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n%s" % (len(body), body))

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        try:
            yield server.getsockname()[1], heard
        finally:
            with suppress(OSError):
                server.shutdown(socket.SHUT_RDWR)
    thread.join(5)
