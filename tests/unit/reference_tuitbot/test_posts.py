"""What is written to X can be read back, and only that."""

import pytest

from reference_server.tuitbot.editions import SESSION_05
from reference_server.tuitbot.tools.catalogue import catalogue

from .bot import OTHER, OWN, UNGATED, Bot, picture, working

TOOLS = catalogue(SESSION_05)


@pytest.fixture
def bot():
    return Bot(UNGATED)


def ids(page):
    return [each["id"] for each in page["data"]]


def test_a_tweet_is_found_read_liked_and_deleted(bot):
    tweet = bot.data("x_post_tweet", text="a zebra writes tests")["id"]
    assert ids(bot.data("x_search_tweets", query="zebra tests")) == [tweet]
    assert ids(bot.data("x_get_home_timeline", max_results=1)) == [tweet]
    assert bot.data("get_action_counts") == {"post_tweet": 1}
    bot.data("x_like_tweet", tweet_id=tweet)
    assert bot.data("get_tweet_by_id", tweet_id=tweet)["public_metrics"]["like_count"] == 1
    assert ids(bot.data("x_get_tweet_liking_users", tweet_id=tweet)) == [OWN]
    bot.data("x_delete_tweet", tweet_id=tweet)
    assert bot.code("get_tweet_by_id", tweet_id=tweet) == "not_found"
    assert tweet not in ids(bot.data("x_get_liked_tweets", user_id=OWN))


@pytest.mark.parametrize(
    ("do", "undo", "read", "arguments"),
    [
        ("x_like_tweet", "x_unlike_tweet", "x_get_liked_tweets", {"user_id": OWN}),
        ("x_bookmark_tweet", "x_unbookmark_tweet", "x_get_bookmarks", {}),
    ],
)
def test_engagement_can_be_undone_and_repeated(bot, do, undo, read, arguments):
    tweet = bot.tweet()
    before = bot.data(read, **arguments)
    for _ in range(2):
        bot.data(do, tweet_id=tweet)
        assert ids(bot.data(read, **arguments)).count(tweet) == 1
    for _ in range(2):
        bot.data(undo, tweet_id=tweet)
        assert bot.data(read, **arguments) == before


def test_a_follow_shows_on_both_sides(bot):
    bot.data("x_follow_user", target_user_id=OTHER)
    assert OTHER in ids(bot.data("x_get_following", user_id=OWN))
    assert OWN in ids(bot.data("x_get_followers", user_id=OTHER))
    bot.data("x_unfollow_user", target_user_id=OTHER)
    assert OTHER not in ids(bot.data("x_get_following", user_id=OWN))
    assert bot.code("x_follow_user", target_user_id=OWN) == "invalid_input"


def test_a_thread_is_a_chain_of_replies(bot):
    thread = bot.data("x_post_thread", tweets=["one", "two", "three"])
    root, *_ = thread["thread_tweet_ids"]
    tweets = [bot.data("get_tweet_by_id", tweet_id=each) for each in thread["thread_tweet_ids"]]
    assert {tweet["conversation_id"] for tweet in tweets} == {root}
    assert [tweet["public_metrics"]["reply_count"] for tweet in tweets] == [1, 1, 0]


@pytest.mark.parametrize("calls", [1, 2])
def test_a_broken_thread_says_what_is_out_and_leaves_it(bot, calls):
    under = {"x_after": {"calls": calls, "failure": "api_error"}}
    answer = bot.call("x_post_thread", {"tweets": ["one", "two", "three"]}, under=under)
    data = answer.envelope["data"]
    assert data["failed_at_index"] == calls == len(data["posted_tweet_ids"])
    assert ids(bot.data("x_get_user_tweets", user_id=OWN))[:calls] == data["posted_tweet_ids"][::-1]
    assert [effect["outcome"] for effect in answer.effects] == ["ok"] * calls + ["api_error"]


def test_a_thread_that_fails_at_once_has_the_code_of_x(bot):
    assert bot.code("x_post_thread", under={"x": "forbidden"}, tweets=["one", "two"]) == "x_forbidden"


def test_quotes_replies_and_media_refer_to_what_there_is(bot, tmp_path):
    media = bot.data("x_upload_media", file_path=str(picture(tmp_path, "A.PNG")))["media_id"]
    assert bot.data("x_quote_tweet", text="look", quoted_tweet_id=bot.tweet(), media_ids=[media])["id"]
    assert bot.data("get_tweet_by_id", tweet_id=bot.tweet())["public_metrics"]["quote_count"] == 1
    assert bot.code("x_post_tweet", text="look", media_ids=["7"]) == "invalid_input"
    assert bot.code("x_reply_to_tweet", text="yes", in_reply_to_id="7") == "not_found"
    assert bot.code("x_delete_tweet", tweet_id=bot.tweet()) == "x_forbidden"


def test_files_that_x_does_not_take_leave_no_media(bot, tmp_path):
    (tmp_path / "a.txt").write_text("text")
    (tmp_path / "folder.png").mkdir()
    assert bot.code("x_upload_media", file_path=str(tmp_path / "a.txt")) == "unsupported_media_type"
    for path in (tmp_path / "none.png", tmp_path / "folder.png", "a\0b.png"):
        assert bot.code("x_upload_media", file_path=str(path)) == "file_read_error"
    assert bot.tuitbot.world.media == {}


def test_pages_lead_through_the_whole_list_once(bot):
    for number in range(25):
        bot.data("x_post_tweet", text=f"page test {number}")
    seen: list[str] = []
    token = None
    while True:
        page = bot.data("x_search_tweets", query='"page test"', max_results=10, pagination_token=token)
        seen += ids(page)
        token = page["meta"].get("next_token")
        if token is None:
            break
    assert len(seen) == len(set(seen)) == 25
    assert seen == sorted(seen, reverse=True)


def test_search_knows_operators_and_since(bot):
    old = bot.data("x_post_tweet", text="walrus alpha")["id"]
    new = bot.data("x_post_tweet", text="walrus beta")["id"]
    assert ids(bot.data("x_search_tweets", query="walrus -alpha")) == [new]
    assert ids(bot.data("x_search_tweets", query="walrus OR nothing", since_id=old)) == [new]
    assert ids(bot.data("x_search_tweets", query="from:ada_codes walrus")) == []


@pytest.mark.parametrize("tool", [name for name, tool in TOOLS.items() if not tool.mutation])
def test_a_read_changes_no_state(tool, tmp_path):
    profile = "workflow" if "workflow" in TOOLS[tool].profiles else "api"
    bot = Bot(UNGATED, profile=profile)
    arguments = working(bot, tool, tmp_path)
    state = (repr(bot.tuitbot.world.tweets), repr(bot.tuitbot.world.bookmarks), repr(bot.tuitbot.store.approvals))
    answer = bot.call(tool, arguments)
    assert answer.effects == ()
    world, store = bot.tuitbot.world, bot.tuitbot.store
    assert (repr(world.tweets), repr(world.bookmarks), repr(store.approvals)) == state


@pytest.mark.parametrize("tool", [name for name, tool in TOOLS.items() if tool.shown_by])
def test_a_write_shows_in_a_read_that_the_definition_names(tool, tmp_path):
    bot = Bot(UNGATED, approval_mode=False)
    arguments = working(bot, tool, tmp_path)
    if tool == "approve_all":
        bot.waiting()
    undone = tool.replace("x_un", "x_")
    if undone != tool:
        bot.data(undone, **arguments)
    before = {read: shown(bot, read) for read in TOOLS[tool].shown_by if read in bot.tuitbot.served}
    bot.data(tool, **arguments)
    assert any(shown(bot, read) != before[read] for read in before)


def shown(bot, read):
    everything = {
        "get_tweet_by_id": [{"tweet_id": each} for each in bot.tuitbot.world.tweets],
        "x_get_tweet_liking_users": [{"tweet_id": each} for each in bot.tuitbot.world.tweets],
        "x_search_tweets": [{"query": "-nothing", "max_results": 100}],
        "x_get_user_by_id": [{"user_id": OWN}],
        "x_get_user_by_username": [{"username": "tuitbot_ref"}],
        "x_get_users_by_ids": [{"user_ids": [OWN]}],
        "x_get_user_tweets": [{"user_id": OWN}],
        "x_get_liked_tweets": [{"user_id": OWN}],
        "x_get_following": [{"user_id": OWN}],
        "x_get_followers": [{"user_id": OTHER}],
    }
    return [bot.data(read, **arguments) for arguments in everything.get(read, [{}])]
