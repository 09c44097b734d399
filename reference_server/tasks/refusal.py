"""How a tool refuses: with one of the contract's codes, a hint and calls that help (Common types, Error model)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from reference_server.application import Json

Code = Literal[
    "NOT_INITIALIZED",
    "UNKNOWN_WORKSPACE",
    "UNKNOWN_ID",
    "INVALID_NAME",
    "INVALID_INPUT",
    "REVISION_MISMATCH",
    "EXPECTED_TARGET_MISMATCH",
    "STRICT_TARGETING_REQUIRES_EXPECTED_TARGET_ID",
    "CHECKPOINTS_NOT_CONFIRMED",
    "CONFLICT",
    "BUDGET_EXCEEDED",
]
CODES: tuple[Code, ...] = get_args(Code)


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A call that can be executed as it stands (Common types, Suggestions)."""

    target: str
    params: Mapping[str, Json]
    reason: str
    priority: Literal["high", "medium", "low"] = "high"

    def as_json(self) -> dict[str, Json]:
        """The wire form: action, target, reason, priority, validated, params."""
        return {
            "action": "call_tool",
            "target": self.target,
            "reason": self.reason,
            "priority": self.priority,
            "validated": True,
            "params": dict(self.params),
        }


class Refusal(Exception):  # noqa: N818 - it is an answer of the contract, not a fault
    """Ends a call: nothing of it has happened."""

    def __init__(
        self,
        code: Code,
        message: str,
        *,
        recovery: str | None = None,
        suggestions: Sequence[Suggestion] = (),
        result: Mapping[str, Json] | None = None,
    ) -> None:
        super().__init__(message)
        self.code: Code = code
        self.message = message
        self.recovery = recovery
        self.suggestions = tuple(suggestions)
        self.result = dict(result or {})
