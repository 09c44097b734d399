"""Writes down what happens, as it happens. What it wrote, secrets masked, is what the judge reads, live too."""

import time
from collections.abc import Iterator
from typing import BinaryIO

import msgspec

from conformance.drive.masking import Masking
from conformance.model.envelope import EnvelopeRule
from conformance.model.events import Event, Footer, Step
from conformance.model.exchange import Exchange
from conformance.model.history import History


class Recorder:
    """The transcript of one run: in memory, and in a file if one is given."""

    def __init__(self, rule: EnvelopeRule, sink: BinaryIO | None = None) -> None:
        self.history = History(rule)
        """What stimuli go on from: not masked, never judged."""
        self.lines: list[bytes] = []
        self.calls = 0
        self._sink = sink
        self._encode = msgspec.json.Encoder().encode
        self._began = time.perf_counter_ns()
        self._masking = Masking()

    def now(self) -> int:
        """Microseconds since the run began."""
        return (time.perf_counter_ns() - self._began) // 1000

    def secret(self, value: str, name: str) -> None:
        """From now on this value is written as «secret:NAME», whoever sends it."""
        self._masking.add(value, name)

    def write(self, event: Event) -> Exchange | None:
        """Adds an event; gives the exchange that it completes."""
        line = self._masking.masked(self._encode(event))
        self.lines.append(line)
        if self._sink is not None:
            self._sink.write(line + b"\n")
        return self.history.feed(event)

    def step(self, **about: object) -> int:
        """Begins a call; gives its number, which is also the id of its request."""
        self.calls += 1
        self.write(msgspec.convert({"event": "step", "call": self.calls, **about}, Step))
        return self.calls

    def close(self, *, complete: bool, reason: str = "") -> None:
        """Writes the last line."""
        self.write(Footer(complete=complete, reason=reason, events=len(self.lines) + 1, calls=self.calls, t=self.now()))
        if self._sink is not None:
            self._sink.flush()

    def events(self) -> Iterator[Event]:
        """The run as a transcript holds it."""
        decode = msgspec.json.Decoder(Event).decode
        return (decode(line) for line in self.lines)
