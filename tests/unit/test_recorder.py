"""What is written is masked, and is what the judge reads."""

import io

from conformance.drive.connection import Connection
from conformance.drive.frames import Frame
from conformance.drive.masking import Masking
from conformance.drive.recorder import Recorder
from conformance.drive.sink import Sink
from conformance.model.envelope import PLAIN
from conformance.model.events import Message

from .events import header, opening


def test_secrets_are_masked_wherever_they_come_up() -> None:
    sink = io.BytesIO()
    recorder = Recorder(PLAIN, Sink(sink))
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
    recorder = Recorder(PLAIN, Sink(sink))
    for event in (header(), *opening()):
        recorder.write(event)
    recorder.close(complete=False, reason="interrupted")
    plain = [line.rpartition(b',"n":')[0] + b"}" for line in sink.getvalue().splitlines()]
    assert plain == recorder.lines
    assert recorder.record.lines == len(plain)
    assert recorder.record.digest.encode() in sink.getvalue().splitlines()[-1]


def masked(line: str, *secrets: str) -> str:
    masking = Masking()
    for number, secret in enumerate(secrets):
        masking.add(secret, str(number))
    return masking.masked(line.encode()).decode()


def test_of_secrets_that_begin_alike_each_is_found() -> None:
    tokens = [f"eyJhbGciOi.{number}.{'x' * (number + 1)}" for number in range(50)]
    line = " ".join(tokens)
    assert masked(line, *tokens) == " ".join(f"«secret:{number}»" for number in range(50))


def test_the_longer_of_two_secrets_is_meant() -> None:
    assert masked("secret-and-more secret-and", "secret-and", "secret-and-more") == "«secret:1» «secret:0»"


def test_short_values_and_other_words_stay() -> None:
    assert masked("short secret-elsewhere", "short", "secret-here") == "short secret-elsewhere"


def test_a_secret_within_json_is_found_in_its_escaped_form() -> None:
    assert masked('{"a":"x\\"quoted\\" y"}', '"quoted"') == '{"a":"x«secret:0» y"}'


def test_what_is_no_json_value_is_kept_as_what_it_is() -> None:
    """An in-process server can answer with what no wire could carry."""
    recorder = Recorder(PLAIN)
    for event in (header(), *opening()):
        recorder.write(event)
    connection = Connection("c1", "main", recorder, limit_s=1.0, start_s=1.0)
    for value in ({"text": "\ud800"}, {"thing": object()}):
        connection.hear(Frame(value), None, None)
    found = [event for event in recorder.events() if isinstance(event, Message)]
    assert [event.payload for event in found] == [None, None]
    assert all(event.fault and event.fault.startswith("no JSON value") for event in found)
