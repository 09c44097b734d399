"""Good calls: from examples with placeholders, and from what was seen accepted."""

import itertools

import pytest

from conformance.contracts.mcp.samples import (
    CANDIDATES,
    Fresh,
    GoodCall,
    Samples,
    accepted_calls,
    given_by_others,
    leads_to,
    moved,
    renewable,
)
from conformance.model.exchange import Exchange
from conformance.model.history import History
from tests.laws.histories import Story


def samples() -> Samples:
    numbers = itertools.count(1)
    return Samples(given={"claims": {"agent_id": "a"}, "fresh": Fresh(lambda name: f"{name}-{next(numbers)}")})


def seen(told: Story, tool: str) -> list[Exchange]:
    return list(History.of(told.events).calls(tool))


def test_placeholders_are_filled_in() -> None:
    given = samples()
    given.given["add"] = {"id": 7}
    assert given.filled({"id": "{{add.id}}", "by": ["{{claims.agent_id}}"], "say": "no {{add.id}}!"}) == {
        "id": 7,
        "by": ["a"],
        "say": "no 7!",
    }
    with pytest.raises(LookupError):
        given.filled("{{remove.id}}")


def test_a_fresh_name_is_the_same_throughout_and_another_each_time() -> None:
    given = samples()
    assert given.filled(["{{fresh.title}}", "{{fresh.title}}", "{{fresh.tag}}"]) == ["title-1", "title-1", "tag-2"]


def test_the_sample_of_a_tool_is_the_first_that_was_accepted() -> None:
    told = Story("mcp")
    for number, failed in enumerate((True, False, False)):
        told.call("add", {"n": number}, {"id": number}, failed=failed)
    given = samples()
    for call in seen(told, "add"):
        given.take(GoodCall("add", call.arguments, credential=f"c{call.argument('n')}"), call.arguments, call)
    assert (given.arguments["add"], given.callers["add"], given.given["add"]) == ({"n": 1}, "c1", {"id": 1})


def test_what_was_never_accepted_is_a_sample_all_the_same() -> None:
    told = Story("mcp")
    told.call("add", {"n": 0}, {}, failed=True)
    given = samples()
    given.take(GoodCall("add", {"n": 0}), {"n": 0}, seen(told, "add")[0])
    assert (given.arguments["add"], given.works("add")) == ({"n": 0}, False)


def test_the_last_calls_that_were_accepted_are_kept() -> None:
    told = Story("mcp")
    told.credential("worker")
    told.call("add", {"n": 1}, {}, failed=True)
    for number in range(2, 7):
        told.call("add", {"n": number}, {}, by="worker")
    told.call("add", {"n": 6, "more": 1}, {})
    told.call("add", [1], {})
    told.call("add", {"n": 8}, {}, conditions={"clock": 5})
    found = list(accepted_calls(seen(told, "add"), lambda call: not call.conditions))
    assert len(found) == CANDIDATES
    assert found[0] == GoodCall("add", {"n": 6, "more": 1}, None, seen=True)
    assert {good.arguments["n"] for good in found[1:]} == {6, 5}
    assert {good.credential for good in found[1:]} == {"worker"}


MADE = GoodCall("add", {"name": "{{fresh.name}}", "by": "{{claims.agent_id}}"})
MOVED = GoodCall("move", {"id": "{{add.id}}", "to": "x"})
KEPT = GoodCall("keep", {"of": ["{{move.at.id}} of {{add.id}}"]})


def test_what_a_call_takes_its_values_from_comes_in_the_order_in_which_it_can_be_made() -> None:
    known = [MADE, MOVED, KEPT, GoodCall("add_more", {})]
    assert [good.tool for good in leads_to(KEPT, known)] == ["add", "move"]
    assert leads_to(MADE, known) == []
    # of two names the longer one is meant
    assert [good.tool for good in leads_to(GoodCall("see", {"id": "{{add_more.id}}"}), known)] == ["add_more"]
    # a circle comes to an end
    round_about = [GoodCall("a", {"id": "{{b.id}}"}), GoodCall("b", {"id": "{{a.id}}"})]
    assert [good.tool for good in leads_to(round_about[0], round_about)] == ["b"]


def test_a_call_can_be_made_anew_where_it_names_something_new() -> None:
    assert [renewable(good) for good in (MADE, MOVED, KEPT)] == [True, True, True]
    assert not renewable(GoodCall("add", {"by": "{{claims.agent_id}}", "at": "{{files.folder}}", "n": 1}))
    assert not renewable(GoodCall("add", {"name": "{{fresh.name}}"}, seen=True))
    assert given_by_others(MADE) == []
    assert given_by_others(MOVED) == ["id"]


def test_arguments_are_moved_to_something_else() -> None:
    base, other = {"id": "a-1", "n": 5, "gone": 1}, {"id": "a-2", "n": 5}
    assert moved({"id": "a-1", "n": 6}, base, other) == {"id": "a-2", "n": 6}
    assert moved({"id": None, "n": 5}, base, other) == {"id": None, "n": 5}
    assert moved({"n": 5, "x": 1, "gone": 1}, base, other) == {"n": 5, "x": 1, "gone": 1}
