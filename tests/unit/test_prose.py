"""Texts that are read as objects: what patterns find in them, and the texts of what has changed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.model.envelope import EnvelopeRule
from conformance.model.events import Message
from conformance.model.exchange import NO_CREDENTIAL, Connection, Exchange
from conformance.model.prose import READ_THROUGH, Prose, read, surely_read, written
from conformance.propose.contract.prose import general
from conformance.prove.proxy.rewriting import having, lacking, paying

ONE = Prose(("show",), {"id": r"^Task #(\S+?) ", "title": r'^Task #\d+ "(.*?)"', "note": r"^Note: (.*)$"}, ("id",))
MANY = Prose(("list",), {"id": r"^- \[(\S+?)\]", "title": r"^- \[\S+?\] (.*)$"}, ("id",), r"^- \[\S+?\].*$")
READ = EnvelopeRule(text=(ONE,))
TASK = 'Task #5 "buy milk" is open\nNote: soon'
LIST = "2 tasks\n- [5] buy milk\n- [7] sleep\nThat is all."


def test_what_stands_where() -> None:
    assert read([ONE], TASK) == {"text": TASK, "id": 5, "title": "buy milk", "note": "soon"}
    assert read([MANY], LIST)["entries"] == [
        {"text": "- [5] buy milk", "id": 5, "title": "buy milk"},
        {"text": "- [7] sleep", "id": 7, "title": "sleep"},
    ]


def test_what_is_not_there_is_left_out_and_a_list_may_be_empty() -> None:
    assert read([ONE], "Task #x") == {"text": "Task #x"}
    assert read([ONE], 'Task #05 "a" b')["id"] == "05", "as a number it would be another text"
    assert read([MANY], "No tasks.") == {"text": "No tasks.", "entries": []}


def test_several_rules_read_one_text() -> None:
    total = Prose(("list",), {"total": r"^(\d+) tasks"}, ("total",))
    found = read([total, MANY], LIST)
    assert found["total"] == 2
    assert len(found["entries"]) == 2


def test_what_has_changed_is_written_where_it_stood() -> None:
    told = read([ONE], TASK)
    assert written([ONE], told) == TASK
    assert written([ONE], having(told, "/id", 6)) == 'Task #6 "buy milk" is open\nNote: soon'
    assert written([ONE], having(told, "/title", "rest")) == 'Task #5 "rest" is open\nNote: soon'
    assert "Note" not in written([ONE], lacking(told, "/note"))


@pytest.mark.parametrize(
    ("kept", "text"),
    [
        ([1, 0], "2 tasks\n- [7] sleep\n- [5] buy milk\nThat is all."),
        ([1], "2 tasks\n- [7] sleep\nThat is all."),
        ([0, 1, 1], "2 tasks\n- [5] buy milk\n- [7] sleep\n- [7] sleep\nThat is all."),
        ([], "2 tasks\n\nThat is all."),
    ],
)
def test_a_list_is_written_with_the_entries_that_it_has_now(kept: list[int], text: str) -> None:
    told = read([MANY], LIST)
    assert written([MANY], {**told, "entries": [told["entries"][each] for each in kept]}) == text


def test_an_entry_of_several_lines() -> None:
    rule = Prose(("list",), {"id": r"^ID: (\S+)$"}, entries=r"^ID: \S+$.*(?:\n(?!ID: ).*)*")
    text = "ID: a\nTitle: x\n---\nID: b\nTitle: y"
    told = read([rule], text)
    assert [each["id"] for each in told["entries"]] == ["a", "b"]
    assert written([rule], having(told, "/entries/0/id", "c")) == text.replace("ID: a", "ID: c")


@given(st.from_regex(r"[a-z]{1,9}( [a-z]{1,9}){0,2}", fullmatch=True), st.integers(0, 10**9))
def test_what_was_written_is_read_again(title: str, number: int) -> None:
    told = having(having(read([ONE], TASK), "/title", title), "/id", number)
    found = read([ONE], written([ONE], told))
    assert (found["title"], found["id"]) == (title, number)


@pytest.mark.parametrize("value", ["milk", "buy milk", "v1.2-3", "größe", 7])
def test_what_is_found_as_it_was_written(value: object) -> None:
    assert surely_read(value)


@pytest.mark.parametrize("value", ["", " milk", "a\nb", 'a "b"', "a: b", "(x)", "a\n", True, None, ["a"], 1.5])
def test_what_may_be_cut_short(value: object) -> None:
    assert not surely_read(value)


def _answered(result: dict[str, object], rule: EnvelopeRule = READ) -> Exchange:
    call = Exchange(
        call=1,
        connection=Connection("c", "in-process", "mcp", "main", 0),
        instance="main",
        stimulus="s",
        label="",
        credential=NO_CREDENTIAL,
        conditions={},
        method="tools/call",
        tool="show",
        arguments={},
        request={"id": 1},
        asked=None,
        sent=1,
    )
    answer = {"jsonrpc": "2.0", "id": 1, "result": result}
    call.settle(Message(connection="c", direction="in", call=1, payload=answer, t=2), rule)
    return call


TEXTS = [
    {"content": [{"type": "text", "text": TASK}]},
    {"content": [{"type": "text", "text": each} for each in TASK.splitlines()]},
    {"content": [{"type": "text", "text": TASK}], "structuredContent": {"result": TASK}},
]


@pytest.mark.parametrize("result", TEXTS)
def test_an_answer_in_texts_has_a_payload_that_can_be_changed(result: dict[str, object]) -> None:
    call = _answered(result)
    assert call.given["id"] == 5
    other = paying(call, READ, having(call.payload, "/id", 6))["result"]
    again = _answered(other)
    assert again.given["id"] == 6
    assert again.given["title"] == "buy milk"
    assert ("structuredContent" in other) is ("structuredContent" in result)


@pytest.mark.parametrize(
    "result",
    [
        {"content": [{"type": "text", "text": TASK}], "structuredContent": {"id": "data"}},
        {"content": [{"type": "text", "text": '{"id": "data"}'}]},
    ],
)
def test_what_was_answered_as_data_is_left_as_it_is(result: dict[str, object]) -> None:
    assert _answered(result).payload == {"id": "data"}


def test_a_text_that_is_longer_than_is_read_stays_as_it_is() -> None:
    text = TASK + "x" * READ_THROUGH
    assert _answered({"content": [{"type": "text", "text": text}]}).payload == text


def test_a_drafted_pattern_takes_no_longer_for_a_text_made_to_last() -> None:
    pattern = general('from "ada" to "bob" on "may" by "eve" (', ["ada", "bob", "may", "eve"])
    text = 'from "' + '" to " on " by ' * 10_000
    rule = Prose(("show",), {"id": rf"^{pattern}(\S+?)\)"})
    assert read([rule], text) == {"text": text}
    assert read([rule], 'from "cy" to "di" on "jun" by "fay" (7)')["id"] == "7"


def test_a_failure_is_read_by_no_pattern() -> None:
    call = _answered({"content": [{"type": "text", "text": TASK}], "isError": True})
    assert call.prose == ()


@pytest.mark.parametrize("wrapped", [False, True])
@pytest.mark.parametrize(
    ("text", "refused", "code"),
    [
        ("Error: GONE: no task 5", True, "GONE"),
        ("Task not found", True, None),
        ('The task "not found" is open', False, None),
    ],
)
def test_a_failure_may_be_told_in_words_alone(text: str, refused: bool, code: str | None, wrapped: bool) -> None:
    rule = EnvelopeRule(failure_pattern="^Error: |not found$", code_pattern="^Error: ([A-Z]+): ")
    result: dict[str, object] = {"content": [{"type": "text", "text": text}]}
    call = _answered({**result, "structuredContent": {"result": text}} if wrapped else result, rule)
    assert (call.refused, call.accepted, call.code) == (refused, not refused, code)


def test_data_tells_of_no_failure_in_words() -> None:
    rule = EnvelopeRule(failure_pattern="not found")
    assert _answered({"content": [], "structuredContent": {"title": "not found"}}, rule).accepted
