"""One tap from its start to its end: what is recorded, and what ends it."""

import asyncio
import contextlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from conformance.drive.errors import UsageError
from conformance.drive.hearing import Most
from conformance.drive.masking import Masking
from conformance.drive.process import none_left
from conformance.drive.sink import Sink, opened
from conformance.drive.start import Starts
from conformance.drive.statement import Statement
from conformance.drive.tap.http import HttpTap
from conformance.drive.tap.sessions import Sessions
from conformance.drive.tap.stdio import StdioTap
from conformance.drive.tap.talk import Talk
from conformance.drive.tap.tape import Tape
from conformance.drive.until import interruptible
from conformance.drive.workspace import Workspace
from conformance.model.events import Header

INTERRUPTED = 3
Told = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Tapping:
    """What a tap is to do."""

    statement: Statement
    header: Header
    masking: Masking
    """What is masked from the beginning on; what the traffic itself names as secret is added."""
    transcript: Path
    port: int
    """Where a tap over HTTP listens; 0: at a free port."""
    told: Told
    """Told what the client's user should know."""


def tap(about: Tapping) -> int:
    """Passes on and records until either end is over, or it is interrupted; gives the exit code.

    UsageError: there is no server to be started, or the port is taken.
    """
    with contextlib.ExitStack() as held:
        sink: Sink | None = None
        try:
            sink = held.enter_context(opened(about.transcript))
        except UsageError as error:
            about.told(f"{error}; what is said is passed on and not written down")
        tape = Tape(sink, about.masking, about.statement.limits.max_run_bytes, about.told)
        tape.begin(about.header)
        (endpoint, *_) = about.statement.endpoint
        over = _over_stdio if endpoint.transport == "stdio" else _over_http
        try:
            with none_left():
                return asyncio.run(over(about, tape))
        except asyncio.CancelledError:
            # interrupted once more while the server took its time to end
            return INTERRUPTED
        finally:
            tape.close()


async def _over_stdio(about: Tapping, tape: Tape) -> int:
    (endpoint, *_), limits, files = about.statement.endpoint, about.statement.limits, Workspace()
    starts = Starts(about.statement.conditions.start, about.statement.store, about.masking, files)
    talk = Talk(tape, "c1", "stdio", Most(limits.max_unasked_frames, limits.max_unasked_bytes))
    interruptible()
    try:
        start = starts.of(endpoint, {})
        # copies: what asyncio is given it closes
        stdin, stdout = os.fdopen(os.dup(0), "rb", 0), os.fdopen(os.dup(1), "wb", 0)
        return await StdioTap(tape, talk, limits.max_answer_bytes).run(start, stdin, stdout)
    finally:
        starts.close()
        files.close()


async def _over_http(about: Tapping, tape: Tape) -> int:
    (endpoint, *_), limits = about.statement.endpoint, about.statement.limits
    most = Most(limits.max_unasked_frames, limits.max_unasked_bytes)
    url = endpoint.url or ""
    sessions = Sessions(tape, url, endpoint.binding, most, limits.max_answer_bytes)
    http = HttpTap(tape, sessions, url, limits.max_answer_bytes, about.told)
    interruptible()
    try:
        await http.run(about.port, lambda port: about.told(f"listening on {http.here(port)} for {http.there}"))
    except OSError as error:
        why = error.strerror or str(error)
        raise UsageError(f"port {about.port} cannot be listened on", "--listen", why) from error
    except asyncio.CancelledError:
        pass  # that is how it ends
    finally:
        sessions.close()
    return 0
