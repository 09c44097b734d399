"""Error Codes of seed 000: each code provoked, with one thing wrong at a time."""

from conformance.contracts.tuitbot.bench import OPEN, WORKING, TuitbotBench, rule
from conformance.contracts.tuitbot.calls import PICTURE, SCORED, TEXT, Calls
from conformance.drive.stimulus import stimulus

X_FAILURES = ("rate_limited", "auth_expired", "forbidden", "account_restricted", "network_error", "api_error")
UNKNOWN_ITEM = 987_654_321
LONG = "a" * 281
WRITERS = {
    "generate_reply": {"tweet_text": "How do you test this?", "tweet_author": "ada"},
    "generate_tweet": {},
    "generate_thread": {},
    "generate_thread_plan": {"topic": "testing"},
}


@stimulus("tuitbot", exercises=(*(f"TB-ERR-x_{failure}" for failure in X_FAILURES), "TB-ENV-09"), needs=("x",))
async def x_fails(bench: TuitbotBench) -> None:
    """In each of six ways, under a read, a post and a like, in both profiles."""
    for server in await bench.profiles(policy=OPEN):
        for failure in X_FAILURES:
            failing = await server.under(x=failure)
            await failing.call("x_get_home_timeline", {})
            await failing.call("x_search_tweets", {"query": "automation"})
            await failing.call("x_post_tweet", {"text": TEXT})
            await failing.call("x_like_tweet", {"tweet_id": "1"})


@stimulus("tuitbot", exercises=("TB-ERR-x_not_configured",), needs=("x_client",))
async def there_is_no_x_client(bench: TuitbotBench) -> None:
    """Reads, a draft and posts on a server that was started without one, in both profiles."""
    for server in await bench.profiles(x_client=False, policy=OPEN):
        await server.call("x_get_home_timeline", {})
        await server.call("x_search_tweets", {"query": "automation"})
        await server.call("x_post_tweet", {"text": TEXT})
    workflow = await bench.workflow(x_client=False, policy=OPEN)
    await workflow.call("compose_tweet", {"content": TEXT})
    await workflow.call("get_author_context", {"identifier": "ada"})


@stimulus("tuitbot", exercises=("TB-ERR-llm_not_configured",), needs=("llm",))
async def there_is_no_llm(bench: TuitbotBench) -> None:
    """What writes with an LLM, on a server that was started without one."""
    server = await bench.workflow(llm=False)
    for tool, arguments in WRITERS.items():
        await server.call(tool, arguments)


@stimulus("tuitbot", exercises=("TB-ERR-llm_error",), needs=("llm",))
async def the_llm_fails(bench: TuitbotBench) -> None:
    """What writes with an LLM, while that does not answer."""
    failing = await (await bench.workflow()).under(llm="failing")
    for tool, arguments in WRITERS.items():
        await failing.call(tool, arguments)


@stimulus("tuitbot", exercises=("TB-ERR-db_error",), needs=("database",))
async def the_database_fails(bench: TuitbotBench) -> None:
    """Reads of several kinds, a score and an approval, while the database does not answer."""
    failing = await (await bench.workflow()).under(database="failing")
    await failing.call("get_action_log", {})
    await failing.call("get_policy_status", {})
    await failing.call("generate_tweet", {})
    await failing.call("score_tweet", SCORED)
    await failing.call("approve_item", {"id": 1})


@stimulus("tuitbot", exercises=("TB-ERR-validation_error",))
async def arguments_break_the_schema(bench: TuitbotBench) -> None:
    """A wrong type, a missing argument, an unknown one; in both profiles."""
    for server in await bench.profiles():
        await server.call("x_search_tweets", {"query": ["automation"]})
        await server.call("get_tweet_by_id", {})
        await server.call("get_mode", {"verbose": True})


@stimulus("tuitbot", exercises=("TB-ERR-invalid_input",))
async def values_are_no_use(bench: TuitbotBench) -> None:
    """Nobody to look up, too many at once, and a thread of nothing."""
    for server in await bench.profiles(policy=OPEN):
        await server.call("x_get_users_by_ids", {"user_ids": []})
        await server.call("x_get_users_by_ids", {"user_ids": [str(number) for number in range(101)]})
        await server.call("x_post_thread", {"tweets": []})


@stimulus("tuitbot", exercises=("TB-ERR-tweet_too_long",))
async def tweets_are_too_long(bench: TuitbotBench) -> None:
    """281 letters in a tweet, in a draft, and in the second tweet of a thread."""
    for server in await bench.profiles(policy=OPEN):
        await server.call("x_post_tweet", {"text": LONG})
        await server.call("x_post_thread", {"tweets": [TEXT, LONG]})
    await (await bench.workflow(policy=OPEN)).call("compose_tweet", {"content": LONG})


@stimulus("tuitbot", exercises=("TB-ERR-unsupported_media_type", "TB-ERR-file_read_error"))
async def files_are_no_media(bench: TuitbotBench) -> None:
    """A text, and a picture that would lie inside another picture."""
    for server in await bench.profiles():
        await server.call("x_upload_media", {"file_path": "notes.txt"})
        await server.call("x_upload_media", {"file_path": f"{PICTURE}/absent.png"})


@stimulus("tuitbot", exercises=("TB-ERR-media_upload_error",), needs=("media_upload",))
async def an_upload_fails(bench: TuitbotBench) -> None:
    """A picture that X takes, and then does not."""
    for server in await bench.profiles():
        await server.call("x_upload_media", {"file_path": PICTURE})
        await (await server.under(media_upload="failing")).call("x_upload_media", {"file_path": PICTURE})


@stimulus("tuitbot", exercises=("TB-ERR-thread_partial_failure",), needs=("x_after",))
async def x_fails_in_the_middle_of_a_thread(bench: TuitbotBench) -> None:
    """Four tweets, of which X takes two or three; in both profiles."""
    for server in await bench.profiles(policy=OPEN):
        for taken_first in (2, 3):
            failing = await server.under(x_after={"calls": taken_first, "failure": "api_error"})
            await failing.call("x_post_thread", {"tweets": [bench.unique("part") for _ in range(4)]})


@stimulus("tuitbot", exercises=("TB-ERR-policy_error",), needs=("policy",))
async def the_policy_cannot_be_evaluated(bench: TuitbotBench) -> None:
    """A post, a like and a draft, while the rules cannot be read."""
    failing = await (await bench.workflow()).under(policy="failing")
    await failing.call("x_post_tweet", {"text": TEXT})
    await failing.call("x_like_tweet", {"tweet_id": "1"})
    await failing.call("compose_tweet", {"content": TEXT})


@stimulus(
    "tuitbot",
    exercises=(
        "TB-ERR-policy_denied_blocked",
        "TB-ERR-policy_denied_hard_rule",
        "TB-ERR-policy_denied_user_rule",
        "TB-ENV-10",
    ),
    needs=("policy",),
)
async def the_policy_denies(bench: TuitbotBench) -> None:
    """A post that is on the blocked list, that a hard rule denies, that a user's rule denies."""
    policies = (
        {"require_approval_for": [], "blocked_tools": ["x_post_tweet"]},
        {"rules": [rule("deny", "x_post_tweet", rule_id="hard:no_posts", priority=5)]},
        {"rules": [rule("deny", "x_post_tweet", rule_id="user:no_posts")]},
    )
    for policy in policies:
        server = await bench.workflow(policy=policy)
        await server.call("x_post_tweet", {"text": TEXT})


@stimulus("tuitbot", exercises=("TB-ERR-policy_denied_rate_limited", "TB-ENV-09", "TB-ENV-10"), needs=("policy",))
async def the_hourly_limit_is_used_up(bench: TuitbotBench) -> None:
    """Three posts where an hour has two."""
    server = await bench.workflow(policy={"require_approval_for": [], "max_mutations_per_hour": 2})
    for _ in range(3):
        await server.call("x_post_tweet", {"text": bench.unique("post")})


@stimulus("tuitbot", exercises=("TB-ERR-context_error", "TB-ERR-recommendation_error"), needs=("x",))
async def authors_cannot_be_looked_up(bench: TuitbotBench) -> None:
    """Context and recommendation, while X fails."""
    calls = await Calls.at(await bench.workflow(**WORKING))
    for failure in ("api_error", "network_error"):
        failing = await calls.bench.under(x=failure)
        await calls.call("get_author_context", on=failing)
        await calls.call("recommend_engagement_action", on=failing)


@stimulus("tuitbot", exercises=("TB-ERR-topic_error",), needs=("topic_analysis",))
async def topics_cannot_be_analysed(bench: TuitbotBench) -> None:
    """The snapshot of topics, while their analysis fails."""
    await (await (await bench.workflow()).under(topic_analysis="failing")).call("topic_performance_snapshot", {})


@stimulus("tuitbot", exercises=("TB-ERR-not_found", "TB-ENV-06"))
async def things_do_not_exist(bench: TuitbotBench) -> None:
    """A tweet and users that there are not, in both profiles, and items of the queue."""
    for server in await bench.profiles():
        await server.call("get_tweet_by_id", {"tweet_id": "0"})
        await server.call("x_get_user_by_id", {"user_id": "0"})
        await server.call("x_get_user_by_username", {"username": "nobody_of_this_name"})
    workflow = await bench.workflow()
    await workflow.call("approve_item", {"id": UNKNOWN_ITEM})
    await workflow.call("reject_item", {"id": UNKNOWN_ITEM})


@stimulus("tuitbot", exercises=("TB-ERR-serialization_error",), needs=("serialization",))
async def results_cannot_be_serialised(bench: TuitbotBench) -> None:
    """Reads of both profiles, while nothing can be serialised."""
    for server in await bench.profiles():
        failing = await server.under(serialization="failing")
        await failing.call("get_mode", {})
        await failing.call("x_get_home_timeline", {})
