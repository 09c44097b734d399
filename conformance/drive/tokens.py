"""Progress tokens: integers, as the SDKs send them, and none of them the id of a request.

A server that takes the one for the other would not show it where they are equal.
"""

from conformance.model.events import Json

FIRST = 1_000_000_000
"""Beyond the calls of any run, and within 32 bits."""


def token_of(call: int) -> int:
    """The token by which a call asks for progress."""
    return FIRST + call


def call_of(token: Json) -> int | None:
    """The call whose token this is; None where it is none of ours."""
    return token - FIRST if type(token) is int and token > FIRST else None
