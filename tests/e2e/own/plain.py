"""A store served over plain HTTP alone, at /v1: each tool at its own path, success and failure also by the status."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.e2e.own.inside import Answer

METHODS = "/v1/mcp/"


@contextmanager
def served(answer: Answer) -> Iterator[str]:
    """Its URL, as long as it is served."""
    one_by_one = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1
        """Head and body leave together."""

        def do_POST(self) -> None:
            arguments = json.loads(self.rfile.read(int(self.headers["content-length"])))
            with one_by_one:
                said, failed = answer(self.path.removeprefix(METHODS), arguments)
            body = json.dumps(said).encode()
            self.send_response(422 if failed else 200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    class Server(ThreadingHTTPServer):
        request_queue_size = 128
        daemon_threads = True

    with Server(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()
