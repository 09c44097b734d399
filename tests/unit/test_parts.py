"""A transcript larger than memory is judged part by part: what belongs together stays together, and is let go after."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from conformance.contract.catalogue import Contract, load
from conformance.judge import divided, parted
from conformance.judge.judge import Judged, judge
from conformance.judge.judgements import breach
from conformance.judge.law import LAWS
from conformance.judge.library import import_laws
from conformance.model import history as bounds
from conformance.model.chain import Chain
from conformance.model.events import Event, Flight, Footer, Header, Instance, Listing, Opened, Step
from conformance.model.history import History
from conformance.model.parts import Parts
from conformance.model.places import Places
from conformance.model.transcript import Lines, Reading
from conformance.model.verdict import HELD, Judgement
from conformance.report.build import build

from .events import answered, asked, header

TOOLS = [{"name": "echo", "inputSchema": {"type": "object"}, "outputSchema": {"type": "object"}}]
OVER_HISTORY = "MC-CALL-12"


def part(number: int, calls: int = 5, *, listed: bool = True) -> Iterator[Event]:
    """An instance of its own, a connection to it, and calls."""
    instance, connection, first = f"i{number}", f"c{number}", number * 1_000
    yield Instance(id=instance)
    yield Opened(connection=connection, transport="in-process", instance=instance, t=first)
    if listed:
        yield Listing(connection=connection, instance=instance, tools=TOOLS, t=first)
    for call in range(first, first + calls):
        place = {"connection": connection, "instance": instance}
        yield from asked(call, "echo", {}, call, **place)
        yield answered(call, {"a": call}, call, connection)


def run(*parts: Iterator[Event]) -> list[Event]:
    """A run of these parts, one after another."""
    events = [event for each in parts for event in each]
    calls = sum(isinstance(event, Step) for event in events)
    return [header("mcp"), *events, Footer(complete=True, events=len(events) + 2, calls=calls, t=9_999_999)]


def lines_of(events: Sequence[Event]) -> list[bytes]:
    return [msgspec.json.encode(event) for event in events]


def parts_of(events: Sequence[Event]) -> Parts | None:
    return Parts.of(lines_of(events))


def keep_no_more_than(octets: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parted, "WHOLE_BYTES", octets)
    monkeypatch.setattr(bounds, "WHOLE_BYTES", octets)
    monkeypatch.setattr(divided, "GROUP_BYTES", octets // 4)


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[list[int]]:
    """The calls of each history that a law over histories was given."""
    import_laws(load("mcp"))
    given: list[list[int]] = []

    def law(history: History, _: Contract) -> Iterator[Judgement]:
        given.append([exchange.call for exchange in history.exchanges])
        for exchange in history.exchanges:
            yield breach("seven", exchange) if exchange.call % 1_000 == 7 else HELD

    monkeypatch.setitem(LAWS, OVER_HISTORY, replace(LAWS[OVER_HISTORY], over_history=law, compares="all"))
    return given


def judged(events: Sequence[Event]) -> Judged:
    contract = load(contract_of(events))
    import_laws(contract)
    lines = Lines(lines_of(events))
    return judge(lines, contract, weigh=lambda: lines.octets, parts=parts_of(events), source=lines)


def contract_of(events: Sequence[Event]) -> str:
    head = events[0]
    assert isinstance(head, Header)
    return head.contract


def test_each_part_is_a_history_of_its_own(seen) -> None:
    found = judged(run(part(1), part(2), part(3)))
    assert seen == [list(range(n * 1_000, n * 1_000 + 5)) for n in (1, 2, 3)]
    outcome = found.outcome(OVER_HISTORY)
    assert outcome is not None
    assert outcome.subjects == 15
    report = build(found, load("mcp"))
    assert report.complete
    assert report.calls == 15
    assert any("3 parts" in note for note in report.notes)


def test_what_is_joined_stays_together(seen) -> None:
    second = Opened(connection="c9", transport="in-process", instance="i1", t=5)
    also = [*asked(9_001, "echo", {}, 6, connection="c9", instance="i2"), answered(9_001, {}, 7, "c9")]
    judged(run(part(1), iter([second]), part(2), iter(also), part(3)))
    assert sorted(map(len, seen)) == [5, 11]


def test_calls_under_way_at_once_are_joined(seen) -> None:
    judged(run(part(1), part(2), iter([Flight(calls=(1_000, 2_000), together=True, t=9)])))
    assert seen == [[*range(1_000, 1_005), *range(2_000, 2_005)]]


def test_what_tells_of_an_unknown_call_keeps_all_together() -> None:
    assert parts_of(run(part(1), iter([Flight(calls=(5, 1_000), together=True, t=9)]))) is None


def test_a_part_knows_what_was_listed_elsewhere() -> None:
    import_laws(load("mcp"))
    outcome = judged(run(part(1), part(2, listed=False))).outcome("MC-CALL-01")
    assert outcome is not None
    assert outcome.subjects == 10


def test_findings_keep_their_calls(seen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parted, "TOLD_BYTES", 0)
    report = build(judged(run(part(1, 9), part(2, 9))), load("mcp"))
    found = next(result for result in report.requirements if result.id == OVER_HISTORY)
    assert [finding.calls for finding in found.findings] == [(1_007,), (2_007,)]
    assert [call.call for call in report.evidence if call.call % 1_000 == 7] == [1_007, 2_007]
    assert report.calls == 18


def test_a_part_that_is_too_large_is_said_to_be_cut(seen, monkeypatch: pytest.MonkeyPatch) -> None:
    keep_no_more_than(8_000, monkeypatch)
    found = judged(run(part(1), part(2, 50), part(3)))
    first, another, last = sorted(map(len, seen))
    assert (first, another) == (5, 5)
    assert 5 < last < 50
    report = build(found, load("mcp"))
    assert not report.complete
    assert "a part with 50 calls is larger than the 8,000 bytes" in report.reason
    assert f"on its first {last} calls alone" in report.reason
    assert report.calls == 60
    assert any(OVER_HISTORY in note for note in report.notes)


def test_answers_are_judged_beyond_what_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    keep_no_more_than(8_000, monkeypatch)
    report = build(judged(run(part(1, 100))), load("mcp"))
    told = {result.id: result for result in report.requirements}
    assert told["MC-CALL-07"].subjects == 0
    assert told["MC-CALL-12"].subjects == 100
    assert not told["MC-CALL-12"].reason


def test_what_finds_no_room_is_put_off(seen, monkeypatch: pytest.MonkeyPatch) -> None:
    apart = [list(part(number, 20)) for number in range(1, 6)]
    size = max(sum(map(len, lines_of(one))) for one in apart)
    keep_no_more_than(int(size * 1.5), monkeypatch)
    at_once = [event for five in zip(*apart, strict=True) for event in five]
    report = build(judged(run(iter(at_once))), load("mcp"))
    assert report.complete
    assert sorted(seen) == [list(range(n * 1_000, n * 1_000 + 20)) for n in range(1, 6)]
    assert report.calls == 100


def test_a_file_gives_its_lines_once_more(tmp_path: Path) -> None:
    events = run(part(1), part(2))
    chain, path = Chain(), tmp_path / "run.jsonl"
    path.write_bytes(b"".join(chain.linked(line) + b"\n" for line in lines_of(events)))
    reading, places, expected = Reading(path), Places(), []
    for number, event in enumerate(reading):
        if number % 3:
            places.add(reading.place, reading.octets)
            expected.append((event, reading.octets))
    assert list(reading.again(places)) == expected
    assert places.octets == sum(octets for _, octets in expected)


def test_parts_add_up_to_the_whole() -> None:
    import_laws(load("mcp"))
    events = run(*(part(number) for number in range(1, 6)))
    together, apart = judge(iter(events), load("mcp")), judged(events)
    assert {o.id: o.verdict for o in apart.outcomes} == {o.id: o.verdict for o in together.outcomes}
    # a list that each part has is judged in each of them
    assert all(o.subjects <= p.subjects for o, p in zip(together.outcomes, apart.outcomes, strict=True))
