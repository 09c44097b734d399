"""The policies on a stopwatch that jumps: rates, circuits, budgets, places, timeouts, deadlines, retries."""

import asyncio
import time
from typing import Any

import pytest

from reference_server.invocation.stopwatch import OutOfTimeError, RealStopwatch, within

from .desk import START, Desk

LIMITED = "local::kit.limited"
FRAGILE = "local::kit.fragile"
COSTLY = "local::kit.costly"
NARROW = "local::kit.narrow"
WAIT = "local::kit.wait"
LATE = "local::kit.wait_and_append"
FLAKY_PUT = "local::kit.flaky_put"


def of(tenant: str) -> dict[str, Any]:
    return {"headers": {"tenant": tenant}}


def test_a_rate_limit_slides(desk: Desk) -> None:
    for _ in range(3):
        desk.ok(LIMITED, {"text": "a"})
        desk.wait(0.1)
    # admitted at 0, 100 and 200 ms: a fixed window of 500 ms would admit three more at 500 ms, this one only one
    error = desk.invoke(LIMITED, {"text": "a"})["error"]
    assert [error["code"], error["isRetryable"]] == ["RateLimited", True]
    assert error["details"] == {"retryAfterMs": 200, "throttlingScope": LIMITED}
    desk.wait(0.199)
    assert desk.code(LIMITED, {"text": "a"}) == "RateLimited"
    desk.wait(0.001)
    desk.ok(LIMITED, {"text": "a"})
    assert desk.code(LIMITED, {"text": "a"}) == "RateLimited"


def test_waiting_as_long_as_told_is_enough(desk: Desk) -> None:
    for number in range(20):
        result = desk.invoke(LIMITED, {"text": "a"})
        if result["status"] != "Ok":
            desk.wait(result["error"]["details"]["retryAfterMs"] / 1000)
            desk.ok(LIMITED, {"text": "a"})
        desk.wait(0.013 * number)


def test_limits_count_for_each_tenant(desk: Desk) -> None:
    for tenant in ("a", "b", ""):
        for _ in range(3):
            desk.ok(LIMITED, {"text": "a"}, **of(tenant))
        assert desk.code(LIMITED, {"text": "a"}, **of(tenant)) == "RateLimited"


def test_a_circuit_opens_is_probed_and_closes(desk: Desk) -> None:
    for _ in range(3):
        failed = desk.invoke(FRAGILE, {"fail": True})
        assert [failed["error"]["code"], failed["policySnapshot"]["circuitState"]] == ["DownstreamFailed", "closed"]
    refused = desk.invoke(FRAGILE, {"fail": False})
    assert refused["error"]["details"] == {
        "retryAfterMs": 300,
        "throttlingScope": FRAGILE,
        "circuitState": "open",
    }
    assert desk.executions(FRAGILE) == 3
    desk.wait(0.3)
    assert desk.invoke(FRAGILE, {"fail": False})["policySnapshot"]["circuitState"] == "half-open"
    assert desk.invoke(FRAGILE, {"fail": False})["policySnapshot"]["circuitState"] == "closed"
    names = [record["name"] for record in desk.records("event", tool=FRAGILE)]
    assert [name for name in names if name.startswith("Circuit")] == [
        "CircuitOpened",
        "CircuitHalfOpened",
        "CircuitClosed",
    ]


def test_a_probe_that_fails_opens_the_circuit_again(desk: Desk) -> None:
    for _ in range(3):
        desk.invoke(FRAGILE, {"fail": True})
    desk.wait(0.3)
    assert desk.code(FRAGILE, {"fail": True}) == "DownstreamFailed"
    assert desk.code(FRAGILE, {"fail": False}) == "CircuitOpen"
    desk.wait(0.299)
    assert desk.code(FRAGILE, {"fail": False}) == "CircuitOpen"
    desk.wait(0.001)
    desk.ok(FRAGILE, {"fail": False})


def test_a_success_in_between_keeps_the_circuit_closed(desk: Desk) -> None:
    for _ in range(4):
        desk.invoke(FRAGILE, {"fail": True})
        desk.invoke(FRAGILE, {"fail": True})
        desk.ok(FRAGILE, {"fail": False})


def test_only_one_invocation_probes(desk: Desk) -> None:
    for _ in range(3):
        desk.invoke(FRAGILE, {"fail": True})
    desk.wait(0.3)
    results = desk.together((FRAGILE, {"fail": False}), (FRAGILE, {"fail": False}))
    assert [result["status"] for result in results] == ["Ok", "Retryable"]
    assert results[1]["error"]["details"]["circuitState"] == "half-open"


def test_a_budget_is_spent_and_not_refilled(desk: Desk) -> None:
    assert desk.ok(COSTLY, {"units": 60}) == {"left": 40}
    refused = desk.invoke(COSTLY, {"units": 41})
    assert [refused["status"], refused["error"]["code"]] == ["Error", "BudgetExceeded"]
    desk.wait(1_000_000)
    assert desk.ok(COSTLY, {"units": 40}) == {"left": 0}
    assert desk.code(COSTLY, {"units": 1}) == "BudgetExceeded"
    assert desk.ok(COSTLY, {"units": 1}, **of("other")) == {"left": 99}


def test_there_is_one_place_and_no_queue(desk: Desk) -> None:
    results = desk.together(*[(NARROW, {"ms": 100})] * 3)
    assert [result["status"] for result in results] == ["Ok", "Retryable", "Retryable"]
    assert {result["error"]["code"] for result in results[1:]} == {"ConcurrencyLimited"}
    desk.ok(NARROW, {"ms": 0})


def test_a_timeout_stops_the_work(desk: Desk) -> None:
    late = desk.invoke(LATE, {"list": "l", "item": "i", "ms": 301})
    assert [late["status"], late["error"]["code"], late["error"]["isRetryable"]] == ["Error", "Timeout", False]
    assert late["durationMs"] == 300
    desk.wait(10)
    assert desk.ok("local::kit.read_list", {"list": "l"}) == {"items": []}
    assert desk.ok(LATE, {"list": "l", "item": "i", "ms": 299}) == {"items": ["i"]}
    assert desk.invoke(WAIT, {"ms": 301})["status"] == "Retryable"


def test_a_deadline_ends_an_invocation_and_lengthens_none(desk: Desk) -> None:
    near, far = desk.clock.instant(START + 0.1), desk.clock.instant(START + 3600)
    ended = desk.invoke(WAIT, {"ms": 200}, deadline=near)
    assert [ended["error"]["code"], ended["durationMs"]] == ["Timeout", pytest.approx(100, abs=0.01)]
    assert ended["policySnapshot"]["timeoutMs"] == pytest.approx(100, abs=0.01)
    slow = desk.invoke(WAIT, {"ms": 400}, deadline=far)
    assert [slow["error"]["code"], slow["durationMs"], slow["policySnapshot"]["timeoutMs"]] == ["Timeout", 300, 300]


def test_a_past_deadline_lets_nothing_run(desk: Desk) -> None:
    past = desk.clock.instant(START - 1)
    result = desk.invoke("local::kit.append", {"list": "l", "item": "i"}, deadline=past)
    assert [result["status"], result["error"]["code"]] == ["Retryable", "Timeout"]
    assert result["policySnapshot"]["timeoutMs"] == 0
    assert desk.executions("local::kit.append") == 0


def test_a_write_with_its_key_is_tried_again(desk: Desk) -> None:
    result = desk.invoke(FLAKY_PUT, {"key": "k", "value": "v", "failures": 2}, idempotencyKey="i")
    assert [result["attempts"], result["output"]["writes"], result["durationMs"]] == [3, 1, 20]
    outcomes = [record["outcome"] for record in desk.records("execution", tool=FLAKY_PUT)]
    assert outcomes == ["DownstreamFailed", "DownstreamFailed", "Ok"]


def test_no_more_attempts_than_the_policy_says(desk: Desk) -> None:
    result = desk.invoke(FLAKY_PUT, {"key": "k", "value": "v", "failures": 4}, idempotencyKey="i")
    assert [result["attempts"], result["status"], result["error"]["code"]] == [3, "Retryable", "DownstreamFailed"]
    again = desk.invoke(FLAKY_PUT, {"key": "k", "value": "v", "failures": 4}, idempotencyKey="i")
    assert [again["attempts"], again["output"]["writes"]] == [2, 1]


def test_no_attempt_comes_after_the_deadline(desk: Desk) -> None:
    near = desk.clock.instant(START + 0.015)
    result = desk.invoke(FLAKY_PUT, {"key": "k", "value": "v", "failures": 2}, idempotencyKey="i", deadline=near)
    assert [result["attempts"], result["error"]["code"]] == [2, "DownstreamFailed"]


@pytest.mark.parametrize("tool", ["local::kit.flaky_append"])
def test_what_may_not_be_repeated_is_tried_once(desk: Desk, tool: str) -> None:
    result = desk.invoke(tool, {"list": "l", "item": "i", "failures": 1}, idempotencyKey="i")
    assert [result["attempts"], result["status"]] == [1, "Error"]
    assert result["error"]["details"] == {"providerCode": "UPSTREAM_503"}


def test_cancelling_stops_the_work_and_frees_the_place(desk: Desk) -> None:
    async def cancelled() -> Any:
        task = asyncio.ensure_future(desk.invoked(NARROW, {"ms": 2000}))
        for _ in range(5):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait((task,))
        assert task.cancelled()
        assert len(asyncio.all_tasks()) == 1
        return await desk.invoked(NARROW, {"ms": 0})

    assert desk.run(cancelled())["status"] == "Ok"
    assert [record["outcome"] for record in desk.records("execution", tool=NARROW)] == ["Cancelled", "Ok"]


def test_a_stall_of_the_loop_lets_no_late_work_pass() -> None:
    """Work that is due after its timeout does not pass because the loop was busy when both came due."""

    async def late() -> str:
        await asyncio.sleep(0.02)
        return "late"

    async def stalled() -> None:
        asyncio.get_running_loop().call_later(0.001, time.sleep, 0.05)
        with pytest.raises(OutOfTimeError):
            await within(RealStopwatch(), 0.01, late())

    asyncio.run(stalled())
