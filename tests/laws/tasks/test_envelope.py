"""TK-ENV-*: the one object that every tool answers."""

from typing import Any

import pytest

from conformance.model.events import Json
from tests.laws.driven import driven
from tests.laws.tasks.room import Room

IDS = [f"TK-ENV-0{number}" for number in range(1, 8)]
NOON = "2026-11-21T12:00:00Z"
WHOLE: dict[str, Json] = {
    "success": True,
    "intent": "context",
    "result": {},
    "warnings": [],
    "suggestions": [],
    "context": {},
    "error": None,
    "timestamp": NOON,
}
ERROR: dict[str, Json] = {"code": "UNKNOWN_ID", "message": "no TASK-007"}
FAILED = {**WHOLE, "success": False, "error": ERROR}


@pytest.mark.parametrize("identifier", IDS)
def test_the_reference(identifier: str) -> None:
    outcome = driven("tasks", "envelope").outcome(identifier)
    assert outcome is not None
    assert (outcome.verdict, outcome.subjects > 0) == ("pass", True)


@pytest.mark.parametrize("deviation", IDS)
def test_a_deviation_fails_alone(deviation: str) -> None:
    outcomes = driven("tasks", "envelope", deviation=deviation).outcomes
    assert {o.id for o in outcomes if o.id.startswith("TK-ENV") and o.verdict in ("fail", "warn")} == {deviation}


def verdict(identifier: str, envelope: Any, **more: Any) -> str:
    room = Room()
    failed = isinstance(envelope, dict) and envelope.get("success") is not True
    room.call("tasks_context", {"workspace": "w"}, envelope, **{"failed": failed, **more})
    return room.judged(identifier).verdict


def without(key: str) -> dict[str, Json]:
    return {name: value for name, value in WHOLE.items() if name != key}


@pytest.mark.parametrize("key", WHOLE)
def test_every_key_is_there(key: str) -> None:
    assert verdict("TK-ENV-01", without(key)) == "fail"


def test_one_object() -> None:
    assert verdict("TK-ENV-01", WHOLE) == "pass"
    assert verdict("TK-ENV-01", {**WHOLE, "more": 1}) == "pass"
    assert verdict("TK-ENV-01", WHOLE, text=None) == "pass"
    assert verdict("TK-ENV-01", WHOLE, text='{"success": false}') == "fail"
    assert verdict("TK-ENV-01", [WHOLE]) == "fail"


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({}, "pass"),
        ({"success": False, "error": ERROR}, "pass"),
        ({"error": {}}, "fail"),
        ({"error": ERROR}, "fail"),
        ({"success": False}, "fail"),
        ({"success": False, "error": "UNKNOWN_ID"}, "fail"),
        ({"success": "true"}, "fail"),
        ({"success": 1}, "fail"),
    ],
)
def test_success_and_error(changed: dict[str, Json], expected: str) -> None:
    assert verdict("TK-ENV-02", {**WHOLE, **changed}) == expected


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (ERROR, "pass"),
        ({**ERROR, "recovery": "look"}, "pass"),
        ({"code": "UNKNOWN_ID"}, "fail"),
        ({"message": "no"}, "fail"),
        ({**ERROR, "message": " "}, "fail"),
        ({**ERROR, "code": 404}, "fail"),
        (None, "not_observed"),
    ],
)
def test_errors(error: Json, expected: str) -> None:
    assert verdict("TK-ENV-03", {**FAILED, "error": error}) == expected


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({}, "pass"),
        ({"intent": ""}, "fail"),
        ({"intent": None}, "fail"),
        ({"result": []}, "fail"),
        ({"context": None}, "fail"),
        ({"warnings": {}}, "fail"),
        ({"suggestions": None}, "fail"),
    ],
)
def test_kinds(changed: dict[str, Json], expected: str) -> None:
    assert verdict("TK-ENV-04", {**WHOLE, **changed}) == expected


@pytest.mark.parametrize(
    ("timestamp", "expected"),
    [
        (NOON, "pass"),
        ("2026-11-21T12:00:00.123456789+00:00", "pass"),
        ("2026-11-21 12:00:00", "fail"),
        ("2026-11-21T14:00:00+02:00", "fail"),
        (1795262400, "fail"),
    ],
)
def test_timestamps(timestamp: Json, expected: str) -> None:
    assert verdict("TK-ENV-05", {**WHOLE, "timestamp": timestamp}) == expected


def tell(room: Room, seconds: str, **more: Any) -> None:
    envelope = {**WHOLE, "timestamp": f"2026-11-21T12:00:{seconds}Z"}
    room.call("tasks_context", {"workspace": "w"}, envelope, **more)


def test_time_goes_on() -> None:
    room = Room()
    tell(room, "01.5")
    tell(room, "01")
    tell(room, "02")
    assert room.judged("TK-ENV-06").verdict == "pass"
    tell(room, "01")
    assert room.judged("TK-ENV-06").verdict == "warn"


def test_time_is_of_a_connection_and_an_instance_and_overlaps_do_not_count() -> None:
    room = Room()
    tell(room, "05")
    tell(room, "04", on="c2")
    room.instance("own")
    tell(room, "03", instance="own")
    room.together()
    tell(room, "07")
    tell(room, "06")
    room.settle()
    assert room.judged("TK-ENV-06").verdict == "pass"


@pytest.mark.parametrize(("envelope", "failed", "expected"), [(FAILED, True, "pass"), (FAILED, False, "warn")])
def test_is_error(envelope: dict[str, Json], *, failed: bool, expected: str) -> None:
    assert verdict("TK-ENV-07", envelope, failed=failed) == expected
    assert verdict("TK-ENV-07", WHOLE, failed=not failed) == expected
