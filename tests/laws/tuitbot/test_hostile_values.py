"""No law on envelopes, codes, retrying and metadata is thrown by a value of the wrong type, wherever it stands."""

import pytest

from conformance.judge.judge import judge
from conformance.judge.library import import_laws
from conformance.model.events import Json
from tests.laws.tuitbot.bot import Bot

SECTIONS = ("TB-ENV-", "TB-ERR-", "TB-RETRY-", "TB-META-")
VALUES: tuple[Json, ...] = (None, True, -1, 1.5, float("nan"), 10**400, "", "\ud800", [], [[1]], {}, {"a": {}}, ["x"])
ARGUMENTS: dict[str, dict[str, Json]] = {
    "approve_item": {"id": 7},
    "compose_tweet": {"content": "a"},
    "get_tweet_by_id": {"tweet_id": "0"},
    "x_get_users_by_ids": {"user_ids": []},
    "x_post_thread": {"tweets": ["a"]},
    "x_post_tweet": {"text": "a"},
    "x_upload_media": {"file_path": "a.png"},
}
CONDITIONS = ("x", "x_after", "x_client", "llm", "database", "policy", "media_upload", "serialization", "clock")
RULE: dict[str, Json] = {
    "id": "a",
    "priority": 1,
    "action": {"type": "deny"},
    "conditions": {"tools": ["x_post_tweet"]},
}
POLICY: dict[str, Json] = {
    "enforce_for_mutations": True,
    "max_mutations_per_hour": 1,
    "require_approval_for": [],
    "blocked_tools": [],
    "template": None,
    "rules": [RULE],
}


def told(value: Json) -> Bot:
    """The value in each place of settings, policies, rules, conditions, arguments and answers, one at a time."""
    story = Bot()
    policies = [value, *({**POLICY, name: value} for name in POLICY)]
    policies += [{**POLICY, "rules": [{**RULE, name: value}]} for name in RULE]
    for number, policy in enumerate(policies):
        story.name = story.instance(f"p{number}", profile="workflow", policy=policy, mode=value, approval_mode=value)
        story.good("x_post_tweet", {"text": "a"})
        story.bad("x_post_tweet", "policy_denied_blocked", {"text": "a"})
    for profile in ("workflow", "api"):
        story.name = story.instance(f"i-{profile}", profile=profile, policy={"enforce_for_mutations": False})
        for tool, arguments in ARGUMENTS.items():
            for name in arguments:
                for given in (value, [value]):
                    story.bad(tool, "not_found", {**arguments, name: given})
                    story.good(tool, {**arguments, name: given}, value)
            story.bad(tool, value, value)
            for name in CONDITIONS:
                story.bad(tool, "db_error", arguments, conditions={name: value})
        for name in ("code", "message", "retryable", "rate_limit_reset", "policy_decision"):
            story.bad("get_mode", "db_error", {"retryable": True}, error={name: value})
        for name in ("tool_version", "elapsed_ms", "mode", "approval_mode"):
            story.good("get_mode", {}, value, meta=story.meta(**{name: value}))
        for name in ("success", "data", "error", "meta"):
            story.answer("get_mode", {"success": False, "data": None, "error": {}, "meta": {}, name: value})
        story.answer("get_mode", value)
        story.result("tools/call", {"name": "get_mode", "arguments": {}}, {"content": value}, instance=story.name)
        story.result("tools/call", {"name": "get_mode", "_meta": value}, {"content": [value]}, instance=story.name)
    return story


@pytest.mark.parametrize("value", VALUES, ids=lambda value: repr(value)[:12])
def test_every_law_stands(value: Json) -> None:
    story = told(value)
    import_laws(story.contract)
    for outcome in judge(story.events, story.contract).outcomes:
        if outcome.id.startswith(SECTIONS):
            assert outcome.verdict != "error", f"{outcome.id}: {outcome.reason}"
