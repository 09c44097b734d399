"""TB-SRV-01: which calls nothing in the contract speaks against, and what becomes of those that are refused."""

import pytest

from conformance.model.events import Json
from tests.laws.tuitbot.bot import Bot, rule

POST: dict[str, Json] = {"text": "a post of its own"}
OPEN: Json = {"enforce_for_mutations": False}
ROUTED: dict[str, Json] = {"routed_to_approval": True, "approval_queue_id": 7, "reason": "rule"}
SERVED = "TB-SRV-01"


def waiting() -> Bot:
    """A post that waits as item 7."""
    story = Bot(policy={"rules": [rule("require_approval", "x_post_tweet")]})
    story.good("x_post_tweet", POST, ROUTED)
    return story


@pytest.mark.parametrize(("code", "said"), [("", "pass"), ("db_error", "fail"), ("x_forbidden", "fail")])
def test_a_good_call_is_served(code: str, said: str) -> None:
    story = Bot()
    story.bad("get_stats", code, {"days": 7}) if code else story.good("get_stats", {"days": 7})
    assert story.alone(SERVED) == said


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("get_tweet_by_id", {"tweet_id": "never shown"}),
        ("x_get_user_by_id", {"user_id": "never shown"}),
        ("get_stats", {"days": -1}),
        ("get_stats", {"days": 10**6}),
        ("get_stats", {"weeks": 1}),
        ("x_post_tweet", {"text": " "}),
        ("x_post_tweet", {"text": "a" * 281}),
        ("x_post_tweet", {"text": "a\0"}),
        ("x_search_tweets", {"query": "a\0"}),
        ("x_delete_tweet", {"tweet_id": "1"}),
        ("approve_item", {"id": 7}),
        ("compose_tweet", {"content": "a", "scheduled_for": "2001-01-01T00:00:00Z"}),
    ],
    ids=str,
)
def test_a_call_that_something_speaks_against_is_no_subject(tool: str, arguments: dict[str, Json]) -> None:
    story = Bot(policy=OPEN)
    story.bad(tool, "invalid_input", arguments)
    assert story.judged(SERVED).subjects == 0


@pytest.mark.parametrize("condition", [{"x": "forbidden"}, {"database": "failing"}, {"x_client": False}])
def test_a_call_under_trouble_is_no_subject(condition: Json) -> None:
    story = Bot()
    story.bad("get_stats", "db_error", conditions=condition)
    assert story.judged(SERVED).subjects == 0


@pytest.mark.parametrize("code", ["policy_denied_user_rule", "x_forbidden"])
def test_what_the_gate_has_to_hold_back_is_no_subject(code: str) -> None:
    story = Bot(policy={"rules": [rule("deny", "x_post_tweet")]})
    story.bad("x_post_tweet", code, POST)
    assert story.judged(SERVED).subjects == 0


def test_what_the_statement_leaves_out_is_no_subject() -> None:
    story = Bot(statement={"unsupported": {"parameters": {"get_stats.days": "no history is kept"}}})
    story.bad("get_stats", "invalid_input", {"days": 7})
    assert story.judged(SERVED).subjects == 0
    story.bad("get_stats", "invalid_input")
    assert story.alone(SERVED) == "fail"


def test_what_waits_can_be_approved() -> None:
    story = waiting()
    story.bad("approve_item", "not_found", {"id": 7})
    assert story.alone(SERVED) == "fail"


@pytest.mark.parametrize(
    ("tool", "item", "subject"), [("approve_item", 7, False), ("reject_item", 7, False), ("reject_item", 8, True)]
)
def test_of_two_words_at_once_either_may_come_too_late(tool: str, item: int, *, subject: bool) -> None:
    story = waiting()
    story.connect("c2", instance=story.name)
    story.together()
    story.bad("approve_item", "not_found", {"id": 7})
    story.good(tool, {"id": item}, {"status": "done", "id": item}, on="c2")
    story.settle()
    assert (story.alone(SERVED) == "fail") is subject


def test_a_like_is_taken_back_where_it_was_made() -> None:
    story = Bot(policy=OPEN)
    story.good("x_post_tweet", POST, {"id": "9"})
    story.good("x_like_tweet", {"tweet_id": "9"}, {})
    story.bad("x_like_tweet", "x_api_error", {"tweet_id": "9"})
    assert story.alone(SERVED) == "pass", "a second like has nothing to do"
    story.bad("x_unlike_tweet", "x_api_error", {"tweet_id": "9"})
    assert story.alone(SERVED) == "pass", "after a failure of X whether it is liked is in doubt"


@pytest.mark.parametrize(("means", "said"), [({}, "not_observed"), ({"command": ["x"]}, "fail")])
def test_what_x_may_do_of_itself_is_not_the_servers(means: Json, said: str) -> None:
    story = Bot(statement={"conditions": means})
    story.bad("x_get_bookmarks", "x_rate_limited")
    assert story.alone(SERVED) == said


@pytest.mark.parametrize(
    ("message", "said"), [("it failed", "pass"), ("(code: 1) no such table: approval_queue", "fail")]
)
def test_a_refusal_does_not_show_the_inside(message: str, said: str) -> None:
    story = Bot()
    story.bad("get_stats", "db_error", error={"message": message}, conditions={"database": "failing"})
    assert story.alone("TB-SRV-03") == said


def test_an_internal_error_is_a_fault() -> None:
    story = Bot()
    story.error("tools/call", {"name": "get_stats", "arguments": {"days": 0}}, -32603, instance=story.name)
    assert story.alone("TB-SRV-03") == "fail"
    story = Bot()
    story.error("tools/call", {"name": "get_stats", "arguments": {"days": "x"}}, -32602, instance=story.name)
    assert story.alone("TB-SRV-03") == "pass"


def narrow(tool: str, schema: dict[str, Json]) -> Bot:
    """A server that lists one tool, with parameters of its own kind."""
    story = Bot(listed=False)
    closed: Json = {"type": "object", "properties": schema, "additionalProperties": False}
    story.list([{"name": tool, "inputSchema": closed}], instance=story.name)
    return story


@pytest.mark.parametrize(("kind", "subjects"), [("integer", 0), (["integer", "null"], 1)])
def test_null_is_promised_by_the_servers_own_list_alone(kind: Json, subjects: int) -> None:
    story = narrow("get_stats", {"days": {"type": kind}})
    story.bad("get_stats", "validation_error", {"days": None})
    outcome = story.judged(SERVED)
    assert (outcome.subjects, outcome.breaches) == (subjects, subjects)


def test_a_value_that_the_contract_lists_is_good_whatever_the_server_lists() -> None:
    story = narrow("get_stats", {"days": {"type": "string"}})
    story.bad("get_stats", "validation_error", {"days": 7})
    assert story.alone(SERVED) == "fail"


@pytest.mark.parametrize("profile", ["write", None])
def test_a_mutation_made_again_may_be_refused_in_the_later_edition(profile: str | None) -> None:
    story = Bot(listed=False)
    story.name = story.instance("i2", profile=profile, policy=OPEN)
    given: dict[str, Json] = {"name": "a"}
    story.bad("x_v2_lists_create", "validation_error", {"name": "b"})
    story.good("x_v2_lists_create", given)
    story.bad("x_v2_lists_create", "validation_error", given)
    outcome = story.judged(SERVED)
    assert (outcome.subjects, outcome.breaches) == (1, 1), "the first one of a name is served"


@pytest.mark.parametrize(("said", "breaches"), [("x_rate_limited", 0), ("x_forbidden", 2)])
def test_where_x_fails_by_itself_tools_may_say_so_in_codes_of_their_own(said: str, breaches: int) -> None:
    story = Bot()
    story.good("x_get_user_by_id", {"user_id": "5"}, {"id": "5", "username": "ada"})
    story.good("x_get_user_tweets", {"user_id": "5"}, {"data": [{"id": "50", "text": "a"}]})
    story.good("get_tweet_by_id", {"tweet_id": "50"}, {"id": "50", "text": "a"})
    story.bad("get_tweet_by_id", said, {"tweet_id": "50"})
    story.bad("get_author_context", "context_error", {"identifier": "ada"})
    assert story.judged(SERVED).breaches == breaches


@pytest.mark.parametrize(
    ("statement", "said", "reads", "breaches"),
    [
        ({}, "x_forbidden", True, 0),
        ({}, "x_api_error", True, 2),
        ({}, "x_api_error", False, 0),
        ({"conditions": {"start": {"x": {"args": ["{value}"]}}}}, "x_forbidden", True, 2),
    ],
)
def test_what_the_real_x_never_allows_is_not_the_servers(
    statement: Json, said: str, breaches: int, *, reads: bool
) -> None:
    story = Bot(statement=statement, policy=OPEN)
    if reads:
        story.good("x_get_me", {}, {"id": "1"})
    story.bad("x_get_bookmarks", said)
    story.bad("x_post_tweet", said, POST)
    assert story.judged(SERVED).breaches == breaches


@pytest.mark.parametrize("forbids", [False, True])
def test_what_is_approved_is_forbidden_as_the_tool_itself_would_be(*, forbids: bool) -> None:
    story = waiting()
    story.good("approve_item", {"id": 1})
    if forbids:
        story.bad("x_like_tweet", "x_forbidden", {"tweet_id": "5"})
    story.bad("approve_item", "x_forbidden", {"id": 7})
    assert story.judged(SERVED).breaches == (0 if forbids else 1)


@pytest.mark.parametrize("mutates", [False, True])
def test_a_server_that_scrapes_x_may_mutate_nothing(*, mutates: bool) -> None:
    story = Bot(policy=OPEN)
    story.good("x_get_user_by_id", {"user_id": "5"}, {"id": "5", "username": "ada"})
    if mutates:
        story.good("x_post_tweet", POST, {"id": "9"})
    story.bad("x_follow_user", "scraper_mutation_blocked", {"target_user_id": "5"})
    story.bad("x_v2_lists_create", "scraper_mutation_blocked", {"name": "a"})
    assert (story.judged(SERVED).breaches == 0) is not mutates


@pytest.mark.parametrize("overlap", [False, True])
def test_what_came_while_all_was_approved_may_be_decided(*, overlap: bool) -> None:
    story = Bot(policy={"rules": [rule("require_approval", "x_post_tweet")]})
    if overlap:
        story.together()
    story.good("approve_all", {}, {"approved": 0, "ids": []})
    story.good("x_post_tweet", POST, ROUTED)
    if overlap:
        story.settle()
    story.bad("approve_item", "not_found", {"id": 7})
    assert (story.judged(SERVED).breaches == 0) is overlap


@pytest.mark.parametrize(("me", "code", "subjects"), [("5", "invalid_input", 0), ("7", "invalid_input", 1),
                                                     ("", "invalid_input", 0), ("", "db_error", 1)])  # fmt: skip
def test_nobody_has_to_follow_himself(me: str, code: str, subjects: int) -> None:
    story = Bot(policy=OPEN)
    if me:
        story.good("x_get_me", {}, {"id": me, "username": "me"})
    story.good("x_get_user_by_id", {"user_id": "5"}, {"id": "5", "username": "ada"})
    story.good("x_unfollow_user", {"target_user_id": "5"}, {"following": False})
    before = story.judged(SERVED).subjects
    story.bad("x_follow_user", code, {"target_user_id": "5"})
    assert story.judged(SERVED).subjects - before == subjects


@pytest.mark.parametrize(("tool", "breaches"), [("x_get_following", 1), ("x_unfollow_user", 0)])
def test_a_page_may_end_where_nothing_is_any_more(tool: str, breaches: int) -> None:
    story = Bot(policy=OPEN)
    users: list[Json] = [{"id": each, "username": each} for each in "89"]
    story.good("x_get_followers", {"user_id": "7"}, {"data": [*users, {"id": "7", "username": "me"}]})
    listed: Json = {"data": users[:1], "meta": {"next_token": "t"}}
    story.good("x_get_following", {"user_id": "7", "max_results": 1}, listed)
    story.good(tool, {"target_user_id": "8"} if tool == "x_unfollow_user" else {"user_id": "9"}, {"data": []})
    story.bad("x_get_following", "invalid_input", {"user_id": "7", "max_results": 1, "pagination_token": "t"})
    assert story.judged(SERVED).breaches == breaches
