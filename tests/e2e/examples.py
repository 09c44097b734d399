"""The SDKs' own example servers: how each is installed, and the command that starts it.

Of the Rust SDK no example is published, so that a server of one tool stands for it.
"""

import sys
import tarfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.e2e.registries import installed

TYPESCRIPT = "@modelcontextprotocol/server-everything@2026.8.31"
GO = "github.com/modelcontextprotocol/go-sdk/examples/server/everything@v1.8.0"
HARMLESS = ["echo", "get-sum", "get-structured-content", "get-annotated-message", "get-resource-links"]
"""Of the TypeScript server's tools those that neither take half a minute nor ask the client."""
RUST = Path(__file__).parent / "servers" / "rust"


@dataclass(frozen=True, slots=True)
class Example:
    """A server over one transport."""

    command: list[str]
    url: str = ""
    """Empty over stdio; `{port}` in it and in the command stands for a free port."""
    env: Mapping[str, str] = field(default_factory=dict)
    harmless: str | list[str] = "all"
    """The tools that are called, as [calls] says it."""


def typescript(folder: Path) -> tuple[Example, Example]:
    """The everything server, over stdio and over HTTP."""
    installed(["npm", "install", "--silent", "--prefix", str(folder), TYPESCRIPT], TYPESCRIPT)
    server = ["node", str(folder / "node_modules/@modelcontextprotocol/server-everything/dist/index.js")]
    over_http = Example([*server, "streamableHttp"], "http://127.0.0.1:{port}/mcp", {"PORT": "{port}"}, HARMLESS)
    return Example([*server, "stdio"], harmless=HARMLESS), over_http


def python(folder: Path, version: str) -> tuple[Example, Example]:
    """A low-level server with structured output over stdio, and the everything server over HTTP."""
    what = f"mcp=={version}"
    installed([sys.executable, "-m", "venv", str(folder / "venv")], "a virtual environment")
    interpreter = str(folder / "venv" / "bin" / "python")
    fetched = ["download", "--quiet", "--no-deps", "--no-binary", "mcp", "--dest", str(folder), what]
    installed([interpreter, "-m", "pip", *fetched], what)
    installed([interpreter, "-m", "pip", "install", "--quiet", what, "click>=8.2", "httpx2>=2.5,<3"], what)
    with tarfile.open(folder / f"mcp-{version}.tar.gz") as archive:
        archive.extractall(folder, filter="data")
    servers = folder / f"mcp-{version}" / "examples" / "servers"
    over_stdio = Example(
        [interpreter, "-m", "mcp_structured_output_lowlevel"],
        env={"PYTHONPATH": str(servers / "structured-output-lowlevel")},
    )
    over_http = Example(
        [interpreter, "-m", "mcp_everything_server", "--port", "{port}"],
        "http://127.0.0.1:{port}/mcp",
        {"PYTHONPATH": str(servers / "everything-server")},
    )
    return over_stdio, over_http


def go(folder: Path) -> tuple[Example, Example]:
    """The everything server, compiled, over stdio and over HTTP."""
    built = {"GOBIN": str(folder), "GOPATH": str(folder / "go"), "GOFLAGS": "-modcacherw"}
    installed(["env", *(f"{name}={value}" for name, value in built.items()), "go", "install", GO], GO)
    server = str(folder / "everything")
    return Example([server]), Example([server, "-http", "127.0.0.1:{port}"], "http://127.0.0.1:{port}")


def rust(folder: Path) -> tuple[Example, Example]:
    """The server of one tool, compiled, over stdio and over HTTP."""
    installed(["cargo", "build", "--quiet", "--target-dir", str(folder)], "the Rust SDK", RUST)
    server = str(folder / "debug" / "adder")
    return Example([server, "stdio"]), Example([server, "{port}"], "http://127.0.0.1:{port}/mcp")
