"""TB-ERR: each code where it is due, and nothing said where two things are wrong or the clause leaves it open."""

from dataclasses import dataclass, field

import pytest

from conformance.contracts.tuitbot.laws.errors import CODES
from conformance.model.events import Json
from tests.laws.driven import driven
from tests.laws.tuitbot.bot import Bot

OPEN: dict[str, Json] = {"policy": {"enforce_for_mutations": False}}
POST: dict[str, Json] = {"text": "hello"}
LONG = "a" * 281


@dataclass(frozen=True)
class Case:
    """A call for which a code is due."""

    tool: str
    arguments: dict[str, Json] = field(default_factory=dict)
    conditions: dict[str, Json] = field(default_factory=dict)
    settings: dict[str, Json] = field(default_factory=dict)
    before: tuple[str, ...] = ()
    """Calls with the same arguments that succeed before it, without its conditions."""
    profile: str = "workflow"

    def told(self, code: str | None, *, retryable: bool | None = None, **also: Json) -> Bot:
        """The call, refused with a code or (None) accepted; `also` are further conditions."""
        story = Bot(self.profile, **self.settings)
        for tool in self.before:
            story.good(tool, self.arguments)
        conditions = {**self.conditions, **also}
        if code is None:
            story.good(self.tool, self.arguments, conditions=conditions)
        else:
            error = {} if retryable is None else {"retryable": retryable}
            story.bad(self.tool, code, self.arguments, error=error, conditions=conditions)
        return story


def denying(name: str, priority: int) -> dict[str, Json]:
    """A policy of one rule that denies posts."""
    action, conditions = {"type": "deny"}, {"tools": ["x_post_tweet"], "categories": []}
    return {"policy": {"rules": [{"id": name, "priority": priority, "action": action, "conditions": conditions}]}}


CASES: dict[str, tuple[Case, ...]] = {
    **{
        f"x_{failure}": (
            Case("x_get_bookmarks", {}, {"x": failure}),
            Case("x_post_tweet", POST, {"x": failure}, OPEN),
            Case("x_like_tweet", {"tweet_id": "1"}, {"x": failure}, profile="api"),
        )
        for failure in ("rate_limited", "auth_expired", "forbidden", "account_restricted", "network_error", "api_error")
    },
    "x_not_configured": (
        Case("x_get_bookmarks", {}, {"x_client": False}),
        Case("compose_tweet", {"content": "a"}, settings={"x_client": False, **OPEN}),
    ),
    "db_error": (Case("get_stats", {}, {"database": "failing"}), Case("health_check", {}, {"database": "failing"})),
    "validation_error": (Case("get_stats", {"days": "seven"}), Case("x_post_tweet", {"text": 1}, profile="api")),
    "invalid_input": (Case("x_get_users_by_ids", {"user_ids": []}), Case("x_post_thread", {"tweets": []}, {}, OPEN)),
    "tweet_too_long": (
        Case("x_post_tweet", {"text": LONG}, {}, OPEN),
        Case("x_post_thread", {"tweets": ["a", LONG]}, profile="api"),
        Case("compose_tweet", {"content": LONG}, {}, OPEN),
    ),
    "llm_error": (Case("generate_tweet", {}, {"llm": "failing"}),),
    "llm_not_configured": (
        Case("generate_tweet", {}, {"llm": False}),
        Case("generate_thread", settings={"llm": False}),
    ),
    "unsupported_media_type": (Case("x_upload_media", {"file_path": "/srv/a.PDF"}),),
    "file_read_error": (Case("x_upload_media", {"file_path": "C:\\media\\pixel.png\\b.PNG"}),),
    "media_upload_error": (
        Case("x_upload_media", {"file_path": "/a.png"}, {"media_upload": "failing"}, before=("x_upload_media",)),
    ),
    "thread_partial_failure": (
        Case("x_post_thread", {"tweets": ["a", "b", "c"]}, {"x_after": {"calls": 2, "failure": "forbidden"}}, OPEN),
    ),
    "policy_error": (Case("x_post_tweet", POST, {"policy": "failing"}),),
    "policy_denied_blocked": (Case("x_post_tweet", POST, settings={"policy": {"blocked_tools": ["x_post_tweet"]}}),),
    "policy_denied_rate_limited": (
        Case(
            "x_post_tweet",
            POST,
            settings={"policy": {"max_mutations_per_hour": 1, "require_approval_for": []}},
            before=("x_post_tweet",),
        ),
    ),
    "policy_denied_hard_rule": (Case("x_post_tweet", POST, settings=denying("hard:no", 5)),),
    "policy_denied_user_rule": (Case("x_post_tweet", POST, settings=denying("mine", 200)),),
    "context_error": (Case("get_author_context", {"identifier": "ada"}, {"x": "api_error"}),),
    "recommendation_error": (
        Case("recommend_engagement_action", {"author_username": "ada", "tweet_text": "a"}, {"x": "network_error"}),
    ),
    "topic_error": (Case("topic_performance_snapshot", {}, {"topic_analysis": "failing"}),),
    "not_found": (Case("approve_item", {"id": 7}), Case("get_tweet_by_id", {"tweet_id": "0"})),
    "serialization_error": (Case("get_mode", {}, {"serialization": "failing"}),),
}
TOLD = [pytest.param(code, case, id=f"{code}-{case.tool}") for code, cases in CASES.items() for case in cases]
REFUSED = {about.code for about in CODES if about.refused}


def test_every_code_is_on_trial() -> None:
    assert CASES.keys() == {about.code for about in CODES}


@pytest.mark.parametrize(("code", "case"), TOLD)
def test_the_code_that_is_due(code: str, case: Case) -> None:
    outcome = case.told(code).judged(f"TB-ERR-{code}")
    assert (outcome.verdict, outcome.subjects) == ("pass", 2), "the code, and its flag"


@pytest.mark.parametrize(("code", "case"), TOLD)
def test_another_code(code: str, case: Case) -> None:
    other = "db_error" if code != "db_error" else "policy_error"
    assert case.told(other).verdict(f"TB-ERR-{code}") == "fail"


@pytest.mark.parametrize(("code", "case"), TOLD)
def test_the_other_flag(code: str, case: Case) -> None:
    flag = case.told(None).contract.errors[code].retryable
    assert case.told(code, retryable=not flag).verdict(f"TB-ERR-{code}") == "fail"


@pytest.mark.parametrize(("code", "case"), TOLD)
def test_that_it_succeeds(code: str, case: Case) -> None:
    expected = "fail" if code in REFUSED else "not_observed"
    assert case.told(None).verdict(f"TB-ERR-{code}") == expected


@pytest.mark.parametrize(("code", "case"), TOLD)
def test_where_two_things_are_wrong_either_may_be_named(code: str, case: Case) -> None:
    also = {"topic_analysis": "failing"} if code != "topic_error" else {"llm": False}
    assert case.told("internal_error", **also).judged(f"TB-ERR-{code}").subjects == 0


@pytest.mark.parametrize(("code", "case"), TOLD)
def test_no_answer_is_no_wrong_answer(code: str, case: Case) -> None:
    story = Bot(case.profile, **case.settings)
    story.lost(case.tool, case.arguments, instance="i1", conditions=case.conditions)
    assert story.judged(f"TB-ERR-{code}").subjects == 0


def test_a_protocol_error_says_that_arguments_are_bad() -> None:
    story = Bot()
    story.error("tools/call", {"name": "get_stats", "arguments": {"days": "seven"}}, -32602, instance="i1")
    assert story.verdict("TB-ERR-validation_error") == "pass"


@pytest.mark.parametrize(
    ("code", "case", "said"),
    [
        ("x_forbidden", Case("x_post_tweet", POST, {"x": "forbidden"}), "policy_denied_blocked"),
        ("x_forbidden", Case("get_author_context", {"identifier": "ada"}, {"x": "forbidden"}), "context_error"),
        ("x_forbidden", Case("compose_tweet", {"content": "a"}, {"x": "forbidden"}, OPEN), None),
        ("db_error", Case("x_post_tweet", POST, {"database": "failing"}), "policy_error"),
        ("db_error", Case("topic_performance_snapshot", {}, {"database": "failing"}), "topic_error"),
        ("db_error", Case("health_check", {}, {"database": "failing"}, profile="api"), None),
        ("not_found", Case("get_tweet_by_id", {"tweet_id": "0"}), "x_api_error"),
        ("not_found", Case("reject_item", {"id": True}), "validation_error"),
        ("tweet_too_long", Case("x_post_tweet", {"text": "語" * 281}, {}, OPEN), "invalid_input"),
        (
            "thread_partial_failure",
            Case("x_post_thread", {"tweets": ["a", "b"]}, {"x_after": {"calls": 1}}, OPEN),
            "x_forbidden",
        ),
        (
            "media_upload_error",
            Case("x_upload_media", {"file_path": "/a.png"}, {"media_upload": "failing"}),
            "file_read_error",
        ),
        ("file_read_error", Case("x_upload_media", {"file_path": "/nowhere/a.png"}), "media_upload_error"),
        ("policy_error", Case("x_post_tweet", POST, {"policy": "failing"}, OPEN), None),
        (
            "policy_denied_hard_rule",
            Case("x_post_tweet", POST, settings=denying("hard:no", 250)),
            "policy_denied_user_rule",
        ),
        (
            "policy_denied_user_rule",
            Case("x_post_tweet", POST, settings=denying("v1:blocked:x", 250)),
            "policy_denied_blocked",
        ),
        (
            "policy_denied_user_rule",
            Case("x_like_tweet", {"tweet_id": "1"}, settings=denying("mine", 250)),
            "x_forbidden",
        ),
        (
            "policy_denied_blocked",
            Case("x_post_tweet", POST, settings={"policy": {"blocked_tools": ["x_post_tweet"]}, "mode": "composer"}),
            "policy_denied_hard_rule",
        ),
        (
            "policy_denied_rate_limited",
            Case("x_post_tweet", POST, settings={"policy": {"max_mutations_per_hour": 1, "require_approval_for": []}}),
            "x_forbidden",
        ),
    ],
)
def test_what_the_clauses_leave_open(code: str, case: Case, said: str | None) -> None:
    assert case.told(said).judged(f"TB-ERR-{code}").subjects == 0


def test_an_item_that_was_shown_may_be_refused_otherwise() -> None:
    story = Bot()
    story.good("list_pending_approvals", {}, [{"id": 7}])
    story.bad("approve_item", "x_forbidden", {"id": 7})
    assert story.judged("TB-ERR-not_found").subjects == 0


def test_after_the_clock_was_moved_the_limit_may_begin_anew() -> None:
    story = Bot(policy={"max_mutations_per_hour": 1, "require_approval_for": []})
    story.good("x_post_tweet", POST)
    story.bad("x_post_tweet", "x_forbidden", POST, conditions={"clock": 4000})
    assert story.judged("TB-ERR-policy_denied_rate_limited").subjects == 0


def test_the_reference_answers_each() -> None:
    judged = driven("tuitbot", "errors")
    for code in CASES:
        outcome = judged.outcome(f"TB-ERR-{code}")
        assert outcome is not None
        assert (outcome.verdict, outcome.subjects > 1) == ("pass", True), code
