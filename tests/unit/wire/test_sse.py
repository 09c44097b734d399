"""Event streams as the WHATWG standard defines them, cut into chunks wherever a network may cut them."""

import pytest

from conformance.drive.wire.sse import Event, EventParser


def parsed(*chunks: bytes) -> tuple[list[Event], EventParser]:
    parser = EventParser()
    return [event for chunk in chunks for event in parser.feed(chunk)], parser


STREAMS = {
    "one line": (b"data: a\n\n", [Event(b"a")]),
    "no space": (b"data:a\n\n", [Event(b"a")]),
    "one space is taken off, not two": (b"data:  a\n\n", [Event(b" a")]),
    "several lines": (b"data: YHOO\ndata: +2\ndata: 10\n\n", [Event(b"YHOO\n+2\n10")]),
    "comments, ids and unknown fields": (b": test stream\n\ndata: first\nid: 1\nfoo: bar\n\n", [Event(b"first")]),
    "a field without a colon": (b"data\n\ndata\ndata\n\ndata:", [Event(b""), Event(b"\n")]),
    "empty data": (b"id: 1\ndata: \n\n", [Event(b"")]),
    "an id alone is no event": (b"id: 1\n\n", []),
    "a name": (b"event: ping\ndata: x\n\ndata: y\n\n", [Event(b"x", "ping"), Event(b"y")]),
    "the name of an event without data is dropped": (b"event: ping\n\ndata: y\n\n", [Event(b"y")]),
    "the last event is not over": (b"data: a\n\ndata: b\n", [Event(b"a")]),
    "carriage returns": (b"data: a\r\rdata: b\r\r", [Event(b"a"), Event(b"b")]),
    "both": (b"data: a\r\n\r\ndata: b\r\n\r\n", [Event(b"a"), Event(b"b")]),
    "mixed": (b"data: a\r\ndata: b\n\rdata: c\n\n", [Event(b"a\nb"), Event(b"c")]),
    "byte order mark": (b"\xef\xbb\xbfdata: a\n\n", [Event(b"a")]),
    "the mark before a comment": (b"\xef\xbb\xbf: hello\ndata: a\n\n", [Event(b"a")]),
    "the mark later on is data": (b"data: a\n\n\xef\xbb\xbfdata: b\n\n", [Event(b"a")]),
    "a colon in the data": (b'data: {"a": 1}\n\n', [Event(b'{"a": 1}')]),
}


@pytest.mark.parametrize("name", STREAMS)
def test_a_stream_in_one_piece_and_in_every_two(name: str) -> None:
    stream, events = STREAMS[name]
    assert parsed(stream)[0] == events
    assert parsed(*(bytes([octet]) for octet in stream))[0] == events
    for place in range(len(stream)):
        assert parsed(stream[:place], stream[place:])[0] == events


def test_the_id_to_resume_from_is_that_of_the_last_event_that_was_over() -> None:
    _, parser = parsed(b"id: 1\ndata: \n\n", b"data: x\n\n", b"id: 2\ndata: y\n")
    assert parser.last_id == b"1"
    assert parser.unfinished.strip() == b"data: y"
    list(parser.feed(b"\nid\n\n"))
    assert parser.last_id == b""


@pytest.mark.parametrize("value", [b"a\0b", b"\0"])
def test_an_id_with_a_null_is_none(value: bytes) -> None:
    assert parsed(b"id: 7\n\nid: " + value + b"\ndata: x\n\n")[1].last_id == b"7"


@pytest.mark.parametrize(
    ("value", "ms"), [(b"50", 50), (b"0", 0), (b"1.5", None), (b"-1", None), (b"9" * 40, None), (b"", None)]
)
def test_a_retry_is_of_digits(value: bytes, ms: int | None) -> None:
    assert parsed(b"retry: " + value + b"\n\n")[1].retry_ms == ms
