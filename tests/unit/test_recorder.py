"""What is written is masked, and is what the judge reads."""

import io

from conformance.drive.recorder import Recorder
from conformance.model.envelope import PLAIN
from conformance.model.events import Message

from .events import header, opening


def test_secrets_are_masked_wherever_they_come_up() -> None:
    sink = io.BytesIO()
    recorder = Recorder(PLAIN, sink)
    recorder.secret('s3cr"et-value', "token of w")
    for event in (header(), *opening()):
        recorder.write(event)
    leak = Message(connection="c1", direction="in", payload={"text": 'here: s3cr"et-value!'}, t=1)
    recorder.write(leak)
    recorder.close(complete=True)
    assert b"et-value" not in sink.getvalue()
    shown = [event for event in recorder.events() if isinstance(event, Message)]
    assert shown[0].payload == {"text": "here: «secret:token of w»!"}
    assert recorder.history.strays == [leak]


def test_the_file_and_the_memory_hold_the_same() -> None:
    sink = io.BytesIO()
    recorder = Recorder(PLAIN, sink)
    for event in (header(), *opening()):
        recorder.write(event)
    recorder.close(complete=False, reason="interrupted")
    assert sink.getvalue().splitlines() == recorder.lines
