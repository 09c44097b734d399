"""The SDKs' own example servers, over stdio and HTTP, in both eras: what is found in them was looked at by hand.

Of the Rust SDK no example is published, so that a server of one tool stands for it. The servers that have to be
compiled are built where SDKS is set: `make sdks`.
"""

import os
import sys
import tarfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from conformance.certify import Options, certify
from conformance.drive.loading import checked
from conformance.report.model import Report
from tests.e2e.registries import honest, installed, verdicts

pytestmark = pytest.mark.slow
compiled = pytest.mark.skipif(not os.environ.get("SDKS"), reason="it takes a compiler and a minute: make sdks")

TYPESCRIPT = "@modelcontextprotocol/server-everything@2026.8.31"
GO = "github.com/modelcontextprotocol/go-sdk/examples/server/everything@v1.8.0"
RUST = Path(__file__).parent / "servers" / "rust"
HARMLESS = ["echo", "get-sum", "get-structured-content", "get-annotated-message", "get-resource-links"]
FOREIGN = "MC-RPC-09"
"""A page from elsewhere is served: none of these examples looks at Origin."""
LATE = {"MC-RPC-08", "MC-CALL-10", "MC-CALL-16"}
"""What a busy machine may bring about, and what shows only where a cancellation overtakes the answer."""


def run(command: Sequence[str], url: str = "", *, env: Mapping[str, str] = {}, harmless: Any = "all") -> Report:
    """A run over stdio; over HTTP where a URL is given."""
    over: dict[str, Any] = {"transport": "http", "url": url} if url else {"transport": "stdio"}
    document = {
        "contract": "mcp",
        "endpoint": [{**over, "command": list(command), "env": dict(env)}],
        "calls": {"harmless": harmless},
        "limits": {"start_timeout_s": 60},
    }
    report = certify(checked(document, "example server"), Options(seed=1))
    honest(report)
    return report


def found(report: Report) -> set[str]:
    return verdicts(report, "fail", "warn") - LATE


def test_typescript(tmp_path: Path) -> None:
    installed(["npm", "install", "--silent", "--prefix", str(tmp_path), TYPESCRIPT], TYPESCRIPT)
    server = ["node", str(tmp_path / "node_modules/@modelcontextprotocol/server-everything/dist/index.js")]
    # An unknown tool is refused by a result with isError.
    assert found(run([*server, "stdio"], harmless=HARMLESS)) == {"MC-CALL-03"}
    env = {"PORT": "{port}"}
    over_http = run([*server, "streamableHttp"], "http://127.0.0.1:{port}/mcp", env=env, harmless=HARMLESS)
    # A request of a session that was ended gets HTTP 400.
    assert found(over_http) == {"MC-RPC-17", "MC-CALL-03", FOREIGN}


@pytest.mark.parametrize(
    ("version", "over_stdio", "over_http"),
    [
        # An unknown method, and over HTTP what is no request, is refused with -32602, an unknown tool by isError. Over
        # stdio a log message tells of a damaged frame, though logging is not declared. Over HTTP the client is asked
        # for a sample that it did not offer; a missing resource and a missing argument of a prompt are error 0; text
        # blocks repeat no structured content; one tool always fails.
        (
            "1.30.0",
            {"MC-RPC-06", "MC-CALL-03", "MC-CALL-13"},
            {
                "MC-RPC-06",
                "MC-RPC-12",
                "MC-RPC-20",
                "MC-CALL-02",
                "MC-CALL-03",
                "MC-CALL-15",
                "MC-RES-03",
                "MC-PROMPT-03",
            },
        ),
        # Arguments against the schema are taken; a prompt asks the user though the client did not offer that; a missing
        # argument of a prompt is error -32603; the unknown tool, text blocks and the tool that fails are as before.
        (
            "2.3.0",
            {"MC-CALL-04", "MC-CALL-05"},
            {
                "MC-CALL-02",
                "MC-CALL-03",
                "MC-CALL-04",
                "MC-CALL-05",
                "MC-CALL-14",
                "MC-CALL-15",
                "MC-PROMPT-03",
            },
        ),
    ],
)
def test_python(version: str, over_stdio: set[str], over_http: set[str], tmp_path: Path) -> None:
    what = f"mcp=={version}"
    installed([sys.executable, "-m", "venv", str(tmp_path / "venv")], "a virtual environment")
    python = str(tmp_path / "venv" / "bin" / "python")
    fetched = ["download", "--quiet", "--no-deps", "--no-binary", "mcp", "--dest", str(tmp_path), what]
    installed([python, "-m", "pip", *fetched], what)
    installed([python, "-m", "pip", "install", "--quiet", what, "click>=8.2", "httpx2>=2.5,<3"], what)
    with tarfile.open(tmp_path / f"mcp-{version}.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    examples = tmp_path / f"mcp-{version}" / "examples" / "servers"
    weather = run(
        [python, "-m", "mcp_structured_output_lowlevel"],
        env={"PYTHONPATH": str(examples / "structured-output-lowlevel")},
    )
    assert found(weather) == over_stdio
    everything = run(
        [python, "-m", "mcp_everything_server", "--port", "{port}"],
        "http://127.0.0.1:{port}/mcp",
        env={"PYTHONPATH": str(examples / "everything-server")},
    )
    assert found(everything) == over_http


@compiled
def test_go(tmp_path: Path) -> None:
    built = {"GOBIN": str(tmp_path), "GOPATH": str(tmp_path / "go"), "GOFLAGS": "-modcacherw"}
    installed(["env", *(f"{name}={value}" for name, value in built.items()), "go", "install", GO], GO)
    server = str(tmp_path / "everything")
    # Names of tools with blanks and brackets; one without a description; the server asks the client on its own, which
    # the revision does not allow. Over stdio a request that claims an unknown version is served, and a line that is cut
    # short takes the next one with it.
    named = {"MC-LIST-03", "MC-LIST-12", "MC-RPC-12"}
    assert found(run([server])) == {"MC-RPC-05", "MC-RPC-20", *named}
    # An unknown method is HTTP 400 with a text.
    over_http = run([server, "-http", "127.0.0.1:{port}"], "http://127.0.0.1:{port}")
    assert found(over_http) == {"MC-RPC-06", FOREIGN, *named}


@compiled
def test_rust(tmp_path: Path) -> None:
    installed(["cargo", "build", "--quiet", "--target-dir", str(tmp_path)], "the Rust SDK", RUST)
    server = str(tmp_path / "debug" / "adder")
    assert found(run([server, "stdio"])) == set()
    assert found(run([server, "{port}"], "http://127.0.0.1:{port}/mcp")) == {FOREIGN}
