"""Over stdio, nothing that an ordinary, slow or hostile server does stops, fools or hangs the suite."""

import itertools
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance.contracts.mcp import bench
from conformance.drive.errors import StartError
from conformance.drive.wire import pace
from conformance.model import transcript
from conformance.model.events import Closed, Listing
from conformance.model.listed import ListedTool, tools_of
from tests.e2e.driving import command, over_stdio

QUICK = ["MC-RPC-01", "MC-LIST-01"]
"""Enough to see that a server is served."""


def alive(pid: int) -> bool:
    """Whether a process runs; not one that has ended and was not waited for by whoever adopted it."""
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False


def left_of(pids: Path, patience_s: float = 10) -> list[int]:
    """Which of the processes still run; what was killed takes a moment to end on a busy machine."""
    until = time.monotonic() + patience_s
    while (left := [pid for pid in map(int, pids.read_text().split()) if alive(pid)]) and time.monotonic() < until:
        time.sleep(0.05)
    return left


@pytest.mark.parametrize("era", ["newer", "older"])
def test_an_ordinary_server_is_accused_of_nothing(era: str, tmp_path: Path) -> None:
    run = over_stdio(tmp_path, "base", era)
    assert run.found() == set()
    assert run.report.complete
    assert {c.revision for c in run.history.connections.values() if c.asked} == {
        "2026-07-28" if era == "newer" else "2025-11-25"
    }


# Starting


@pytest.mark.parametrize("era", ["newer", "older"])
def test_a_slow_start_is_waited_for_in_both_eras(era: str, tmp_path: Path) -> None:
    """The answer to server/discover comes after the handshake was tried beside it, and decides all the same."""
    run = over_stdio(tmp_path, "slow_start", "4", era, only=QUICK, limits={"start_timeout_s": 6, "call_timeout_s": 1})
    assert run.found() == set()
    assert run.report.complete
    first = run.history.connections["c1"]
    assert first.revision == ("2026-07-28" if era == "newer" else "2025-11-25")
    greeting = [e.method for e in run.history.exchanges if e.connection is first][:2]
    assert greeting == ["server/discover", "initialize"], "the question waited for half of the time, then both did"


def test_what_never_answers_has_not_started(tmp_path: Path) -> None:
    with pytest.raises(StartError) as raised:
        over_stdio(tmp_path, "says_nothing", limits={"start_timeout_s": 1})
    assert raised.value.what == "the server did not start within 1 s"
    assert "still runs" in raised.value.why
    assert "start_timeout_s" in raised.value.todo


def test_what_ends_at_its_start_is_told_with_its_status_and_last_words(tmp_path: Path) -> None:
    with pytest.raises(StartError) as raised:
        over_stdio(tmp_path, "dies")
    assert raised.value.what == "the server ended before it answered anything"
    assert "has ended with status 3; it last wrote: some banner | boom: no such database" in raised.value.why


def test_what_ends_at_the_question_for_its_era_is_begun_anew_by_a_handshake(tmp_path: Path) -> None:
    run = over_stdio(tmp_path, "ends_at_the_probe")
    assert run.found() == {"MC-RPC-21"}, "it ends at a ping before the handshake as well"
    assert run.report.complete
    probed, first, *later = run.history.connections.values()
    assert (probed.revision, first.revision) == (None, "2025-11-25")
    assert probed.closed is not None
    assert probed.closed.exit == 1
    assert "expected initialize" in probed.closed.tail
    assert {c.asked for c in later} <= {"2025-11-25", None}, "the era holds for the endpoint"


def test_a_server_whose_processes_cannot_start_at_once_is_accused_of_nothing(tmp_path: Path) -> None:
    run = over_stdio(tmp_path, "locks_at_start", str(tmp_path / "lock"))
    ended = [c for c in run.history.connections.values() if c.closed is not None and "is locked" in c.closed.tail]
    assert ended, "two of them were started at once"
    assert run.found() == set()
    assert run.report.complete


@pytest.mark.parametrize("era", ["newer", "older"])
def test_a_server_of_which_there_can_be_but_one_process_is_accused_of_nothing(era: str, tmp_path: Path) -> None:
    run = over_stdio(tmp_path, "keeps_a_port", str(tmp_path / "lock"), era)
    assert run.found() == set()
    assert "MC-RPC-01" in run.verdicts("pass")


def test_an_older_server_need_not_answer_the_question(tmp_path: Path) -> None:
    run = over_stdio(tmp_path, "silent_to_the_probe", only=QUICK, limits={"start_timeout_s": 4})
    assert run.found() == set()
    assert run.verdicts("pass") >= set(QUICK)


@pytest.mark.parametrize(("how", "found"), [("honest", set()), ("refusal", set()), ("lies", {"MC-LIST-01"})])
def test_who_has_no_handshake_is_not_accused_of_that(how: str, found: set[str], tmp_path: Path) -> None:
    run = over_stdio(tmp_path, "no_handshake", how, protocol="2025-11-25")
    assert run.found() == found
    assert not run.report.complete
    if not found:
        assert "the server names 2026-07-28: let protocol be one of them, or auto" in run.report.reason


def test_a_refusal_that_names_versions_chooses_one(tmp_path: Path) -> None:
    run = over_stdio(tmp_path, "names_versions", "2025-06-18", "2024-11-05", only=QUICK)
    assert run.found() == set()
    assert run.history.connections["c1"].revision == "2025-06-18"


def test_a_server_of_versions_that_we_do_not_know_is_not_judged(tmp_path: Path) -> None:
    with pytest.raises(StartError, match=r"the server speaks 2030-01-01, and this version of the suite does not"):
        over_stdio(tmp_path, "names_versions", "2030-01-01")


def test_a_run_that_is_cut_while_a_server_starts_is_incomplete(tmp_path: Path) -> None:
    run = over_stdio(tmp_path, "slow_start", "3", limits={"run_timeout_s": 1})
    assert run.found() == set()
    assert not run.report.complete
    assert run.seconds < 20


# Requests of the server, progress, time


def test_requests_of_the_server_are_answered(tmp_path: Path) -> None:
    run = over_stdio(tmp_path, "asks_the_client", only=["MC-CALL-*"])
    assert run.found() == set()
    assert any(call.accepted for call in run.history.calls("echo"))
    assert {inquiry.method for inquiry in run.history.inquiries} == {"ping", "roots/list"}
    for inquiry in run.history.inquiries:
        assert inquiry.revision == "2025-11-25"
        assert inquiry.reply is not None
        assert (inquiry.reply.payload.get("result") == {}) is (inquiry.method == "ping")


def test_without_a_handshake_a_client_sends_no_answers(tmp_path: Path) -> None:
    run = over_stdio(tmp_path, "asks_the_client", "newer", only=["MC-CALL-01", "MC-RPC-01"])
    assert any(call.accepted for call in run.history.calls("echo"))
    assert run.history.inquiries
    assert all(inquiry.reply is None for inquiry in run.history.inquiries)


@pytest.mark.parametrize("era", ["newer", "older"])
def test_progress_extends_the_wait(era: str, tmp_path: Path) -> None:
    run = over_stdio(
        tmp_path, "takes_long", "2.4", "progress", era, only=["MC-CALL-10", "MC-RPC-01"], limits={"call_timeout_s": 1.5}
    )
    assert run.found() == set()
    assert any(call.accepted for call in run.history.calls("echo"))


@pytest.mark.parametrize("era", ["newer", "older"])
def test_a_call_that_takes_too_long_is_cancelled_and_a_matter_of_one_requirement(era: str, tmp_path: Path) -> None:
    run = over_stdio(
        tmp_path, "takes_long", "3", era, only=["MC-CALL-10", "MC-RPC-01", "MC-CALL-09"], limits={"call_timeout_s": 1}
    )
    assert run.found() == {"MC-CALL-10"}
    silent = {call.call for call in run.history.calls() if call.unanswered == "time"}
    assert silent
    assert {each["params"]["requestId"] for each in run.sent("notifications/cancelled")} == silent


@pytest.mark.parametrize("era", ["newer", "older"])
def test_a_tool_with_a_limit_of_its_own_is_called_more_slowly(era: str, tmp_path: Path) -> None:
    run = over_stdio(tmp_path, "spaces_calls", era, only=["MC-CALL-04"])
    assert run.verdicts("pass") == {"MC-CALL-04"}
    assert any("Rate limit" in str(call.result) for call in run.history.calls("echo"))


def test_a_tool_that_takes_no_calls_any_more_is_not_waited_for_again(tmp_path: Path) -> None:
    run = over_stdio(tmp_path, "spaces_calls", "for-good", only=["MC-CALL-04"])
    assert run.found() == set()
    assert run.report.complete
    assert len([call for call in run.history.calls("echo") if call.accepted]) == 3
    times = [call.sent for call in run.history.calls("echo") if call.refused]
    assert max(late - early for early, late in itertools.pairwise(times)) < 4_000_000


def test_the_call_that_is_cancelled_is_one_that_the_server_takes(tmp_path: Path) -> None:
    run = over_stdio(tmp_path, "no_null", only=["MC-CALL-06", "MC-CALL-16"])
    assert run.found() == set()
    cancelled = [call for call in run.history.calls() if call.cancelled is not None]
    assert len(cancelled) == 2
    assert all(call.arguments is not None for call in cancelled)


def test_a_server_that_does_one_thing_after_another_is_in_time(tmp_path: Path) -> None:
    """Many calls are made at once. What one of them waits for the others is not held against the server."""
    run = over_stdio(
        tmp_path, "serves_one_by_one", "0.4", only=["MC-CALL-0*", "MC-CALL-10"], limits={"call_timeout_s": 1}
    )
    assert run.found() == set()
    waited = [call.received - call.sent for call in run.history.calls() if call.received is not None]
    assert max(waited) > 1_000_000, "some had to wait for longer than the limit"


# What comes


@pytest.mark.parametrize("levels", [600, 980, 100_000])
def test_what_is_nested_too_deep_is_a_finding_and_the_reader_goes_on(levels: int, tmp_path: Path) -> None:
    run = over_stdio(tmp_path, "nests_deep", str(levels), only=["MC-RPC-*", "MC-CALL-*"])
    assert "MC-RPC-01" in run.found()
    assert "MC-RPC-07" not in run.found()
    assert "nested too deep: more than 500 levels" in run.saw("MC-RPC-01")
    assert all(call.unanswered is None for call in run.history.calls("echo")), "each is heard at once"
    assert [e.accepted for e in run.history.exchanges if e.method == "tools/list"][-1]


@pytest.mark.parametrize("levels", [60, 200, 450])
def test_what_is_nested_deep_is_read(levels: int, tmp_path: Path) -> None:
    run = over_stdio(tmp_path, "nests_deep", str(levels), only=["MC-RPC-*", "MC-CALL-*"])
    assert not {"MC-RPC-01", "MC-RPC-07"} & run.found()
    assert any(call.accepted for call in run.history.calls("echo"))
    assert not run.verdicts("error")


@pytest.mark.parametrize("what", ["noise", "notifications"])
def test_what_never_ends_is_disconnected(what: str, tmp_path: Path) -> None:
    run = over_stdio(tmp_path, "never_stops_writing", what, limits={"run_timeout_s": 15, "max_unasked_frames": 2_000})
    # how many connections there are depends on how busy the machine is
    assert run.octets < 500_000 * len(run.history.connections)
    closed = [c.closed for c in run.history.connections.values() if c.closed is not None and c.closed.unkept]
    assert closed
    said = "the server sent more than 2,000 messages that answer no call, and 20 for each answer"
    assert {each.why for each in closed} == {f"{said}: it was disconnected"}
    assert "MC-RPC-01" in run.found()
    assert any(said in f.saw for r in run.report.requirements if r.id == "MC-RPC-01" for f in r.findings)
    assert ("MC-RPC-07" in run.found()) is (what == "noise")


def test_a_server_that_ends_at_a_call_is_told_with_its_status_and_last_words(tmp_path: Path) -> None:
    run = over_stdio(tmp_path, "ends_at_a_call", only=["MC-RPC-01", "MC-CALL-09"])
    assert "ended with status 7: it last wrote: out of cheese" in run.saw("MC-RPC-01")
    ended = [c.closed for c in run.history.connections.values() if c.closed is not None and c.closed.by == "server"]
    assert {(closed.exit, closed.tail) for closed in ended} == {(7, "out of cheese")}


# Ending


@pytest.mark.skipif(sys.platform != "linux", reason="what left its group is found by /proc")
@pytest.mark.parametrize("where", ["apart", "beside"])
def test_a_child_that_holds_the_pipes_is_not_waited_for_and_does_not_stay(where: str, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    run = over_stdio(tmp_path, "leaves_a_child", str(pids), where, only=["MC-RPC-08", "MC-LIST-01"])
    assert run.found() == set()
    assert "MC-RPC-08" in run.verdicts("pass")
    assert left_of(pids) == []
    closed = [c.closed for c in run.history.connections.values() if c.closed is not None]
    assert any("time.sleep(300)" in command for each in closed for command in each.left)


@pytest.mark.parametrize(
    ("words", "limit", "said", "codes"),
    [
        (["true"], "30", "the server ended before it answered anything", {2}),
        (command("says_nothing"), "1", "the run's time limit of 1 s passed", {3}),
        (command("base"), "0.4", "", {0, 3}),
    ],
    ids=["ends at once", "never answers", "is cut"],
)
def test_nothing_but_what_a_user_needs_is_said(words: list[str], limit: str, said: str, codes: set[int]) -> None:
    """No traceback, and none of the remarks of an event loop that is closed too early."""
    run = subprocess.run(
        [
            sys.executable,
            "-m",
            "conformance.cli.main",
            "run",
            "--server-command",
            " ".join(words),
            "--run-timeout",
            limit,
        ],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    for noise in ("Traceback", "never retrieved", "never awaited", "Event loop is closed", "was destroyed"):
        assert noise not in run.stderr
    assert said in run.stderr + run.stdout
    assert run.returncode in codes


def test_a_run_ends_soon_after_its_limit(tmp_path: Path) -> None:
    """What closing takes is part of it: a server that stays is given ten seconds, but not here."""
    run = over_stdio(tmp_path, "stays", str(tmp_path / "pids"), limits={"run_timeout_s": 2}, only=["MC-CALL-*"])
    closed = [c.closed for c in run.history.connections.values() if c.closed is not None]
    assert closed
    assert all((each.lingered_ms or 0) < 5_000 for each in closed)
    assert run.found() <= {"MC-CALL-10"}, "that it was made to end says nothing of it"


def test_an_interrupt_while_servers_take_their_time_to_end_ends_them(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    words, record = " ".join(command("stays", str(pids))), tmp_path / "run.jsonl"
    options = ["--server-command", words, "--only", "MC-LIST-01", "--transcript", str(record)]
    run = subprocess.Popen(
        [sys.executable, "-m", "conformance.cli.main", "run", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    until = time.monotonic() + 60
    while not pids.exists() and time.monotonic() < until:
        time.sleep(0.05)
    run.send_signal(signal.SIGINT)
    said, errors = run.communicate(timeout=60)
    assert "Traceback" not in errors
    assert "1 requirement = 1 pass" in said
    closed = [event for event in transcript.read(record) if isinstance(event, Closed)]
    assert closed
    assert all((event.lingered_ms or 0) < (event.allowed_ms or 0) for event in closed), (
        "the rest of it was not waited for"
    )
    assert left_of(pids) == []


@pytest.mark.parametrize("era", ["newer", "older"])
def test_a_server_that_serves_so_many_requests_at_a_time_is_asked_more_slowly(tmp_path: Path, era: str) -> None:
    run = over_stdio(tmp_path, "limits_requests", era)
    assert run.found() == set()
    assert run.report.conformant
    assert not any(call.limited for call in run.history.exchanges)


def test_a_limit_that_never_ends_is_no_answer_to_what_was_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pace, "WINDOW_S", 1.0)
    run = over_stdio(tmp_path, "limits_requests", "newer", "for-good")
    assert run.report.reason == "a limit on requests did not end in 1 s: raise it for the run"
    assert not run.report.conformant
    assert run.found() == set()
    assert run.history.exchanges[-1].limited


def test_lists_are_looked_through_once_and_not_for_each_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With hundreds of tools a run would end with nothing else."""
    looked: list[Listing] = []

    def counted(listing: Listing) -> Iterator[ListedTool]:
        looked.append(listing)
        return tools_of(listing)

    monkeypatch.setattr(bench, "tools_of", counted)
    run = over_stdio(tmp_path, "keeps_notes", calls={"harmless": "all"})
    assert len(looked) < len(run.history.exchanges) / 2
