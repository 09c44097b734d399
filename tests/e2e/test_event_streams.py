"""Answers over HTTP that come as a stream of events."""

from pathlib import Path

import pytest

from conformance.drive.errors import StartError
from tests.e2e.driving import over_http

QUICK = ["MC-RPC-01", "MC-LIST-01"]


@pytest.mark.parametrize("era", ["newer", "older"])
@pytest.mark.parametrize("how", ["primed", "crlf", "cr", "bom", "split", "names", "lines"])
def test_event_streams_are_read_as_their_standard_has_them(how: str, era: str, tmp_path: Path) -> None:
    run = over_http(tmp_path, "event_streams", how, era, only=["MC-CALL-01", *QUICK])
    assert run.found() == set()
    assert any(call.accepted for call in run.history.calls("echo"))


@pytest.mark.parametrize("era", ["newer", "older"])
@pytest.mark.parametrize(
    ("how", "found"), [("refused", set()), ("labelled", set()), ("empty", {"MC-RPC-06", "MC-RPC-15"})]
)
def test_a_refusal_may_come_as_a_stream(how: str, found: set[str], era: str, tmp_path: Path) -> None:
    run = over_http(tmp_path, "event_streams", how, era, only=["MC-RPC-06", "MC-RPC-15", "MC-RPC-16", *QUICK])
    assert run.found() == (found if era == "newer" else set())
    assert how == "empty" or "MC-RPC-06" in run.verdicts("pass")


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("unnamed", "the stream ended without an answer; what it held was named 'answer'"),
        ("unfinished", "the stream ended without an answer, within an event: an empty line ends each"),
    ],
)
def test_a_stream_without_an_answer_at_the_first_contact_is_told_as_such(how: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(StartError) as raised:
        over_http(tmp_path, "event_streams", how, "older")
    assert said in str(raised.value)


def test_a_stream_that_goes_on_after_its_answer_is_not_waited_for(tmp_path: Path) -> None:
    few = {"max_unasked_frames": 500}
    run = over_http(tmp_path, "event_streams", "endless", "older", only=QUICK, limits=few)
    assert "MC-RPC-01" in run.found()
    assert "the server sent more than 500 messages that answer no call" in run.saw("MC-RPC-01")
    assert run.seconds < 40
    assert run.octets < 8_000_000


@pytest.mark.parametrize("era", ["newer", "older"])
@pytest.mark.parametrize(("how", "found"), [("lines", set()), ("late", set()), ("open", {"MC-RPC-16"})])
def test_a_stream_that_is_not_ended_after_its_answer(how: str, found: set[str], era: str, tmp_path: Path) -> None:
    run = over_http(tmp_path, "event_streams", how, era, only=["MC-RPC-16"])
    assert run.found() == found
    assert run.seconds < 30


@pytest.mark.parametrize("era", ["newer", "older"])
@pytest.mark.parametrize(("how", "said"), [("hangs", "within 5 s"), ("closes", "before the connection was closed")])
def test_a_notification_without_a_response(how: str, said: str, era: str, tmp_path: Path) -> None:
    run = over_http(tmp_path, "unheard", how, era, only=["MC-RPC-14"])
    assert run.found() == {"MC-RPC-14"}
    assert f"no response came {said}" in run.saw("MC-RPC-14")


def test_a_stream_that_is_closed_before_its_answer_is_resumed(tmp_path: Path) -> None:
    run = over_http(tmp_path, "resumes", only=["MC-CALL-01", *QUICK])
    assert run.found() == set()
    assert any(call.accepted for call in run.history.calls("echo"))
    resumed = [e.answered.method for e in run.history.exchanges if e.method == "tools/list" and e.answered is not None]
    assert set(resumed) == {"GET"}
