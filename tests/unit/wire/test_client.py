"""Requests over HTTP/1.1: what leaves, which connection it leaves on, and what of a response is lost."""

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from conformance.drive.volley import volley
from conformance.drive.wire.channel import LostError, UnreachedError
from conformance.drive.wire.client import LOST, Client, Response, StaleError, target

OK = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"
Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@contextlib.asynccontextmanager
async def served(
    talk: Talk, user: str = "", kept: int = 4, secure: ssl.SSLContext | None = None
) -> AsyncIterator[Client]:
    """A client of a server that talks so on each connection."""
    talks = list[asyncio.Task[None]]()

    async def talked(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            await talk(reader, writer)
        writer.close()

    server = await asyncio.start_server(
        lambda *ends: talks.append(asyncio.create_task(talked(*ends))), "127.0.0.1", 0, ssl=secure
    )
    client = Client(
        f"{'https' if secure else 'http'}://{user}127.0.0.1:{server.sockets[0].getsockname()[1]}/mcp", 8, kept
    )
    try:
        yield client
    finally:
        await client.close()
        server.close()
        await asyncio.gather(*talks)
        await asyncio.sleep(0)


async def posted(client: Client, body: bytes | None = b"{}", path: str = "/mcp") -> tuple[int, bytes]:
    async with client.sent("POST", path, {b"x-one": b"1"}, body, None) as response:
        return response.status, await whole(response)


async def whole(response: Response) -> bytes:
    return b"".join([chunk async for chunk in response.chunks()])


class Answering:
    """Answers each request, whatever it is, and keeps what it was asked and over how many connections."""

    def __init__(self, answer: bytes = OK) -> None:
        self.answer, self.heard, self.connections = answer, list[bytes](), 0

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        while heard := await reader.read(65_536):
            self.heard.append(heard)
            writer.write(self.answer)
        writer.close()


def test_a_request_leaves_in_one_piece_and_says_who_asks() -> None:
    answering = Answering()

    async def asked() -> tuple[int, bytes]:
        async with served(answering) as client:
            return await posted(client)

    assert asyncio.run(asked()) == (200, b"ok")
    head, _, body = answering.heard[0].partition(b"\r\n\r\n")
    assert body == b"{}"
    assert head.startswith(b"POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:")
    assert {b"x-one: 1", b"content-length: 2", b"connection: keep-alive"} <= set(head.split(b"\r\n"))


def test_a_connection_is_used_again_and_by_one_at_a_time() -> None:
    answering = Answering()

    async def asked() -> None:
        async with served(answering) as client:
            for _ in range(3):
                await posted(client)
            assert answering.connections == 1
            await asyncio.gather(*(posted(client) for _ in range(5)))

    asyncio.run(asked())
    assert answering.connections == 5


def test_no_more_connections_are_kept_than_asked_for() -> None:
    answering = Answering()

    async def asked() -> None:
        async with served(answering, kept=1) as client:
            for _ in range(2):
                await asyncio.gather(*(posted(client) for _ in range(3)))

    asyncio.run(asked())
    assert answering.connections == 5


def test_a_connection_that_closed_while_it_was_idle_is_not_used_again() -> None:
    connections = 0

    async def once(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connections
        connections += 1
        await reader.read(65_536)
        writer.write(OK)
        writer.close()

    async def asked() -> list[tuple[int, bytes]]:
        async with served(once) as client:
            found = []
            for _ in range(3):
                found.append(await posted(client))
                await asyncio.sleep(0.02)
            return found

    assert asyncio.run(asked()) == [(200, b"ok")] * 3
    assert connections == 3


def test_a_connection_that_closes_while_others_of_a_volley_are_waited_for_is_stale() -> None:
    """The head has left, and the rest has not: the server cannot have acted."""

    async def hangs_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while heard := await reader.read(65_536):
            if not heard.endswith(b"{}"):
                break
            writer.write(OK)
        writer.close()

    async def asked() -> None:
        async with served(hangs_up) as client:
            await posted(client)
            with volley(2):
                async with client.sent("POST", "/", {}, b"{}", lambda _: None):
                    pass

    with pytest.raises(StaleError):
        asyncio.run(asked())


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (b"", "closed the connection without a response"),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nok", "without sending complete message body"),
        (b"no HTTP at all\r\n\r\n", "illegal status line"),
    ],
)
def test_a_response_that_is_not_whole_is_lost(answer: bytes, said: str) -> None:
    async def breaks_off(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(65_536)
        writer.write(answer)
        writer.close()

    async def asked() -> None:
        async with served(breaks_off) as client:
            await posted(client)

    with pytest.raises(LOST, match=said):
        asyncio.run(asked())


def test_what_is_said_before_the_response_is_passed_over() -> None:
    answering = Answering(b"HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n" + OK)

    async def asked() -> tuple[int, bytes]:
        async with served(answering) as client:
            return await posted(client)

    assert asyncio.run(asked()) == (200, b"ok")


def test_a_large_answer_is_read_as_it_comes() -> None:
    size = 3_000_000
    answering = Answering(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n%b" % (size, b"x" * size))

    async def asked() -> int:
        async with served(answering) as client, client.sent("GET", "/", {}, None, None) as response:
            await asyncio.sleep(0.05)
            return len(await whole(response))

    assert asyncio.run(asked()) == size


def test_user_and_password_of_a_url_are_told() -> None:
    answering = Answering()

    async def asked() -> None:
        async with served(answering, "me:p%40ss@") as client:
            await posted(client)

    asyncio.run(asked())
    assert b"authorization: Basic bWU6cEBzcw==" in answering.heard[0].split(b"\r\n")
    assert b"me:p" not in answering.heard[0].partition(b"authorization")[0]


def test_what_is_asked_over_tls_is_answered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Two at once, then one more: over connections that are kept as well."""
    answering = Answering()
    pem = _certificate(tmp_path)
    there = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    there.load_cert_chain(pem)
    monkeypatch.setattr("conformance.drive.wire.client.secure_context", lambda: ssl.create_default_context(cafile=pem))

    async def asked() -> list[tuple[int, bytes]]:
        async with served(answering, secure=there) as client:
            return [*await asyncio.gather(posted(client), posted(client)), await posted(client)]

    assert asyncio.run(asked()) == [(200, b"ok")] * 3
    assert answering.connections == 2


def _certificate(folder: Path) -> Path:
    """A certificate for this machine with its key, signed by itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "a test")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    encoding = serialization.Encoding.PEM
    form = serialization.PrivateFormat.PKCS8
    pem = folder / "both.pem"
    pem.write_bytes(key.private_bytes(encoding, form, serialization.NoEncryption()) + made.public_bytes(encoding))
    return pem


def test_nothing_that_listens_is_told_as_such() -> None:
    async def asked() -> None:
        await posted(Client("http://127.0.0.1:9/mcp", 1, 1))

    with pytest.raises(UnreachedError, match=r"refused|failed"):
        asyncio.run(asked())


def test_a_header_that_http_has_no_room_for_is_no_request() -> None:
    async def asked() -> None:
        async with served(Answering()) as client, client.sent("POST", "/", {b"x": b"1\r\ny: 2"}, None, None):
            pass

    with pytest.raises(LOST):
        asyncio.run(asked())


def test_a_connection_that_breaks_is_told_with_how() -> None:
    async def breaks(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(10)  # what is left unread makes the end a reset
        writer.transport.abort()

    async def asked() -> None:
        async with served(breaks) as client:
            await posted(client, b"x" * 100_000)

    with pytest.raises(LostError, match=r"the connection broke|without a response"):
        asyncio.run(asked())


@pytest.mark.parametrize(
    ("given", "asked"),
    [
        ("/mcp/?key=a-b&c=%20", "/mcp/?key=a-b&c=%20"),
        ("/a b/é", "/a%20b/%C3%A9"),
        ("", "/"),
        ("/mcp#part", "/mcp"),
        ("/x\r\ny", "/x%0D%0Ay"),
    ],
)
def test_a_path_is_asked_for_as_it_is_given(given: str, asked: str) -> None:
    assert target(given) == asked
