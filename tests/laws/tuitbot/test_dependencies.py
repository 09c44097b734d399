"""TB-MAN-07 to -09: calls that succeed, and their likes without an X client, an LLM, the database."""

from typing import Any

import pytest

from conformance.contracts.tuitbot.manifest import manifest
from conformance.model.events import Json
from tests.laws.driven import driven
from tests.laws.tuitbot.bot import Bot

NO_X: Json = {"x_client": False}
NO_LLM: Json = {"llm": False}
NO_DATABASE: Json = {"database": "failing"}


def told(tool: str, condition: Json, *, refused: bool, profile: str = "write", label: str = "a") -> Bot:
    """A call that succeeds and its like under the condition."""
    story = Bot(profile, listed=False)
    story.good(tool, {}, {}, label=label)
    more: dict[str, Any] = {"conditions": condition, "label": label}
    story.bad(tool, "db_error", {}, **more) if refused else story.good(tool, {}, {}, **more)
    return story


@pytest.mark.parametrize(
    ("identifier", "condition", "needing", "free"),
    [
        ("TB-MAN-07", NO_X, "compose_tweet", "get_mode"),
        ("TB-MAN-08", NO_LLM, "generate_thread_plan", "get_mode"),
        ("TB-MAN-09", NO_DATABASE, "get_follower_trend", "get_mode"),
    ],
)
def test_who_declares_it_needs_it(identifier: str, condition: Json, needing: str, free: str) -> None:
    assert told(needing, condition, refused=True).verdict(identifier) == "pass"
    assert told(needing, condition, refused=False).verdict(identifier) == "fail"
    assert told(free, condition, refused=False).verdict(identifier) == "pass"
    assert told(free, condition, refused=True).verdict(identifier) == "fail"


def test_without_a_like_that_succeeds_nothing_is_known() -> None:
    story = Bot(listed=False)
    story.bad("compose_tweet", "tweet_too_long", {}, label="a")
    story.good("compose_tweet", {}, {}, label="a", conditions=NO_X)
    assert story.verdict("TB-MAN-07") == "not_observed"


def test_a_like_that_was_held_back_did_not_succeed() -> None:
    story = Bot(listed=False)
    story.good("compose_tweet", {}, {"routed_to_approval": True}, label="a")
    story.good("compose_tweet", {}, {}, label="a", conditions=NO_X)
    assert story.verdict("TB-MAN-07") == "not_observed"


def test_with_two_things_away_nothing_is_known() -> None:
    assert told("compose_tweet", {**NO_X, **NO_LLM}, refused=False).verdict("TB-MAN-07") == "not_observed"


def test_without_a_label_calls_are_not_alike() -> None:
    assert told("compose_tweet", NO_X, refused=False, label="").verdict("TB-MAN-07") == "not_observed"


def test_a_call_without_an_answer_tells_nothing() -> None:
    story = Bot(listed=False)
    story.good("compose_tweet", {}, {}, label="a")
    story.lost("compose_tweet", {}, label="a", conditions=NO_X, instance=story.name)
    assert story.judged("TB-MAN-07").subjects == 0


def test_the_api_profile_has_no_database() -> None:
    assert told("x_like_tweet", NO_DATABASE, refused=False, profile="api").verdict("TB-MAN-09") == "not_applicable"


@pytest.mark.parametrize(
    ("edition", "tools"),
    [
        # every tool with a gate, and every one without
        ("session-05", 64 + 34),
        ("convergence", 108 + 40),
    ],
)
def test_the_reference_keeps_them(edition: str, tools: int) -> None:
    judged = driven("tuitbot", "dependencies", edition=edition)
    entries = manifest(edition).values()
    gated = sum(entry.gated for entry in entries)
    beside_a_gate = sum(bool({"workflow", "admin"} & set(entry.profiles)) for entry in entries)
    for identifier, subjects in (("TB-MAN-07", tools), ("TB-MAN-08", tools), ("TB-MAN-09", beside_a_gate + gated)):
        outcome = judged.outcome(identifier)
        assert outcome is not None
        # more than one for each: tools are also called with all that they may be given
        assert outcome.verdict == "pass"
        assert outcome.subjects >= subjects
