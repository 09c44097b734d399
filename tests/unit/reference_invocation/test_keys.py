"""Idempotency keys, the cache, and the tools that have a state."""

from typing import Any

from .desk import Desk

PUT = "local::kit.put"
FLAKY_PUT = "local::kit.flaky_put"
SUM = "local::kit.sum"
PAIR = {"key": "k", "value": "v"}


def test_a_key_takes_effect_once(desk: Desk) -> None:
    first = desk.invoke(PUT, PAIR, idempotencyKey="i")
    again = desk.invoke(PUT, {"value": "v", "key": "k"}, idempotencyKey="i")
    assert [first["output"], again["output"]] == [{"key": "k", "value": "v", "writes": 1}] * 2
    assert [again["attempts"], again["resolvedVersion"]] == [1, "1.0.0"]
    assert desk.ok(PUT, PAIR, idempotencyKey="j")["writes"] == 2
    assert desk.executions(PUT) == 2


def test_a_key_with_another_input_is_a_conflict(desk: Desk) -> None:
    desk.ok(PUT, PAIR, idempotencyKey="i")
    error = desk.invoke(PUT, {"key": "k", "value": "w"}, idempotencyKey="i")["error"]
    assert [error["class"], error["code"]] == ["ContractError", "IdempotencyConflict"]


def test_keys_of_two_tools_are_two(desk: Desk) -> None:
    desk.ok(PUT, PAIR, idempotencyKey="i")
    assert desk.ok(FLAKY_PUT, {**PAIR, "failures": 0}, idempotencyKey="i")["writes"] == 2


def test_a_failure_frees_its_key(desk: Desk) -> None:
    given = {**PAIR, "failures": 3}
    assert desk.code(FLAKY_PUT, given, idempotencyKey="i") == "DownstreamFailed"
    assert desk.ok(FLAKY_PUT, given, idempotencyKey="i")["writes"] == 1


def test_the_same_key_at_once_takes_effect_once(desk: Desk) -> None:
    given = {**PAIR, "failures": 1}
    results: list[Any] = desk.together(*[(FLAKY_PUT, given)] * 4, idempotencyKey="i")
    assert [result["output"]["writes"] for result in results] == [1] * 4
    assert desk.executions(FLAKY_PUT) == 2


def test_the_cache_is_keyed_by_version_and_canonical_input(desk: Desk) -> None:
    desk.ok(SUM, {"a": 1, "b": 2}, versionRange="1.0.0")
    desk.ok(SUM, {"b": 2.0, "a": 1}, versionRange="1.0.0")
    assert desk.executions(SUM) == 1
    desk.ok(SUM, {"a": 1, "b": 2}, versionRange="2.0.0")
    assert desk.executions(SUM) == 2


def test_only_what_is_pure_comes_from_the_cache(desk: Desk) -> None:
    assert [desk.ok("local::kit.notify", {"to": "a", "text": "t"})["delivered"] for _ in range(2)] == [1, 2]
    for item in ("i", "i"):
        desk.ok("local::kit.append", {"list": "l", "item": item})
    assert desk.ok("local::kit.read_list", {"list": "l"}) == {"items": ["i", "i"]}


def test_records_tell_of_the_cache_only_where_it_is_allowed() -> None:
    for allowed in (False, True):
        desk = Desk({"cache_in_logs": allowed})
        with desk.runner:
            for _ in range(2):
                desk.ok(SUM, {"a": 1, "b": 2})
            told = [record.get("cache") for record in desk.records("audit")]
        assert told == ([{"hit": False}, {"hit": True}] if allowed else [None, None])


def test_pages_joined_are_the_whole(desk: Desk) -> None:
    for size in (1, 7, 10, 25, 100):
        items: list[str] = []
        page = desk.ok("local::kit.list", {"pageSize": size})
        while "nextToken" in page:
            items += page["items"]
            page = desk.ok("local::kit.list", {"pageSize": size, "pageToken": page["nextToken"]})
        assert [*items, *page["items"]] == [f"item-{number:02}" for number in range(1, 26)]
    assert desk.code("local::kit.list", {"pageToken": "10"}) == "SchemaInvalid"


def test_a_job_runs_on_after_its_answer(desk: Desk) -> None:
    good = desk.ok("local::kit.start_job", {"ms": 1000})["operationId"]
    bad = desk.ok("local::kit.start_job", {"ms": 1000, "fail": True})["operationId"]

    def states() -> list[str]:
        return [desk.ok("local::kit.job_status", {"operationId": each})["state"] for each in (good, bad)]

    assert states() == ["running", "running"]
    desk.wait(1)
    assert states() == ["succeeded", "failed"]
    assert desk.code("local::kit.job_status", {"operationId": "none"}) == "NotFound"
