"""The delay that a refusal of an invocation tells, whatever stands there."""

import pytest

from conformance.contracts.invocation.stimuli.limits import told_ms
from conformance.model.events import Json
from tests.laws.invocation.desk import Desk


@pytest.mark.parametrize(
    ("details", "told"),
    [
        ({"retryAfterMs": 0}, 0),
        ({"retryAfterMs": 250.5}, 250.5),
        ({"retryAfterMs": 10**400}, None),
        ({"retryAfterMs": -1}, None),
        ({"retryAfterMs": True}, None),
        ({"retryAfterMs": "250"}, None),
        ({}, None),
        ([], None),
        (None, None),
    ],
)
def test_the_delay_that_is_told(details: Json, told: float | None) -> None:
    desk = Desk()
    number = desk.no("limited", {}, "RateLimited", error={"details": details})
    call = desk.history().find(number)
    assert call is not None
    assert told_ms(call) == told
