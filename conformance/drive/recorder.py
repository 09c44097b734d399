"""Writes down what happens, as it happens. What it wrote, secrets masked, is what the judge reads, live too."""

import re
import time
from collections.abc import Iterator
from typing import BinaryIO

import msgspec

from conformance.model.envelope import EnvelopeRule
from conformance.model.events import Event, Footer, Step
from conformance.model.exchange import Exchange
from conformance.model.history import History

SHORTEST_SECRET = 6
"""Shorter values are not masked: they would hit words that are no secrets."""
_UNSAFE = re.compile(r"[\x00-\x1f\"\\]")
"""What a name in a marker cannot have: the marker is put into JSON, and into JSON within JSON, as it is."""


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
        self._secrets: dict[bytes, bytes] = {}

    def now(self) -> int:
        """Microseconds since the run began."""
        return (time.perf_counter_ns() - self._began) // 1000

    def secret(self, value: str, name: str) -> None:
        """From now on this value is written as «secret:NAME», whoever sends it."""
        if len(value) >= SHORTEST_SECRET:
            marker = f"«secret:{_UNSAFE.sub('_', name)}»".encode()
            self._secrets[msgspec.json.encode(value)[1:-1]] = marker
            self._secrets[value.encode()] = marker

    def write(self, event: Event) -> Exchange | None:
        """Adds an event; gives the exchange that it completes."""
        line = self._encode(event)
        for secret, marker in self._secrets.items():
            if secret in line:
                line = line.replace(secret, marker)
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
