"""Breaks the error codes: the refusal stands, its code is another one of the contract's."""

import dataclasses

from reference_server.application import Answer, Request
from reference_server.deviations.registry import deviation
from reference_server.deviations.rewriting import rewrite
from reference_server.tasks import Tasks
from reference_server.tasks.refusal import Code


def _confuse(tasks: Tasks, code: Code, other: Code) -> None:
    def change(_: Request, answer: Answer) -> Answer:
        error = answer.envelope["error"]
        if not answer.failed or error["code"] != code:
            return answer
        return dataclasses.replace(answer, envelope={**answer.envelope, "error": {**error, "code": other}})

    rewrite(tasks, change)


@deviation("TK-ERR-NOT_INITIALIZED")
def a_missing_store_is_a_missing_workspace(tasks: Tasks) -> None:
    """UNKNOWN_WORKSPACE where there is no store."""
    _confuse(tasks, "NOT_INITIALIZED", "UNKNOWN_WORKSPACE")


@deviation("TK-ERR-UNKNOWN_WORKSPACE")
def a_missing_workspace_is_an_unknown_id(tasks: Tasks) -> None:
    """UNKNOWN_ID where the workspace does not exist."""
    _confuse(tasks, "UNKNOWN_WORKSPACE", "UNKNOWN_ID")


@deviation("TK-ERR-UNKNOWN_ID")
def an_unknown_id_is_invalid_input(tasks: Tasks) -> None:
    """INVALID_INPUT where an id names nothing."""
    _confuse(tasks, "UNKNOWN_ID", "INVALID_INPUT")


@deviation("TK-ERR-INVALID_NAME")
def an_invalid_name_is_an_unknown_id(tasks: Tasks) -> None:
    """UNKNOWN_ID where a name is malformed."""
    _confuse(tasks, "INVALID_NAME", "UNKNOWN_ID")


@deviation("TK-ERR-INVALID_INPUT")
def invalid_input_is_an_invalid_name(tasks: Tasks) -> None:
    """INVALID_NAME where an argument is malformed or missing."""
    _confuse(tasks, "INVALID_INPUT", "INVALID_NAME")


@deviation("TK-ERR-REVISION_MISMATCH")
def a_mismatch_of_revisions_is_a_conflict(tasks: Tasks) -> None:
    """CONFLICT where expected_revision is not the current one."""
    _confuse(tasks, "REVISION_MISMATCH", "CONFLICT")


@deviation("TK-ERR-EXPECTED_TARGET_MISMATCH")
def a_mismatch_of_targets_is_a_conflict(tasks: Tasks) -> None:
    """CONFLICT where the target is not the expected one."""
    _confuse(tasks, "EXPECTED_TARGET_MISMATCH", "CONFLICT")


@deviation("TK-ERR-STRICT_TARGETING_REQUIRES_EXPECTED_TARGET_ID")
def strictness_without_an_expectation_is_a_mismatch(tasks: Tasks) -> None:
    """EXPECTED_TARGET_MISMATCH where strict targeting lacks expected_target_id."""
    _confuse(tasks, "STRICT_TARGETING_REQUIRES_EXPECTED_TARGET_ID", "EXPECTED_TARGET_MISMATCH")


@deviation("TK-ERR-CHECKPOINTS_NOT_CONFIRMED")
def unconfirmed_checkpoints_are_invalid_input(tasks: Tasks) -> None:
    """INVALID_INPUT where checkpoints are not confirmed."""
    _confuse(tasks, "CHECKPOINTS_NOT_CONFIRMED", "INVALID_INPUT")


@deviation("TK-ERR-CONFLICT")
def a_collision_is_invalid_input(tasks: Tasks) -> None:
    """INVALID_INPUT where the write collides with what exists."""
    _confuse(tasks, "CONFLICT", "INVALID_INPUT")


@deviation("TK-ERR-BUDGET_EXCEEDED")
def an_exceeded_budget_is_invalid_input(tasks: Tasks) -> None:
    """INVALID_INPUT where no answer fits the budget."""
    _confuse(tasks, "BUDGET_EXCEEDED", "INVALID_INPUT")
