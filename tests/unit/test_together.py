"""Promises on an answer that are checked at once find the subjects, and the breaches, that each finds by itself."""

from types import SimpleNamespace

import pytest

from conformance.contract.promises import Answer
from conformance.judge.promised.envelope import answer
from conformance.judge.promised.together import Together, joins

KEYS = Answer(
    schema={"required": ["ok"], "additionalProperties": False, "properties": {"ok": {}, "items": {}, "a": {}}}
)
FLAG = Answer(schema={"type": "boolean"}, at="/ok")
ITEMS = Answer(schema={"type": "object", "required": ["id"]}, at="/items/*", where="present")
OWN = Answer(schema={"required": ["id"]}, at="/items/*", where="present")
DEEP = Answer(schema={"enum": [1, None]}, at="/a/b~1c", where="parent")
TOGETHER = (KEYS, FLAG, ITEMS, OWN, DEEP)


def called(envelope):
    return SimpleNamespace(
        connection=SimpleNamespace(binding="mcp"),
        envelope=envelope,
        result={},
        payload=None,
        profile=None,
        received=1,
        accepted=True,
        tool="t",
        call=1,
    )


@pytest.mark.parametrize(
    ("envelope", "kept"),
    [
        ({"ok": True}, True),
        ({"ok": True, "items": [{"id": 1}, {"id": 2}]}, True),
        ({"ok": True, "items": {"0": {"id": 1}}}, True),
        ({"ok": True, "a": {"b/c": 1}}, True),
        ({"ok": True, "a": {"b/c": None}}, True),
        ({"ok": True, "a": [1]}, True),
        ({"ok": True, "items": [{"id": 1}, {}]}, False),
        ({"ok": True, "items": [1]}, False),
        ({"ok": True, "items": {"0": {}}}, False),
        ({"ok": True, "a": {}}, False),
        ({"ok": True, "a": {"b/c": True}}, False),
        ({"ok": 1}, False),
        ({"ok": True, "b": 1}, False),
        ({}, False),
    ],
)
def test_the_same_subjects_as_one_by_one(envelope, kept):
    call = called(envelope)
    alone = [list(answer(call, None, promise)) for promise in TOGETHER]
    assert all(judgement.ok for each in alone for judgement in each) is kept
    assert Together(TOGETHER).subjects(call) == ([len(each) for each in alone] if kept else None)


def test_an_answer_that_carries_nothing_is_asked_one_by_one():
    assert Together(TOGETHER).subjects(called(None)) is None


def test_what_cannot_be_a_part_of_a_larger_schema():
    for schema in ({"$ref": "#"}, {"if": {}, "then": {}}, {"pattern": "(?=a)b"}):
        assert not joins(Answer(schema=schema))
    assert not joins(Answer(schema={}, at="/items/0"))
    assert all(map(joins, TOGETHER))
