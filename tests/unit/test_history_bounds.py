"""A history keeps no more than memory has room for; what it gives up is said, and is never a verdict."""

import io
from collections.abc import Iterator
from dataclasses import replace

import pytest

from conformance.contract.catalogue import Contract, load
from conformance.drive.recorder import Recorder
from conformance.drive.sink import Sink
from conformance.judge.judge import judge
from conformance.judge.judgements import breach
from conformance.judge.law import LAWS
from conformance.judge.library import import_laws
from conformance.model import history as bounds
from conformance.model import room
from conformance.model.envelope import PLAIN
from conformance.model.events import Event, Message
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.report.build import build

from .events import asked, called, footer, header, opening

EACH = 100
"""Octets that an event is said to have."""


def calls(number: int) -> Iterator[Event]:
    yield header("mcp")
    yield from opening()
    for call in range(1, number + 1):
        yield from called(call, "echo", {}, {"a": call}, call * 10)
    yield footer()


def stray(octets: int = 10) -> Message:
    return Message(connection="c1", direction="in", payload={"method": "n", "x": "x" * octets}, t=1)


def test_beyond_the_whole_calls_are_given_out_and_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "WHOLE_BYTES", 50 * EACH)
    history, completed = History(), []
    for event in calls(100):
        exchange = history.feed(event, EACH)
        if exchange is not None:
            completed.append(exchange)
    assert [exchange.call for exchange in completed] == list(range(1, 101))
    assert all(exchange.accepted for exchange in completed)
    kept = [exchange.call for exchange in history.exchanges]
    assert kept == list(range(1, len(kept) + 1))
    assert len(kept) + history.beyond == 100
    assert not history._passing
    assert history.find(100) is None
    assert f"{history.beyond} later calls were judged each by itself" in history.cut
    assert history.footer is not None


def test_calls_that_are_too_many_to_be_known_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "WHOLE_BYTES", 4 * EACH)
    monkeypatch.setattr(bounds, "LATE", 3)
    history = History()
    for event in (header("mcp"), *opening(), *called(1, "echo", {}, {"a": 1}, 1), *called(2, "echo", {}, {"a": 2}, 2)):
        history.feed(event, EACH)
    assert not history.forgotten
    for call in range(10, 15):
        for event in asked(call, "echo", {}, call):
            history.feed(event, EACH)
    assert history.forgotten == 2
    assert "2 calls were not judged: 3 others were under way when they were made" in history.cut


def test_a_breach_beyond_the_whole_is_found_with_its_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "WHOLE_BYTES", 50 * EACH)
    contract = load("mcp")
    import_laws(contract)

    def law(exchange: Exchange, _: Contract) -> Iterator[object]:
        if exchange.call == 90:
            yield breach("ninety", exchange)

    name = next(name for name, each in LAWS.items() if name.startswith("MC-") and each.over_exchange and not each.tools)
    monkeypatch.setitem(LAWS, name, replace(LAWS[name], over_exchange=law))
    judged = judge(calls(100), contract, weigh=lambda: EACH)
    report = build(judged, contract)
    found = next(r for r in report.requirements if r.id == name)
    assert [finding.saw for finding in found.findings] == ["ninety"]
    assert [call.call for call in report.evidence if call.call == 90] == [90]
    assert not report.complete
    assert report.reason == judged.history.cut
    assert report.calls == 100


def test_strays_beyond_their_bound_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MOST_FRAMES", 10)
    history = History.of([header(), *opening(), *(stray() for _ in range(25))])
    assert len(history.strays) == 10
    assert history.cut == "15 frames that answer nothing were too many to be judged"


def test_a_run_ends_where_its_transcript_is_full() -> None:
    recorder, told = Recorder(PLAIN, Sink(io.BytesIO()), most=5_000), []
    recorder.filled = lambda: told.append(recorder.full)
    for event in calls(50):
        recorder.write(event)
    assert told == ["the run's limit of 5,000 bytes was reached ([limits] max_run_bytes)"]


def test_a_run_ends_where_its_transcript_holds_too_many_values() -> None:
    recorder, told = Recorder(PLAIN, most_values=100), []
    recorder.filled = lambda: told.append(recorder.full)
    for event in calls(50):
        recorder.write(event)
    assert told == ["the run's limit of 100 JSON values was reached ([limits] max_run_values)"]
