"""Refusals that have nothing to do with what was asked: there was too much of it."""

import re

from conformance.model.ending import reason
from conformance.model.exchange import Exchange

TOO_MUCH = re.compile(
    r"\brate.?limit|\bquota\b|\btoo many (?:requests|calls)\b|\bthrottl|\b429\b|\bserver (?:is )?busy\b"
    r"|\b(?:try|retry) (?:again|later|after|in)\b",
    re.IGNORECASE,
)


def for_a_time(call: Exchange) -> bool:
    """Whether a refusal says that it would not stand later: the same call may be served then."""
    return call.refused and TOO_MUCH.search(reason(call)) is not None
