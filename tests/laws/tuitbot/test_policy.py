"""TB-POL-01, -03, -05 to -07, -09: what the gate holds back, and what it does with it."""

from typing import Any

import pytest

from conformance.model.events import Json
from tests.laws.driven import driven
from tests.laws.tuitbot.bot import GONE, Bot, changed, rule

POST: dict[str, Json] = {"text": "a"}
TIMELINE: dict[str, Json] = {"data": [{"id": "1", "text": "old"}]}
ROUTED: dict[str, Json] = {"routed_to_approval": True, "approval_queue_id": 7, "reason": "rule"}
DRY: dict[str, Json] = {"dry_run": True, "would_execute": "x_post_tweet", "params": '{"text":"a"}'}
DENIED = {"policy_decision": "denied"}
OFF: Json = {**rule("deny", "x_like_tweet"), "enabled": False}
DONE: dict[str, Json] = {"id": "9", "text": "a"}


def under(*rules: Json, **policy: Json) -> Bot:
    """A server with this policy."""
    return Bot(listed=False, policy={**({"rules": list(rules)} if rules else {}), **policy})


def matching(action: str, **more: Any) -> Bot:
    """A server whose one rule matches the post."""
    return under(rule(action, "x_post_tweet", **more))


def served(story: Bot) -> Bot:
    """The same, beside a server with an open gate that lets the post through: the control of what is held back."""
    other = story.instance("open", profile="write", policy={"enforce_for_mutations": False})
    story.good("x_post_tweet", {"text": "let through"}, DONE, instance=other, on="c-open")
    return story


@pytest.mark.parametrize("action", ["deny", "require_approval", "dry_run"])
def test_a_mutation_that_a_rule_matches_goes_through(action: str) -> None:
    story = matching(action)
    story.good("x_post_tweet", POST, DONE)
    assert story.verdict("TB-POL-01") == "fail"


@pytest.mark.parametrize(("action", "data"), [("require_approval", ROUTED), ("dry_run", DRY), ("deny", ROUTED)])
def test_a_mutation_that_a_rule_matches_is_held_back(action: str, data: Json) -> None:
    story = matching(action)
    story.good("x_post_tweet", POST, data)
    assert story.verdict("TB-POL-01") == "not_observed", "a tool that is never let through may always be held back"
    assert served(story).verdict("TB-POL-01") == "pass"


@pytest.mark.parametrize(
    ("conditions", "said"),
    [
        ({"tools": ["x_post_tweet"], "categories": ["write"]}, "fail"),
        ({"categories": ["write", "engage"]}, "fail"),
        ({"categories": ["engage"]}, "not_observed"),
        ({"tools": ["x_post_tweet"], "modes": ["autopilot"]}, "fail"),
        ({"modes": ["composer"]}, "not_observed"),
        ({"tools": ["x_like_tweet"], "modes": ["autopilot"]}, "not_observed"),
    ],
    ids=str,
)
def test_a_rule_matches_where_all_its_conditions_hold(conditions: Json, said: str) -> None:
    story = Bot(listed=False, mode="autopilot", policy={"rules": [{**rule("deny"), "conditions": conditions}]})
    story.good("x_post_tweet", POST, DONE)
    assert story.alone("TB-POL-01") == said


@pytest.mark.parametrize(
    ("window", "said"),
    [
        ({"start_hour": 11, "end_hour": 13}, "fail"),
        ({"start_hour": 23, "end_hour": 13}, "fail"),
        ({"start_hour": 13, "end_hour": 11}, "not_observed"),
        ({"start_hour": 11, "end_hour": 12}, "not_observed"),
        ({"start_hour": 11, "end_hour": 13, "timezone": "Asia/Tokyo"}, "not_observed"),
        ({"start_hour": 11, "end_hour": 13, "days": ["Mon"]}, "not_observed"),
    ],
    ids=str,
)
def test_a_rule_of_certain_hours(window: Json, said: str) -> None:
    limited = rule("deny", "x_post_tweet")
    limited["conditions"] = {"tools": ["x_post_tweet"], "schedule_window": window}
    story = under(limited)
    story.good("x_reply_to_tweet", {"text": "b", "in_reply_to_id": "5"}, {"id": "1"})
    story.good("get_tweet_by_id", {"tweet_id": "1"}, {"id": "1", "created_at": "2026-11-21T12:00:00Z"})
    story.good("x_post_tweet", POST, DONE)
    assert story.alone("TB-POL-01") == said


WHOLE_DAY: dict[str, Json] = {"start_hour": 6, "end_hour": 24}


@pytest.mark.parametrize(
    ("window", "said"),
    [
        ({"start_hour": 20, "end_hour": 23, "timezone": "Asia/Tokyo"}, "fail"),
        ({"start_hour": 11, "end_hour": 13, "timezone": "Asia/Tokyo"}, "not_observed"),
        ({"start_hour": 11, "end_hour": 13, "timezone": "Nowhere/Land"}, "not_observed"),
        ({**WHOLE_DAY, "days": ["sat"]}, "fail"),
        ({**WHOLE_DAY, "days": ["fri", "sun"]}, "not_observed"),
        ({**WHOLE_DAY, "days": ["Saturday"]}, "not_observed"),
        ({"start_hour": 23, "end_hour": 13, "days": ["sat"]}, "not_observed"),
        ({**WHOLE_DAY, "days": ["sat"], "timezone": "Pacific/Auckland"}, "not_observed"),
    ],
    ids=str,
)
def test_days_and_time_zones_where_the_target_takes_them(window: Json, said: str) -> None:
    limited = {**rule("deny"), "conditions": {"tools": ["x_post_tweet"], "schedule_window": window}}
    takes = {"choices": {"policy_parts": ["schedule_window", "days", "timezone"]}}
    for statement, expected in ((takes, said), ({}, "not_observed")):
        story = Bot(listed=False, statement=statement, policy={"rules": [limited]})
        story.good("x_reply_to_tweet", {"text": "b", "in_reply_to_id": "5"}, {"id": "1"})
        story.good("get_tweet_by_id", {"tweet_id": "1"}, {"id": "1", "created_at": "2026-11-21T12:00:00Z"})
        story.good("x_post_tweet", POST, DONE)
        assert story.alone("TB-POL-01") == expected


@pytest.mark.parametrize("zone", ["UTC", "Asia/Tokyo", "America/New_York"])
@pytest.mark.parametrize("created", ["9999-12-31T23:59:59.999999Z", "0001-01-01T00:00:00Z"])
def test_a_server_of_whatever_year_is_judged(created: str, zone: str) -> None:
    window = {"start_hour": 1, "end_hour": 5, "timezone": zone}
    limited = {**rule("deny"), "conditions": {"tools": ["x_post_tweet"], "schedule_window": window}}
    takes = {"choices": {"policy_parts": ["schedule_window", "days", "timezone"]}}
    story = Bot(listed=False, statement=takes, policy={"rules": [limited]})
    story.good("x_reply_to_tweet", {"text": "b", "in_reply_to_id": "5"}, {"id": "1"})
    story.good("get_tweet_by_id", {"tweet_id": "1"}, {"id": "1", "created_at": created})
    story.t += 60_000_000
    story.good("x_post_tweet", POST, DONE)
    assert story.alone("TB-POL-01") == "not_observed"


def test_a_rule_of_other_hours_holds_nothing_back() -> None:
    limited = {**rule("deny"), "conditions": {"schedule_window": {"start_hour": 18, "end_hour": 22}}}
    story = Bot("workflow", policy={"rules": [limited], "max_mutations_per_hour": 1000})
    story.good("x_post_tweet", {"text": "b"}, {"id": "1"})
    story.good("get_tweet_by_id", {"tweet_id": "1"}, {"id": "1", "created_at": "2026-11-21T12:00:00Z"})
    assert story.alone("TB-SRV-01") == "pass"
    story.bad("x_like_tweet", "policy_denied_user_rule", {"tweet_id": "1"}, error=DENIED)
    assert story.alone("TB-SRV-01") == "fail"


@pytest.mark.parametrize(
    "story",
    [
        under(rule("deny", "x_like_tweet")),
        under({**rule("deny", "x_post_tweet"), "enabled": False}),
        under(rule("deny", "x_post_tweet"), enforce_for_mutations=False),
        under(rule("deny", "x_post_tweet"), template="agency_mode"),
        under(rule("deny", "x_post_tweet"), rule("allow", "x_post_tweet", priority=100)),
        under(rule("deny", "x_post_tweet"), rule("allow", "x_post_tweet")),
        under({**rule("deny"), "conditions": {"tools": ["x_post_tweet"], "modes": ["autopilot"]}}),
        under({**rule("deny"), "conditions": {"schedule_window": {"start_hour": 1, "end_hour": 2}}}),
        under(rule("deny", "x_post_tweet", rule_id="hard:posts", priority=1)),
        under(blocked_tools=["x_post_tweet"]),
        Bot(listed=False),
    ],
    ids=[
        "another tool", "disabled", "not enforced", "a template", "allowed before", "a tie", "a mode", "hours",
        "a hard rule", "the blocked list", "no policy",
    ],
)  # fmt: skip
def test_where_it_is_in_doubt_what_decides(story: Bot) -> None:
    story.good("x_post_tweet", POST, DONE)
    assert story.verdict("TB-POL-01") == "not_observed"


def test_a_deletion_may_meet_a_rule_of_the_servers_own_first() -> None:
    story = under(rule("allow", "x_delete_tweet"))
    story.good("x_delete_tweet", {"tweet_id": "5"}, ROUTED)
    assert story.verdict("TB-POL-02") == "not_observed"


@pytest.mark.parametrize(
    ("code", "said"), [("policy_denied_user_rule", "fail"), ("x_api_error", "not_observed"), ("", "pass")]
)
def test_a_read_is_not_held_back(code: str, said: str) -> None:
    story = under(rule("deny"))
    story.bad("get_mode", code) if code else story.good("get_mode")
    assert story.alone("TB-POL-01") == said


@pytest.mark.parametrize(
    ("change", "verdict"),
    [
        ({}, "pass"),
        ({"approval_queue_id": GONE}, "fail"),
        ({"approval_queue_id": "7"}, "fail"),
        ({"reason": ""}, "fail"),
        ({"matched_rule_id": 3}, "pass"),
    ],
)
def test_what_a_routing_tells(change: dict[str, Any], verdict: str) -> None:
    story = matching("require_approval")
    story.good("x_post_tweet", POST, changed(ROUTED, change))
    assert story.verdict("TB-POL-03") == verdict


@pytest.mark.parametrize(("decision", "verdict"), [("routed_to_approval", "pass"), ("denied", "fail")])
def test_a_routing_may_be_a_failure(decision: str, verdict: str) -> None:
    story = matching("require_approval")
    story.bad("x_post_tweet", "policy_denied_user_rule", POST, error={"policy_decision": decision})
    assert story.verdict("TB-POL-03") == ("not_observed" if verdict == "pass" else verdict)
    assert served(story).verdict("TB-POL-03") == verdict


@pytest.mark.parametrize(
    ("change", "verdict"),
    [
        ({}, "pass"),
        ({"would_execute": "post_tweet"}, "pass"),
        ({"would_execute": "x_like_tweet"}, "fail"),
        ({"would_execute": GONE}, "fail"),
        ({"params": {"text": "a", "media_ids": None}}, "pass"),
        ({"params": '{"text":"b"}'}, "fail"),
        ({"params": "text"}, "fail"),
        ({"params": GONE}, "fail"),
    ],
)
def test_what_a_dry_run_tells(change: dict[str, Any], verdict: str) -> None:
    story = matching("dry_run")
    story.good("x_post_tweet", POST, changed(DRY, change))
    assert story.verdict("TB-POL-05") == verdict


def test_a_dry_run_that_is_answered_as_a_routing() -> None:
    story = matching("dry_run")
    story.good("x_post_tweet", POST, ROUTED)
    assert story.verdict("TB-POL-05") == "fail"


@pytest.mark.parametrize(
    ("decision", "verdict"), [(GONE, "pass"), ("denied", "pass"), ("dry_run", "fail"), ("blocked", "pass")]
)
def test_what_a_denial_tells(decision: Any, verdict: str) -> None:
    story = matching("deny")
    story.bad("x_post_tweet", "policy_denied_user_rule", POST, error={"policy_decision": decision})
    assert story.verdict("TB-POL-06") == "not_observed"
    assert served(story).verdict("TB-POL-06") == verdict


def test_a_denial_that_is_no_failure() -> None:
    story = matching("deny")
    story.good("x_post_tweet", POST, DRY)
    assert story.verdict("TB-POL-06") == "fail"


HELD = [("TB-POL-03", "require_approval", ROUTED), ("TB-POL-05", "dry_run", DRY), ("TB-POL-06", "deny", None)]


def held(action: str, data: Json, after: Json) -> tuple[Bot, int]:
    """A post that is held back, with the timeline before and after it, beside one that is let through."""
    story = served(matching(action))
    story.good("x_get_home_timeline", {}, TIMELINE)
    denial = "policy_denied_user_rule"
    call = story.good("x_post_tweet", POST, data) if data else story.bad("x_post_tweet", denial, POST, error=DENIED)
    story.good("x_get_home_timeline", {}, after)
    return story, call


@pytest.mark.parametrize(("identifier", "action", "data"), HELD)
def test_what_is_held_back_changes_nothing(identifier: str, action: str, data: Json) -> None:
    assert held(action, data, TIMELINE)[0].verdict(identifier) == "pass"
    assert held(action, data, {"data": [DONE]})[0].verdict(identifier) == "fail"


@pytest.mark.parametrize(("identifier", "action", "data"), HELD)
def test_what_is_held_back_is_not_sent(identifier: str, action: str, data: Json) -> None:
    story, call = held(action, data, TIMELINE)
    story.effect(call, "x_call", instance=story.name, operation="post", outcome="ok")
    assert story.verdict(identifier) == "fail"


@pytest.mark.parametrize(
    "policy",
    [
        {"blocked_tools": ["x_post_tweet"]},
        {"rules": [rule("deny", "x_post_tweet", rule_id="hard:posts", priority=5)]},
        {"rules": [rule("deny", "x_post_tweet", rule_id="user:posts")]},
    ],
    ids=["the blocked list", "a hard rule", "a user's rule"],
)
@pytest.mark.parametrize(
    ("answer", "said"), [("policy_denied_blocked", "pass"), ("x_api_error", "not_observed"), ("", "fail")]
)
def test_each_kind_of_rule_denies(policy: dict[str, Json], answer: str, said: str) -> None:
    story = under(**policy)
    story.bad("x_post_tweet", answer, POST) if answer else story.good("x_post_tweet", POST, DONE)
    assert story.alone("TB-POL-07") == ("not_observed" if answer else said)
    assert served(story).alone("TB-POL-07") == said


@pytest.mark.parametrize("tool", ["x_upload_media", "approve_item", "approve_all", "reject_item"])
def test_what_is_outside_the_gate_is_not_held_back(tool: str) -> None:
    story = under(rule("deny"))
    story.good(tool, {"id": 1}, {})
    assert story.verdict("TB-POL-09") == "pass"
    story.bad(tool, "policy_denied_user_rule", {"id": 1})
    assert story.verdict("TB-POL-09") == "fail"


@pytest.mark.parametrize(("code", "said"), [("policy_denied_rate_limited", "fail"), ("x_forbidden", "not_observed")])
def test_outside_the_gate_beyond_a_limit(code: str, said: str) -> None:
    story = under(rule("deny", "x_post_tweet"))
    story.bad("approve_item", code, {"id": 1})
    assert story.alone("TB-POL-09") == said


def test_outside_the_gate_without_a_rule_that_matches() -> None:
    story = under(rule("deny", "x_post_tweet"))
    story.good("x_upload_media", {"file_path": "a.png"}, {})
    assert story.verdict("TB-POL-09") == "not_observed"


def test_the_reference_keeps_them() -> None:
    judged = driven("tuitbot", "policy", edition="convergence")
    for number in (1, 3, 4, 5, 6, 7, 9):
        outcome = judged.outcome(f"TB-POL-0{number}")
        assert outcome is not None
        assert (number, outcome.verdict, outcome.subjects > 4) == (number, "pass", True)


@pytest.mark.parametrize(
    ("answer", "approval", "said"),
    [
        (ROUTED, False, "fail"),
        # what approval_mode holds back besides is open
        (ROUTED, True, "not_observed"),
        (DRY, True, "fail"),
        (DONE, False, "not_observed"),
    ],
)
def test_a_mutation_that_meets_no_rule(answer: Json, approval: bool, said: str) -> None:
    story = Bot(listed=False, policy={"rules": [rule("deny", "x_like_tweet")]}, approval_mode=approval)
    story.good("x_post_tweet", POST, answer)
    assert story.alone("TB-POL-02") == said


@pytest.mark.parametrize(
    ("tool", "code", "said"),
    [
        ("x_unretweet", "policy_denied_blocked", "fail"),
        ("x_unretweet", "policy_denied_rate_limited", "not_observed"),
        ("x_unretweet", "x_api_error", "not_observed"),
        ("x_like_tweet", "policy_denied_user_rule", "not_observed"),
        # there it is known that the call is good: TB-SRV-01 says so
        ("x_post_tweet", "policy_denied_user_rule", "not_observed"),
    ],
)
def test_a_taking_back_that_no_rule_denies(tool: str, code: str, said: str) -> None:
    story = Bot(listed=False, policy={"rules": [rule("deny", "x_like_tweet")]}, approval_mode=False)
    story.bad(tool, code, POST if tool == "x_post_tweet" else {"tweet_id": "5"})
    assert story.alone("TB-POL-02") == said


@pytest.mark.parametrize(
    "policy", [{"rules": [OFF]}, {"template": "another"}, {"rules": []}, {"require_approval_for": ["x_post_tweet"]}]
)
def test_where_a_rule_may_be_met(policy: dict[str, Json]) -> None:
    story = Bot(listed=False, policy=policy, approval_mode=False)
    story.good("x_post_tweet", POST, ROUTED)
    assert story.alone("TB-POL-02") == "not_observed"
