"""TB-META: what each profile tells of the bot's state, and whether it is true."""

import pytest

from conformance.model.events import Json
from conformance.model.verdict import Verdict
from tests.laws.driven import driven
from tests.laws.tuitbot.bot import GONE, Bot

KEYS = (("mode", "TB-META-01", "TB-META-03"), ("approval_mode", "TB-META-02", "TB-META-04"))


@pytest.mark.parametrize(("key", "never", "always"), KEYS)
@pytest.mark.parametrize("ended", ["good", "bad"])
def test_the_boundary(key: str, never: str, always: str, ended: str) -> None:
    for profile, judged, other in (("api", never, always), ("workflow", always, never)):
        kept, broken = Bot(profile), Bot(profile)
        for story, changes in ((kept, {}), (broken, {key: None if profile == "api" else GONE})):
            meta = story.meta(**changes)
            if ended == "good":
                story.good("get_mode", meta=meta)
            else:
                error = {"code": "db_error", "message": "no", "retryable": True}
                story.answer("get_mode", {"success": False, "data": None, "error": error, "meta": meta})
        assert (kept.alone(judged), broken.alone(judged)) == ("pass", "fail")
        assert kept.verdict(other) == "not_applicable"


@pytest.mark.parametrize("meta", [GONE, None, []])
def test_no_meta_tells_nothing(meta: Json) -> None:
    envelope = {"success": True, "data": None} if meta is GONE else {"success": True, "data": None, "meta": meta}
    for profile, judged, verdict in (("api", "TB-META-01", "pass"), ("workflow", "TB-META-03", "fail")):
        story = Bot(profile)
        story.answer("get_mode", envelope)
        assert story.verdict(judged) == verdict


def told(identifier: str, *servers: tuple[dict[str, Json], dict[str, Json]]) -> Verdict:
    """What servers with these settings tell in meta."""
    story = Bot()
    for number, (settings, meta) in enumerate(servers):
        story.name = story.instance(f"s{number}", profile="write", **settings)
        story.good("get_mode", meta=story.meta(**meta))
    return story.verdict(identifier)


AUTOPILOT: dict[str, Json] = {"mode": "autopilot"}
COMPOSER: dict[str, Json] = {"mode": "composer"}


def test_the_mode_is_the_servers() -> None:
    assert told("TB-META-05", (AUTOPILOT, AUTOPILOT), (COMPOSER, COMPOSER)) == "pass"
    assert told("TB-META-05", (AUTOPILOT, AUTOPILOT), (COMPOSER, AUTOPILOT)) == "fail"


def test_one_mode_alone_does_not_show_that_it_is_the_servers() -> None:
    assert told("TB-META-05", (AUTOPILOT, AUTOPILOT)) == "not_observed"
    assert told("TB-META-05", (AUTOPILOT, COMPOSER)) == "fail"


def test_a_mode_that_there_is_not_is_another_rules_matter() -> None:
    assert told("TB-META-05", (AUTOPILOT, {"mode": "automatic"}), (COMPOSER, COMPOSER)) == "pass"


@pytest.mark.parametrize(
    ("mode", "configured", "shown", "verdict"),
    [
        ("autopilot", True, True, "pass"),
        ("autopilot", False, False, "pass"),
        ("autopilot", True, False, "fail"),
        ("autopilot", False, True, "fail"),
        ("composer", False, True, "pass"),
        ("composer", True, True, "pass"),
        ("composer", False, False, "fail"),
        ("autopilot", None, True, "not_observed"),
        (None, False, True, "not_observed"),
        ("autopilot", True, "yes", "blocked"),
    ],
)
def test_the_approval_mode_is_the_effective_one(mode: Json, configured: Json, shown: Json, verdict: str) -> None:
    settings = {"mode": mode, "approval_mode": configured}
    assert told("TB-META-06", (settings, {"approval_mode": shown})) == verdict


def test_the_reference_keeps_them() -> None:
    for edition, numbers in (("session-05", range(1, 7)), ("convergence", range(5, 8))):
        judged = driven("tuitbot", "envelope", "metadata", edition=edition)
        for number in numbers:
            outcome = judged.outcome(f"TB-META-0{number}")
            assert outcome is not None
            assert (outcome.verdict, outcome.subjects > 0) == ("pass", True)


@pytest.mark.parametrize("profile", ["readonly", "api-readonly", "write", "admin"])
@pytest.mark.parametrize("key", ["mode", "approval_mode"])
def test_the_boundary_of_the_later_profiles(profile: str, key: str) -> None:
    kept, broken = Bot(profile), Bot(profile)
    for story, changes in ((kept, {}), (broken, {key: GONE if profile in ("write", "admin") else None})):
        story.good("score_tweet", meta=story.meta(**changes))
    assert (kept.alone("TB-META-07"), broken.alone("TB-META-07")) == ("pass", "fail")


@pytest.mark.parametrize(("told", "said"), [(True, "pass"), (False, "fail")])
def test_approval_that_is_configured_is_effective_in_either_mode(told: bool, said: str) -> None:
    story = Bot(approval_mode=True)
    story.good("get_stats", meta=story.meta(approval_mode=told))
    assert story.verdict("TB-META-06") == said
