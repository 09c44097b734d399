"""Tools that can be called once on a thing: what is tried of them is tried on things that are there."""

from pathlib import Path

import pytest

from tests.e2e.driving import Driven, over_stdio

BAD = "mcp.tools_are_called_with_bad_arguments"
GOOD = "mcp.tools_are_called_with_good_arguments"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Driven:
    return over_stdio(tmp_path_factory.mktemp("used"), "used_up", calls={"harmless": "all"})


def test_a_correct_server_is_blamed_for_nothing(run: Driven) -> None:
    assert run.found() == set()
    judged = {each.id: each.subjects for each in run.report.requirements}
    # each has its like, which was accepted on another job
    assert judged["MC-CALL-04"] > 20


def test_optional_arguments_are_tried_where_they_can_be_accepted(run: Driven) -> None:
    finished = [call for call in run.history.calls("finish_job") if call.stimulus == GOOD and call.accepted]
    assert {1, 24, None} <= {call.argument("hours") for call in finished if "hours" in (call.arguments or {})}


def test_what_removes_a_thing_takes_none_from_the_others(run: Driven) -> None:
    removed = {call.argument("job_id") for call in run.history.calls("remove_job") if call.accepted}
    finished = {call.argument("job_id") for call in run.history.calls("finish_job") if call.accepted}
    assert removed
    assert finished
    assert not removed & finished


def test_a_bound_that_is_not_looked_at_is_found_though_a_thing_takes_one_call(tmp_path: Path) -> None:
    run = over_stdio(tmp_path, "used_up", "lax", calls={"harmless": "all"})
    assert run.found() == {"MC-CALL-04"}
    assert "finish_job" in run.saw("MC-CALL-04")


def test_what_others_have_changed_is_called_on_something_new(tmp_path: Path) -> None:
    run = over_stdio(tmp_path, "guards_changes", calls={"harmless": "all"})
    renamed = [call for call in run.history.calls("rename_job") if call.accepted]
    assert {"mcp.each_tool_is_reached", GOOD} <= {call.stimulus for call in renamed}


@pytest.mark.parametrize("how", ["strict", "client"])
def test_a_key_that_is_wanted_hides_nothing(tmp_path: Path, how: str) -> None:
    run = over_stdio(tmp_path, "uses_up_keys", how, calls={"harmless": "all"})
    assert run.found() == set()
    judged = {each.id: each.subjects for each in run.report.requirements}
    assert judged["MC-CALL-04"] > 5


def test_what_a_used_key_would_hide_is_found(tmp_path: Path) -> None:
    run = over_stdio(tmp_path, "uses_up_keys", "lax", calls={"harmless": "all"})
    assert run.found() == {"MC-CALL-04", "MC-CALL-05"}
    tried = [call for call in run.history.calls("add_order") if call.stimulus == BAD and call.accepted]
    assert {0, 10} <= {count for call in tried if isinstance(count := call.argument("count"), int)}
