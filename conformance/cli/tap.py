"""conformance tap: stand between a client and a server of others, and record what they say."""

import argparse
import contextlib
import sys
from pathlib import Path

from conformance.certify import recording
from conformance.cli import options
from conformance.cli.ending import epilog
from conformance.drive.errors import UsageError
from conformance.drive.tap.tapping import Tapping, tap

EPILOG = epilog(
    ("0  the client or the server ended", "2  bad invocation, or the server did not start"),
    'conformance tap --server-command "python server.py" --transcript run.jsonl',
    "conformance tap --listen 8900 --server-url http://127.0.0.1:8000/mcp --transcript run.jsonl",
    "conformance judge run.jsonl --contract threads          what the recording shows",
)
HIGHEST = 65_535
"""The highest port that there is."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    options.add_target(parser)
    group = parser.add_argument_group("tap")
    group.add_argument(
        "--transcript", metavar="FILE", type=Path, required=True, help="where it is recorded, for conformance judge"
    )
    group.add_argument(
        "--listen", metavar="PORT", type=int, help="in front of --server-url: the port of this machine; 0: a free one"
    )
    parser.set_defaults(without=[], harmless=None, skip=[], timeout=None, run_timeout=None, concurrency=None)


def run(given: argparse.Namespace) -> int:
    """Passes on and records; gives the exit code."""
    stated = options.statement_of(given)
    (endpoint, *more) = stated.statement.endpoint
    if more or endpoint.transport == "in-process":
        what = "a tap stands before one server" if more else "a server in this process has no client of others"
        raise UsageError(what, stated.named, todo="give --server-command, or --server-url with --listen")
    if (endpoint.transport == "http") is (given.listen is None):
        what = "has no port to listen on" if given.listen is None else "is only for a server behind HTTP"
        raise UsageError(f"a tap of {endpoint.transport} {what}", "--listen", todo="give --server-url with --listen")
    if given.listen is not None and not 0 <= given.listen <= HIGHEST:
        raise UsageError(
            f"{given.listen} is no port", "--listen", todo=f"give one from 1 to {HIGHEST}, or 0 for a free one"
        )
    header, masking = recording(stated.statement, stated.base)
    return tap(Tapping(stated.statement, header, masking, given.transcript, given.listen or 0, told=_told))


def _told(text: str) -> None:
    # whoever started it may have closed stderr: the traffic goes on all the same
    with contextlib.suppress(OSError):
        print(f"conformance tap: {text}", file=sys.stderr, flush=True)
