"""Refusals that have nothing to do with what was asked: there was too much of it."""

import re

from conformance.model.ending import reason
from conformance.model.exchange import TOO_MANY, Exchange

TOO_MUCH = re.compile(
    TOO_MANY.pattern + r"|\bquota\b|\b429\b|\bserver (?:is )?busy\b|\b(?:try|retry) (?:again|later|after|in)\b",
    re.IGNORECASE,
)


def for_a_time(call: Exchange) -> bool:
    """Whether a refusal says that it would not stand later: the same call may be served then."""
    return call.refused and TOO_MUCH.search(reason(call)) is not None
