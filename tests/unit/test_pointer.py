"""Places in values: in each entry of a list, in the last one, and what is removed there."""

import pytest

from conformance.model.pointer import ABSENT, drop, entries, gathered, last, meets, narrowed

VALUE = {"of": [{"name": "a", "in": [1]}, {"name": "b"}], "none": []}
MAP = {"of": {"x": {"name": "a"}, "y/z": {"name": "b"}}}


@pytest.mark.parametrize(
    ("pointer", "found"),
    [
        ("/of/*/name", ["a", "b"]),
        ("/of/*/in/*", [1]),
        ("/of/0/name", "a"),
        ("/of/2/name", ABSENT),
        ("/none/*", ABSENT),
        ("/gone/*/name", ABSENT),
    ],
)
def test_what_each_entry_has(pointer, found):
    assert gathered(VALUE, pointer) == found


@pytest.mark.parametrize(
    ("pointer", "place", "found"),
    [
        ("/of/*/name", "/of/1/name", "b"),
        ("/none/*/name", "/none/0/name", ABSENT),
        ("/of/*/in/*", "/of/1/in/0", ABSENT),
        ("", "", VALUE),
    ],
)
def test_what_the_last_entry_has(pointer, place, found):
    assert narrowed(VALUE, pointer) == place
    assert last(VALUE, pointer) == found


def test_the_entries_of_a_map():
    assert gathered(MAP, "/of/*/name") == ["a", "b"]
    assert narrowed(MAP, "/of/*/name") == "/of/y~1z/name"
    assert [place for place, _ in entries(MAP, "/of/*")] == ["/of/x", "/of/y~1z"]


@pytest.mark.parametrize(
    ("pointer", "left"),
    [
        ("/of/*/name", {"of": [{"in": [1]}, {}], "none": []}),
        ("/of/0", {"of": [{"name": "b"}], "none": []}),
        ("/of/1/name", {"of": [{"name": "a", "in": [1]}, {}], "none": []}),
        ("/of/*", {"of": [], "none": []}),
        ("/gone/name", VALUE),
        ("/of/7", VALUE),
        ("", VALUE),
    ],
)
def test_what_is_removed(pointer, left):
    value = {"of": [{"name": "a", "in": [1]}, {"name": "b"}], "none": []}
    drop(value, pointer)
    assert value == left


@pytest.mark.parametrize(
    ("pointer", "place", "does"),
    [("/a/*/b", "/a/3/b", True), ("/a/*/b", "/a/3/c", False), ("/a", "/a", True), ("/a/*", "/a", False)],
)
def test_whether_one_leads_to_another(pointer, place, does):
    assert meets(pointer, place) is does
