"""Error codes of the Session 05 contract: each provoked, one thing wrong at a time, beside the call that is served."""

from conformance.contracts.tuitbot.bench import WORKING, TuitbotBench, apart
from conformance.contracts.tuitbot.calls import PICTURE, Calls
from conformance.contracts.tuitbot.gate import GATED_PROFILES, GUARDED_PROFILES
from conformance.contracts.tuitbot.looking import QUEUE, look
from conformance.contracts.tuitbot.manifest import UNIVERSAL
from conformance.contracts.tuitbot.policies import OPEN
from conformance.contracts.tuitbot.stimuli.serving import optionals
from conformance.contracts.tuitbot.stimuli.sweeping import chosen, routing, sweep, sweep_profiles
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json

X_FAILURES = ("rate_limited", "auth_expired", "forbidden", "account_restricted", "network_error", "api_error")
UNKNOWN_ITEMS = (987_654_321, -1)
UNKNOWN_TWEET, UNKNOWN_USER, UNKNOWN_NAME = "1999999999999999999", "1999999999999999998", "nobody_by_name"
UNKNOWN_LIST, UNKNOWN_SPACE = "1999999999999999997", "1zzzzzzzzzzzz"
NOBODYS: dict[str, str] = {
    "tweet_id": UNKNOWN_TWEET,
    "in_reply_to_id": UNKNOWN_TWEET,
    "quoted_tweet_id": UNKNOWN_TWEET,
    "user_id": UNKNOWN_USER,
    "target_user_id": UNKNOWN_USER,
    "username": UNKNOWN_NAME,
    "usernames": UNKNOWN_NAME,
    "user_ids": UNKNOWN_USER,
    "list_id": UNKNOWN_LIST,
}
"""By parameter, what names nothing."""
OF_KINDS = {"tweets": UNKNOWN_TWEET, "lists": UNKNOWN_LIST, "spaces": UNKNOWN_SPACE}
SEVERAL = ("ids", "usernames", "user_ids")
"""Parameters that name several things."""
ADMIN = "admin"
NO_PATHS = ("2/users/me", "/2/../2/users/me", "/2/users/me?x=1", "/2/users/me#x", "/2/users\n/me")
NO_HOSTS = ("example.com", "127.0.0.1")
OWN_HEADERS = ("Authorization", "host", "Cookie", "transfer-encoding")
"""What the rules of the universal requests leave to the client."""
WRITING = ("api", "workflow", "write", "admin")
"""Profiles in which X is written to."""
LONG = "a" * 281
WRITERS = (
    "generate_reply",
    "generate_tweet",
    "generate_thread",
    "generate_thread_plan",
    "draft_replies_for_candidates",
)


@stimulus(
    "tuitbot",
    exercises=(
        *(f"TB-ERR-x_{failure}" for failure in X_FAILURES),
        "TB-ERR-context_error",
        "TB-ERR-recommendation_error",
        "TB-ENV-09",
        "TB-RETRY-03",
    ),
    needs=("x",),
)
async def x_fails(bench: TuitbotBench) -> None:
    """In each of six ways, under every tool that needs X, with a gate and without."""
    await sweep_profiles(bench, "requires_x_client", "x", *X_FAILURES)


@stimulus(
    "tuitbot",
    exercises=(*(f"TB-ERR-x_{failure}" for failure in X_FAILURES), "TB-RETRY-03"),
    needs=("x", "approval_mode"),
)
async def replies_are_proposed_while_x_fails(bench: TuitbotBench) -> None:
    """Where they are sent without approval: in each of six ways, and while X does not fail."""
    server = await bench.working({**WORKING, "approval_mode": False})
    calls = await Calls.at(server)
    items: Json = [{"candidate_id": await calls.candidate(), "pre_drafted_text": calls.words()}]
    for failure in X_FAILURES:
        await (await server.under(x=failure)).call("propose_and_queue_replies", {"items": items})
    await server.call("propose_and_queue_replies", {"items": items})


@stimulus("tuitbot", exercises=("TB-ERR-llm_error", "TB-RETRY-03"), needs=("llm",))
async def the_llm_fails(bench: TuitbotBench) -> None:
    """What writes with an LLM, while that does not answer."""
    await sweep(await bench.working(), WRITERS, "llm", "failing")


@stimulus("tuitbot", exercises=("TB-ERR-validation_error", "TB-RETRY-03"))
async def arguments_break_the_schema(bench: TuitbotBench) -> None:
    """A wrong type, a missing argument, an unknown one, beside the right ones; in each profile."""
    for _, server in await bench.profiles():
        calls = await Calls.at(server)
        for tool in ("x_search_tweets", "get_tweet_by_id", "get_mode"):
            await calls.call(tool)
        await server.call("x_search_tweets", {"query": ["automation"]})
        await server.call("get_tweet_by_id", {})
        await server.call("get_mode", {"verbose": True})


@stimulus("tuitbot", exercises=("TB-ERR-invalid_input", "TB-RETRY-03"))
async def values_are_no_use(bench: TuitbotBench) -> None:
    """Nobody to look up, too many at once, a thread of nothing; a draft of nothing, and one for a time that is none."""
    for profile, server in await bench.profiles():
        calls = await Calls.at(server)
        served = bench.served(profile)
        many: Json = [str(number) for number in range(101)]
        useless: tuple[tuple[str, str, Json], ...] = (
            ("x_get_users_by_ids", "user_ids", []),
            ("x_get_users_by_ids", "user_ids", many),
            ("x_post_thread", "tweets", []),
            ("x_post_tweet", "text", "  "),
        )
        for tool, name, value in useless:
            if tool in served:
                await server.call(tool, {name: value})
                await calls.call(tool)
        if profile == ADMIN:
            await _no_requests(calls)
    await _useless_drafts(bench)


async def _no_requests(calls: Calls) -> None:
    """Paths, a host and headers that no request may have, in each of the four universal tools."""
    await apart(*[_no_request(calls, tool) for tool in UNIVERSAL if calls.bench.supports(tool)])


async def _no_request(calls: Calls, tool: str) -> None:
    given = await calls.arguments(tool)
    wrong: tuple[dict[str, Json], ...] = (
        *({"path": path} for path in NO_PATHS),
        *({"host": host} for host in NO_HOSTS),
        *({"headers": [{"key": name, "value": "x"}]} for name in OWN_HEADERS),
    )
    for each in wrong:
        await calls.bench.call(tool, {**given, **each})
    await calls.bench.call(tool, given)


async def _useless_drafts(bench: TuitbotBench) -> None:
    server = await bench.working()
    calls = await Calls.at(server)
    draft = await calls.arguments("compose_tweet")
    await server.call("compose_tweet", {"content": "  "})
    await server.call("compose_tweet", {**draft, "scheduled_for": "not a date"})
    await server.call("draft_replies_for_candidates", {"candidate_ids": []})
    await server.call("compose_tweet", draft)
    await calls.call("draft_replies_for_candidates")


@stimulus("tuitbot", exercises=("TB-ERR-tweet_too_long", "TB-RETRY-03"))
async def tweets_are_too_long(bench: TuitbotBench) -> None:
    """281 letters in a tweet, in a draft, and in the second tweet of a thread, beside short ones."""
    for profile, server in await bench.profiles(WRITING):
        calls = await Calls.at(server)
        await calls.call("x_post_tweet", text=LONG)
        tweets: Json = [calls.words(), LONG]
        await calls.call("x_post_thread", tweets=tweets)
        served = bench.served(profile)
        if "compose_tweet" in served:
            await calls.call("compose_tweet", content=LONG)
        if "x_post_tweet_dry_run" in served:
            await calls.call("x_post_tweet_dry_run", text=LONG)
        for tool in ("x_post_tweet", "x_post_thread", "compose_tweet"):
            if tool in served:
                await calls.call(tool)


@stimulus("tuitbot", exercises=("TB-ERR-unsupported_media_type", "TB-ERR-file_read_error", "TB-RETRY-03"))
async def files_are_no_media(bench: TuitbotBench) -> None:
    """A text, and a picture that would lie inside another picture, beside one that is there."""
    for _, server in await bench.profiles(WRITING):
        for path in (PICTURE, "notes.txt", f"{PICTURE}/absent.png"):
            await server.call("x_upload_media", {"file_path": path})


@stimulus("tuitbot", exercises=("TB-ERR-media_upload_error", "TB-SAFE-07", "TB-RETRY-03"), needs=("media_upload",))
async def an_upload_fails(bench: TuitbotBench) -> None:
    """A picture that X does not take, and then does; in each profile that uploads."""
    await apart(
        *[_upload(server) for _, server in await bench.profiles(WRITING)],
    )


async def _upload(server: TuitbotBench) -> None:
    await sweep(server, ["x_upload_media"], "media_upload", "failing")


@stimulus("tuitbot", exercises=("TB-ERR-policy_error", "TB-RETRY-03"), needs=("policy",))
async def the_policy_cannot_be_evaluated(bench: TuitbotBench) -> None:
    """Every gated mutation while the rules cannot be read, and while they can and allow."""
    wished = {**WORKING, "policy": bench.policies.everything("allow")}
    await sweep_profiles(bench, "gated", "policy", "failing", kind=GATED_PROFILES, wished=wished)


@stimulus(
    "tuitbot",
    exercises=(
        "TB-ERR-policy_denied_blocked",
        "TB-ERR-policy_denied_hard_rule",
        "TB-ERR-policy_denied_user_rule",
        "TB-ENV-10",
        "TB-RETRY-03",
    ),
    needs=("policy",),
)
async def the_policy_denies(bench: TuitbotBench) -> None:
    """A post that is on the blocked list, that a hard rule denies, that a user's rule denies, and that none denies."""
    policies, tool = bench.policies, "x_post_tweet"
    asked = (
        policies.lists(blocked_tools=[tool]),
        policies.ruled(policies.hard("deny", tool)),
        policies.ruled(policies.rule("deny", tool)),
        OPEN,
    )
    servers = [await bench.workflow(policy=policy) for policy in asked]
    text = (await Calls.at(servers[0])).words()
    for server in servers:
        await server.call(tool, {"text": text})


@stimulus(
    "tuitbot",
    exercises=("TB-ERR-policy_denied_rate_limited", "TB-ENV-09", "TB-ENV-10", "TB-RETRY-03"),
    needs=("policy",),
)
async def the_hourly_limit_is_used_up(bench: TuitbotBench) -> None:
    """Three posts where an hour has two."""
    policy = {**bench.policies.lists(), "max_mutations_per_hour": 2}
    calls = await Calls.at(await bench.workflow(policy=policy))
    for _ in range(3):
        await calls.call("x_post_tweet")


@stimulus("tuitbot", exercises=("TB-ERR-topic_error", "TB-RETRY-03"), needs=("topic_analysis",))
async def topics_cannot_be_analysed(bench: TuitbotBench) -> None:
    """The snapshot of topics, while their analysis fails and while it does not."""
    await sweep(await bench.working(), ["topic_performance_snapshot"], "topic_analysis", "failing")


@stimulus("tuitbot", exercises=("TB-ERR-not_found", "TB-ENV-06", "TB-SRV-03", "TB-RETRY-03"))
async def things_do_not_exist_on_x(bench: TuitbotBench) -> None:
    """Tweets, users, lists and spaces that there are not, in every tool that names one, beside some that there are.

    Where a tool names several, all of them are unknown, then one.
    """
    for profile, server in await bench.profiles():
        calls = await Calls.at(server)
        for tool in chosen(bench, bench.served(profile)):
            given = calls.plain(tool)
            unknown = {name: _unknown(tool, name) for name in given}
            wrong: dict[str, Json] = {name: each for name, each in unknown.items() if each is not None}
            several = [name for name in wrong if name in SEVERAL]
            lists: dict[str, Json] = {name: [wrong[name]] for name in several if isinstance(given[name], list)}
            if wrong:
                await server.call(tool, {**given, **wrong, **lists})
                await calls.call(tool)
            if "media_ids" in optionals(bench, tool):
                media: Json = [[UNKNOWN_TWEET]] if "thread" in tool else [UNKNOWN_TWEET]
                await server.call(tool, {**calls.plain(tool), "media_ids": media})
            for name in several:
                there = (await calls.arguments(tool)).get(name)
                await server.call(tool, {**given, name: _beside(there, str(wrong[name]))})


def _unknown(tool: str, name: str) -> str | None:
    """What a parameter of a tool may name that is nowhere; None where it names nothing."""
    if name in ("id", "ids"):
        return OF_KINDS.get(tool.removeprefix("x_v2_").partition("_")[0])
    return NOBODYS.get(name)


def _beside(known: Json, unknown: str) -> Json:
    return [*known, unknown] if isinstance(known, list) else f"{known},{unknown}"


@stimulus("tuitbot", exercises=("TB-ERR-not_found", "TB-RETRY-03"))
async def things_are_not_in_the_queue(bench: TuitbotBench) -> None:
    """Words on items that the queue does not hold, beside words on one that it does."""
    server = await routing(bench)
    calls = await Calls.at(server)
    await apart(*[_unknown_item(calls, tool) for tool in ("approve_item", "reject_item")])


async def _unknown_item(calls: Calls, tool: str) -> None:
    waiting = await calls.arguments(tool)
    await look(calls.bench, QUEUE)
    for item in UNKNOWN_ITEMS:
        await calls.bench.call(tool, {"id": item})
    await calls.bench.call(tool, waiting)


@stimulus("tuitbot", exercises=("TB-ERR-serialization_error", "TB-RETRY-03"), needs=("serialization",))
async def results_cannot_be_serialised(bench: TuitbotBench) -> None:
    """Every tool of each profile while nothing can be serialised, and while it can."""
    await sweep_profiles(bench, "", "serialization", "failing")


@stimulus("tuitbot", exercises=("TB-ERR-scraper_mutation_blocked", "TB-RETRY-03"), needs=("backend",))
async def a_scraper_is_to_mutate(bench: TuitbotBench) -> None:
    """All that goes to X while it is reached by a scraper, and while it is reached by its API; the gate is open."""
    await sweep_profiles(bench, "requires_x_client", "backend", "scraper", kind=GUARDED_PROFILES)
