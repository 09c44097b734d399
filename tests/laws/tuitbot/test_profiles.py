"""TB-PROF-05: a tool of another profile is out of reach."""

import pytest

from conformance.model.events import Listing
from tests.laws.driven import driven
from tests.laws.tuitbot.bot import Bot

BOOKMARKS = {"data": [{"id": "1"}]}


def test_it_is_refused_and_changes_nothing() -> None:
    story = Bot("api", listed=False)
    story.good("x_get_bookmarks", {}, BOOKMARKS)
    story.error("tools/call", {"name": "approve_all", "arguments": {}}, -32602, instance=story.name)
    story.bad("approve_item", "not_found", {"id": 1})
    story.good("x_get_bookmarks", {}, BOOKMARKS)
    outcome = story.judged("TB-PROF-05")
    assert (outcome.verdict, outcome.subjects) == ("pass", 4)


def test_it_is_served() -> None:
    story = Bot("api", listed=False)
    story.good("get_pending_count", {}, {"pending_count": 0})
    assert story.verdict("TB-PROF-05") == "fail"


def test_it_is_refused_and_a_read_changes() -> None:
    story = Bot("api", listed=False)
    story.good("x_get_bookmarks", {}, BOOKMARKS)
    story.bad("approve_all", "policy_denied_user_rule")
    story.good("x_get_bookmarks", {}, {"data": []})
    assert story.verdict("TB-PROF-05") == "fail"


def test_it_is_refused_and_x_is_called() -> None:
    story = Bot("api", listed=False)
    call = story.bad("approve_all", "policy_denied_user_rule")
    story.effect(call, "x_call", instance=story.name, operation="post")
    assert story.verdict("TB-PROF-05") == "fail"


@pytest.mark.parametrize("tool", ["x_get_me", "of_its_own"])
def test_a_tool_that_is_listed_or_that_nobody_knows_is_another_rules_matter(tool: str) -> None:
    story = Bot(listed=False)
    story.events.append(Listing(connection="c1", instance=story.name, tools=[{"name": "x_get_me"}], t=story.now()))
    story.good(tool)
    assert story.verdict("TB-PROF-05") == "not_observed"


def test_the_reference_keeps_it() -> None:
    outcome = driven("tuitbot", "profiles").outcome("TB-PROF-05")
    assert outcome is not None
    assert (outcome.verdict, outcome.subjects > 0) == ("pass", True)
