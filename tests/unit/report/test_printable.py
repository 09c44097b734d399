"""Text of a server as it may be shown, and JSON values folded around the pointed place."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conformance.model.verdict import UNSAID, Finding
from conformance.report.excerpt import ABSENT, excerpt
from conformance.report.printable import called, compact, plain, scalar
from conformance.report.story import changes, sides

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=30,
)


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("plain", "plain"),
        ("a\x1b[31mb", "a\\u001b[31mb"),
        ("line\nnext\r\t\x7f", "line\\u000anext\\u000d\\u0009\\u007f"),
        ("\u202egnp.exe", "\\u202egnp.exe"),
        ("\u2066\u200b\u2028\ufeff", "\\u2066\\u200b\\u2028\\ufeff"),
        ("\ud800", "\\ud800"),
        ("\U000e0041", "\\u{e0041}"),
        ("日本語 é", "日本語 é"),
    ],
)
def test_what_cannot_be_seen_is_spelled_out(given, shown):
    assert plain(given) == shown


def test_a_cut_says_how_much_is_missing():
    assert plain("x" * 1_500, 10) == "xxxxxxxxxx… (+1,490 characters)"
    assert scalar("x" * 1_500, 10) == '"xxxxxxxxxx…" (+1,490 characters)'
    assert compact(["x" * 50], 10).endswith("…")


@settings(max_examples=40)
@given(json_values)
def test_one_line_is_printable_and_no_longer_than_allowed(value):
    line = compact(value, 60)
    assert line.isprintable()
    assert len(line) <= 61


def test_a_call_in_one_line():
    assert called("post", {"body": "hi", "n": 1}) == 'post(body: "hi", n: 1)'
    assert called("post", None) == "post()"
    assert called("post", {"body": "x" * 500}, 20) == 'post(body: "xxxxxxxxxxxxxx…)'


@settings(max_examples=40)
@given(json_values, st.lists(st.text() | st.integers(0, 5).map(str), max_size=4))
def test_every_excerpt_is_printable_and_marks_something_where_a_pointer_is_given(value, steps):
    pointer = "".join(f"/{step.replace('~', '~0').replace('/', '~1')}" for step in steps)
    lines = excerpt(value, pointer, lines=10)
    assert all(line.text.isprintable() for line in lines)
    assert any(line.marked for line in lines) == bool(steps)


@pytest.mark.parametrize(
    ("pointer", "marked"),
    [
        ("/seq", ['  "seq": 7,']),
        ("/error/code", ['    "code": "CONFLICT"']),
        ("/items/2", ["    3"]),
        ("/gone", [f'  "gone": {ABSENT}']),
        ("/items/9", [f"    {ABSENT}"]),
        ("/items", ['  "items": [1, 2, 3]']),
        ("/result/seq", ['  "seq": 7,']),
        ("/seq/deeper", ['  "seq": 7,']),
        ("/a~1b~0c", ['  "a/b~c": true,']),
        ("", []),
    ],
)
def test_the_pointed_place_is_marked(pointer, marked):
    answer = {"seq": 7, "a/b~c": True, "error": {"code": "CONFLICT"}, "items": [1, 2, 3]}
    assert [line.text for line in excerpt(answer, pointer) if line.marked] == marked


@pytest.mark.parametrize(
    ("answer", "pointer", "marked"),
    [
        ({"content": [], "structuredContent": {"note": {"id": 1}}}, "/note/id", ['      "id": 1']),
        ({"content": [], "structuredContent": {"note": {}}}, "/gone", [f'    "gone": {ABSENT}']),
        ({"content": [], "structuredContent": {"note": 1}}, "/structuredContent/note", ['    "note": 1']),
        ({"content": [{"type": "text", "text": '{"note": 1}'}]}, "/note", ['      "text": "{\\"note\\": 1}"']),
        ({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}, "/note", [f'  "note": {ABSENT}']),
        ({"content": [], "structuredContent": None}, "/note", [f'  "note": {ABSENT}']),
        ({"content": [], "structuredContent": {}}, "/isError", [f'  "isError": {ABSENT}']),
        ({"content": [], "structuredContent": {"result": 1}}, "/result", ['    "result": 1']),
        ({"content": [], "structuredContent": {"result": "ID: 1"}}, "/id", ['    "result": "ID: 1"']),
        ({"content": [], "structuredContent": {"id": 1}}, "/result", ["{", "}"]),
        ({"content": [], "structuredContent": {}}, "/result/nextCursor", [f'  "nextCursor": {ABSENT}']),
    ],
)
def test_what_has_no_envelope_is_marked_where_it_is_carried(answer, pointer, marked):
    assert [line.text for line in excerpt(answer, pointer, width=30) if line.marked] == marked


def test_the_pointed_place_is_kept_where_its_neighbours_are_folded():
    lines = [line.text for line in excerpt({"flood": list(range(10_000)), "last": 1}, "/flood/5000", lines=12)]
    assert "    5000," in lines
    assert "    … 4,992 more" in lines
    assert "    … 4,999 more" in lines
    assert len(lines) < 20


def test_a_line_that_does_not_fit_is_never_shown_as_if_it_were_whole():
    for length in range(10, 120):
        value = {"list": list(range(length)), "text": "y" * length}
        shown = "".join(line.text.strip() for line in excerpt(value, width=60))
        assert shown.count("[") == shown.count("]")
        assert "more" in shown or f"{length - 1}]" in shown


def test_nesting_beyond_all_measure_is_folded():
    deep: object = "bottom"
    for _ in range(900):
        deep = [deep]
    assert any("inside" in line.text for line in excerpt(deep))
    assert "…" in compact(deep)
    assert changes(deep, [deep]) == []
    assert any(line.marked for line in excerpt(deep, "/0" * 800, lines=10))


def test_an_inequality_is_explained_by_the_places_that_differ():
    found = changes({"a": [1, 2], "b": {"c/d": 1}, "x": 0}, {"a": [1, 3], "b": {"c/d": 2}, "y": 0})
    assert [(c.pointer, c.expected, c.got, c.missing) for c in found] == [
        ("/a/1", 2, 3, ""),
        ("/b/c~1d", 1, 2, ""),
        ("/x", 0, None, "got"),
        ("/y", None, 0, "expected"),
    ]


@pytest.mark.parametrize(
    ("expected", "got", "said"),
    [
        (UNSAID, None, []),
        (UNSAID, 2, ["got"]),
        (1, 2, ["expected", "got"]),
        (1, None, ["expected", "got"]),
        (None, 2, ["expected", "got"]),
    ],
)
def test_null_is_told_where_it_was_expected_and_nothing_where_nothing_was_said(expected, got, said):
    assert [name for name, _ in sides(Finding(requirement="X", saw="", expected=expected, got=got))] == said


@pytest.mark.parametrize(("expected", "got"), [(1, 2), ([1], {"a": 1}), ([1], [1]), ({"a": "x" * 30_000}, {"a": ""})])
def test_what_needs_or_bears_no_explanation_gets_none(expected, got):
    assert changes(expected, got) == []
