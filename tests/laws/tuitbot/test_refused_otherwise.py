"""TB-ERR: what a call is refused for, whatever fails besides: what it is given, what it is about."""

import pytest

from conformance.model.events import Json
from tests.laws.tuitbot.bot import Bot

OPEN: dict[str, Json] = {"enforce_for_mutations": False}


@pytest.mark.parametrize(
    ("waits", "given", "subjects"),
    [
        ("x_post_tweet", {"text": "a"}, 1),
        ("x_post_thread", {"tweets": ["a", "b"]}, 1),
        ("x_post_thread", {"tweets": ["a", "b"], "media_ids": [["none"]]}, 0),
        ("x_delete_tweet", {"tweet_id": "5"}, 0),
        ("x_reply_to_tweet", {"text": "a", "in_reply_to_id": "5", "media_ids": ["none"]}, 0),
        (None, {}, 0),
    ],
)
@pytest.mark.parametrize("code", ["x_forbidden", "invalid_input"])
def test_what_is_approved_may_be_refused_for_what_it_is_about(
    waits: str | None, given: dict[str, Json], subjects: int, code: str
) -> None:
    story = Bot(policy={"rules": [{"id": "user:a", "action": {"type": "require_approval"}}]})
    story.good("approve_all", {}, {"approved": 0, "ids": []})
    if waits is not None:
        story.good(waits, given, {"routed_to_approval": True, "approval_queue_id": 7, "reason": "r"})
    story.bad("approve_all", code, {}, conditions={"serialization": "failing"})
    assert story.judged("TB-ERR-serialization_error").subjects == subjects


@pytest.mark.parametrize(
    ("code", "tweets", "subjects"),
    [
        ("invalid_input", [], 0),
        ("invalid_input", ["other", "words"], 1),
        ("tweet_too_long", ["a" * 281], 0),
        ("db_error", [], 1),
        ("policy_denied_rate_limited", [], 1),
    ],
)
def test_beyond_a_limit_a_call_may_be_refused_for_what_it_is_given(
    code: str, tweets: list[Json], subjects: int
) -> None:
    story = Bot(policy={"max_mutations_per_hour": 1, "require_approval_for": []})
    story.good("x_post_thread", {"tweets": ["one", "two"]}, {"thread_tweet_ids": ["8", "9"]})
    story.bad("x_post_thread", code, {"tweets": tweets})
    assert story.judged("TB-ERR-policy_denied_rate_limited").subjects == subjects


@pytest.mark.parametrize(("later", "subjects"), [(True, 0), (False, 1)])
def test_what_is_there_later_may_not_have_been_there_yet(*, later: bool, subjects: int) -> None:
    story = Bot(listed=False)
    story.name = story.instance("i2", profile="write", policy=OPEN)
    given: dict[str, Json] = {"correlation_id": "m-1"}
    for failing in (later, not later):
        if failing:
            story.bad("get_mutation_detail", "not_found", given, conditions={"serialization": "failing"})
        else:
            story.good("get_mutation_detail", given, {"correlation_id": "m-1"})
    assert story.judged("TB-ERR-serialization_error").subjects == subjects


@pytest.mark.parametrize(("items", "code", "breaches"), [([], "invalid_input", 0), ([], "db_error", 1)])
def test_a_call_of_nothing_may_be_refused_whatever_fails(items: list[Json], code: str, breaches: int) -> None:
    story = Bot(policy=OPEN)
    one: Json = {"candidate_id": "5", "pre_drafted_text": "a b c"}
    answer: Json = [{"candidate_id": "5", "status": "executed"}]
    story.good("propose_and_queue_replies", {"items": [one]}, answer)
    story.bad("propose_and_queue_replies", code, {"items": items}, conditions={"x": "forbidden"})
    assert story.judged("TB-ERR-x_forbidden").breaches == breaches


@pytest.mark.parametrize(("code", "breaches"), [("serialization_error", 0), ("x_forbidden", 1)])
def test_what_an_untold_call_queued_is_no_unknown_item(code: str, breaches: int) -> None:
    story = Bot(policy=OPEN)
    story.good("list_pending_approvals", {}, [])
    given: dict[str, Json] = {"items": [{"candidate_id": "5", "pre_drafted_text": "a b c"}]}
    story.bad("propose_and_queue_replies", code, given, conditions={"serialization": "failing"})
    story.good("approve_item", {"id": 1}, {"id": 1, "status": "approved"})
    assert story.judged("TB-ERR-not_found").breaches == breaches


@pytest.mark.parametrize(
    ("tool", "code", "subjects"),
    [
        ("x_unlike_tweet", "x_forbidden", 0),
        ("x_like_tweet", "x_api_error", 0),
        ("x_like_tweet", "validation_error", 1),
        ("get_tweet_by_id", "x_forbidden", 1),
    ],
)
def test_what_was_done_once_may_be_refused_next_time(tool: str, code: str, subjects: int) -> None:
    story = Bot("workflow", policy=OPEN, listed=False)
    story.good(tool, {"tweet_id": "5"}, {"tweet_id": "5"})
    story.bad(tool, code, {"tweet_id": "5"}, conditions={"x": "rate_limited"})
    assert story.judged("TB-ERR-x_rate_limited").subjects == subjects


@pytest.mark.parametrize(
    ("tool", "name", "given", "breaches"),
    [
        ("get_tweet_by_id", "tweet_id", None, 1),
        ("get_tweet_by_id", "tweet_id", {"id": "999", "text": "a"}, 0),
        ("x_get_user_by_id", "user_id", {}, 1),
        ("x_get_user_by_username", "username", {"username": "Nobody"}, 0),
    ],
)
@pytest.mark.parametrize("control", [True, False])
def test_a_read_of_one_thing_does_not_succeed_with_nothing(
    tool: str, name: str, given: Json, breaches: int, *, control: bool
) -> None:
    story = Bot("api")
    if control:
        known = "ada" if name == "username" else "5"
        story.good(tool, {name: known}, {"id": known, "username": known})
    story.good(tool, {name: "nobody" if name == "username" else "999"}, given)
    assert story.judged("TB-ERR-not_found").breaches == (breaches if control else 0)


@pytest.mark.parametrize(
    ("status", "conditions", "breaches"),
    [
        ("executed", {"x": "forbidden"}, 1),
        ("blocked", {"x": "forbidden"}, 0),
        ("executed", {}, 0),
        ("executed", {"x": "forbidden", "database": "failing"}, 0),
    ],
)
def test_no_reply_is_sent_while_x_fails(status: str, conditions: dict[str, Json], breaches: int) -> None:
    story = Bot(policy=OPEN)
    given: dict[str, Json] = {"items": [{"candidate_id": "5", "pre_drafted_text": "a b c"}]}
    answer: Json = [{"candidate_id": "5", "status": status, "reply_tweet_id": "6"}]
    story.good("propose_and_queue_replies", given, answer, conditions=conditions)
    assert story.judged("TB-ERR-x_forbidden").breaches == breaches
