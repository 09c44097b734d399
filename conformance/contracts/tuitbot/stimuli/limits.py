"""The limits of the Session 05 contract: used up, over, and what does not use them up."""

from conformance.contracts.tuitbot.bench import TuitbotBench, apart
from conformance.contracts.tuitbot.calls import Calls
from conformance.contracts.tuitbot.gate import DELETES
from conformance.contracts.tuitbot.limits import UNSETTLED
from conformance.contracts.tuitbot.looking import TIMELINE, item_of, look
from conformance.contracts.tuitbot.policies import Policy
from conformance.contracts.tuitbot.stimuli.policy import gated, mutates
from conformance.drive.bench import taken
from conformance.drive.errors import SkipError
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json
from conformance.model.exchange import Exchange

WITHIN, NEXT_HOUR = (1_200, 2_400, 3_300), 4_000
"""Seconds: well within an hour, and well after one since every mutation before."""
HOUR_S = 3_600
THREAD = "x_post_thread"
DRAFT = "compose_tweet"
"""Goes to nobody, so that X cannot make it fail."""
REFUSALS_OF_X = ("forbidden", "rate_limited", "auth_expired", "account_restricted")
"""How X fails where it surely did nothing."""


def _limited(bench: TuitbotBench, most: int = 2, **more: Json) -> Policy:
    return {**bench.policies.lists(), "max_mutations_per_hour": most, **more}


@stimulus("tuitbot", exercises=("TB-POL-06", "TB-POL-08"), needs=("policy",))
async def the_limit_of_an_hour_is_reached(bench: TuitbotBench) -> None:
    """Two mutations where an hour has two, others and reads beyond them."""
    await _beyond(await Calls.at(await bench.workflow(policy=_limited(bench))))
    # a rule that allows lets nothing through that is beyond a limit
    allowing = bench.policies.ruled(bench.policies.rule("allow"))
    calls = await Calls.at(await bench.workflow(policy={**allowing, "max_mutations_per_hour": 2}))
    for _ in range(3):
        await _post(calls.bench, calls)


@stimulus("tuitbot", exercises=("TB-POL-08",), needs=("policy",))
async def every_kind_of_mutation_uses_up_the_limit(bench: TuitbotBench) -> None:
    """Each gated mutation with what it takes beforehand and posts, where an hour has three mutations; a thread alone.

    Whether a thread is one mutation or as many as it has tweets is open.
    """
    parts = [_counts(bench, tool, most=3) for tool in _countable(bench) if tool != THREAD]
    await apart(*parts, _counts(bench, THREAD, most=1), _deny_each(bench))


def _countable(bench: TuitbotBench) -> list[str]:
    """The gated mutations that surely count, but for deletions, which the server's own rule holds back."""
    return [tool for tool in gated(bench) if tool not in (*UNSETTLED, DELETES)]


async def _deny_each(bench: TuitbotBench) -> None:
    """Each of them beyond the limit, about what need not be there: the limit comes first."""
    calls = await Calls.at(await bench.workflow(policy=_limited(bench, 1)))
    await _post(calls.bench, calls)
    await apart(*[calls.bench.call(tool, calls.plain(tool)) for tool in _countable(bench)])


async def _counts(bench: TuitbotBench, tool: str, *, most: int) -> None:
    calls = await Calls.at(await bench.workflow(policy=_limited(bench, most)))
    await calls.call(tool)
    for _ in range(most):
        await _post(calls.bench, calls)
    await calls.bench.end()


@stimulus("tuitbot", exercises=("TB-POL-09", "TB-MAN-05"), needs=("policy",))
async def what_is_outside_the_gate_acts_beyond_the_limit(bench: TuitbotBench) -> None:
    """An upload, and words on what was routed before the limit was used up."""
    rule = bench.policies.rule("require_approval", "x_like_tweet", priority=bench.policies.naming.first)
    server = await bench.workflow(policy={**bench.policies.ruled(rule), "max_mutations_per_hour": 1})
    calls = await Calls.at(server)
    waiting = [await item_of(server, await calls.call("x_like_tweet")) for _ in range(2)]
    await _post(server, calls)
    await _post(server, calls)
    await calls.call("x_upload_media")
    for tool, item in zip(("approve_item", "reject_item"), waiting, strict=True):
        await server.call(tool, {"id": item})


@stimulus("tuitbot", exercises=("TB-POL-08",), needs=("policy", "clock"))
async def the_limit_of_an_hour_ends(bench: TuitbotBench) -> None:
    """Used up, three times within an hour, and in the next hour."""
    calls = await Calls.at(await bench.workflow(policy=_limited(bench)))
    await _beyond(calls)
    for ahead in WITHIN:
        for _ in range(2):
            await _post(await calls.bench.under(clock=ahead), calls)
    later = await calls.bench.under(clock=NEXT_HOUR)
    for _ in range(3):
        await _post(later, calls)


async def _beyond(calls: Calls) -> None:
    first = taken(await _post(calls.bench, calls), "id")
    await calls.bench.call("get_tweet_by_id", {"tweet_id": first})
    await _post(calls.bench, calls)
    await look(calls.bench, TIMELINE)
    await _post(calls.bench, calls)
    await look(calls.bench, TIMELINE)
    for tool in ("x_retweet", "x_like_tweet", "compose_tweet", "get_mode", "x_get_home_timeline", "get_pending_count"):
        await calls.call(tool)


@stimulus("tuitbot", exercises=("TB-POL-08", "TB-SRV-01"), needs=("policy",))
async def limits_of_a_tool_and_of_a_category_are_reached(bench: TuitbotBench) -> None:
    """A post and a like where an hour has one of each kind, then another, and what is of another kind."""
    naming = bench.policies.naming
    if "rate_limits" not in naming.parts:
        message = "the target does not say that its policy takes rate_limits; see policy_parts in [choices]"
        raise SkipError(message)
    kinds = ("x_post_tweet", "x_like_tweet", "x_post_tweet", "x_retweet", "compose_tweet", "get_mode")
    # what another tool or another category does takes nothing from a limit: it comes first
    limits: tuple[tuple[dict[str, Json], tuple[str, ...]], ...] = (
        (
            {"dimension": "tool", "match_value": naming.tool("x_post_tweet")},
            ("compose_tweet", "x_like_tweet", "x_post_tweet"),
        ),
        ({"dimension": "category", "match_value": "engage"}, ("compose_tweet", "x_post_tweet", "x_like_tweet")),
    )
    for about, others_first in limits:
        row: Json = {"key": "suite", "max_count": 1, "period_seconds": HOUR_S, **about}
        for tools in (kinds, others_first):
            calls = await Calls.at(await bench.workflow(policy=_limited(bench, 1_000, rate_limits=[row])))
            for tool in tools:
                await calls.call(tool)
    # a limit of one tool takes nothing from that of all
    row = {"key": "suite", "max_count": 1, "period_seconds": HOUR_S, **limits[0][0]}
    calls = await Calls.at(await bench.workflow(policy=_limited(bench, rate_limits=[row])))
    for tool in ("compose_tweet", "x_retweet", "compose_tweet"):
        await calls.call(tool)


@stimulus("tuitbot", exercises=("TB-POL-10",), needs=("policy",))
async def mutations_fail_below_the_limit(bench: TuitbotBench) -> None:
    """Refused for their arguments and for a tweet that there is not; then as many as an hour has."""
    calls = await Calls.at(await bench.workflow(policy=_limited(bench)))
    await calls.bench.call("x_post_tweet", {})
    await calls.bench.call("x_retweet", {"tweet_id": "1999999999999999999"})
    await calls.bench.call("x_post_tweet", {"text": "a" * 281})
    await calls.bench.call("x_post_tweet", {"text": "  "})
    for _ in range(2):
        await _post(calls.bench, calls)


@stimulus("tuitbot", exercises=("TB-SRV-01",), needs=("policy",))
async def reads_use_up_nothing(bench: TuitbotBench) -> None:
    """Every read, those among them that ask the gate without effect; then as many mutations as an hour has."""
    calls = await Calls.at(await bench.workflow(policy=_limited(bench)))
    reads = [tool for tool in bench.served(calls.bench.profile or "") if not mutates(bench, tool)]
    # what has to be made beforehand would use up the limit itself
    await apart(*[calls.bench.call(tool, calls.plain(tool)) for tool in reads])
    for _ in range(2):
        await _post(calls.bench, calls)


@stimulus("tuitbot", exercises=("TB-POL-10",), needs=("policy",))
async def mutations_are_denied_below_the_limit(bench: TuitbotBench) -> None:
    """Denied by the blocked list or a rule, as often as an hour has mutations; then as many as it has."""
    policies, tools = bench.policies, ("x_retweet", "x_like_tweet")
    for policy in (
        policies.lists(blocked_tools=list(tools)),
        policies.ruled(policies.hard("deny", *tools)),
        policies.ruled(policies.rule("deny", *tools)),
    ):
        calls = await Calls.at(await bench.workflow(policy={**policy, "max_mutations_per_hour": 2}))
        for tool in tools:
            await calls.bench.call(tool, calls.plain(tool))
        for _ in range(2):
            await _post(calls.bench, calls)


@stimulus("tuitbot", exercises=("TB-POL-10",), needs=("policy", "x"))
async def mutations_fail_by_x_below_the_limit(bench: TuitbotBench) -> None:
    """Refused by X; then as many as an hour has."""
    calls = await Calls.at(await bench.workflow(policy=_limited(bench)))
    for failure in REFUSALS_OF_X:
        await _post(await calls.bench.given(x=failure), calls)
    for _ in range(2):
        await _post(calls.bench, calls)
    await apart(*[_fail(bench, tool) for tool in _countable(bench) if tool != DRAFT])


async def _fail(bench: TuitbotBench, tool: str) -> None:
    """Mutations by one tool that X refuses, then posts: as many of each as an hour has."""
    calls = await Calls.at(await bench.workflow(policy=_limited(bench, 1)))
    failing = await calls.bench.given(x=REFUSALS_OF_X[0])
    await failing.call(tool, calls.plain(tool))
    await _post(calls.bench, calls)
    for each in (failing, calls.bench):
        await each.end()


async def _post(server: TuitbotBench, calls: Calls) -> Exchange:
    return await server.call("x_post_tweet", {"text": calls.words()})
