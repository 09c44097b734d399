"""New connections that a server's system breaks in a crowd are made again; what is broken alone is lost."""

import asyncio
import json
import socket
import struct
from collections.abc import Callable

from conformance.drive.caller import Caller
from conformance.drive.connection import Connection
from conformance.drive.place import Place
from conformance.drive.recorder import Recorder
from conformance.drive.wire.http import HttpWire
from conformance.model.envelope import PLAIN
from conformance.model.exchange import Exchange

RESET = struct.pack("ii", 1, 0)


async def asked(calls: int, breaks: Callable[[int], bool]) -> tuple[list[Exchange], int]:
    """So many calls at once, to a server that resets those connections; and how many of them it had."""
    made = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal made
        made += 1
        number = made
        head = await reader.readuntil(b"\r\n\r\n") if not breaks(number) else b""
        if not head:
            await asyncio.sleep(0.05)  # all are there
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            writer.transport.abort()
            return
        length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
        message = json.loads(await reader.readexactly(length))
        body = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": {"content": []}}).encode()
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n")
        writer.write(b"content-length: %d\r\n\r\n" % len(body) + body)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/mcp"
    recorder = Recorder(PLAIN)
    connection = Connection("c1", "main", recorder, limit_s=20, start_s=20, url=url)
    wire = HttpWire(url, "mcp", {}, connection.hear, max_bytes=1_000_000, place=Place(url))
    connection.wire = wire
    caller = Caller("a test")
    try:
        found = await asyncio.gather(*(connection.call("echo", {"n": n}, caller) for n in range(calls)))
    finally:
        await wire.close()
        await asyncio.sleep(0.1)  # what still looked whether anybody listens is served, and broken
        server.close()
    return list(found), made


def test_what_is_broken_in_a_crowd_is_asked_again() -> None:
    found, made = asyncio.run(asked(8, lambda number: number in {2, 5, 6}))
    assert [call.accepted for call in found] == [True] * 8
    assert made == 8 + 3


def test_what_is_broken_alone_is_lost() -> None:
    found, made = asyncio.run(asked(1, lambda _: True))
    assert [call.unanswered for call in found] == ["lost"]
    # one more looks whether anybody listens there at all
    assert made <= 2


def test_a_server_that_breaks_every_connection_is_found_out() -> None:
    found, made = asyncio.run(asked(3, lambda _: True))
    assert [call.unanswered for call in found] == ["lost"] * 3
    assert made <= 3 * 6
