"""What a tool of the kit gives back, and what redactions name of input and metadata."""

import pytest

from conformance.model.events import Json
from tests.laws.invocation.desk import SECRET, Desk

HALF = "half \ud800 of a pair"


@pytest.mark.parametrize(
    ("tool", "given", "output", "breaches"),
    [
        ("echo", {"text": "a"}, {"text": "a", "version": "2.0.0"}, 0),
        ("echo", {"text": "a"}, {"text": "A", "version": "2.0.0"}, 1),
        ("echo", {"text": " a"}, {"text": "a", "version": "2.0.0"}, 1),
        ("echo", {"text": HALF}, {"text": "half \ufffd of a pair", "version": "2.0.0"}, 0),
        ("echo", {"text": "a", "extra": 2**60}, {"text": "a", "version": "2.0.0", "extra": 1.5}, 0),
        ("echo", {"text": "a", "extra": 1}, {"text": "a", "version": "2.0.0"}, 0),
        ("sum", {"a": -2, "b": 3}, {"sum": 1}, 0),
        ("sum", {"a": -2, "b": 3}, {"sum": 1.0}, 0),
        ("sum", {"a": -2, "b": 3}, {"sum": 5}, 1),
        ("sum", {"a": 2**60, "b": 1}, {"sum": 2**60}, 0),
        ("put", {"key": "k", "value": "v"}, {"key": "k", "value": "w", "writes": 1}, 1),
        ("append", {"list": "l", "item": "i"}, {"items": ["other", "i"]}, 0),
        ("person", {"name": "n", "password": "p"}, {"name": "m"}, 1),
    ],
)
def test_what_is_given_is_told_by_the_input(
    tool: str, given: dict[str, Json], output: dict[str, Json], breaches: int
) -> None:
    desk = Desk()
    desk.ok(tool, given, output)
    assert desk.judged("IR-SRV-01").breaches == breaches


def test_what_may_come_from_a_cache_is_left_to_the_rows_of_caches() -> None:
    desk = Desk()
    desk.ok("echo", {"text": "a"}, {"text": "a", "version": "2.0.0"})
    desk.ok("echo", {"text": "A"}, {"text": "a", "version": "2.0.0"})
    assert desk.judged("IR-SRV-01").breaches == 0


def test_a_key_that_was_used_may_bring_what_was_given_for_it() -> None:
    desk = Desk()
    for value in ("v", "w"):
        desk.ok("put", {"key": "k", "value": value}, {"key": "k", "value": "v", "writes": 1}, idempotencyKey="one")
    assert desk.judged("IR-SRV-01").breaches == 0


@pytest.mark.parametrize(
    ("listed", "breaches"),
    [
        ([], 2),
        (["/metadata/token"], 1),
        (["/metadata/token", "/metadata/deep/0/password"], 0),
        (["/metadata/token", "/metadata/deep/*/password"], 0),
        (["/metadata/token", "/metadata/deep"], 0),
        (["/metadata"], 2),
    ],
)
def test_redactions_name_what_metadata_lost(listed: list[Json], breaches: int) -> None:
    desk = Desk()
    told = {"token": SECRET, "deep": [{"password": SECRET}], "plain": "p"}
    snapshot = {"timeoutMs": 5000, "redactions": listed}
    output = {"text": "a", "version": "2.0.0"}
    call = desk.ok("echo", {"text": "a"}, output, result={"policySnapshot": snapshot}, metadata=told)
    kept = {"token": "[redacted]", "deep": [{"password": "[redacted]"}], "plain": "p"}
    desk.shown("audit", call, {"status": "Ok", "metadata": kept})
    outcome = desk.judged("IR-RED-02")
    assert (outcome.subjects, outcome.breaches) == (2, breaches)


def test_a_secret_that_was_empty_lost_nothing() -> None:
    desk = Desk()
    call = desk.ok("echo", {"text": "a"}, {"text": "a", "version": "2.0.0"}, metadata={"token": ""})
    desk.shown("audit", call, {"status": "Ok", "metadata": {"token": ""}})
    assert desk.judged("IR-RED-02").subjects == 0


def test_a_repetition_may_be_answered_with_the_result_of_the_first() -> None:
    desk = Desk()
    for told in ({}, {"token": SECRET}):
        output = {"key": "k", "value": "v", "writes": 1}
        call = desk.ok("put", {"key": "k", "value": "v"}, output, idempotencyKey="one", metadata=told)
        kept = dict.fromkeys(told, "[redacted]")
        desk.shown("audit", call, {"status": "Ok", "metadata": kept}, tool="put")
    assert desk.judged("IR-RED-02").subjects == 0
