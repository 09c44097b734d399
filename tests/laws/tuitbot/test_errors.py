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
X_FAILURES = ("rate_limited", "auth_expired", "forbidden", "account_restricted", "network_error", "api_error")


@dataclass(frozen=True)
class Case:
    """A call for which a code is due."""

    tool: str
    arguments: dict[str, Json] = field(default_factory=dict)
    conditions: dict[str, Json] = field(default_factory=dict)
    settings: dict[str, Json] = field(default_factory=dict)
    good: dict[str, Json] | None = None
    """Arguments without the fault, where it is in them."""
    profile: str = "write"

    def told(self, code: str | None, *, control: bool = True, retryable: bool | None = None, **also: Json) -> Bot:
        """The call, refused with a code or (None) accepted, beside its control; `also` are further conditions."""
        story = Bot(self.profile, **self.settings)
        if control:
            self.control(story)
        conditions = {**self.conditions, **also}
        if code is None:
            story.good(self.tool, self.arguments, conditions=conditions)
        else:
            error = {} if retryable is None else {"retryable": retryable}
            story.bad(self.tool, code, self.arguments, error=error, conditions=conditions)
        return story

    def control(self, story: Bot) -> None:
        """The accepted like: with good arguments, without the condition, or on a server that is set otherwise."""
        where = story.name
        if self.good is None and not self.conditions:
            others = {name: OPEN["policy"] for name in self.settings if name == "policy"}
            where = story.instance("other", profile=self.profile, **others)
        if self.tool in ("approve_item", "reject_item"):
            story.good("list_pending_approvals", {}, [{"id": 1}])
        arguments = self.arguments if self.good is None else self.good
        story.good(self.tool, arguments, instance=where, on=f"c-{where}")


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
        for failure in X_FAILURES
    },
    "x_not_configured": (
        Case("x_get_bookmarks", {}, {"x_client": False}),
        Case("compose_tweet", {"content": "a"}, settings={"x_client": False, **OPEN}),
    ),
    "db_error": (
        Case("get_stats", {}, {"database": "failing"}),
        Case("get_pending_count", {}, {"database": "failing"}),
    ),
    "scraper_mutation_blocked": (
        Case("x_like_tweet", {"tweet_id": "1"}, {"backend": "scraper"}, OPEN),
        Case("x_v2_lists_create", {"name": "a"}, {"backend": "scraper"}, OPEN),
    ),
    "validation_error": (
        Case("get_stats", {"days": "seven"}, good={"days": 7}),
        Case("x_post_tweet", {"text": 1}, good=POST, profile="api"),
        Case("get_mode", {"verbose": True}, good={}),
        Case("get_tweet_by_id", {}, good={"tweet_id": "1"}),
    ),
    "invalid_input": (
        Case("x_get_users_by_ids", {"user_ids": []}, good={"user_ids": ["1"]}),
        Case("x_post_thread", {"tweets": []}, {}, OPEN, good={"tweets": ["a"]}),
        Case("x_post_tweet", {"text": " "}, {}, OPEN, good=POST),
        Case("draft_replies_for_candidates", {"candidate_ids": []}, good={"candidate_ids": ["5"]}),
    ),
    "tweet_too_long": (
        Case("x_post_tweet", {"text": LONG}, {}, OPEN, good=POST),
        Case("x_post_thread", {"tweets": ["a", LONG]}, good={"tweets": ["a", "b"]}, profile="api"),
        Case("compose_tweet", {"content": LONG}, {}, OPEN, good={"content": "a"}),
    ),
    "llm_error": (Case("generate_tweet", {}, {"llm": "failing"}),),
    "llm_not_configured": (
        Case("generate_tweet", {}, {"llm": False}),
        Case("generate_thread", settings={"llm": False}),
    ),
    "unsupported_media_type": (Case("x_upload_media", {"file_path": "/srv/a.PDF"}, good={"file_path": "a.png"}),),
    "file_read_error": (
        Case("x_upload_media", {"file_path": "C:\\media\\pixel.png\\b.PNG"}, good={"file_path": "a.png"}),
    ),
    "media_upload_error": (Case("x_upload_media", {"file_path": "/a.png"}, {"media_upload": "failing"}),),
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
            good=POST,
        ),
    ),
    "policy_denied_hard_rule": (
        Case("x_post_tweet", POST, settings=denying("hard:no", 5)),
        Case("x_post_tweet", POST, settings=denying("hard:no", 250)),
    ),
    "policy_denied_user_rule": (Case("x_post_tweet", POST, settings=denying("mine", 200)),),
    "context_error": (Case("get_author_context", {"identifier": "ada"}, {"x": "api_error"}),),
    "recommendation_error": (
        Case("recommend_engagement_action", {"author_username": "ada", "tweet_text": "a"}, {"x": "network_error"}),
    ),
    "topic_error": (Case("topic_performance_snapshot", {}, {"topic_analysis": "failing"}),),
    "not_found": (
        Case("approve_item", {"id": 7}, good={"id": 1}),
        Case("get_tweet_by_id", {"tweet_id": "999"}, good={"tweet_id": "5"}),
    ),
    "serialization_error": (Case("get_mode", {}, {"serialization": "failing"}),),
}
TOLD = [pytest.param(code, case, id=f"{code}-{case.tool}") for code, cases in CASES.items() for case in cases]
REFUSED = {
    *(f"x_{failure}" for failure in X_FAILURES),
    "llm_error",
    "thread_partial_failure",
    "policy_error",
    "topic_error",
    "scraper_mutation_blocked",
    "serialization_error",
}
"""Codes whose laws say as well that such a call is refused at all: no other requirement does."""


def test_every_code_is_on_trial() -> None:
    assert CASES.keys() == {about.code for about in CODES} | {"not_found"}


@pytest.mark.parametrize(("code", "case"), TOLD)
def test_the_code_that_is_due(code: str, case: Case) -> None:
    outcome = case.told(code).judged(f"TB-ERR-{code}")
    assert (outcome.verdict, outcome.subjects) == ("pass", 1)


def other_than(code: str) -> str:
    """A code that is wrong where this one is due."""
    return "llm_error" if code != "llm_error" else "policy_error"


@pytest.mark.parametrize(("code", "case"), TOLD)
def test_another_code(code: str, case: Case) -> None:
    assert case.told(other_than(code)).verdict(f"TB-ERR-{code}") == "fail"


@pytest.mark.parametrize(("code", "case"), TOLD)
def test_the_other_flag(code: str, case: Case) -> None:
    flag = case.told(None).contract.errors[code].retryable
    assert case.told(code, retryable=not flag).verdict(f"TB-ERR-{code}") == "fail"


@pytest.mark.parametrize(("code", "case"), TOLD)
def test_that_it_succeeds(code: str, case: Case) -> None:
    breaches = int(code in REFUSED or case.tool == "approve_item")
    assert case.told(None).judged(f"TB-ERR-{code}").breaches == breaches


@pytest.mark.parametrize(("code", "case"), TOLD)
def test_without_its_control_a_refusal_shows_nothing(code: str, case: Case) -> None:
    for said in (code, other_than(code)):
        assert case.told(said, control=False).judged(f"TB-ERR-{code}").subjects == 0


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
    story.good("get_stats", {"days": 7})
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
        ("not_found", Case("get_tweet_by_id", {"tweet_id": "999"}), "x_api_error"),
        ("not_found", Case("reject_item", {"id": True}), "validation_error"),
        ("tweet_too_long", Case("x_post_tweet", {"text": "語" * 281}, {}, OPEN), "invalid_input"),
        (
            "thread_partial_failure",
            Case("x_post_thread", {"tweets": ["a", "b"]}, {"x_after": {"calls": 1}}, OPEN),
            "x_forbidden",
        ),
        ("file_read_error", Case("x_upload_media", {"file_path": "/nowhere/a.png"}), "media_upload_error"),
        ("policy_error", Case("x_post_tweet", POST, {"policy": "failing"}, OPEN), None),
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


@pytest.mark.parametrize("tool", ["approve_item", "reject_item"])
def test_a_word_that_is_accepted_shows_no_item(tool: str) -> None:
    story = Bot()
    story.good("list_pending_approvals", {}, [{"id": 7}])
    story.good(tool, {"id": 7}, {"id": 7, "status": "done"})
    story.good(tool, {"id": 999}, {"id": 999, "status": "done"})
    assert story.verdict("TB-ERR-not_found") == "fail"


@pytest.mark.parametrize(
    ("code", "condition", "said"),
    [
        ("serialization_error", {"serialization": "failing"}, "not_found"),
        ("db_error", {"database": "failing"}, "not_found"),
        ("x_forbidden", {"x": "forbidden"}, "invalid_input"),
    ],
)
@pytest.mark.parametrize(("decided", "subjects"), [(True, 0), (False, 1)])
def test_an_item_that_waits_no_longer(
    code: str, condition: dict[str, Json], said: str, decided: bool, subjects: int
) -> None:
    story = Bot(policy={"rules": [{"id": "user:a", "action": {"type": "require_approval"}}]})
    for number in (7, 8):
        routed: Json = {"routed_to_approval": True, "approval_queue_id": number, "reason": "r"}
        story.good("x_post_tweet", {"text": f"text {number}"}, routed)
    story.good("approve_item", {"id": 8}, {"id": 8})
    if decided:
        story.good("approve_item", {"id": 7}, {"id": 7})
    story.bad("approve_item", said, {"id": 7}, conditions=condition)
    assert story.judged(f"TB-ERR-{code}").subjects == subjects


def test_after_the_clock_was_moved_the_limit_may_begin_anew() -> None:
    story = Bot(policy={"max_mutations_per_hour": 1, "require_approval_for": []})
    story.good("x_post_tweet", POST)
    story.bad("x_post_tweet", "x_forbidden", POST, conditions={"clock": 4000})
    assert story.judged("TB-ERR-policy_denied_rate_limited").subjects == 0


@pytest.mark.parametrize(("given", "breaches"), [({"tweet_id": "1"}, 1), ({}, 0)])
def test_beyond_the_limit_a_malformed_call_may_be_refused_as_such(given: dict[str, Json], breaches: int) -> None:
    story = Bot(policy={"max_mutations_per_hour": 1, "require_approval_for": []})
    story.good("x_like_tweet", {"tweet_id": "1"})
    story.bad("x_like_tweet", "validation_error", given)
    assert story.judged("TB-ERR-policy_denied_rate_limited").breaches == breaches


def test_the_reference_answers_each() -> None:
    judged = driven("tuitbot", "errors", "dependencies", "posting", edition="convergence")
    for code in CASES:
        outcome = judged.outcome(f"TB-ERR-{code}")
        assert outcome is not None
        assert (outcome.verdict, outcome.subjects > 0) == ("pass", True), code


@pytest.mark.parametrize(
    ("tool", "unknown", "good"),
    [
        ("get_tweet_by_id", {"tweet_id": ""}, {"tweet_id": "5"}),
        ("get_tweet_by_id", {"tweet_id": "no id"}, {"tweet_id": "5"}),
        ("x_get_user_by_id", {"user_id": "1" * 20}, {"user_id": "5"}),
        ("x_get_user_by_username", {"username": "longer_than_any_name"}, {"username": "ada"}),
        ("approve_item", {"id": -1}, {"id": 1}),
        ("reject_item", {"id": 2**63}, {"id": 1}),
    ],
)
def test_what_can_be_no_name_may_be_invalid(tool: str, unknown: dict[str, Json], good: dict[str, Json]) -> None:
    case = Case(tool, unknown, {}, OPEN, good=good)
    for code in ("invalid_input", "not_found"):
        assert case.told(code).judged("TB-ERR-not_found").subjects == 0


@pytest.mark.parametrize(
    ("given", "subjects"),
    [
        ({"list_id": "6", "user_id": "7"}, 1),
        ({"list_id": "6", "user_id": "8"}, 0),
        ({"list_id": "6"}, 0),
    ],
)
def test_of_a_mutation_that_fails_its_like_has_the_same_arguments_by_the_same_account(
    given: dict[str, Json], subjects: int
) -> None:
    story = Bot(policy=OPEN["policy"], listed=False)
    story.good("x_v2_lists_pin", {"list_id": "5", "user_id": "7"}, {"data": {"pinned": True}})
    story.bad("x_v2_lists_pin", "policy_error", given, conditions={"serialization": "failing"})
    assert story.judged("TB-ERR-serialization_error").subjects == subjects


FROM_THE_START = {
    "context_error": Case("get_author_context", {"identifier": "ada"}, settings={"x": "rate_limited"}),
    "recommendation_error": Case(
        "recommend_engagement_action", {"author_username": "ada", "tweet_text": "?"}, settings={"x": "rate_limited"}
    ),
    "thread_partial_failure": Case(
        "x_post_thread",
        {"tweets": ["a", "b", "c", "d"]},
        settings={"x_after": {"calls": 2, "failure": "forbidden"}},
        profile="workflow",
    ),
}


@pytest.mark.parametrize("code", FROM_THE_START)
@pytest.mark.parametrize(
    ("right", "control", "said"), [(True, True, "pass"), (False, True, "fail"), (False, False, "not_observed")]
)
def test_x_fails_from_the_start_of_a_server(code: str, right: bool, control: bool, said: str) -> None:
    story = FROM_THE_START[code].told(code if right else "policy_error", control=control)
    assert story.alone(f"TB-ERR-{code}") == said
