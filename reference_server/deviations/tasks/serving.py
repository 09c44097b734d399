"""Breaks what every tool promises: that good calls are served, that what was written is shown, that nothing faults."""

import dataclasses
from collections.abc import Sequence
from typing import Any

from reference_server.application import Answer, Request
from reference_server.deviations.registry import deviation
from reference_server.deviations.rewriting import instead, rewrite
from reference_server.deviations.tasks.handling import Result, handle
from reference_server.tasks import Tasks
from reference_server.tasks.call import Call
from reference_server.tasks.cards import Card
from reference_server.tasks.editing import Stage
from reference_server.tasks.refusal import Refusal
from reference_server.tasks.spec import Handler


@deviation("TK-SRV-01")
def steps_take_no_blockers(tasks: Tasks) -> None:
    """tasks_define refuses to say what is in the way of a step."""

    @handle(tasks, "tasks_define")
    def define(call: Call, original: Handler) -> Result:
        if "blockers" in call.given:
            raise Refusal("INVALID_INPUT", "blockers cannot be defined")
        return original(call)


@deviation("TK-SRV-02")
def the_text_of_a_card_is_lost(tasks: Tasks) -> None:
    """A think card is kept without its text."""
    original = tasks.parts.cards.stage

    @instead(tasks.parts.cards, "stage")
    def stage(staged: Stage, card: Card, edges: list[tuple[str, str]]) -> bool:
        return original(staged, dataclasses.replace(card, content={**card.content, "text": None}), edges)


@deviation("TK-SRV-02", variant="exported")
def steps_below_others_are_not_exported(tasks: Tasks) -> None:
    """branchmind_export leaves out the steps that are below others."""

    @handle(tasks, "branchmind_export")
    def export(call: Call, original: Handler) -> Result:
        result = original(call)
        steps = [step for step in result["target"].get("steps", ()) if "." not in step["path"]]
        shown = {"steps": steps} if "steps" in result["target"] else {}
        return result | {"target": result["target"] | shown}


@deviation("TK-SRV-02", variant="listed")
def later_tasks_of_a_plan_are_not_listed(tasks: Tasks) -> None:
    """tasks_context lists one task of each plan, the first; what it counts is what it lists."""
    original = tasks.parts.budgets.page

    @instead(tasks.parts.budgets, "page")
    def page(call: Call, items: Sequence[Any], *more: Any, **named: Any) -> Any:
        if call.spec.name == "tasks_context":
            firsts = {item.parent: item for item in reversed(items) if item.kind == "task"}
            items = [item for item in items if item.kind == "plan" or firsts[item.parent] is item]
        return original(call, items, *more, **named)


@deviation("TK-SRV-02", variant="checked out")
def the_status_forgets_what_is_checked_out(tasks: Tasks) -> None:
    """branchmind_status says that no branch is checked out once it is another than the first."""

    @handle(tasks, "branchmind_status")
    def status(call: Call, original: Handler) -> Result:
        result = original(call)
        return result | {"checkout": result["checkout"] if result["checkout"] == "main" else None}


@deviation("TK-SRV-03")
def closing_twice_shows_the_database(tasks: Tasks) -> None:
    """Closing a step that is closed is answered with a code of the store, and with what its database says."""

    def change(_: Request, answer: Answer) -> Answer:
        error = answer.envelope["error"]
        if not answer.failed or "is closed already" not in error["message"]:
            return answer
        told = {"code": "STORE_ERROR", "message": "UNIQUE constraint failed: closed_steps.step_id", "recovery": "none"}
        return dataclasses.replace(answer, envelope={**answer.envelope, "error": told})

    rewrite(tasks, change)


@deviation("TK-SRV-03", variant="plans")
def a_step_of_a_plan_is_a_fault(tasks: Tasks) -> None:
    """A tool of steps that is called on a plan looks for its steps, and says what it did not find."""

    def change(_: Request, answer: Answer) -> Answer:
        error = answer.envelope["error"]
        if not answer.failed or "is a plan: this tool takes a task" not in error["message"]:
            return answer
        told = {**error, "message": "AttributeError: 'Plan' object has no attribute 'steps'"}
        return dataclasses.replace(answer, envelope={**answer.envelope, "error": told})

    rewrite(tasks, change)
