"""The taxonomy of errors: the class of each code, and when a failure may be repeated."""

from types import MappingProxyType
from typing import Final, Literal

from reference_server.invocation.definition import Effect

ErrorClass = Literal["ContractError", "PolicyError", "AuthError", "ExecutionError", "SystemError"]
Code = Literal[
    "SchemaInvalid",
    "UnsupportedVersion",
    "MissingField",
    "ToolNotFound",
    "IdempotencyConflict",
    "Timeout",
    "RateLimited",
    "CircuitOpen",
    "BudgetExceeded",
    "ConcurrencyLimited",
    "Unauthenticated",
    "Forbidden",
    "DownstreamFailed",
    "NotFound",
    "Unhandled",
    "SerializationFailed",
]

CLASSES: Final[MappingProxyType[ErrorClass, tuple[Code, ...]]] = MappingProxyType(
    {
        "ContractError": ("SchemaInvalid", "UnsupportedVersion", "MissingField", "ToolNotFound", "IdempotencyConflict"),
        "PolicyError": ("Timeout", "RateLimited", "CircuitOpen", "BudgetExceeded", "ConcurrencyLimited"),
        "AuthError": ("Unauthenticated", "Forbidden"),
        "ExecutionError": ("DownstreamFailed", "NotFound"),
        "SystemError": ("Unhandled", "SerializationFailed"),
    }
)
CLASS_OF: Final = MappingProxyType({code: name for name, codes in CLASSES.items() for code in codes})

REFUSED_FOR_NOW: Final = frozenset({"RateLimited", "CircuitOpen", "ConcurrencyLimited"})
"""Nothing ran, and the same invocation may pass later."""
MAY_HAVE_RUN: Final = frozenset({"Timeout", "DownstreamFailed"})
REPEATABLE: Final = frozenset({Effect.PURE, Effect.IDEMPOTENT_WRITE})
"""Effects that may be repeated after the tool may have run: an IdempotentWrite is always invoked with its key."""


def retryable(code: Code, effect: Effect | None, *, ran: bool) -> bool:
    """Whether a caller may invoke the tool again after this failure. `ran`: the tool's code may have begun."""
    if code in REFUSED_FOR_NOW:
        return True
    if code in MAY_HAVE_RUN:
        return not ran or effect in REPEATABLE
    return False
