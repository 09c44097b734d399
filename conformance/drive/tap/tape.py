"""Where a tap writes what it saw: a transcript as a run's, without what a run keeps in memory to go on from."""

import time
from collections.abc import Callable

import msgspec

from conformance.drive.masking import Masking
from conformance.drive.private import of_value
from conformance.drive.sink import Sink
from conformance.model.events import Closed, Credential, Event, Footer, Header, Instance, Json, Step

CALLER = "caller"
"""Who calls: nobody says who, and whether rightly so."""
INSTANCE = "main"
STIMULUS = "tap"


class Tape:
    """Events within bounds. What cannot be written is said once, by `told`; the traffic goes on."""

    def __init__(self, sink: Sink | None, masking: Masking, most: int, told: Callable[[str], None]) -> None:
        self._sink, self.masking, self._left, self._told = sink, masking, most, told
        self._encode = msgspec.json.Encoder().encode
        self._began = time.perf_counter_ns()
        self._lines = self._steps = self._calls = 0
        self.over = sink is None
        """Whether no more is written down."""
        self._why = ""

    def now(self) -> int:
        """Microseconds since it began."""
        return (time.perf_counter_ns() - self._began) // 1000

    def begin(self, header: Header) -> None:
        """Writes what comes before all traffic."""
        self.write(header)
        self.write(Instance(id=INSTANCE, profile=next(iter(header.profiles), None)))
        self.write(Credential(name=CALLER, role="unknown"))

    def hide(self, value: Json) -> None:
        """From now on what lies in a value under the name of a secret is masked."""
        for each in of_value(value):
            self.masking.add(each.value, each.name, named=each.named)

    def step(self, connection: str) -> int:
        """Begins a call; gives its number."""
        self._calls += 1
        self.write(
            Step(call=self._calls, connection=connection, instance=INSTANCE, stimulus=STIMULUS, credential=CALLER)
        )
        return self._calls

    def write(self, event: Event) -> None:
        """Adds an event, as long as there is room."""
        if not self.over:
            self._keep(event)

    def ended(self, how: Closed) -> None:
        """Writes how a connection ended, of a record that is full as well."""
        self._keep(how)

    def close(self, reason: str = "") -> None:
        """Writes the last line."""
        why = "; ".join(filter(None, (self._why, reason)))
        self._keep(Footer(complete=not why, reason=why, events=self._lines + 1, calls=self._steps, t=self.now()))

    def _keep(self, event: Event) -> None:
        sink = self._sink
        if sink is None:
            return
        line = self.masking.masked(self._encode(event))
        if not sink.write(line):
            self._sink, self.over = None, True
            self._told(f"the transcript cannot be written any more ({sink.fault}); what is said is passed on")
            return
        self._lines += 1
        self._steps += isinstance(event, Step)
        self._left -= len(line)
        if self._left < 0 and not self.over:
            self.over = True
            self._why = "the transcript's limit was reached ([limits] max_run_bytes)"
            self._told(f"{self._why}; what is said from here on is passed on and not written down")
