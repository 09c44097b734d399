"""Where a server listens, as it says it in a line."""

import pytest

from conformance.drive.listening import Announced, addresses
from conformance.drive.words import line


@pytest.mark.parametrize(
    ("said", "first"),
    [
        (b"listening on http://127.0.0.1:8080", "http://127.0.0.1:8080"),
        (b"Uvicorn running on http://0.0.0.0:8000 (Press CTRL+C to quit)", "http://127.0.0.1:8000"),
        (b"https://localhost:8443/mcp", "https://localhost:8443"),
        (b"ready at http://[::]:3000/", "http://[::1]:3000"),
        (b'{"level":30,"host":"127.0.0.1","port":3100,"msg":"up"}', "http://127.0.0.1:3100"),
        (b'{"msg":"up","address":{"ip":"0.0.0.0","port":"3100"}}', "http://127.0.0.1:3100"),
        (b'{"port":3100}', "http://127.0.0.1:3100"),
        (b'{"msg":"serving","addr":":3100"}', "http://127.0.0.1:3100"),
        (b"Listening on :9090", "http://127.0.0.1:9090"),
        (b"server started on port 5173", "http://127.0.0.1:5173"),
        (b"2026-11-22 10:15:59 hello", None),
        (b'{"host":"db.example","port":5432}', None),
        (b"see https://example.com:8443/docs", None),
    ],
)
def test_addresses_of_this_machine_are_found(said: bytes, first: str | None) -> None:
    assert next(addresses(said), None) == first


def test_an_address_may_come_in_pieces_and_without_an_end() -> None:
    said = Announced()
    for chunk in (b"x\nlistening on http://127.0", b".0.1:80", b"80"):
        said.take(chunk)
    assert "http://127.0.0.1:8080" in said.found


def test_a_strangers_words_stay_on_their_line() -> None:
    assert line("a\n::error::b\r\n\x1b[2Jc\u202e", 100) == r"a | ::error::b | \x1b[2Jc\u202e"
    assert line("x" * 50, 10) == "…" + "x" * 10
