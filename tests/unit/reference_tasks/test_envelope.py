"""Every answer has one shape."""

from datetime import datetime, timedelta

import pytest

from reference_server.tasks.tools import SPECS

KEYS = {"success", "intent", "result", "warnings", "suggestions", "context", "error", "timestamp"}


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)
def test_failures_and_successes_have_all_keys(desk, spec):
    desk.ok("tasks_focus_set", task=desk.task())
    for arguments in ({"workspace": "w"}, {"workspace": "w", "bogus": 1}, {}):
        answer = desk.answer(spec.name, arguments)
        envelope = answer.envelope
        assert set(envelope) == KEYS
        assert envelope["intent"] == spec.intent
        assert answer.failed is not envelope["success"]
        assert (envelope["error"] is None) is envelope["success"]
        assert isinstance(envelope["result"], dict)
        assert isinstance(envelope["context"], dict)
        assert isinstance(envelope["warnings"], list)
        assert isinstance(envelope["suggestions"], list)
        assert datetime.fromisoformat(envelope["timestamp"]).utcoffset() == timedelta(0)


def test_the_calendar_moves_forward_only(desk):
    def at(**conditions):
        return desk.answer("tasks_context", {"workspace": "w"}, **conditions).envelope["timestamp"]

    start, later = at(), at(clock=3600)
    assert datetime.fromisoformat(later) - datetime.fromisoformat(start) == timedelta(hours=1)
    assert at(clock=10) == later
    assert at() == later


def test_timestamps_survive_a_clock_set_back(desk):
    first = desk.ask("tasks_context")["timestamp"]
    desk.tasks.parts.clock.source = lambda: 0.0
    assert desk.ask("tasks_context")["timestamp"] == first
