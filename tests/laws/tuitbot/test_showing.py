"""TB-SRV-02: what accepted writes wrote is what reads show: tweets, marks, the queue, replies, settings."""

import pytest

from conformance.model.events import Json
from tests.laws.tuitbot.bot import Bot, rule

SHOWN = "TB-SRV-02"
ME: Json = {"id": "7", "username": "me"}
TEXT = "a text of its own"


def posted(text: str = TEXT) -> Bot:
    """A tweet 9 by the account 7."""
    story = Bot(policy={"enforce_for_mutations": False})
    story.good("x_get_me", {}, ME)
    story.good("x_post_tweet", {"text": text}, {"id": "9", "text": text})
    return story


@pytest.mark.parametrize(
    ("text", "shown", "said"),
    [
        (TEXT, TEXT, "pass"),
        (TEXT, "another text", "fail"),
        (TEXT, None, "fail"),
        ("caf\u00e9 \u4e2d \U0001f600", "caf? ? ?", "fail"),
        ("see https://example.com", "see https://t.co/a", "not_observed"),
        ("this & that, 1 < 2", "this & that, 1 < 2", "pass"),
        ("this & that, 1 < 2", "this &amp; that, 1 &lt; 2", "pass"),
        ("this & that, 1 < 2", "this and that, 1 < 2", "fail"),
        ("this & that, 1 < 2", "this & that, 1 ", "fail"),
        ("a NUL\0", "a NUL", "not_observed"),
        ("see https://example.com & that", "see https://t.co/a and that", "not_observed"),
    ],
)
def test_the_text_of_a_tweet(text: str, shown: Json, said: str) -> None:
    story = posted(text)
    story.good("x_get_user_tweets", {"user_id": "8"}, {"data": [{"id": "9", "text": shown}]})
    # that the tweet is there at all is shown as well
    assert story.alone(SHOWN) == ("pass" if said == "not_observed" else said)


def test_what_a_server_makes_of_a_number_is_its_own_text() -> None:
    story = posted(7)
    story.good("x_get_user_tweets", {"user_id": "8"}, {"data": [{"id": "9", "text": "7"}]})
    assert story.alone(SHOWN) == "pass"


@pytest.mark.parametrize(("name", "text", "said"), [("9", TEXT, "pass"), ("8", "of another tweet", "fail")])
def test_a_read_of_one_tweet_shows_that_one(name: str, text: str, said: str) -> None:
    story = posted()
    story.good("get_tweet_by_id", {"tweet_id": "9"}, {"id": name, "text": text, "author_id": "7"})
    assert story.alone(SHOWN) == said


def test_a_deleted_tweet_is_gone() -> None:
    for after, said in ((["1"], "pass"), (["1", "9"], "fail")):
        story = posted()
        story.good("x_delete_tweet", {"tweet_id": "9"}, {"deleted": True})
        story.good("x_get_user_tweets", {"user_id": "7"}, {"data": [{"id": each, "text": "b"} for each in after]})
        assert story.alone(SHOWN) == said


@pytest.mark.parametrize(("token", "said"), [(None, "fail"), ("more", "not_observed")])
def test_a_tweet_that_is_not_in_a_list(token: Json, said: str) -> None:
    story = posted()
    meta: Json = {"next_token": token} if token else {}
    story.good("x_get_user_tweets", {"user_id": "7"}, {"data": [], "meta": meta})
    assert story.alone(SHOWN) == said


@pytest.mark.parametrize(
    ("tool", "read", "arguments"),
    [
        ("x_like_tweet", "x_get_liked_tweets", {"user_id": "7"}),
        ("x_bookmark_tweet", "x_get_bookmarks", {}),
    ],
)
def test_a_mark_is_listed(tool: str, read: str, arguments: dict[str, Json]) -> None:
    tweet: Json = {"id": "9", "text": TEXT}
    for listed, said in (([tweet], "pass"), ([], "fail")):
        story = posted()
        story.good(tool, {"tweet_id": "9"}, {})
        story.good(read, arguments, {"data": listed})
        assert story.alone(SHOWN) == said


@pytest.mark.parametrize(
    ("others", "more", "said"),
    [
        (9, {}, "fail"),
        (10, {}, "not_observed"),
        (10, {"meta": {}}, "fail"),
        (10, {"meta": {"next_token": "2"}}, "not_observed"),
    ],
)
def test_a_mark_may_be_on_the_page_after_a_full_one(others: int, more: dict[str, Json], said: str) -> None:
    story = Bot(policy={"enforce_for_mutations": False})
    story.good("x_bookmark_tweet", {"tweet_id": "9"}, {})
    tweets: Json = [{"id": str(100 + number), "text": "theirs"} for number in range(others)]
    story.good("x_get_bookmarks", {}, {"data": tweets, **more})
    assert story.alone(SHOWN) == said


@pytest.mark.parametrize(("seen", "said"), [((), "not_observed"), ((3,), "not_observed"), ((0,), "fail")])
def test_who_retweeted_what_was_there_before_no_count_says(seen: tuple[int, ...], said: str) -> None:
    story = Bot()

    def timeline(count: int) -> None:
        tweet: Json = {"id": "77", "text": "theirs", "public_metrics": {"retweet_count": count}}
        story.good("x_get_home_timeline", {}, {"data": [tweet]})

    for count in seen:
        timeline(count)
    story.good("x_unretweet", {"tweet_id": "77"}, {"retweeted": False})
    timeline(3)
    assert story.alone(SHOWN) == said


def test_a_mark_that_was_taken_back_is_not_listed() -> None:
    story = posted()
    for tool in ("x_bookmark_tweet", "x_unbookmark_tweet"):
        story.good(tool, {"tweet_id": "9"}, {})
    story.good("x_get_bookmarks", {}, {"data": [{"id": "9", "text": TEXT}]})
    assert story.alone(SHOWN) == "fail"


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        ([{"id": 7, "generated_content": TEXT}], "pass"),
        ([{"id": 7, "params": '{"text": "a text of its own"}'}], "pass"),
        ([{"id": 7, "generated_content": "another text"}], "fail"),
        ([], "fail"),
    ],
)
def test_what_waits_is_in_the_queue(entries: Json, said: str) -> None:
    story = Bot(policy={"rules": [rule("require_approval", "x_post_tweet")]})
    routed = {"routed_to_approval": True, "approval_queue_id": 7, "reason": "rule"}
    story.good("x_post_tweet", {"text": TEXT}, routed)
    story.good("list_pending_approvals", {}, entries)
    assert story.alone(SHOWN) == said


@pytest.mark.parametrize("content", ['{"tweet_count": 2}', f"{TEXT}\n\nThe second."])
def test_what_an_item_shows_of_a_thread_is_open(content: str) -> None:
    story = Bot(policy={"rules": [rule("require_approval", "x_post_thread")]})
    routed = {"routed_to_approval": True, "approval_queue_id": 7, "reason": "rule"}
    story.good("x_post_thread", {"tweets": [TEXT, "The second."]}, routed)
    story.good("list_pending_approvals", {}, [{"id": 7, "generated_content": content}])
    assert story.alone(SHOWN) == "pass"


@pytest.mark.parametrize(("word", "left", "said"), [("reject_item", [], "pass"), ("reject_item", [{"id": 7}], "fail")])
def test_what_was_decided_waits_no_longer(word: str, left: Json, said: str) -> None:
    story = Bot(policy={"rules": [rule("require_approval", "x_post_tweet")]})
    routed = {"routed_to_approval": True, "approval_queue_id": 7, "reason": "rule"}
    story.good("x_post_tweet", {"text": TEXT}, routed)
    story.good(word, {"id": 7}, {"status": "rejected", "id": 7})
    story.good("list_pending_approvals", {}, left)
    assert story.alone(SHOWN) == said


@pytest.mark.parametrize(
    ("tool", "arguments", "data", "said"),
    [
        # what an item shows of a whole call that was routed is open; of a reply that was queued by itself it is not
        ("propose_and_queue_replies", "routed", {"id": 7, "generated_content": ""}, "pass"),
        ("propose_and_queue_replies", "queued", {"id": 7, "generated_content": ""}, "fail"),
        ("propose_and_queue_replies", "queued", {"id": 7, "generated_content": TEXT}, "pass"),
    ],
)
def test_a_proposed_reply_is_in_the_queue(tool: str, arguments: str, data: Json, said: str) -> None:
    story = Bot(policy={"rules": [rule("require_approval", tool)] if arguments == "routed" else []})
    items: Json = {"items": [{"candidate_id": "5", "pre_drafted_text": TEXT}]}
    routed: Json = {"routed_to_approval": True, "approval_queue_id": 7, "reason": "rule"}
    queued: Json = [{"candidate_id": "5", "status": "queued", "approval_queue_id": 7}]
    story.good(tool, items, routed if arguments == "routed" else queued)
    story.good("list_pending_approvals", {}, [data])
    assert story.alone(SHOWN) == said


@pytest.mark.parametrize(
    ("code", "left", "said"),
    [
        ("x_forbidden", [7], "pass"),
        ("x_forbidden", [], "fail"),
        # it may have been done all the same
        ("x_network_error", [], "not_observed"),
    ],
)
def test_what_was_approved_in_vain_waits_on(code: str, left: list[int], said: str) -> None:
    story = Bot(policy={"rules": [rule("require_approval", "x_post_tweet")]})
    routed: Json = {"routed_to_approval": True, "approval_queue_id": 7, "reason": "rule"}
    story.good("x_post_tweet", {"text": TEXT}, routed)
    story.bad("approve_all", code, {}, conditions={"x": code.removeprefix("x_")})
    story.good("list_pending_approvals", {}, [{"id": each, "generated_content": TEXT} for each in left])
    assert story.alone(SHOWN) == said


@pytest.mark.parametrize(
    ("listed", "said"),
    [
        ([], "pass"),
        ([{"id": "6"}], "pass"),
        ([{"id": "5"}], "fail"),
        ([{"id": "5", "replied_to": False}], "fail"),
        ([{"id": "5", "replied_to": True}], "pass"),
    ],
)
def test_what_was_answered_is_not_among_the_unreplied(listed: Json, said: str) -> None:
    story = Bot()
    items: Json = {"items": [{"candidate_id": "5", "pre_drafted_text": TEXT}]}
    story.good("propose_and_queue_replies", items, [{"candidate_id": "5", "status": "executed", "reply_tweet_id": "8"}])
    story.good("list_unreplied_tweets", {}, listed)
    assert story.alone(SHOWN) == said


@pytest.mark.parametrize(("count", "said"), [(2, "pass"), (1, "fail")])
def test_the_queue_is_counted_as_it_is_listed(count: int, said: str) -> None:
    story = Bot()
    story.good("list_pending_approvals", {}, [{"id": 1}, {"id": 2}])
    story.good("get_pending_count", {}, {"pending_count": count})
    assert story.alone(SHOWN) == said


@pytest.mark.parametrize(("told", "said"), [("composer", "pass"), ("autopilot", "fail")])
def test_the_mode_is_shown(told: str, said: str) -> None:
    story = Bot(mode="composer")
    story.good("get_mode", {}, {"mode": told})
    assert story.alone(SHOWN) == said


QUOTE: dict[str, Json] = {"text": TEXT, "quoted_tweet_id": "5"}


def of_later() -> Bot:
    """A tweet 9 by the account 7, which quotes the tweet 5."""
    story = Bot("write", policy={"enforce_for_mutations": False})
    story.good("x_get_me", {}, ME)
    story.good("x_quote_tweet", QUOTE, {"id": "9", "text": TEXT})
    return story


@pytest.mark.parametrize(
    ("listed", "said"),
    [
        ([{"id": "9", "text": TEXT}, {"id": "5", "text": "b"}], "pass"),
        ([{"id": "5", "text": "b"}], "fail"),
        ([{"id": "9", "text": "another text"}, {"id": "5", "text": "b"}], "fail"),
    ],
)
def test_a_tweet_that_is_looked_up(listed: Json, said: str) -> None:
    story = of_later()
    story.good("x_v2_tweets_lookup", {"ids": "9,5"}, {"data": listed})
    assert story.alone(SHOWN) == said


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({"errors": [{"value": "9", "title": "Not Found"}]}, "fail"),
        ({}, "fail"),
        # in another shape than X's own: what it shows cannot be told
        ({"tweets": [{"id": "9", "text": TEXT}]}, "not_observed"),
    ],
)
def test_a_lookup_without_data(answer: Json, said: str) -> None:
    story = of_later()
    story.good("x_v2_tweets_lookup", {"ids": "9"}, answer)
    assert story.alone(SHOWN) == said


@pytest.mark.parametrize(("deleted", "said"), [("x_delete_tweet", "pass"), ("x_delete", "pass"), (None, "fail")])
def test_a_deleted_tweet_is_not_looked_up(deleted: str | None, said: str) -> None:
    story = of_later()
    if deleted == "x_delete":
        story.good(deleted, {"path": "/2/tweets/9"}, {"status": 200})
    elif deleted:
        story.good(deleted, {"tweet_id": "9"}, {"deleted": True})
    story.good("x_v2_tweets_lookup", {"ids": "9"}, {"data": []})
    story.good("x_get_user_tweets", {"user_id": "7"}, {"data": []})
    story.good("x_v2_tweets_quote_tweets", {"id": "5"}, {"data": []})
    assert story.alone(SHOWN) == said


@pytest.mark.parametrize(
    ("quotes", "token", "said"),
    [(["9"], None, "pass"), ([], None, "fail"), ([], "more", "not_observed"), (["9"], "more", "pass")],
)
def test_a_quote_is_listed(quotes: list[str], token: Json, said: str) -> None:
    story = of_later()
    listed: Json = [{"id": each, "text": TEXT} for each in quotes]
    meta: Json = {"next_token": token} if token else {}
    story.good("x_v2_tweets_quote_tweets", {"id": "5"}, {"data": listed, "meta": meta})
    assert story.alone(SHOWN) == said


def test_of_a_tweet_that_is_gone_nobody_can_say_which_quote_it() -> None:
    story = of_later()
    story.good("x_delete_tweet", {"tweet_id": "5"}, {"deleted": True})
    story.good("x_v2_tweets_quote_tweets", {"id": "5"}, {"data": []})
    assert story.alone(SHOWN) == "not_observed"


@pytest.mark.parametrize(("users", "said"), [(["7"], "pass"), (["8"], "fail")])
def test_a_retweet_is_listed(users: list[str], said: str) -> None:
    story = of_later()
    story.good("x_retweet", {"tweet_id": "5"}, {"retweeted": True})
    story.good("x_v2_tweets_retweeted_by", {"id": "5"}, {"data": [{"id": each} for each in users]})
    assert story.alone(SHOWN) == said


@pytest.mark.parametrize(
    ("path", "shown", "said"),
    [
        ("/2/tweets", [{"id": "11", "text": TEXT}], "pass"),
        ("/2/tweets", [], "fail"),
        ("/2/tweets", [{"id": "11", "text": "another"}], "fail"),
        ("/2/other", [], "not_observed"),
    ],
)
def test_what_a_universal_request_posts_is_looked_up(path: str, shown: Json, said: str) -> None:
    story = Bot("admin", policy={"enforce_for_mutations": False})
    body = {"data": {"id": "11", "text": TEXT}}
    story.good("x_post", {"path": path, "body": '{"text": "a text of its own"}'}, {"status": 201, "json": body})
    story.good("x_v2_tweets_lookup", {"ids": "11"}, {"data": shown})
    assert story.alone(SHOWN) == said


@pytest.mark.parametrize(
    ("path", "shown", "said"),
    [
        ("/2/lists/3", "new", "pass"),
        ("/2/lists/3", "old", "fail"),
        # whatever else a request of X's own did to the list
        ("/2/lists/3/other", "new", "not_observed"),
    ],
)
def test_a_universal_request_names_a_list(path: str, shown: str, said: str) -> None:
    story = Bot("admin", policy={"enforce_for_mutations": False})
    story.good("x_v2_lists_create", {"name": "old"}, {"data": {"id": "3", "name": "old"}})
    story.good("x_put", {"path": path, "body": '{"name": "new"}'}, {"status": 200})
    story.good("x_v2_lists_get", {"id": "3"}, {"data": {"id": "3", "name": shown}})
    assert story.alone(SHOWN) == said


@pytest.mark.parametrize("answered", [(5, 6), (6, 5), (6,)])
@pytest.mark.parametrize(("held", "said"), [(("its own words", TEXT), 0), ((TEXT, "its own words"), 1)])
def test_each_item_of_a_call_holds_its_own_text(held: tuple[str, str], said: int, answered: tuple[int, ...]) -> None:
    story = Bot(policy={"enforce_for_mutations": False})
    asked: Json = {"items": [{"candidate_id": "5"}, {"candidate_id": "6", "pre_drafted_text": TEXT}]}
    queued: Json = [{"candidate_id": str(n), "status": "queued", "approval_queue_id": n + 2} for n in answered]
    story.good("propose_and_queue_replies", asked, queued)
    listed: Json = [{"id": n, "generated_content": words} for n, words in zip((7, 8), held, strict=True)]
    story.good("list_pending_approvals", {}, listed)
    assert story.judged(SHOWN).breaches == said
