"""The connections over which HTTP goes: how many a server takes, when it closes them, where a response ends."""

from pathlib import Path

import pytest

from tests.e2e.driving import over_http

QUICK = ["MC-RPC-01", "MC-LIST-01"]


def test_a_server_that_takes_one_connection_after_the_other_is_accused_of_nothing(tmp_path: Path) -> None:
    run = over_http(tmp_path, "few_at_a_time")
    assert run.found() == set()
    assert run.report.complete


@pytest.mark.parametrize("era", ["newer", "older"])
def test_a_server_that_serves_one_kept_connection_at_a_time_is_accused_of_nothing(era: str, tmp_path: Path) -> None:
    """What is idle is closed for whoever waits."""
    run = over_http(tmp_path, "one_connection", era)
    assert run.found() == set()
    assert run.report.complete


def test_a_server_whose_last_session_takes_the_place_of_the_others_is_accused_of_nothing(tmp_path: Path) -> None:
    run = over_http(tmp_path, "one_session")
    assert run.found() == set()
    assert run.report.complete


def test_a_server_with_one_session_for_all_is_spoken_to_in_that_one(tmp_path: Path) -> None:
    """That it ends, and another begins, cannot be tried: who goes on needs it."""
    run = over_http(tmp_path, "one_session", "refused")
    assert run.found() == set()
    assert run.report.complete
    untested = {r.id for r in run.report.requirements if r.verdict == "not_observed" and r.level == "MUST"}
    assert untested == {"MC-RPC-17"}


@pytest.mark.parametrize("when", ["soon", "late"])
def test_a_connection_that_closed_while_it_was_idle_costs_no_call(when: str, tmp_path: Path) -> None:
    """A request that was not read to its end when its connection was closed is sent again on another."""
    run = over_http(tmp_path, "closes_idle", when, only=["MC-CALL-0*", *QUICK])
    assert run.found() == set()
    assert not [call.detail for call in run.history.exchanges if call.unanswered]


def test_a_connection_that_closes_once_a_request_was_read_loses_it(tmp_path: Path) -> None:
    run = over_http(tmp_path, "closes_idle", "read", only=["MC-CALL-0*", *QUICK])
    assert "MC-RPC-01" in run.found()


def test_what_follows_a_response_is_told_and_is_no_later_calls_answer(tmp_path: Path) -> None:
    run = over_http(tmp_path, "answers_twice")
    assert run.found() == {"MC-RPC-01"}
    assert "more came, which belong to no response" in run.saw("MC-RPC-01")
    assert not [call for call in run.history.exchanges if call.raw is not None and call.raw.payload is not None]


def test_a_length_in_characters_is_told(tmp_path: Path) -> None:
    run = over_http(tmp_path, "counts_characters", only=["MC-CALL-06", *QUICK])
    assert "it ends before its JSON is whole: its Content-Length is" in run.saw("MC-RPC-01")
