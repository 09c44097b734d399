"""Threads, messages, keys, quota, pages, cursors, summaries."""

import asyncio
import itertools
from typing import Any

import jsonschema_rs
import pytest

from reference_server.threads.catalogue import TOOLS

from .desk import START, Desk, message, seconds_of

MOVES = {
    "active": {"blocked", "resolved", "closed"},
    "blocked": {"active", "closed"},
    "resolved": {"active", "closed"},
    "closed": set[str](),
}


@pytest.mark.parametrize(("start", "wanted"), list(itertools.product(MOVES, MOVES)))
def test_transitions(desk: Desk, start: str, wanted: str) -> None:
    async def moved() -> tuple[str, str]:
        thread = await desk.thread()
        await desk.move(thread, start)
        return await desk.move(thread, wanted, conditions={"clock": 5}), await desk.status(thread)

    allowed = wanted in MOVES[start] or wanted == start
    assert asyncio.run(moved()) == (("ok", wanted) if allowed else ("CONFLICT", start))


@pytest.mark.parametrize(("start", "code"), [("active", "FORBIDDEN"), ("blocked", "INSUFFICIENT_AUTHORITY")])
def test_a_worker_closes_nothing(desk: Desk, start: str, code: str) -> None:
    async def closed() -> str:
        thread = await desk.thread()
        await desk.move(thread, start)
        return await desk.move(thread, "closed", "ann")

    assert asyncio.run(closed()) == code


@pytest.mark.parametrize("tool", ["ack_read", "update_thread_status"])
def test_the_same_again_answers_alike_and_changes_nothing(desk: Desk, tool: str) -> None:
    async def twice() -> tuple[dict[str, Any], dict[str, Any]]:
        thread = await desk.thread()
        await desk.post(thread)
        given = {"last_read_seq": 1} if tool == "ack_read" else {"status": "blocked", "reason": "r"}
        first = await desk.ok(tool, "ann", thread_id=thread, **given)
        return first, await desk.ok(tool, "ann", thread_id=thread, **given, conditions={"clock": 60})

    first, second = asyncio.run(twice())
    assert first == second


BAD_MESSAGES: list[dict[str, Any]] = [
    {"schema_version": 2},
    {"schema_version": "1"},
    {"schema_version": True},
    {"kind": "note"},
    {"body": ""},
    {"body": "x" * 65_537},
    {"body": None},
    {"metadata": []},
    {"metadata": None},
    {"metadata": {"k": "x" * 16_384}},
    {"metadata": {"k": float("nan")}},
    {"in_reply_to": ""},
    {"idempotency_key": ""},
    {"thread_id": 7},
    {"thread_id": "x" * 201},
]


@pytest.mark.parametrize("changed", BAD_MESSAGES, ids=lambda each: str(each)[:40])
def test_malformed_messages_are_refused_and_use_up_no_key(desk: Desk, changed: dict[str, Any]) -> None:
    async def posted() -> tuple[str, int]:
        thread = await desk.thread()
        code = await desk.code("post_message", "ann", **{**message(thread, idempotency_key="k"), **changed})
        return code, (await desk.post(thread, "another", idempotency_key="k"))["seq"]

    assert asyncio.run(posted()) == ("VALIDATION_ERROR", 1)


@pytest.mark.parametrize("arguments", [None, [], "x", 7])
def test_arguments_are_an_object(desk: Desk, arguments: object) -> None:
    check = desk.threads.arguments.check
    for tool in TOOLS:
        with pytest.raises(Exception, match="is not of type") as caught:
            check(tool.name, arguments)
        assert getattr(caught.value, "code", None) == "VALIDATION_ERROR"


def test_metadata_nested_too_deeply_is_refused(desk: Desk) -> None:
    nested: Any = 0
    for _ in range(3_000):
        nested = [nested]

    async def code() -> str:
        return await desk.code("post_message", "ann", **message(await desk.thread(), metadata={"k": nested}))

    assert asyncio.run(code()) == "VALIDATION_ERROR"


def test_limits_are_inclusive(desk: Desk) -> None:
    async def posted() -> list[str]:
        thread = await desk.thread()
        whole = {"body": "\U0001f600" * 65_536, "metadata": {"k": "x" * (16_384 - len('{"k":""}'))}}
        return [
            await desk.code("post_message", "ann", **{**message(thread), **whole}),
            await desk.code("read_messages", thread_id=thread, limit=200, since_seq=0),
            await desk.code("read_messages", thread_id=thread, limit=201),
            await desk.code("summarize_thread", thread_id=thread, max_messages=1_000),
            await desk.code("summarize_thread", thread_id=thread, max_messages=1_001),
        ]

    assert asyncio.run(posted()) == ["ok", "ok", "VALIDATION_ERROR", "ok", "VALIDATION_ERROR"]


def test_a_message_is_read_whole(desk: Desk) -> None:
    async def read() -> tuple[str, list[dict[str, Any]]]:
        thread = await desk.thread()
        first = await desk.post(thread)
        more = {"kind": "system", "metadata": {"b": [1, None]}, "in_reply_to": first["message_id"]}
        await desk.post(thread, "é", "bob", idempotency_key="k", **more)
        return thread, await desk.read(thread)

    thread, (first, second) = asyncio.run(read())
    assert set(first) == set(second) - {"metadata", "in_reply_to", "idempotency_key"}
    expected = {
        "thread_id": thread,
        "schema_version": 1,
        "seq": 2,
        "sender_agent_id": "bob",
        "sender_session_id": "sess_bob",
        "kind": "system",
        "body": "é",
        "metadata": {"b": [1, None]},
        "in_reply_to": first["message_id"],
        "idempotency_key": "k",
    }
    assert expected.items() <= second.items()


def test_what_is_kept_is_not_the_callers_object(desk: Desk) -> None:
    metadata = {"list": [1]}

    async def read() -> Any:
        thread = await desk.thread()
        await desk.post(thread, metadata=metadata)
        metadata["list"].append(2)
        return (await desk.read(thread))[0]["metadata"]

    assert asyncio.run(read()) == {"list": [1]}


@pytest.mark.parametrize(
    "changed",
    [{"kind": "system"}, {"body": "two"}, {"metadata": {"a": True}}, {"in_reply_to": "first"}],
    ids=lambda each: str(next(iter(each))),
)
def test_a_key_with_another_payload_conflicts(desk: Desk, changed: dict[str, Any]) -> None:
    async def posted() -> tuple[str, int]:
        thread = await desk.thread()
        first = (await desk.post(thread))["message_id"]
        given = message(thread, "one", idempotency_key="k", metadata={"a": 1})
        await desk.ok("post_message", "ann", **given)
        named = {"in_reply_to": first} if "in_reply_to" in changed else changed
        code = await desk.code("post_message", "ann", **{**given, **named})
        return code, len(await desk.read(thread))

    assert asyncio.run(posted()) == ("IDEMPOTENCY_CONFLICT", 2)


def test_a_replay_tells_the_status_as_it_is_and_costs_nothing() -> None:
    desk = Desk(quota_per_minute=1)

    async def posted() -> tuple[dict[str, Any], dict[str, Any], str]:
        thread = await desk.thread()
        first = await desk.post(thread, idempotency_key="k")
        await desk.move(thread, "closed")
        again = await desk.post(thread, idempotency_key="k", conditions={"clock": 1})
        return first, again, await desk.code("post_message", "ann", **message(await desk.thread()))

    first, again, limited = asyncio.run(posted())
    assert again == {**first, "thread_status": "closed"}
    assert limited == "RATE_LIMITED"


def test_retention_runs_from_the_original_and_is_configurable() -> None:
    desk = Desk(retention_s=100)

    async def seqs() -> list[int]:
        thread = await desk.thread()
        return [
            (await desk.post(thread, idempotency_key="k", conditions={"clock": at}))["seq"]
            for at in (0, 60, 99.9, 100, 150, 199.9, 200)
        ]

    assert asyncio.run(seqs()) == [1, 1, 1, 2, 2, 2, 3]


def test_forgotten_keys_are_let_go() -> None:
    desk = Desk(retention_s=10)

    async def kept() -> int:
        thread = await desk.thread()
        for n in range(50):
            await desk.post(thread, idempotency_key=f"k{n}", conditions={"clock": 5 * n})
        return len(desk.threads.ledger.originals)

    assert asyncio.run(kept()) == 2


def test_the_quota_is_a_sliding_minute_of_one_agent() -> None:
    desk = Desk(quota_per_minute=2)

    async def codes() -> list[str]:
        thread, closed = await desk.thread(), await desk.thread()
        await desk.move(closed, "closed")
        return [
            await desk.code("post_message", by, **message(where), conditions={"clock": at})
            for by, where, at in (
                ("ann", thread, 0),
                ("ann", closed, 0),
                ("ann", thread, 30),
                ("ann", thread, 59),
                ("bob", thread, 59),
                ("ann", thread, 60),
                ("ann", thread, 89),
                ("ann", thread, 90),
            )
        ]

    assert asyncio.run(codes()) == ["ok", "CONFLICT", "ok", "RATE_LIMITED", "ok", "ok", "RATE_LIMITED", "ok"]


@pytest.mark.parametrize(
    ("given", "seqs", "next_seq", "has_more"),
    [
        ({}, [1, 2, 3, 4, 5], 5, False),
        ({"limit": 5}, [1, 2, 3, 4, 5], 5, False),
        ({"limit": 4}, [1, 2, 3, 4], 4, True),
        ({"since_seq": 3}, [4, 5], 5, False),
        ({"since_seq": 3.0, "limit": 1.0}, [4], 4, True),
        ({"since_seq": 5}, [], 5, False),
        ({"since_seq": 2**62}, [], 2**62, False),
    ],
)
def test_pages(desk: Desk, given: dict[str, Any], seqs: list[int], next_seq: int, *, has_more: bool) -> None:
    async def page() -> dict[str, Any]:
        thread = await desk.thread()
        for n in range(5):
            await desk.post(thread, f"m{n}")
        return await desk.ok("read_messages", thread_id=thread, **given)

    found = asyncio.run(page())
    shown = ([each["seq"] for each in found["messages"]], found["next_seq"], found["has_more"])
    assert shown == (seqs, next_seq, has_more)


def test_cursors_go_forward_to_what_exists(desk: Desk) -> None:
    async def codes() -> list[str]:
        thread = await desk.thread()
        for n in range(3):
            await desk.post(thread, f"m{n}")
        return [
            await desk.code("ack_read", by, thread_id=thread, last_read_seq=seq)
            for by, seq in (("ann", 0), ("ann", 2), ("ann", 1), ("ann", 4), ("ann", 3), ("bob", 1))
        ]

    assert asyncio.run(codes()) == ["ok", "ok", "CONFLICT", "VALIDATION_ERROR", "ok", "ok"]


def test_open_items_follow_the_verdicts(desk: Desk) -> None:
    async def summary() -> tuple[dict[str, Any], dict[str, Any], list[str]]:
        thread = await desk.thread()
        ids = [(await desk.event(thread, "finding_reported", severity="high"))["message_id"] for _ in range(3)]
        await desk.event(thread, "finding_reported", task_id="T1")
        await desk.event(thread, "finding_verified", message_id=ids[0])
        await desk.event(thread, "finding_rejected", in_reply_to=ids[1])
        await desk.post(thread, "finding_rejected", metadata={"event_type": "finding_verified", "task_id": "T1"})
        whole = await desk.ok("summarize_thread", thread_id=thread)
        await desk.event(thread, "finding_verified", task_id="T1")
        await desk.event(thread, "finding_reported", task_id="T1")
        return whole, await desk.ok("summarize_thread", thread_id=thread, max_messages=2), ids

    whole, latest, ids = asyncio.run(summary())
    assert [each["id"] for each in whole["open_items"]] == [ids[2], "T1"]
    assert [each["id"] for each in latest["open_items"]] == ["T1"]


def test_a_summary_does_not_grow_with_the_thread(desk: Desk) -> None:
    async def sizes() -> list[int]:
        thread = await desk.thread(participants=["ann", *(f"a{n}" for n in range(50))])
        found = []
        for n in range(120):
            await desk.event(thread, "finding_reported", task_id=f"{'T' * 200}{n}")
            found.append(len((await desk.ok("summarize_thread", thread_id=thread))["summary"]))
        return found

    found = asyncio.run(sizes())
    assert found[-1] - found[10] < 10
    assert found[-1] < 700


def test_results_fit_their_schemas_and_failures_do_not(desk: Desk) -> None:
    schemas = {
        tool.name: jsonschema_rs.Draft202012Validator(tool.output_schema) for tool in TOOLS if tool.output_schema
    }
    seen: list[tuple[str, dict[str, Any], bool]] = []
    original = desk.threads.answer

    def noted(request: Any) -> Any:
        answer = original(request)
        seen.append((request.tool, answer.envelope, answer.failed))
        return answer

    desk.threads.answer = noted  # type: ignore[method-assign]  # on this one instance

    async def calls() -> None:
        thread = await desk.thread()
        await desk.event(thread, "finding_reported", severity="low")
        await desk.read(thread)
        await desk.status(thread)
        await desk.move(thread, "resolved")
        await desk.ok("ack_read", thread_id=thread, last_read_seq=1)
        await desk.ok("summarize_thread", thread_id=thread)
        await desk.trigger(thread)
        await desk.beat()
        await desk.trigger(thread)
        await desk.trigger(thread, conditions={"human_input": ["bob"]})
        await desk.beat(management_mode="unmanaged")
        await desk.trigger(thread)
        for tool in TOOLS:
            await desk.answer(tool.name)

    asyncio.run(calls())
    assert (
        {tool for tool, _, failed in seen if not failed} == {tool for tool, _, failed in seen if failed} == set(schemas)
    )
    assert [tool for tool, envelope, failed in seen if schemas[tool].is_valid(envelope) == failed] == []


def test_time_holds_still_where_the_machines_clock_goes_back(desk: Desk) -> None:
    async def created() -> list[float]:
        found = []
        readings = iter((START, START, START + 5, START + 5, START + 2, START + 2))
        desk.threads.clock.source = lambda: next(readings)
        for _ in range(3):
            thread = await desk.ok("get_thread", thread_id=await desk.thread())
            found.append(seconds_of(thread["created_at"]))
        return found

    assert asyncio.run(created()) == [0, 5, 5]
