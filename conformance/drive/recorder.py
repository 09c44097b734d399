"""Writes down what happens, as it happens. What it wrote, secrets masked, is what the judge reads, live too."""

import contextlib
import time
from collections.abc import Callable, Iterator

import msgspec

from conformance.drive.masking import Masking
from conformance.drive.sink import Sink
from conformance.model.envelope import EnvelopeRule
from conformance.model.events import (
    Agreed,
    Closed,
    Credential,
    Document,
    Event,
    Footer,
    Header,
    Instance,
    Opened,
    Step,
)
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.transcript import Lines, Record

MOST_BYTES = 200_000_000
"""Octets of a run's transcript, where nothing else is asked for."""
STANDING = (Header, Instance, Opened, Agreed, Closed, Credential, Document)
"""Events that tell about whatever comes after them."""
MOST_VALUES = 4_000_000
"""JSON values of a run's transcript, likewise: each takes about 100 octets of memory, however short it is written."""


class Recorder:
    """The transcript of one run: in memory, and line by line in a file if one is given."""

    def __init__(
        self,
        rule: EnvelopeRule,
        sink: Sink | None = None,
        most: int = MOST_BYTES,
        most_values: int = MOST_VALUES,
    ) -> None:
        self._rule = rule
        self.history = History(rule)
        """What stimuli go on from: not masked, never judged."""
        self.lines: list[bytes] = []
        self.calls = 0
        self.full = ""
        """Why no more is to be recorded: the run has to end."""
        self.barred = ""
        """Why the run is not whole though it went on: the server turned requests away to the end."""
        self.filled: Callable[[], None] | None = None
        """Called when no more is to be recorded."""
        self.sink = sink
        """The file, where one is given."""
        self._most, self._octets = most, 0
        self._most_values, self._values = most_values, 0
        self._steps = 0
        """Calls in the transcript: those that were tried aside are not in it."""
        self._aside: list[bytes] | None = None
        self.standing: list[Event] = []
        """Those of its events without which a part of it cannot be judged."""
        self._encode = msgspec.json.Encoder().encode
        self._began = time.perf_counter_ns()
        self.masking = Masking()
        """What is written nowhere, and in no error."""

    def now(self) -> int:
        """Microseconds since the run began."""
        return (time.perf_counter_ns() - self._began) // 1000

    def secret(self, value: str, name: str) -> None:
        """From now on this value is written as «secret:NAME», whoever sends it."""
        self.masking.add(value, name)

    def planted(self, value: str, name: str) -> None:
        """From now on this value is written as «private:planted NAME»: a contract says where it may come up."""
        self.masking.add(value, f"planted {name}", named=False)

    @property
    def record(self) -> Record:
        """What is known of the file, as whoever reads it finds it; nothing where there is none."""
        return self.sink.record if self.sink is not None else Record()

    @property
    def fault(self) -> str:
        """Why the file does not hold the run; empty while it does."""
        why = self.sink.fault if self.sink is not None else ""
        return f"the transcript could not be written ({why}); the verdicts come from memory" if why else ""

    def write(self, event: Event) -> Exchange | None:
        """Adds an event; gives the exchange that it completes."""
        line = self.masking.masked(self._encode(event))
        if self._aside is not None:
            self._aside.append(line)
            if not isinstance(event, Credential):
                return self.history.feed(event)
            # who was introduced is known from now on
        self._keep_line(line, event)
        return self.history.feed(event)

    def _keep_line(self, line: bytes, event: Event) -> None:
        self._steps += isinstance(event, Step)
        if isinstance(event, STANDING):
            self.standing.append(event)
        self.lines.append(line)
        self._octets += len(line)
        if self.sink is not None:
            self.sink.write(line)
        # Commas in texts count too: that is quickly done, and errs on the safe side.
        self._values += line.count(b",") + line.count(b"[")
        if self._octets > self._most:
            self._fill(f"{self._most:,} bytes was reached ([limits] max_run_bytes)")
        elif self._values > self._most_values:
            self._fill(f"{self._most_values:,} JSON values was reached ([limits] max_run_values)")

    @contextlib.contextmanager
    def aside(self, about: History) -> Iterator[list[bytes]]:
        """What happens inside is written to the lines that it gives, and not to the transcript, unless it is adopted.

        Stimuli go on from `about` meanwhile: what it knows of connections and instances, and what is added.
        """
        whole, self.history = self.history, about
        lines: list[bytes] = []
        self._aside = lines
        try:
            yield lines
        finally:
            self._aside, self.history = None, whole

    def adopt(self, lines: list[bytes]) -> None:
        """Takes what happened aside into the transcript, with the times at which it happened."""
        for line, event in zip(lines, Lines(lines), strict=True):
            if not isinstance(event, Credential):
                self._keep_line(line, event)
                self.history.feed(event)

    def _fill(self, limit: str) -> None:
        if not self.full:
            self.full = f"the run's limit of {limit}"
            if self.filled is not None:
                self.filled()

    def step(self, **about: object) -> int:
        """Begins a call; gives its number, which is also the id of its request."""
        self.calls += 1
        self.write(msgspec.convert({"event": "step", "call": self.calls, **about}, Step))
        return self.calls

    def close(self, *, complete: bool, reason: str = "") -> None:
        """Writes the last line."""
        self.write(
            Footer(complete=complete, reason=reason, events=len(self.lines) + 1, calls=self._steps, t=self.now())
        )

    def events(self) -> Lines:
        """The run as a transcript holds it."""
        return Lines(self.lines)

    def forget(self) -> None:
        """Lets go of what stimuli went on from, once none is left: the judge reads the lines."""
        self.history = History(self._rule)
