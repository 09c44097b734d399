"""The ordinary server over streamable HTTP, in either era. The files beside it change one thing each."""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from base import NEW, OLD, Json, Older, Server, parsed

EARLIER = ("2024-11-05", "2025-03-26", "2025-06-18")
UNKNOWN_VERSION: Json = {"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "Unknown version"}}


class Handler(BaseHTTPRequestHandler):
    """POST at /mcp; sessions and GET where a subclass has them."""

    protocol_version = "HTTP/1.1"
    server_of: Server = Server()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 -- its own name
        """Says nothing."""

    def do_POST(self) -> None:
        """One message."""
        message, refusal = parsed(self.rfile.read(int(self.headers["content-length"])))
        if self.path != "/mcp":
            self.reply(b"not found", "text/plain", 404)
        elif self.foreign(message):
            self.reply(b"foreign origin", "text/plain", 403)
        elif refusal is None and self.server_of.era == NEW and "id" in message:
            refusal = self.misheaded(message)
            self.message(message) if refusal is None else self.reply(json.dumps(refusal).encode(), status=400)
        elif refusal is not None or self.unversioned():
            self.reply(json.dumps(refusal or UNKNOWN_VERSION).encode(), status=400)
        else:
            self.message(message)

    def unversioned(self) -> bool:
        """Whether a header names a version that there is not, in the era of the handshake."""
        return self.server_of.era != NEW and self.headers.get("mcp-protocol-version", OLD) not in (*EARLIER, OLD)

    def foreign(self, message: Json) -> bool:
        """Whether another site's page asks, whatever it asks for."""
        del message
        origin = self.headers.get("origin")
        return origin is not None and urlsplit(origin).hostname not in ("localhost", "127.0.0.1")

    def do_GET(self) -> None:
        """There is no stream."""
        self.reply(b"", "text/plain", 405)

    do_DELETE = do_GET

    def misheaded(self, message: Json) -> Json | None:
        """The refusal of a request whose headers are another's; None where they are its own."""
        params = message.get("params", {})
        name, claimed = params.get("name"), params.get("_meta", {}).get("io.modelcontextprotocol/protocolVersion")
        given = self.headers.get("mcp-name")
        named = given is not None and (given == name or given.startswith("=?base64?"))
        method = message["method"]
        known = self.headers.get("mcp-method") == method and (named or method != "tools/call")
        if method == "initialize" or (known and claimed in (None, self.headers.get("mcp-protocol-version"))):
            return None
        return {"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32020, "message": "Header mismatch"}}

    def message(self, message: Json) -> None:
        """A message that was let in."""
        answer = self.server_of.answer(message)
        if answer is None:
            self.reply(b"", status=202)
        else:
            self.answered(message, answer)

    def answered(self, message: Json, answer: Json) -> None:
        """The answer as one JSON value."""
        del message
        refused = self.server_of.era == NEW and "error" in answer
        error = answer["error"] if refused else None
        unknown = isinstance(error, dict) and error["code"] == -32601
        self.reply(json.dumps(answer).encode(), status=404 if unknown else 400 if refused else 200)

    def reply(self, body: bytes, kind: str = "application/json", status: int = 200, **headers: str) -> None:
        """A whole response."""
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def stream(self, **headers: str) -> None:
        """The beginning of a response that ends with its connection."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.close_connection = True

    def event(self, data: bytes, number: str = "") -> None:
        """One event of it."""
        self.wfile.write((f"id: {number}\n".encode() if number else b"") + b"data: " + data + b"\n\n")
        self.wfile.flush()


class OlderHandler(Handler):
    """The same in the era of the handshake, without sessions."""

    server_of = Older()


class Listener(ThreadingHTTPServer):
    """Quiet about connections that its clients close."""

    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request: object, client_address: object) -> None:
        """Says nothing."""


def serve(handler: type[BaseHTTPRequestHandler], port: int = 0) -> None:
    """Serves until a signal comes; says where."""
    listener = Listener(("127.0.0.1", port), handler)
    print(f"listening on http://127.0.0.1:{listener.server_port}", file=sys.stderr, flush=True)
    listener.serve_forever()


if __name__ == "__main__":
    serve(OlderHandler if "older" in sys.argv else Handler)
