"""Requests and responses as they pass by: nothing is changed but the Host, in whatever parts they come."""

from collections import deque

import pytest

from conformance.drive.tap.messages import Request, Requests, Responses, UnreadableError

ASKED = (
    b"POST /mcp HTTP/1.1\r\nX-A: 1\r\nHOST:  127.0.0.1:9\r\nContent-Length: 5\r\n\r\nhello"
    b"GET /mcp?x=1 HTTP/1.1\r\nhost: 127.0.0.1:9\r\n\r\n"
    b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:9\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
)
ANSWERED = (
    b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    b"HTTP/1.1 405 No\r\nContent-Length: 0\r\n\r\n"
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n2\r\nyz\r\n0\r\n\r\n"
)


def parts(data: bytes, size: int) -> list[bytes]:
    return [data[at : at + size] for at in range(0, len(data), size)]


@pytest.mark.parametrize("size", [1, 3, 17, 1000])
def test_requests(size: int) -> None:
    begun: list[Request] = []
    reading = Requests(b"there:80", 100, begun.append)
    out = b"".join(reading.feed(part) for part in parts(ASKED, size))
    assert out == ASKED.replace(b"127.0.0.1:9", b"there:80")
    seen = [(r.method, r.target, bytes(r.body), r.whole, r.first) for r in begun]
    assert seen == [
        ("POST", "/mcp", b"hello", True, True),
        ("GET", "/mcp?x=1", b"", True, False),
        ("POST", "/mcp", b"abc", True, False),
    ]


def test_a_body_is_kept_within_bounds_and_passed_on_whole() -> None:
    begun: list[Request] = []
    asked = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n" + b"x" * 1000
    assert Requests(b"a", 100, begun.append).feed(asked) == asked
    assert (len(begun[0].body), begun[0].size) == (100, 1000)


@pytest.mark.parametrize("asked", [b"\x16\x03\x01 no http\r\n\r\nrest", b"y" * 70_000, ASKED + b"\0\0\r\n\r\n"])
def test_what_is_no_request_is_passed_on_whole(asked: bytes) -> None:
    with pytest.raises(UnreadableError) as told:
        Requests(b"127.0.0.1:9", 100, lambda _: None).feed(asked)
    assert told.value.rest == asked


class Kept:
    """What a response was."""

    def __init__(self, status: int) -> None:
        self.told: list[object] = [status]

    def data(self, data: bytes, t: int) -> None:
        self.told.append(data)

    def over(self, t: int) -> None:
        self.told.append("over")


@pytest.mark.parametrize("size", [1, 3, 17, 1000])
def test_responses(size: int) -> None:
    asked = deque(Request(method, "/mcp", {}, bytearray(), first=False) for method in ("POST", "GET", "POST"))
    answers: list[Kept] = []

    def answering(request: Request, status: int, headers: object, t: int) -> Kept:
        answers.append(Kept(status))
        return answers[-1]

    reading = Responses(asked, answering)
    for part in parts(ANSWERED, size):
        reading.feed(part, 0)
    reading.feed(b"", 0)
    told = [(a.told[0], b"".join(d for d in a.told if isinstance(d, bytes)), a.told[-1]) for a in answers]
    assert told == [(200, b"ok", "over"), (405, b"", "over"), (200, b"xyz", "over")]
    assert not asked


def test_a_response_that_ends_too_soon_is_none() -> None:
    asked = deque([Request("POST", "/mcp", {}, bytearray(), first=True)])
    reading = Responses(asked, lambda *_: Kept(200))
    reading.feed(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nok", 0)
    with pytest.raises(UnreadableError):
        reading.feed(b"", 0)
