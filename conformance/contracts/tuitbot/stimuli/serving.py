"""What the contract offers: every optional parameter given, left out and null, at its ends and all together."""

from collections.abc import AsyncIterator, Collection, Iterator, Mapping
from datetime import UTC, datetime, timedelta

from conformance.contracts.tuitbot.bench import TuitbotBench, apart
from conformance.contracts.tuitbot.calls import Calls
from conformance.contracts.tuitbot.gate import GATED_PROFILES, UNGATED_PROFILES
from conformance.drive.stimulus import stimulus
from conformance.model.arguments import properties
from conformance.model.events import Json
from conformance.model.listed import tools_of as listed_tools

PAGE_ENDS: Mapping[str, tuple[int, int]] = {
    "x_get_followers": (1, 1_000),
    "x_get_following": (1, 1_000),
    "x_get_user_tweets": (5, 100),
    "x_search_tweets": (10, 100),
}
"""The least and the most of a page, where they are others than 1 and 100."""
VALUES: Mapping[str, tuple[Json, ...]] = {
    "since_hours": (1, 8_760),
    "days": (1, 365),
    "lookback_days": (1, 365),
    "limit": (1, 100),
    "min_score": (0, 100),
    "threshold": (0, 100),
    "mention_product": (True, False),
    "action_type": ("post_tweet",),
    "topic": ("testing",),
    "objective": ("more followers",),
    "target_audience": ("developers",),
    "structure": ("lessons",),
    "archetype": ("helpful",),
    "campaign_objective": ("testing",),
    "query": ("testing",),
    "content_type": ("tweet",),
    "tweet_fields": ("author_id,created_at",),
    "user_fields": ("public_metrics",),
    "list_fields": ("description,member_count",),
    "space_fields": ("title,creator_id",),
    "state": ("live", "scheduled", "all"),
    "granularity": ("minute", "hour", "day"),
    "description": ("Kept by the conformance suite",),
    "private": (True, False),
    "alt_text": ("A single pixel",),
    "dry_run": (True, False),
    "status": ("success", "failure"),
    "tool_name": ("x_post_tweet",),
    "host": ("api.x.com",),
    "auto_paginate": (True, False),
    "max_pages": (1, 10),
}
"""Good values of optional parameters, for a number its ends."""
LATER: Mapping[tuple[str, str], tuple[Json, ...]] = {
    ("x_v2_lists_get", "expansions"): ("owner_id",),
    **{(f"x_v2_lists_{name}", "expansions"): ("author_id",) for name in ("tweets",)},
    **{(f"x_v2_tweets_{name}", "expansions"): ("author_id",) for name in ("lookup", "quote_tweets")},
    **{(f"x_v2_spaces_{name}", "expansions"): ("creator_id",) for name in ("get", "lookup", "search", "by_creator")},
    ("x_v2_spaces_tweets", "expansions"): ("author_id",),
    ("x_v2_users_lookup_by_usernames", "expansions"): ("pinned_tweet_id",),
    ("x_v2_lists_update", "name"): ("Renamed by the suite",),
    ("x_get", "query"): ([{"key": "user.fields", "value": "public_metrics"}],),
    ("x_get", "headers"): ([{"key": "accept", "value": "application/json"}],),
    **{
        (f"x_{name}", "headers"): ([{"key": "accept", "value": "application/json"}],)
        for name in ("post", "put", "delete")
    },
}
"""The same of parameters that mean another thing in each tool, by tool and parameter."""
PAGE_ENDS_LATER = (10, 100)
LARGEST = 2**32 - 1
FAR_AHEAD_DAYS = 7


@stimulus("tuitbot", exercises=("TB-SRV-01", "TB-SRV-03"))
async def every_parameter_beside_a_gate_is_given(bench: TuitbotBench) -> None:
    """Each optional parameter of each tool of workflow, or of write and admin."""
    await _all_parameters(bench, GATED_PROFILES)


@stimulus("tuitbot", exercises=("TB-SRV-01", "TB-SRV-03"))
async def every_parameter_without_a_gate_is_given(bench: TuitbotBench) -> None:
    """Each optional parameter of each tool of api, or of readonly and api-readonly."""
    await _all_parameters(bench, UNGATED_PROFILES)


async def _all_parameters(bench: TuitbotBench, kind: Collection[str]) -> None:
    found = await bench.each_tool_once(kind)
    await apart(*[_in_profile(server, tools) for server, tools in found])


async def _in_profile(server: TuitbotBench, tools: list[str]) -> None:
    calls = await Calls.at(server)
    if "x_post_tweet" in tools:
        await calls.bench.call("get_tweet_by_id", {"tweet_id": await calls.own_tweet()})
    optional = [(tool, optionals(server, tool)) for tool in tools]
    await apart(*[_parameters(calls, tool, names) for tool, names in optional if names])
    await _as_listed(calls)


def optionals(bench: TuitbotBench, tool: str) -> list[str]:
    """The optional parameters that the contract lists and the target does not leave out."""
    schema = bench.contract.tools[tool].inputSchema
    required = schema.get("required", [])
    return [name for name in schema.get("properties", {}) if name not in required and bench.supports(tool, name)]


async def _parameters(calls: Calls, tool: str, names: list[str]) -> None:
    """Each by itself with each of its values and null, then all of them together."""
    together: dict[str, Json] = {}
    for name in names:
        values = [value async for value in _values(calls, tool, name)]
        for value in (*values, None):
            await calls.call(tool, **{name: value})
        if values and name != "pagination_token":
            together[name] = values[0]
    await calls.call(tool, **together)


async def _values(calls: Calls, tool: str, name: str) -> AsyncIterator[Json]:
    for value in fixed(tool, name):
        yield value
    if name == "pagination_token":
        page = await calls.call(tool, **_smallest(tool))
        meta = page.given.get("meta")
        token = meta.get("next_token") if isinstance(meta, dict) else None
        if isinstance(token, str):
            # the page that follows: the same list with the same size
            await calls.call(tool, **_smallest(tool), pagination_token=token)
            # and one that nobody gave: what comes of it is X's to say, but no fault of the server's own
            await calls.call(tool, **_smallest(tool), pagination_token=f"{token}0")
    elif name == "since_id":
        yield calls.subjects.tweet_id
        if calls.posts:
            yield await calls.own_tweet()
    elif name == "media_ids":
        medium = (await calls.call("x_upload_media")).given.get("media_id")
        if isinstance(medium, str):
            yield [[medium]] if "thread" in tool else [medium]


def fixed(tool: str, name: str) -> tuple[Json, ...]:
    """Values that are good in any state."""
    if name == "scheduled_for":
        return f"{soon()}Z", f"{soon()}+05:30"
    return ends_of(tool) if name == "max_results" else LATER.get((tool, name), VALUES.get(name, ()))


def ends_of(tool: str) -> tuple[int, int]:
    """The least and the most of a page."""
    return PAGE_ENDS_LATER if tool.startswith("x_v2_") else PAGE_ENDS.get(tool, (1, 100))


def _smallest(tool: str) -> dict[str, Json]:
    return {"max_results": ends_of(tool)[0]} if tool != "x_get_user_mentions" else {}


def soon() -> str:
    """A week from now, without its offset from UTC."""
    return (datetime.now(UTC) + timedelta(days=FAR_AHEAD_DAYS)).strftime("%Y-%m-%dT%H:%M:%S")


async def _as_listed(calls: Calls) -> None:
    """The least and the largest number that the server's own list allows, wherever a tool takes one: no faults."""
    for tool in listed_tools(await calls.bench.tools()):
        if tool.name in calls.bench.contract.tools:
            for name, end in _numbers(tool.input_schema):
                await apart(calls.call(tool.name, **{name: end}))


def _numbers(schema: Json) -> Iterator[tuple[str, int]]:
    """Whole numbers among the parameters, each with the least and the largest value allowed, from 0 up to 32 bits."""
    for name, about in properties(schema).items():
        kinds = about.get("type") if isinstance(about, dict) else None
        if kinds == "integer" or (isinstance(kinds, list) and "integer" in kinds):
            least, most = about.get("minimum"), about.get("maximum")
            yield name, max(least, 0) if isinstance(least, int) else 0
            yield name, min(most, LARGEST) if isinstance(most, int) else LARGEST
