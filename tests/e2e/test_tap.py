"""A tap between a client and a server of others: all is passed on as it is, and what it recorded can be judged."""

import asyncio
import json
import os
import shlex
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, StdioServerParameters

from conformance.certify import Options, rejudge
from conformance.model.events import Agreed, Closed, Event, Footer, Listing, Message, Opened, Step, Unanswered
from conformance.model.transcript import read
from conformance.model.verdict import Verdict
from conformance.report.model import Report

SERVERS = Path(__file__).parent / "servers"
SDK = [sys.executable, str(SERVERS / "sdk_server.py")]
TAP = [sys.executable, "-m", "conformance.cli.main", "tap"]
LISTENING = "conformance tap: listening on "


def of(events: list[Event], kind: type) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def before(server: list[str], file: Path) -> list[str]:
    """The words of a tap before a server on stdio."""
    return [*TAP, "--server-command", shlex.join(server), "--transcript", str(file)]


def through(server: str, said: bytes, file: Path, **env: str) -> subprocess.CompletedProcess[bytes]:
    """What a server of one line of Python says through a tap to whoever says this."""
    words = before([sys.executable, "-u", "-c", server], file)
    return subprocess.run(words, input=said, capture_output=True, check=False, timeout=60, env={**os.environ, **env})


@contextmanager
def in_front_of(url: str, file: Path, *words: str) -> Iterator[str]:
    """The address of a tap before a server behind HTTP."""
    command = [*TAP, "--server-url", url, "--listen", "0", "--transcript", str(file), *words]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as tap:
        assert tap.stderr is not None
        line = tap.stderr.readline()
        try:
            assert line.startswith(LISTENING), line
            yield line.removeprefix(LISTENING).split()[0]
        finally:
            tap.send_signal(signal.SIGTERM)
            assert tap.wait(20) == 0
            tap.stderr.read()


@contextmanager
def sdk_over_http() -> Iterator[str]:
    with subprocess.Popen([*SDK, "http"], stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        try:
            yield f"{server.stderr.readline().split()[-1]}/mcp"
        finally:
            server.kill()


async def used(server: Any, mode: Any) -> list[Any]:
    """What the SDK's client is answered."""
    async with Client(server, mode=mode) as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
        added = await client.call_tool("add", {"a": 2, "b": 3})
        failed = await client.call_tool("fail", {"why": "so"})
        again = await client.call_tool("add", {"a": 2, "b": 3})
        return [names, added.structured_content, failed.is_error, again.structured_content]


ANSWERED = [["add", "fail", "count"], {"sum": 5}, True, {"sum": 5}]


def judged(file: Path) -> tuple[list[Event], Report]:
    """What was recorded: it breaks nothing, and holds what was seen."""
    events, report = list(read(file)), rejudge(file, Options())
    results = (*report.requirements, *report.foundation)
    assert not [result.id for result in results if result.verdict in (Verdict.FAIL, Verdict.WARN, Verdict.ERROR)]
    assert {"MC-RPC-01", "MC-LIST-01"} <= {result.id for result in results if result.verdict is Verdict.PASS}
    assert report.complete
    assert report.notes[0].startswith("the calls are others' own")
    return events, report


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_sdks_client_over_stdio(tmp_path: Path, mode: str) -> None:
    file = tmp_path / "tap.jsonl"
    words = before(SDK, file)
    parameters = StdioServerParameters(command=words[0], args=words[1:], env=dict(os.environ))
    assert asyncio.run(used(parameters, mode)) == ANSWERED
    events, report = judged(file)
    assert [listing.ended for listing in of(events, Listing)] == ["done"]
    assert of(events, Agreed)
    assert {step.stimulus for step in of(events, Step)} == {"tap"}
    assert next(tool for tool in report.tools if tool.name == "add").accepted == 2


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_sdks_client_over_http(tmp_path: Path, mode: str) -> None:
    file = tmp_path / "tap.jsonl"
    with sdk_over_http() as url, in_front_of(url, file) as here:
        assert asyncio.run(used(here, mode)) == ANSWERED
    events, report = judged(file)
    assert {opened.transport for opened in of(events, Opened)} == {"http"}
    assert {message.http.status for message in of(events, Message) if message.direction == "in" and message.http} <= {
        200, 202, 405,
    }  # fmt: skip
    assert next(tool for tool in report.tools if tool.name == "add").accepted == 2


ODD = b'\xff\xfe no json\n\n{"jsonrpc":"2.0","id":7,"method":"x"}\r\n[1,2]\n{"a":\n' + b"y" * 300_000 + b"\nlast"
MIRROR = "import sys, shutil; shutil.copyfileobj(sys.stdin.buffer, sys.stdout.buffer)"


def test_over_stdio_every_byte_is_passed_on(tmp_path: Path) -> None:
    told = through(MIRROR, ODD * 20, tmp_path / "tap.jsonl")
    assert told.stdout == ODD * 20
    assert told.returncode == 0
    assert of(list(read(tmp_path / "tap.jsonl")), Footer)[0].complete


def test_a_client_that_says_nothing_ends_the_tap(tmp_path: Path) -> None:
    words = before([sys.executable, "-u", "-c", MIRROR], tmp_path / "tap.jsonl")
    told = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, timeout=30, check=False)
    assert (told.returncode, told.stdout, told.stderr) == (0, b"", b"")


def test_what_is_recorded_is_bound_and_what_is_passed_is_not(tmp_path: Path) -> None:
    flood = 'import sys; [sys.stdout.write(\'{"jsonrpc":"2.0","method":"n"}\\n\') for _ in range(60_000)]'
    told = through(flood, b"", tmp_path / "tap.jsonl")
    assert told.stdout.count(b"\n") == 60_000
    events = list(read(tmp_path / "tap.jsonl"))
    assert len(of(events, Message)) == 20_000
    assert of(events, Closed)[0].unkept == 40_000


def test_a_full_record_says_so_and_the_traffic_goes_on(tmp_path: Path) -> None:
    flood = 'print(\'\\n\'.join([\'{"jsonrpc":"2.0","method":"n","params":{"a":%d}}\' % n for n in range(20_000)]))'
    (tmp_path / "conformance.toml").write_text(
        f"""
        contract = "mcp"
        endpoint = [{{ transport = "stdio", command = {json.dumps([sys.executable, "-c", flood])} }}]
        limits = {{ max_run_bytes = 1_000_000 }}
        """
    )
    words = [*TAP, "--config", str(tmp_path / "conformance.toml"), "--transcript", str(tmp_path / "tap.jsonl")]
    told = subprocess.run(words, input=b"", capture_output=True, check=False, timeout=60)
    assert told.stdout.count(b"\n") == 20_000
    assert b"max_run_bytes" in told.stderr
    assert (tmp_path / "tap.jsonl").stat().st_size < 2_000_000
    footer = of(list(read(tmp_path / "tap.jsonl")), Footer)[0]
    assert not footer.complete
    assert "max_run_bytes" in footer.reason


def test_a_line_without_end_is_passed_on(tmp_path: Path) -> None:
    told = through("print('x' * 20_000_000)", b'{"jsonrpc":"2.0","id":1,"method":"m"}\n', tmp_path / "tap.jsonl")
    assert len(told.stdout) == 20_000_001
    events = list(read(tmp_path / "tap.jsonl"))
    assert [(lost.why, lost.call) for lost in of(events, Unanswered)] == [("size", 1)]


def test_a_server_that_dies_is_seen_to_die(tmp_path: Path) -> None:
    dies = "import sys, os; sys.stdin.readline(); sys.stderr.write('oh no'); sys.stderr.flush(); os._exit(7)"
    words = before([sys.executable, "-u", "-c", dies], tmp_path / "tap.jsonl")
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as tap:
        assert tap.stdin is not None
        assert tap.stdout is not None
        assert tap.stderr is not None
        tap.stdin.write(b'{"jsonrpc":"2.0","id":"a","method":"tools/list"}\n')
        tap.stdin.flush()
        assert tap.stdout.read() == b""
        assert tap.wait(20) == 7
        assert b"oh no" in tap.stderr.read()
    events = list(read(tmp_path / "tap.jsonl"))
    assert of(events, Closed)[0].exit == 7
    assert of(events, Unanswered)[0].why == "lost"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_tap_and_server(tmp_path: Path, number: signal.Signals) -> None:
    waits = "import os, time; print(os.getpid(), flush=True); time.sleep(60)"
    words = before([sys.executable, "-u", "-c", waits], tmp_path / "tap.jsonl")
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as tap:
        assert tap.stdout is not None
        server = int(tap.stdout.readline())
        tap.send_signal(number)
        assert tap.wait(20) == 0
    with pytest.raises(ProcessLookupError):
        os.kill(server, 0)
    assert of(list(read(tmp_path / "tap.jsonl")), Footer)[0].complete


def test_secrets_are_masked_and_passed_on(tmp_path: Path) -> None:
    said = (
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"password":"hunter2-zq9"}}}\n'
    )
    told = through(MIRROR, said, tmp_path / "tap.jsonl")
    assert told.stdout == said
    assert b"hunter2-zq9" not in (tmp_path / "tap.jsonl").read_bytes()
    assert b"secret:password" in (tmp_path / "tap.jsonl").read_bytes().replace("«".encode(), b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk here")
@pytest.mark.parametrize("file", ["/dev/full", "/proc/nowhere/tap.jsonl"])
def test_what_cannot_be_recorded_is_passed_on(file: str) -> None:
    told = through(MIRROR, b'{"jsonrpc":"2.0","id":1,"method":"m"}\n', Path(file))
    assert told.stdout == b'{"jsonrpc":"2.0","id":1,"method":"m"}\n'
    assert b"conformance tap:" in told.stderr
    assert b"passed on" in told.stderr
    assert b"Traceback" not in told.stderr


ANSWER = b'{"jsonrpc":"2.0","id":1,"result":{} }'
EVENT = b': c\n\ndata: {"jsonrpc":"2.0","id":2,"result":{}}\n'
REFUSED = b'data: {"jsonrpc":"2.0","id":4,"error":{"code":-32601,"message":"no"}}\n\n'
RESPONSES = (
    b"HTTP/1.1 200 Fine\r\nX-Odd:  two  \r\nContent-Type: application/json\r\ncontent-length: %d\r\n\r\n%s"
    % (len(ANSWER), ANSWER),
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
    b"%x\r\n%s\r\n1\r\n\n\r\n0\r\n\r\n" % (len(EVENT), EVENT),
    b"HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\ngone",
    b"HTTP/1.1 404 Not Found\r\nContent-Type: text/event-stream\r\nContent-Length: %d\r\n\r\n%s"
    % (len(REFUSED), REFUSED),
    b"HTTP/1.1 400 Bad Request\r\nContent-Type: text/event-stream\r\nContent-Length: 0\r\n\r\n",
    b"this is no HTTP at all\r\n\r\n",
)


@contextmanager
def scripted() -> Iterator[tuple[str, list[bytes]]]:
    """A server that answers the requests of one connection so, one after another, and keeps what it was sent."""
    heard: list[bytes] = []
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        connection, _ = listener.accept()
        with connection:
            for response in RESPONSES:
                heard.append(connection.recv(65_536))
                for part in (response[:20], response[20:]):
                    connection.sendall(part)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}/mcp", heard
    thread.join(10)
    listener.close()


def exchanged(url: str) -> tuple[list[bytes], list[bytes]]:
    """What a client that knows no better sends, and what it is answered."""
    place = url.removeprefix("http://").partition("/")[0]
    host, port = place.split(":")
    sent, got = [], []
    with socket.create_connection((host, int(port))) as client:
        client.settimeout(10)
        for number, response in enumerate(RESPONSES, 1):
            body = b'{"jsonrpc":"2.0","id":%d,"method":"tools/list"}' % number
            head = f"POST /mcp HTTP/1.1\r\nhOst: {place}\r\nX-Own:\tas it is\r\nContent-Length: {len(body)}\r\n\r\n"
            sent.append(head.encode() + body)
            client.sendall(sent[-1])
            answer = b""
            while len(answer) < len(response) and (part := client.recv(65_536)):
                answer += part
            got.append(answer)
    return sent, got


def test_over_http_every_byte_is_passed_on_but_the_host(tmp_path: Path) -> None:
    file = tmp_path / "tap.jsonl"
    with scripted() as (url, heard), in_front_of(url, file) as here:
        sent, got = exchanged(here)
    assert got == list(RESPONSES)
    own, there = (address.removeprefix("http://").partition("/")[0].encode() for address in (here, url))
    assert heard == [request.replace(own, there) for request in sent]
    events = list(read(file))
    answers = [m for m in of(events, Message) if m.direction == "in"]
    heard_as = [(1, 200, None), (2, 200, None), (3, 404, "gone"), (4, 404, None), (5, 400, "")]
    assert [(m.call, m.http.status, m.raw) for m in answers] == heard_as
    assert answers[3].payload["error"]["code"] == -32601
    assert [(lost.call, lost.why) for lost in of(events, Unanswered)] == [(6, "cancelled")]


def test_a_server_that_is_away_is_away(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with in_front_of(f"http://127.0.0.1:{port}/mcp", tmp_path / "tap.jsonl") as here:
        host, _, number = here.removeprefix("http://").partition("/")[0].partition(":")
        with socket.create_connection((host, int(number))) as client:
            assert client.recv(1) == b""


def test_tokens_in_headers_are_masked(tmp_path: Path) -> None:
    file = tmp_path / "tap.jsonl"
    with sdk_over_http() as url, in_front_of(url, file) as here:
        said = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        httpx2.post(here, json=said, headers={"Authorization": "Bearer abcdef-123456-zyx", "accept": "*/*"})
    assert b"abcdef-123456-zyx" not in file.read_bytes()
    assert "«secret:header authorization»" in file.read_text("utf-8")


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "conformance.cli.main", *words], capture_output=True, text=True, check=False, timeout=60
    )


def test_a_record_is_judged_by_the_contract_that_is_named(tmp_path: Path) -> None:
    file = tmp_path / "tap.jsonl"
    assert through(MIRROR, b"", file).returncode == 0
    assert run("judge", str(file), "--contract", "threads", "--format", "json").stdout.startswith("{")
    report = json.loads(run("judge", str(file), "--contract", "threads", "--format", "json").stdout)
    assert report["contract"] == "threads"
    told = run("judge", str(file), "--contract", "thread")
    assert told.returncode == 2
    assert "'thread'" in told.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--target", "reference:threads"], "a server in this process has no client of others"),
        (["--server-url", "http://127.0.0.1:1/mcp"], "has no port to listen on"),
        (["--server-command", "true", "--listen", "0"], "is only for a server behind HTTP"),
        (["--server-command", "/no/such/program"], "the server command cannot be started"),
    ],
)
def test_what_cannot_be_tapped_is_said(tmp_path: Path, words: list[str], said: str) -> None:
    told = run("tap", *words, "--transcript", str(tmp_path / "tap.jsonl"))
    assert told.returncode == 2
    assert said in told.stderr
    assert "Traceback" not in told.stderr
