"""Files scenarios by the clause that they decide."""

from collections.abc import Callable, Coroutine
from typing import Any

from .desk import Desk, message

Scenario = Callable[[Desk], Coroutine[None, None, bool]]
SCENARIOS: dict[str, Scenario] = {}


def clause(requirement: str) -> Callable[[Scenario], Scenario]:
    """Files the scenario of a requirement."""

    def file(scenario: Scenario) -> Scenario:
        SCENARIOS[requirement] = scenario
        return scenario

    return file


def keys(requirement: str, tool: str, *fields: str) -> None:
    """Files a clause that a method's answer has these fields."""

    async def scenario(desk: Desk) -> bool:
        thread = await desk.thread()
        await desk.post(thread)
        given: dict[str, dict[str, Any]] = {
            "create_thread": {"workspace_id": "wk", "title": "t", "type": "incident", "participants": ["ann"]},
            "post_message": message(thread),
            "ack_read": {"thread_id": thread, "last_read_seq": 1},
            "update_thread_status": {"thread_id": thread, "status": "blocked", "reason": "r"},
            "heartbeat_session": {"runtime": "r", "resumable": True, "status": "idle"},
            "trigger_participant": {"thread_id": thread, "target_agent_id": "bob", "reason": "r"}
            | {"trigger_prompt": "p"},
        }
        answer = await desk.answer(tool, **given.get(tool, {"thread_id": thread}))
        return set(fields) <= set(answer.envelope)

    SCENARIOS[requirement] = scenario
