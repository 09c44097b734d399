"""Contracts of one's own: correct servers are accused of nothing, each broken promise is found, and only that one."""

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.e2e.own import albums, graph, jobs, plain, purses, rooms, shelf, tickets, visits
from tests.e2e.own.inside import Inside, judged, verdicts
from tests.e2e.test_cli import conformance

NOTES = Path(__file__).parents[2] / "fixtures" / "notes"


def _server() -> ModuleType:
    spec = importlib.util.spec_from_file_location("notes", NOTES / "notes.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SERVER = _server()
BROKEN = {
    "served": "NOTE-SERVED",
    "declared": "NOTE-TOOLS",
    "catalogued": "NOTE-CODES",
    "retryable": "NOTE-RETRY",
    "mirrored": "NOTE-FLAG",
    "answer": "NOTE-SHAPE",
    "replayed": "NOTE-KEY",
    "replayed-twice": "NOTE-KEY",
    "conflicting": "NOTE-KEY-REUSED",
    "revised": "NOTE-REVISION",
    "guarded": "NOTE-GUARD",
    "guarded-late": "NOTE-GUARD",
    "shown": "NOTE-SAVED",
    "updated": "NOTE-UPDATED",
    "lives": "NOTE-LIFE",
    "listed": "NOTE-LIFE",
    "steady": "NOTE-STEADY",
    "unique": "NOTE-ID",
    "paged": "NOTE-PAGES",
    "paged-twice": "NOTE-PAGES",
    "ordered": "NOTE-ORDER",
    "capped": "NOTE-CAP",
    "bounded": "NOTE-TITLE",
    "bounded-beyond": "NOTE-TITLE",
    "unknown": "NOTE-UNKNOWN",
    "invalid": "NOTE-LIMIT",
    "missing": "NOTE-BODY",
    "echoed": "NOTE-ECHO",
    "barred": "NOTE-ARCHIVED",
    "barred-for-ever": "NOTE-ARCHIVED",
    "bounds": "NOTE-TOOLS",
    "enforced": "NOTE-ARGUMENTS",
}


def notes(broken: str = "") -> Inside:
    store = SERVER.Notes(broken)
    return Inside(store.tools(), store.answer)


def test_every_break_of_the_example_is_tried():
    assert set(SERVER.BREAKS) == set(BROKEN)


def test_the_example_keeps_its_contract(monkeypatch):
    report = judged(monkeypatch, NOTES / "contract", notes())
    assert verdicts(report) == {}
    assert report.conformant


@pytest.mark.parametrize("broken", BROKEN)
def test_a_broken_promise_is_found_and_no_other_is_accused(monkeypatch, broken):
    report = judged(monkeypatch, NOTES / "contract", notes(broken))
    assert list(verdicts(report, "fail")) == [BROKEN[broken]], verdicts(report)
    assert BROKEN[broken] in [finding.requirement for finding in report.roots]


@pytest.mark.parametrize("structured", [True, False])
def test_servers_of_another_shape_are_accused_of_nothing(monkeypatch, structured):
    stores = (
        *((tickets, tickets.Tickets()), (shelf, shelf.Shelf()), (jobs, jobs.Jobs()), (rooms, rooms.Rooms())),
        *((albums, albums.Albums()), (purses, purses.Purses())),
    )
    for module, store in stores:
        report = judged(monkeypatch, module.FOLDER, Inside(module.tools(), store.answer, structured=structured))
        assert verdicts(report) == {}
        assert report.conformant


@pytest.mark.parametrize("broken", jobs.BREAKS)
def test_what_ordinary_calls_do_not_show_is_found(monkeypatch, broken):
    report = judged(monkeypatch, jobs.FOLDER, Inside(jobs.tools(), jobs.Jobs(broken).answer))
    assert next(iter(verdicts(report, "fail")), None) == jobs.BREAKS[broken], verdicts(report)


@pytest.mark.parametrize("broken", ["", *visits.BREAKS])
def test_what_stands_in_objects_that_may_be_null_is_tried(monkeypatch, broken):
    """A value at its bound that is refused for what stands beside it accuses nobody."""
    server = Inside(visits.tools(), visits.Visits(broken).answer, structured=False, prose=True)
    report = judged(monkeypatch, visits.FOLDER, server)
    assert list(verdicts(report)) == visits.BREAKS.get(broken, []), verdicts(report)


@pytest.mark.parametrize("broken", rooms.BREAKS)
def test_what_a_state_bars_is_found(monkeypatch, broken):
    report = judged(monkeypatch, rooms.FOLDER, Inside(rooms.tools(), rooms.Rooms(broken).answer))
    assert list(verdicts(report, "fail")) == [rooms.BREAKS[broken]], verdicts(report)


@pytest.mark.parametrize("broken", albums.BREAKS)
def test_what_is_broken_of_what_is_made_in_something_else_is_found(monkeypatch, broken):
    report = judged(monkeypatch, albums.FOLDER, Inside(albums.tools(), albums.Albums(broken).answer))
    assert list(verdicts(report, "fail")) == [albums.BREAKS[broken]], verdicts(report)


@pytest.mark.parametrize("broken", purses.BREAKS)
def test_what_a_write_does_to_what_it_names_is_found(monkeypatch, broken):
    report = judged(monkeypatch, purses.FOLDER, Inside(purses.tools(), purses.Purses(broken).answer))
    assert list(verdicts(report, "fail")) == [purses.BREAKS[broken]], verdicts(report)


@pytest.mark.parametrize("structured", [True, False])
def test_a_server_of_lists_of_objects_is_accused_of_nothing(monkeypatch, structured):
    report = judged(monkeypatch, graph.FOLDER, Inside(graph.tools(), graph.Graph().answer, structured=structured))
    assert verdicts(report) == {}
    assert report.conformant


@pytest.mark.parametrize("broken", graph.BREAKS)
def test_what_is_broken_in_one_entry_of_a_list_is_found(monkeypatch, broken):
    report = judged(monkeypatch, graph.FOLDER, Inside(graph.tools(), graph.Graph(broken).answer))
    assert list(verdicts(report, "fail")) == [graph.BREAKS[broken]], verdicts(report)


@pytest.mark.parametrize(("broken", "code"), [("", 0), ("capped", 1), ("twin", 1)])
def test_a_contract_of_ones_own_over_plain_http(tmp_path, broken, code):
    """A server that speaks no MCP at all is judged by the same promises."""
    with plain.served(jobs.Jobs(broken).answer) as url:
        report = tmp_path / "report.json"
        done = conformance("run", "--server-url", url, "--contract", str(jobs.FOLDER), "--output", str(report))
    assert done.returncode == code, done.stdout + done.stderr
    found = json.loads(report.read_text("utf-8"))
    by_verdict = {each["id"]: each["verdict"] for each in found["requirements"]}
    assert {name for name, verdict in by_verdict.items() if verdict == "not_applicable"} == {"JOB-TOOLS", "JOB-FLAG"}
    assert {name for name, verdict in by_verdict.items() if verdict == "fail"} == set(
        filter(None, [jobs.BREAKS.get(broken)])
    )


def test_a_server_that_refuses_everything_is_found_for_that_alone(monkeypatch):
    def refuse(_name, _arguments):
        return {"error": {"code": "NOT_FOUND", "message": "no", "retryable": False}}, True

    report = judged(monkeypatch, NOTES / "contract", Inside(SERVER.TOOLS, refuse))
    passed = {r.id for r in report.requirements if r.verdict == "pass"}
    assert list(verdicts(report, "fail")) == ["NOTE-SERVED"]
    assert passed <= {"NOTE-TOOLS", "NOTE-CODES", "NOTE-RETRY", "NOTE-FLAG"}
    assert not report.conformant


@pytest.mark.parametrize(("broken", "code"), [("", 0), ("conflicting", 1)])
def test_the_example_over_stdio_as_a_user_runs_it(tmp_path, broken, code):
    """The command of the README, and the record judged again."""
    server = f"{sys.executable} {NOTES / 'server.py'}" + (f" --break {broken}" if broken else "")
    words = ["--contract", str(NOTES / "contract"), "--without", "mcp"]
    record = tmp_path / "run.jsonl"
    done = conformance("run", "--server-command", server, *words, "--seed", "1", "--transcript", str(record))
    assert done.returncode == code, done.stdout + done.stderr
    assert ("Conforms to notes" in done.stdout) == (code == 0)
    again = conformance("judge", str(record), *words)
    assert again.returncode == code
    assert "conformance judge: the run is of the contract notes" in conformance("judge", str(record)).stderr
