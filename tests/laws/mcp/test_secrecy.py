"""MC-CALL-08: stacks, paths and secrets in answers."""

import pytest

from conformance.model.events import Json
from tests.laws.histories import Story


def failing(text: str, arguments: object = None, **header: object) -> str:
    told = Story("mcp", **header)
    told.result(
        "tools/call",
        {"name": "x", "arguments": arguments or {}},
        {"isError": True, "content": [{"type": "text", "text": text}]},
    )
    return told.judged("MC-CALL-08").verdict


STACKS = {
    "Python": 'boom\nTraceback (most recent call last):\n  File "/srv/app.py", line 5, in run\n    x()',
    "Node": "Error: boom\n    at read (/app/dist/index.js:10:5)\n    at node:internal/main:1:2",
    "Java": "java.lang.IllegalStateException: boom\n\tat com.example.Tool.call(Tool.java:42)",
    ".NET": "System.Exception: boom\n   at Example.Tool.Call(String a) in /src/Tool.cs:line 12",
    "Go": "panic: boom\n\ngoroutine 1 [running]:\nmain.main()",
    "Rust": "thread 'main' panicked at src/main.rs:4:5:\nboom",
    "Ruby": "tool.rb:12:in `call': boom",
    "PHP": "boom\n#0 /srv/tool.php(12): call()",
    "PHP's types": "call(): Argument #2 ($b) must be of type float, string given, called in /data/tool.php on line 4",
    "PHP's fatal errors": "Uncaught Error: boom in /data/tool.php:12",
    "Node in JSON": '{"error": "boom", "stack": "Error: boom\\n    at read (index.js:10:5)"}',
    "Java in JSON": '{"stack": "boom\\n\\tat com.example.Tool.call(Tool.java:42)"}',
}


@pytest.mark.parametrize(
    ("tool", "arguments", "judged"),
    [
        ("run-code", {"code": "print(1)"}, False),
        ("execute_command", {"command": "python x.py"}, False),
        ("sandboxExec", {"code": "print(1)"}, False),
        ("browser_RUN", {"script": "a"}, False),
        ("run_query", {"query": "select 1"}, True),
        ("get_country", {"code": "DE"}, True),
        ("run_code", {"code": 5}, True),
        ("run_code", {"code": ""}, True),
        ("run_code", {}, True),
        ("truncate", {"script": "a"}, True),
    ],
)
def test_how_the_callers_own_code_fails_is_no_stack_of_the_servers(tool: str, arguments: Json, judged: bool) -> None:
    told = Story("mcp")
    failed = {"isError": True, "content": [{"type": "text", "text": STACKS["Node"]}]}
    told.result("tools/call", {"name": tool, "arguments": arguments}, failed)
    outcome = told.judged("MC-CALL-08")
    assert outcome.verdict == "fail" if judged else outcome.subjects == 0


@pytest.mark.parametrize("text", STACKS.values(), ids=STACKS.keys())
def test_a_stack(text: str) -> None:
    assert failing(text) == "fail"


@pytest.mark.parametrize(
    "text",
    [
        "cannot open /home/alice/app/data.db",
        "ENOENT: '/var/lib/app/x.json'",
        "see C:\\Users\\alice\\app\\data.db",
        "(/opt/app/bin)",
        "cannot load file:///home/alice/app/main.py",
        "no such file: C:/Users/alice/app/data.db",
        '{"error": "no such file: C:\\\\Users\\\\alice\\\\data.db"}',
    ],
)
def test_a_path_that_nobody_sent(text: str) -> None:
    assert failing(text) == "fail"


@pytest.mark.parametrize(
    "text",
    [
        "no such thread",
        "GET https://example.com/home/alice failed",
        "the path /v1/users/5 is not served",
        "GET /app/users/5 answered 404",
        "cannot POST /build/7",
        "c: //example",
        "meet me at noon (line 5, in the yard)",
        "and/or, 1/2, a/b/c",
        "use docs/home/index.md",
    ],
)
def test_what_is_no_path_of_the_machine(text: str) -> None:
    assert failing(text) == "pass"


def test_a_path_that_the_caller_or_the_operator_named() -> None:
    assert failing("cannot open /tmp/x/a.txt", {"path": "/tmp/x/a.txt"}) == "pass"
    assert failing("cannot open /tmp/x/a.txt", {"path": "/tmp/x"}) == "pass"
    assert failing("cannot open /tmp/xyz", {"path": "/tmp/x"}) == "fail"
    for said in ("C:\\Reports\\q1.xlsx", "'C:\\\\Reports\\\\q1.xlsx'"):
        assert failing(f"cannot open {said}", {"path": "C:\\Reports\\q1.xlsx"}) == "pass"
        assert failing(f"cannot open {said}", {"path": "C:\\Users\\q1.xlsx"}) == "fail"
        assert failing(f"{said} is not there.", {"path": "C:\\Reports\\q1.xlsx"}) == "pass"
        assert failing(f"{said} is not there.", {"path": "C:\\Reports\\q2.xlsx"}) == "fail"
    statement = {"endpoint": [{"transport": "stdio", "command": ["serve", "/home/data"]}]}
    assert failing("only /home/data is served", None, statement=statement) == "pass"


def test_a_path_beside_the_one_that_was_named_shows_nothing_new() -> None:
    assert failing("cannot rename /srv/a/data.1f2e.tmp", {"path": "/srv/a/data"}) == "pass"
    assert failing("cannot rename /srv/b/data.1f2e.tmp", {"path": "/srv/a/data"}) == "fail"


def test_the_files_that_a_server_is_made_of_are_known_to_nobody() -> None:
    statement = {"endpoint": [{"transport": "stdio", "command": ["python", "/srv/app/server.py", "--in", "/srv/code"]}]}
    assert failing("title is too long in /srv/app/core.py", None, statement=statement) == "fail"
    assert failing("usage: /srv/app/server.py", None, statement=statement) == "pass"
    assert failing("no such file: /srv/code/core.py", None, statement=statement) == "pass"
    assert failing("cannot write /srv/app/data.db", None, statement=statement) == "pass"
    assert failing("no such module: /srv/b/core.py", {"path": "/srv/b/main.py"}, statement=statement) == "pass"


def test_a_path_that_is_given_as_an_example() -> None:
    assert failing("must be absolute, e.g. 'C:\\Reports\\q1.xlsx' or '/home/me/q1.xlsx'") == "pass"
    assert failing("an example: /home/me/q1.xlsx") == "pass"
    assert failing(f"e.g. this{' is long' * 20}: /home/me/q1.xlsx") == "fail"


def test_a_path_that_is_cut_in_the_middle() -> None:
    assert failing("no such file: /home/data/lon...ly/a.txt", {"path": "/home/data/long/only/a.txt"}) == "pass"
    assert failing("no such file: /home/alice/lon...ly/a.txt", {"path": "/home/data/long/only/a.txt"}) == "fail"


def test_a_folder_that_the_suite_made() -> None:
    assert failing("no such file: /tmp/conformance-a1b2c3d4/x.txt") == "pass"


def test_a_path_in_a_success_is_no_leak() -> None:
    told = Story("mcp")
    told.call("list", {}, {"files": ["/home/alice/a.txt"]})
    assert told.judged("MC-CALL-08").verdict == "not_observed"


def test_a_secret_in_any_message() -> None:
    told = Story("mcp")
    told.call("get", {}, {"token": "Bearer «secret:token of worker»"})
    assert told.judged("MC-CALL-08").verdict == "fail"
    told = Story("mcp")
    told.connect(transport="stdio")
    told.stray(raw="starting with «secret:header authorization»")
    assert told.judged("MC-CALL-08").verdict == "fail"


def test_a_protocol_error_with_a_stack_in_its_data() -> None:
    told = Story("mcp")
    told.request(
        "tools/list",
        {},
        {"jsonrpc": "2.0", "id": ..., "error": {"code": 1, "message": "no", "data": {"stack": [STACKS["Node"]]}}},
    )
    assert told.judged("MC-CALL-08").verdict == "fail"


def test_a_path_that_the_server_shows_where_nothing_fails() -> None:
    """A server of files names the files that it serves; what lies elsewhere on its machine it does not."""
    for place, verdict in (("/srv/data/b.txt", "pass"), ("/srv/app/main.py", "fail")):
        told = Story("mcp")
        told.call("list", {}, {"files": ["/srv/data/a.txt"]})
        told.call("read", {"name": "b"}, {"error": f"cannot read {place}"}, failed=True)
        assert told.judged("MC-CALL-08").verdict == verdict
