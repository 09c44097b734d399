"""A server whose tools want values that no schema tells: each that can be reached is, and the report says of each."""

from pathlib import Path

import pytest

from conformance.report.asides import asides, exercised
from tests.e2e.driving import Driven, over_stdio

ALL = {"get_note", "save_note", "read_file", "sol_of", "convert", "either"}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Driven:
    return over_stdio(tmp_path_factory.mktemp("reach"), "wants_values", calls={"harmless": "all"})


def test_each_tool_accepts_a_call_but_the_one_that_refuses_all(run: Driven) -> None:
    accepted = {use.name for use in run.report.tools if use.accepted}
    assert accepted == ALL
    assert run.found() == set()


def test_the_report_says_why_a_tool_was_never_reached_and_what_to_write(run: Driven) -> None:
    told = [item.text for aside in asides(run.report) for item in aside.items if item.text.startswith("never ")]
    assert exercised(run.report) == "7 of 7 tools called, 6 accepted a call"
    assert len(told) == 1
    assert '("no")' in told[0]
    assert '[[calls.examples]] tool = "never"' in told[0]


def test_attempts_are_bounded(run: Driven) -> None:
    attempts = [e for e in run.history.exchanges if e.stimulus == "mcp.each_tool_is_reached" and e.tool == "never"]
    assert 0 < len(attempts) <= 14


def test_the_folder_of_the_run_is_gone(run: Driven) -> None:
    read = next(call for call in run.history.calls("read_file") if call.accepted)
    path = Path(str(read.argument("path")))
    assert "conformance-" in str(path)
    assert not path.parent.exists()


def test_only_tools_that_are_allowed_are_called(tmp_path: Path) -> None:
    run = over_stdio(tmp_path, "wants_values")
    assert not list(run.history.calls("save_note"))
    use = {use.name: use for use in run.report.tools}
    assert (use["save_note"].called, use["read_file"].accepted > 0) == (0, True)


def test_a_selection_reaches_the_tools_that_it_needs(tmp_path: Path) -> None:
    run = over_stdio(tmp_path, "wants_values", only=["MC-CALL-04"], calls={"harmless": "all"})
    assert {use.name for use in run.report.tools if use.accepted} == ALL


def test_an_example_may_name_files_and_earlier_answers(tmp_path: Path) -> None:
    examples = [
        {"tool": "save_note", "arguments": {"title": "{{fresh.title}}"}},
        {"tool": "get_note", "arguments": {"note_id": "{{save_note.note.id}}"}},
        {"tool": "read_file", "arguments": {"path": "{{files.folder}}/notes.md"}},
    ]
    run = over_stdio(tmp_path, "wants_values", calls={"harmless": [e["tool"] for e in examples], "examples": examples})
    use = {use.name: use for use in run.report.tools}
    assert all(use[str(example["tool"])].accepted for example in examples)
    assert not [e for e in run.history.exchanges if e.stimulus == "mcp.each_tool_is_reached" and e.refused]


def test_a_tool_that_is_skipped_is_not_called_and_the_report_says_so(tmp_path: Path) -> None:
    run = over_stdio(tmp_path, "wants_values", calls={"harmless": "all", "skip": ["never", "sol_of"]})
    use = {use.name: use for use in run.report.tools}
    assert (use["never"].called, use["sol_of"].called) == (0, 0)
    assert use["sol_of"].todo == "the statement skips it ([calls] skip, or --skip)"


def test_what_to_write_is_said_with_the_arguments_that_are_required(tmp_path: Path) -> None:
    run = over_stdio(tmp_path, "wants_values", calls={"harmless": ["never"]})
    use = {use.name: use for use in run.report.tools}
    assert 'arguments = { thing = "…" }' in use["never"].todo
    assert use["save_note"].todo == 'if it does no harm, add "save_note" to [calls] harmless, or to --harmless'
