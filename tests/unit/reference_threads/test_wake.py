"""Triggers, deferral, fallbacks, on the calendar."""

import asyncio
import shlex
from typing import Any

import pytest

from reference_server.application import Answer
from reference_server.threads import open_threads
from reference_server.tokens import Trust

from .desk import Desk, result, seconds_of

BUSY = {"human_input": ["bob"]}
HOUR_S = 3_600.0

POLICY: list[tuple[dict[str, Any] | None, dict[str, Any], dict[str, Any], str]] = [
    ({}, {}, {}, "triggered"),
    ({"status": "idle"}, {}, {}, "triggered"),
    ({"status": "offline"}, {}, {}, "resumed"),
    ({"status": "offline", "resumable": False}, {}, {}, "spawned"),
    ({}, {"runtime_down": ["bob"]}, {}, "resumed"),
    ({}, {"runtime_down": ["ann"]}, {}, "triggered"),
    ({}, {"runtime_down": ["bob"], "resume_unavailable": ["bob"]}, {}, "spawned"),
    ({}, {"runtime_down": ["bob"]}, {"allow_fallback": False}, "WAKE_FAILED"),
    ({}, {}, {"allow_fallback": False}, "triggered"),
    ({}, {"clock": 12 * HOUR_S}, {}, "triggered"),
    ({}, {"clock": 12 * HOUR_S + 1}, {}, "spawned"),
    ({}, BUSY, {}, "deferred"),
    ({}, BUSY, {"allow_defer": False}, "HUMAN_INPUT_COLLISION"),
    ({}, BUSY, {"force": True, "audit": {"why": "urgent"}}, "triggered"),
    ({}, {"human_input": ["ann"]}, {}, "triggered"),
    ({"management_mode": "unmanaged"}, {}, {}, "resumed"),
    ({"management_mode": "unmanaged"}, BUSY, {"allow_defer": False}, "resumed"),
    ({"management_mode": "unmanaged", "resumable": False}, {}, {}, "spawned"),
    ({"management_mode": "unmanaged"}, {"resume_unavailable": ["bob"]}, {}, "spawned"),
    ({"management_mode": "unmanaged"}, {}, {"allow_fallback": False}, "UNMANAGED_RUNTIME"),
    (None, {}, {}, "spawned"),
    (None, {}, {"allow_fallback": False}, "WAKE_FAILED"),
    (None, {"spawn_unavailable": True}, {}, "WAKE_FAILED"),
    (None, {}, {"target_agent_id": "eve"}, "VALIDATION_ERROR"),
]
"""Session by heartbeat (None: none), conditions, options, and what comes of it."""

MEANS = {"triggered": "trigger_runtime", "resumed": "resume_session", "spawned": "spawn_session"}


@pytest.mark.parametrize(("session", "conditions", "options", "expected"), POLICY)
def test_policy(
    desk: Desk, session: dict[str, Any] | None, conditions: dict[str, Any], options: dict[str, Any], expected: str
) -> None:
    async def triggered() -> Answer:
        if session is not None:
            await desk.beat(**session)
        return await desk.trigger(await desk.thread(), conditions=conditions, **options)

    answer = asyncio.run(triggered())
    assert result(answer) == expected
    assert [effect["means"] for effect in answer.effects] == ([MEANS[expected]] if expected in MEANS else [])
    assert answer.failed == expected.isupper()
    if expected in MEANS:
        assert answer.envelope["action"] == MEANS[expected]


def test_the_configuration_switches_the_fallback_off() -> None:
    desk = Desk(fallback=False)

    async def triggered() -> str:
        return result(await desk.trigger(await desk.thread()))

    assert asyncio.run(triggered()) == "WAKE_FAILED"


@pytest.mark.parametrize(
    ("typed_at", "expected"),
    [
        ([], [("trigger_runtime", 20.0)]),
        ([4], [("trigger_runtime", 25.0)]),
        ([10], [("trigger_runtime", 30.0)]),
        ([15, 33], [("trigger_runtime", 55.0)]),
        ([15, 30, 40], [("trigger_runtime", 60.0)]),
        ([15, 30, 45], [("resume_session", 60.0)]),
    ],
)
def test_deferral_ends_with_quiet_or_after_a_minute(
    desk: Desk, typed_at: list[float], expected: list[tuple[str, float]]
) -> None:
    async def delivered() -> tuple[Answer, list[tuple[str, float]]]:
        await desk.beat()
        answer = await desk.trigger(await desk.thread(), conditions=BUSY)
        found = [each for at in typed_at for each in await desk.at(at, human_input=["bob"])]
        return answer, found + await desk.at(200)

    answer, found = asyncio.run(delivered())
    assert found == expected
    assert seconds_of(answer.envelope["deferred_until"]) == 60
    assert answer.envelope["defer_reason"] == "human_input_busy"
    assert answer.envelope["fallback_action"] == "resume_session"


def test_asking_again_answers_what_is_pending(desk: Desk) -> None:
    async def asked() -> tuple[list[Answer], list[tuple[str, float]]]:
        await desk.beat()
        thread = await desk.thread()
        answers = [
            await desk.trigger(thread, conditions={**BUSY, "clock": at}, trigger_prompt=prompt)
            for at, prompt in ((0, "a"), (7, "a"), (7, "b"))
        ]
        return answers, await desk.at(200)

    (first, again, other), delivered = asyncio.run(asked())
    assert first.envelope == again.envelope != other.envelope
    assert delivered == [("trigger_runtime", 27.0), ("trigger_runtime", 30.0)]


def test_force_takes_the_place_of_what_is_pending(desk: Desk) -> None:
    async def asked() -> tuple[str, list[tuple[str, float]]]:
        await desk.beat()
        thread = await desk.thread()
        await desk.trigger(thread, conditions=BUSY)
        return result(await desk.trigger(thread, force=True, audit={"why": "urgent"})), await desk.at(200)

    assert asyncio.run(asked()) == ("triggered", [])


def test_a_deferred_wake_falls_back_when_its_runtime_goes(desk: Desk) -> None:
    async def delivered() -> list[tuple[str, float]]:
        await desk.beat()
        await desk.trigger(await desk.thread(), conditions=BUSY)
        await desk.beat(status="offline", conditions={"clock": 3})
        return await desk.at(100)

    assert asyncio.run(delivered()) == [("resume_session", 5.0)]


def test_a_deferred_wake_without_fallback_lapses(desk: Desk) -> None:
    async def delivered() -> list[tuple[str, float]]:
        await desk.beat()
        answer = await desk.trigger(await desk.thread(), conditions=BUSY, allow_fallback=False)
        assert "fallback_action" not in answer.envelope
        return await desk.at(200, runtime_down=["bob"]) + await desk.at(400)

    assert asyncio.run(delivered()) == []


@pytest.mark.parametrize("session", [{"management_mode": "unmanaged"}, None])
def test_commands_are_safe(desk: Desk, session: dict[str, Any] | None) -> None:
    prompt = 'it\'s "$(reboot)" `x`; & \\ \n end'

    async def triggered() -> Answer:
        if session is not None:
            await desk.beat(**session)
        return await desk.trigger(await desk.thread(), trigger_prompt=prompt)

    answer = asyncio.run(triggered())
    (effect,) = answer.effects
    words = shlex.split(answer.envelope["runtime_command"])
    assert words == ["codex", "exec", *(["resume", "sess_bob"] if session else []), effect["prompt"]]
    assert effect["prompt"].startswith(prompt)
    assert effect.get("session_id") == ("sess_bob" if session else None)


@pytest.mark.parametrize(
    "settings", [{"quota_per_minute": -1}, {"retention_s": "1"}, {"fallback": 1}, {"quiet_s": True}, {"look_s": 0}]
)
def test_settings_without_meaning_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(settings))):
        open_threads(settings, trust=Trust.for_tests())
