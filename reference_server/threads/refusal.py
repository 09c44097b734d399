"""How a method refuses: with one of the contract's codes (Threads protocol, section 6)."""

from typing import Literal, get_args

Code = Literal[
    "UNAUTHORIZED",
    "FORBIDDEN",
    "OUT_OF_SCOPE_WORKSPACE",
    "NOT_FOUND",
    "CONFLICT",
    "IDEMPOTENCY_CONFLICT",
    "RATE_LIMITED",
    "VALIDATION_ERROR",
    "WAKE_FAILED",
    "UNMANAGED_RUNTIME",
    "HUMAN_INPUT_COLLISION",
    "CLAIM_MISMATCH",
    "INSUFFICIENT_AUTHORITY",
]
CODES: tuple[Code, ...] = get_args(Code)


class Refusal(Exception):  # noqa: N818 - it is an answer of the contract, not a fault
    """Ends a call with a code and a sentence for the caller."""

    def __init__(self, code: Code, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
