"""Over HTTP, nothing that an ordinary, slow or hostile server does stops, fools or hangs the suite."""

import asyncio
import contextlib
import socket
import ssl
import sys
import threading
import time
from pathlib import Path

import pytest

from conformance.drive.caller import Caller
from conformance.drive.connection import Connection
from conformance.drive.errors import StartError, UsageError
from conformance.drive.greeting import greet
from conformance.drive.listening import announced
from conformance.drive.place import Place
from conformance.drive.process import Process
from conformance.drive.recorder import Recorder
from conformance.drive.volley import volley
from conformance.drive.wire import pace
from conformance.drive.wire.http import HttpWire
from conformance.model.envelope import PLAIN
from tests.e2e.driving import command, driven, over_http

QUICK = ["MC-RPC-01", "MC-LIST-01"]


@pytest.mark.parametrize("era", ["newer", "older"])
def test_an_ordinary_server_is_accused_of_nothing(era: str, tmp_path: Path) -> None:
    run = over_http(tmp_path, "httpbase", era)
    assert run.found() == set()
    assert run.report.complete


# Sessions, and the stream that a GET opens


def test_sessions_are_ended(tmp_path: Path) -> None:
    run = over_http(tmp_path, "resumes", only=QUICK)
    ended = [a for a in run.history.asides.values() if a.sent.http is not None and a.sent.http.method == "DELETE"]
    opened = [c for c in run.history.connections.values() if c.revision is not None]
    assert len(ended) == len(opened) > 0
    assert all(aside.answers[0].http is not None and aside.answers[0].http.status == 200 for aside in ended)


def test_a_ping_on_the_stream_of_a_get_is_answered(tmp_path: Path) -> None:
    """@playwright/mcp forgets the session of a client that does not; the calls go on for longer than it waits."""
    run = over_http(tmp_path, "heartbeat", limits={"concurrency": 1}, only=["MC-CALL-0*", "MC-RPC-*"])
    assert run.found() == set()
    assert {inquiry.method for inquiry in run.history.inquiries} == {"ping"}
    assert all(inquiry.reply is not None for inquiry in run.history.inquiries)
    gone = [e.asked.headers for e in run.history.exchanges if e.status == 404 and e.asked is not None]
    assert gone
    assert all(asked.get("mcp-session-id", "conformance").startswith("conformance") for asked in gone), "none was given"


@pytest.mark.parametrize("words", [(), ("as the SDKs",)], ids=["in words", "as the SDKs"])
def test_a_session_that_is_forgotten_is_begun_anew_and_the_call_repeated(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    run = over_http(tmp_path, "forgets_sessions", *words, only=["MC-CALL-04", "MC-CALL-09", *QUICK])
    assert run.found() == set()
    forgotten = [exchange for exchange in run.history.exchanges if exchange.status == 404]
    assert forgotten
    assert len(list(run.history.accepted("echo"))) > 6
    assert all(e.accepted for e in run.history.exchanges if e.method == "initialize" and e.asked is not None)


def test_a_session_that_cannot_be_begun_anew_is_a_finding(tmp_path: Path) -> None:
    run = over_http(tmp_path, "forgets_sessions", "for good", only=["MC-CALL-04", *QUICK])
    assert run.found() == {"MC-LIST-01"}
    answered = 'an answer that is no JSON with HTTP 404 ("Session not found")'
    assert run.saw("MC-LIST-01") == f"the session was gone, and a new handshake was answered: {answered}"
    assert run.seconds < 30


def test_headers_that_are_odd_come_back_and_break_nothing(tmp_path: Path) -> None:
    run = over_http(tmp_path, "odd_headers", only=["MC-CALL-01", *QUICK])
    assert run.found() == set()
    assert any(call.accepted for call in run.history.calls("echo"))


def test_names_and_arguments_are_mirrored_as_headers_carry_them(tmp_path: Path) -> None:
    run = over_http(tmp_path, "mirrors", only=["MC-CALL-01", *QUICK])
    assert run.found() == set()
    calls = list(run.history.calls("ツール"))
    assert any(call.accepted and "region" in call.arguments for call in calls)
    assert not any(call.protocol_code == -32020 for call in calls if isinstance(call.argument("region"), str | None))


# Addresses


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (200, ["HTTP 200 at /mcp: <!doctype html>"]),
        (307, ["HTTP 307 at /mcp: no body; Location: /mcp/", "redirects are not followed"]),
        (
            401,
            [
                'HTTP 401 at /mcp: {"error":"invalid_token"}',
                'WWW-Authenticate: Bearer resource_metadata="/x"',
                "give a token",
            ],
        ),
        (403, ["HTTP 403 at /mcp: only localhost:4140", "is a token missing?"]),
        (404, ["HTTP 404 at /mcp: <html>nothing here</html>", "is the address whole?"]),
        (405, ["HTTP 405 at /mcp: no body; Allow: GET", "is the address whole?"]),
        (421, ["HTTP 421 at /mcp: Invalid Host header", "(Host, Origin)"]),
        (502, ["HTTP 502 at /mcp: Bad Gateway", "behind the proxy"]),
    ],
)
def test_what_lets_nobody_in_is_told_as_what_it_is(status: int, words: list[str], tmp_path: Path) -> None:
    with pytest.raises(StartError) as raised:
        over_http(tmp_path, "refuses_at_the_door", str(status))
    assert [word for word in words if word not in str(raised.value)] == []


def test_the_older_transport_is_told_as_that(tmp_path: Path) -> None:
    with pytest.raises(StartError, match=r"HTTP\+SSE"):
        over_http(tmp_path, "refuses_at_the_door", "405", url="{listening}/sse")


def test_a_url_is_called_as_it_is_given(tmp_path: Path) -> None:
    run = over_http(tmp_path, "elsewhere", url="{listening}/mcp/?key=abc-secret", only=QUICK)
    assert run.found() == set()


def test_nothing_that_listens_is_told_as_such(tmp_path: Path) -> None:
    with pytest.raises(StartError, match=r"no server answers at http://127\.0\.0\.1:9/mcp\n  Connection refused"):
        driven(tmp_path, {"transport": "http", "url": "http://127.0.0.1:9/mcp"})


@pytest.mark.parametrize(
    "said",
    [
        '{"level":"info","msg":"up","http":{"host":"0.0.0.0","port":PORT}}',
        "Server ready on :PORT",
        "listening at http://[::]:PORT/ and http://0.0.0.0:PORT/",
        "MCP server on port PORT, database on port 5432",
    ],
)
def test_where_a_server_listens_is_found_in_what_it_prints(said: str, tmp_path: Path) -> None:
    run = over_http(tmp_path, "says_where", said, only=QUICK)
    assert run.found() == set()


@pytest.mark.skipif(sys.platform != "linux", reason="the ports of a process are read from /proc")
def test_where_a_server_listens_is_seen_where_it_prints_nothing(tmp_path: Path) -> None:
    assert over_http(tmp_path, "says_where", "", only=QUICK).found() == set()


def test_a_url_without_a_place_for_the_address_is_waited_for(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    run = over_http(tmp_path, "says_where", "", str(port), url=f"http://127.0.0.1:{port}/mcp", only=QUICK)
    assert run.found() == set()
    assert run.seconds < 30


def test_a_port_that_is_taken_is_told_before_another_server_is_judged(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/mcp"
        with pytest.raises(StartError, match=r"listens at .* already"):
            over_http(tmp_path, "says_where", "", url=url)


def test_a_server_that_does_not_start_is_told_with_its_last_words(tmp_path: Path) -> None:
    with pytest.raises(StartError) as raised:
        over_http(tmp_path, "dies")
    assert "has ended with status 3; it last wrote: some banner | boom: no such database" in raised.value.why


# Going away, taking long, ending


@pytest.mark.parametrize("concurrency", [2, 48])
def test_a_server_that_goes_away_for_a_moment_is_waited_for(concurrency: int, tmp_path: Path) -> None:
    only, limits = ["MC-CALL-04", "MC-CALL-09", *QUICK], {"concurrency": concurrency}
    run = over_http(tmp_path, "goes_away", only=only, limits=limits)
    assert run.report.complete
    lost = [call for call in run.history.exchanges if call.unanswered]
    # a busy machine takes its time to close the door: what comes to it meanwhile is lost as well
    assert len(lost) <= 12, "only what was under way when it went: at its door or in its hands"
    assert len(run.history.exchanges) > 3 * len(lost)
    # the server closes every connection without a word: any one call may meet that
    assert any(call.accepted for call in run.history.exchanges[-5:])


def test_a_server_that_serves_nobody_for_a_while_is_asked_again(tmp_path: Path) -> None:
    run = over_http(tmp_path, "drains")
    assert run.found() == set()
    assert run.report.conformant
    assert all(call.status != 503 for call in run.history.calls())


@pytest.mark.parametrize(("era", "body"), [("newer", "text"), ("newer", "error"), ("older", "object")])
def test_a_server_that_serves_so_many_requests_at_a_time_is_asked_more_slowly(
    tmp_path: Path, era: str, body: str
) -> None:
    run = over_http(tmp_path, "throttles", era, body)
    assert run.found() == set()
    assert run.report.conformant
    assert all(call.status != 429 for call in run.history.calls())


def test_a_limit_that_never_ends_is_told_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "WINDOW_S", 1.0)
    run = over_http(tmp_path, "throttles", "newer", "for-good")
    assert run.report.reason == "a limit on requests did not end in 1 s: raise it for the run"
    assert not run.report.conformant
    assert run.history.exchanges[-1].status == 429


def test_a_server_that_serves_nobody_any_more_is_not_asked_again_and_again(tmp_path: Path) -> None:
    run = over_http(tmp_path, "drains", "never-back")
    assert run.seconds < 60
    assert "MC-LIST-01" not in run.verdicts("fail"), "it was served before"
    assert not run.report.conformant


def test_a_server_that_is_gone_for_good_is_told_with_its_status(tmp_path: Path) -> None:
    run = over_http(tmp_path, "goes_away", "for good", only=["MC-CALL-04", "MC-CALL-09", *QUICK])
    assert run.seconds < 30
    assert not run.verdicts("error"), "that it is gone is no fault of the suite's"
    details = {call.detail for call in run.history.exchanges if call.unanswered}
    assert any("has ended with status 4; it last wrote: " in each and "out of memory" in each for each in details)


@pytest.mark.parametrize("era", ["newer", "older"])
def test_a_call_that_takes_too_long_is_a_matter_of_one_requirement(era: str, tmp_path: Path) -> None:
    run = over_http(
        tmp_path, "long_calls", "2", era, only=["MC-CALL-10", "MC-RPC-01", "MC-CALL-09"], limits={"call_timeout_s": 1}
    )
    assert run.found() == {"MC-CALL-10"}
    cancelled = {each["params"]["requestId"] for each in run.sent("notifications/cancelled")}
    silent = {call.call for call in run.history.calls() if call.unanswered == "time"}
    assert cancelled == (silent if era == "older" else set()), "without a handshake the closed response says it"


def test_a_body_that_is_packed_is_named(tmp_path: Path) -> None:
    run = over_http(tmp_path, "odd_bodies", "gzip", only=["MC-CALL-01", *QUICK])
    assert "it is encoded as gzip, though only identity was asked for" in run.saw("MC-RPC-01")


@pytest.mark.parametrize(
    ("body", "fault"), [("array", "a value that is no object"), ("marked", "JSON is malformed: invalid character")]
)
def test_a_server_whose_every_answer_is_malformed_is_judged(body: str, fault: str, tmp_path: Path) -> None:
    """It is there, and speaks MCP: it is told what it does wrong, and not that its address may be another."""
    run = over_http(tmp_path, "odd_bodies", body, only=QUICK)
    assert f"what came is no JSON-RPC answer: {fault}" in run.saw("MC-RPC-01")
    assert not run.report.complete


def test_an_endless_answer_to_a_notification_stops_nothing(tmp_path: Path) -> None:
    run = over_http(tmp_path, "odd_bodies", "endless", only=["MC-CALL-01", *QUICK])
    assert any(call.accepted for call in run.history.calls("echo"))
    assert run.octets < 2_000_000


def test_a_server_that_the_suite_started_ends_at_once() -> None:
    """The reference behind HTTP, which closes what is under way first: asked by a signal, not by its stdin."""

    async def ended() -> float:
        words = ["-m", "reference_server", "threads", "--transport", "http", "--port", "0", "--test-conditions"]
        process = await Process.start([sys.executable, *words], {})
        await announced(process, 30)
        began = time.monotonic()
        await process.end(3.0, by_signal=True)
        return time.monotonic() - began

    assert asyncio.run(ended()) < 4


# On the wire

ROUNDS = 10


def test_calls_that_are_made_together_are_on_the_wire_together(tmp_path: Path) -> None:
    """Their last bytes leave when all are ready: a server sees them at once, and what is recorded as sent is that."""
    seen, number = tmp_path / "seen", 8

    async def race() -> list[tuple[int, int]]:
        process = await Process.start(command("counts_overlaps", str(seen)), {})
        url = f"{await announced(process, 30)}/mcp"
        recorder = Recorder(PLAIN)
        connection = Connection("c1", "main", recorder, limit_s=20, start_s=20, url=url)
        wire = HttpWire(url, "mcp", {}, connection.hear, max_bytes=1_000_000, place=Place(url))
        await greet(connection, wire, "auto", Caller("a test"))
        # a machine that is busy may not let all leave at once: a race is run again until they do
        told: list[bool] = []
        for _ in range(ROUNDS):
            with volley(number, lambda made, together: told.append(made == together)):
                await asyncio.gather(*(connection.call("echo", {"text": "x"}, Caller("a test")) for _ in range(number)))
            if told[-1:] == [True]:
                break
        await connection.close()
        await process.end(1.0, by_signal=True)
        return [(call.sent, call.received or 0) for call in list(recorder.history.calls("echo"))[-number:]]

    times = asyncio.run(race())
    assert max(sent for sent, _ in times) < min(received for _, received in times), "all left before one was answered"
    assert max(map(int, seen.read_text().split())) == number


def test_no_certificates_are_read_for_a_plain_address(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(*_: object, **__: object) -> None:
        raise AssertionError("certificates are read")

    monkeypatch.setattr(ssl.SSLContext, "load_verify_locations", read)
    monkeypatch.setattr(ssl.SSLContext, "load_default_certs", read)

    async def made() -> None:
        url = "http://127.0.0.1:1/mcp"
        wire = HttpWire(url, "mcp", {}, lambda *_: None, max_bytes=1, place=Place(url))
        await wire.close()

    asyncio.run(made())


@pytest.mark.parametrize(
    ("url", "words"),
    [
        (
            "https://{address}/mcp",
            ["the server ended the connection before it answered anything", "SSL", "http or by https"],
        ),
        ("http://{address}:99999/mcp", ["is no URL", "Port"]),
    ],
)
def test_an_address_that_is_wrong_is_told_as_such(url: str, words: list[str], tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        address = f"127.0.0.1:{other.getsockname()[1]}" if "https" in url else "127.0.0.1"
        talker = threading.Thread(target=hang_up, args=[other], daemon=True)
        talker.start()
        with pytest.raises(UsageError) as raised:
            driven(tmp_path, {"transport": "http", "url": url.format(address=address)})
    assert [word for word in words if word not in str(raised.value)] == []


def hang_up(listener: socket.socket) -> None:
    """Answers every connection with what is no TLS."""
    with contextlib.suppress(OSError):
        while True:
            connection, _ = listener.accept()
            connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            connection.close()


def test_blank_lines_after_a_response_are_no_finding(tmp_path: Path) -> None:
    run = over_http(tmp_path, "answers_twice", "blank")
    assert run.found() == set()
    assert all(call.received is not None for call in run.history.exchanges)


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("opens", "no valid HTTP: illegal status line: SSH-2.0-OpenSSH_9.6"),
        ("closes", "closed the connection before its response was whole; the server still accepts connections"),
    ],
)
def test_what_is_no_http_is_told_at_once_and_the_server_is_taken_to_be_there(
    how: str, said: str, tmp_path: Path
) -> None:
    run = over_http(tmp_path, "answers_twice", "garbled", how)
    assert run.found() == {"MC-RPC-01"}
    assert said in run.saw("MC-RPC-01")
    lost = [call for call in run.history.calls() if call.unanswered == "lost"]
    assert run.seconds < len(lost)
