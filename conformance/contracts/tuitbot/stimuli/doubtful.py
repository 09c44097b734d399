"""Calls that no section says are served or refused: what answers them is in the contract's words in any case."""

from collections.abc import Mapping

from conformance.contracts.tuitbot.bench import TuitbotBench
from conformance.contracts.tuitbot.calls import Calls
from conformance.contracts.tuitbot.gate import GATED_PROFILES
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json

BLANK = " \t"
PAST = "2001-02-03T04:05:06Z"
NOBODYS_HOST = "conformance.invalid"
"""A name that no host can have: a server that asks it reaches nobody."""
UNCOMMON: Mapping[str, tuple[dict[str, Json], ...]] = {
    "compose_tweet": ({"scheduled_for": PAST}, {"scheduled_for": "soon"}, {"content_type": "poem"}),
    "x_post_tweet": ({"media_ids": []}, {"media_ids": [""]}),
    "x_post_thread": ({"media_ids": [[], [], [], []]}, {"tweets": [BLANK, BLANK]}, {"tweets": []}),
    "x_post_thread_dry_run": ({"media_ids": [[], [], [], []]}, {"tweets": []}),
    "x_upload_media": ({"file_path": ""}, {"file_path": "/no/such/file.png"}, {"file_path": "/"}),
    "propose_and_queue_replies": ({"items": []}, {"items": [{"candidate_id": "1", "pre_drafted_text": BLANK}]}),
    "score_tweet": ({"created_at": "soon"}, {"likes": -1}),
    "get_mutation_detail": ({"correlation_id": "no such mutation"},),
    "get_recent_mutations": ({"status": "poem"}, {"tool_name": "no_such_tool"}),
    "x_v2_tweets_counts_recent": (
        {"granularity": "week"},
        {"start_time": "soon"},
        {"start_time": "2026-01-02T00:00:00Z", "end_time": "2026-01-01T00:00:00Z"},
    ),
    "x_v2_spaces_search": ({"state": "over"},),
    "x_v2_tweets_lookup": ({"ids": []}, {"tweet_fields": ["no_such_field"]}, {"expansions": ["no_such_expansion"]}),
    "x_v2_lists_create": ({"name": "a" * 26}, {"name": ""}, {"description": "a" * 101}),
    "x_get": (
        {"path": "users/me"},
        {"path": "/2/../2/users/me"},
        {"path": "/2/users/me?x=1"},
        {"path": "/2/no/such/path"},
        {"host": NOBODYS_HOST},
        {"headers": [{"key": "Authorization", "value": "Bearer none"}]},
        {"max_pages": 0},
    ),
    "x_delete": ({"path": "/2/no/such/path"},),
}
"""By tool, arguments that X, the gate or the tool itself may not like, put over good ones."""


@stimulus("tuitbot", exercises=("TB-SRV-03", "TB-ENV-01"))
async def uncommon_values_are_given(bench: TuitbotBench) -> None:
    """Times that are past, texts of white space, names of nothing, paths that lead elsewhere; then good ones."""
    for server, tools in await bench.each_tool_once(GATED_PROFILES):
        calls = await Calls.at(server)
        for tool in (tool for tool in tools if tool in UNCOMMON):
            for changes in UNCOMMON[tool]:
                await server.call(tool, {**calls.plain(tool), **changes})
            await calls.call(tool)


@stimulus("tuitbot", exercises=("TB-SRV-03", "TB-ENV-01"))
async def accounts_act_on_themselves(bench: TuitbotBench) -> None:
    """The account follows, mutes and blocks itself, and acts for another."""
    calls = await Calls.at(await bench.working())
    me, other = await calls.things.me(), await calls.things.user()
    own: dict[str, Json] = {"user_id": me, "target_user_id": me}
    pairs: tuple[dict[str, Json], ...] = (own, {"user_id": other, "target_user_id": me})
    for tool in ("x_v2_mutes_create", "x_v2_blocks_create"):
        for given in pairs if bench.supports(tool) else ():
            await calls.bench.call(tool, given)
    await calls.bench.call("x_follow_user", {"target_user_id": me})
