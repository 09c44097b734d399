"""Policy (Architecture decisions): rules for everything, each kind of rule and condition, what is outside the gate."""

from conformance.contracts.tuitbot.bench import TuitbotBench, apart
from conformance.contracts.tuitbot.calls import BROAD, PICTURE, Calls
from conformance.contracts.tuitbot.gate import PREVIEWS
from conformance.contracts.tuitbot.looking import QUEUE, TIMELINE, Reads, look, own_lists, server_time
from conformance.contracts.tuitbot.manifest import manifest
from conformance.contracts.tuitbot.naming import DAYS
from conformance.contracts.tuitbot.policies import OPEN, Action, Policy
from conformance.contracts.tuitbot.stimuli.serving import soon
from conformance.contracts.tuitbot.stimuli.sweeping import CONSUMING
from conformance.contracts.tuitbot.subjects import objects
from conformance.drive.errors import SkipError
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json

EARLIER = 150
"""A priority before a user's."""
OTHERS = 2
"""Accounts besides the first one that are to be followed, or no more."""
NAMED_ALIKE = ("x_post_thread", "x_unretweet")
"""Tools whose names begin or end as those do that rules name."""
ELSEWHERE, AHEAD_H = "Asia/Tokyo", 9
"""A time zone, and the hours that it is ahead all the year: not every machine knows the zones by their names."""


@stimulus("tuitbot", exercises=("TB-POL-01", "TB-POL-06", "TB-POL-07"), needs=("policy",))
async def everything_is_denied(bench: TuitbotBench) -> None:
    """Each read, and each gated mutation with reads around it."""
    await _everything(bench, "deny")


@stimulus("tuitbot", exercises=("TB-POL-01", "TB-POL-03", "TB-MAN-06"), needs=("policy",))
async def everything_needs_approval(bench: TuitbotBench) -> None:
    """Each read, and each gated mutation with reads around it."""
    await _everything(bench, "require_approval")


@stimulus("tuitbot", exercises=("TB-POL-01", "TB-POL-05"), needs=("policy",))
async def everything_is_a_dry_run(bench: TuitbotBench) -> None:
    """Each read, and each gated mutation with reads around it."""
    await _everything(bench, "dry_run")


async def _everything(bench: TuitbotBench, action: Action) -> None:
    calls = await Calls.at(await bench.workflow(policy=bench.policies.everything(action)))
    reads = [calls.call(tool) for tool in bench.served(calls.bench.profile or "") if not mutates(bench, tool)]
    rehearsals = [_rehearse(calls, tool) for tool in bench.served(calls.bench.profile or "") if tool.endswith(PREVIEWS)]
    own = await own_lists(await Calls.at(await bench.working()))
    await apart(*reads, *rehearsals, _try_all(calls, own), _let_all_through(bench))


async def _rehearse(calls: Calls, tool: str) -> None:
    """A read that asks the gate, between two looks at the queue."""
    await look(calls.bench, QUEUE)
    await calls.bench.call(tool, calls.plain(tool))
    await look(calls.bench, QUEUE)


async def _try_all(calls: Calls, own: Reads) -> None:
    """Each gated mutation; what they would be about is looked at before and after each."""
    shown = _shown(calls, own)
    for _ in range(2):
        await look(calls.bench, shown)
    await apart(*[_try(calls, tool, shown) for tool in gated(calls.bench)])


async def _try(calls: Calls, tool: str, shown: Reads) -> None:
    for arguments in await _arguments(calls, tool):
        await calls.bench.call(tool, arguments)
        await look(calls.bench, shown)
    if tool in ("x_follow_user", "x_unfollow_user"):
        # the account may follow the first one already, or not yet
        for other in await _others(calls):
            followers: Reads = (("x_get_followers", {"user_id": other}),)
            await look(calls.bench, followers)
            await calls.bench.call(tool, {"target_user_id": other})
            await look(calls.bench, followers)


async def _others(calls: Calls) -> list[str]:
    """Other accounts, which need nothing to be posted: a gate holds that back."""
    found = await calls.bench.call("x_search_tweets", {"query": BROAD})
    authors = dict.fromkeys(str(each["author_id"]) for each in objects(found.given.get("data")) if "author_id" in each)
    return [each for each in authors if each != calls.subjects.user_id][:OTHERS]


def gated(bench: TuitbotBench) -> list[str]:
    """Mutations that ask the gate; those that take something back come after those that would do it."""
    return [name for name, entry in manifest(bench.contract.edition).items() if entry.gated and bench.supports(name)]


def mutates(bench: TuitbotBench, tool: str) -> bool:
    """Whether a tool is a mutation by the contract."""
    return manifest(bench.contract.edition)[tool].mutation


def _shown(calls: Calls, own: Reads) -> Reads:
    """Reads of which one at least shows what any of the mutations would do, or that it waits."""
    tweet: dict[str, Json] = {"tweet_id": calls.subjects.tweet_id}
    user: dict[str, Json] = {"user_id": calls.subjects.user_id}
    return (*own, ("get_tweet_by_id", tweet), ("x_get_followers", user), ("list_pending_approvals", {}))


async def _arguments(calls: Calls, tool: str) -> list[dict[str, Json]]:
    """Arguments that make nothing beforehand: the gate is asked before anything is looked for."""
    match tool:
        case "x_delete_tweet":
            return [{"tweet_id": calls.subjects.tweet_id}]
        case "propose_and_queue_replies":
            item: Json = {"candidate_id": await calls.candidate(), "pre_drafted_text": calls.words()}
            return [{"items": [item]}, {"items": [item], "mention_product": True}]
        case "compose_tweet":
            return [calls.plain(tool), {**calls.plain(tool), "scheduled_for": f"{soon()}Z"}]
        case "x_post_tweet" | "x_reply_to_tweet" | "x_quote_tweet" | "x_post_thread":
            medium: Json = (await calls.call("x_upload_media")).given.get("media_id")
            plain = calls.plain(tool)
            media: Json = [[medium]] if tool == "x_post_thread" else [medium]
            return [plain, {**plain, "media_ids": media}] if isinstance(medium, str) else [plain]
    return [calls.plain(tool)]


async def _let_all_through(bench: TuitbotBench) -> None:
    """The same mutations where no gate holds them back: what a rule holds back is not refused at all events."""
    calls = await Calls.at(await bench.workflow(policy=OPEN))
    ordinary = [tool for tool in gated(bench) if tool not in CONSUMING]
    await apart(*[calls.call(tool) for tool in (*ordinary, "propose_and_queue_replies", "x_delete_tweet")])


@stimulus("tuitbot", exercises=("TB-POL-01", "TB-POL-09", "TB-SRV-01"), needs=("policy",))
async def reads_are_named_by_rules(bench: TuitbotBench) -> None:
    """Every read and an upload, where the blocked list, a hard rule and a user's rule name them."""
    policies = bench.policies
    named = [tool for tool in bench.served(bench.main_profile) if not mutates(bench, tool)]
    named += ["x_upload_media", "x_post_tweet"]
    for policy in (
        policies.lists(blocked_tools=list(named)),
        policies.ruled(policies.hard("deny", *named)),
        policies.ruled(policies.rule("deny", *named)),
    ):
        calls = await Calls.at(await bench.workflow(policy=policy))
        await apart(*[calls.call(tool) for tool in named])


@stimulus("tuitbot", exercises=("TB-POL-02", "TB-POL-06", "TB-POL-07"), needs=("policy",))
async def each_kind_of_rule_denies(bench: TuitbotBench) -> None:
    """The blocked list, a hard rule and a user's rule, each with what it matches and what it does not."""
    policies, tools = bench.policies, ("x_post_tweet", "x_retweet")
    await apart(
        *[
            _with(bench, policy, *tools, "x_like_tweet", *NAMED_ALIKE)
            for policy in (
                policies.lists(blocked_tools=list(tools)),
                policies.lists(blocked_tools=list(tools), require_approval_for=list(tools)),
                policies.ruled(policies.hard("deny", *tools)),
                policies.ruled(policies.hard("deny")),
                policies.ruled(policies.rule("deny", *tools)),
                OPEN,
            )
        ]
    )


@stimulus("tuitbot", exercises=("TB-POL-01", "TB-POL-02", "TB-POL-03", "TB-POL-05"), needs=("policy",))
async def rules_have_every_kind_of_condition(bench: TuitbotBench) -> None:
    """Rules by category, by mode, switched off, and two of which the earlier one decides."""
    policies = bench.policies
    rule = policies.rule
    asked: list[Policy] = [
        policies.ruled(rule("require_approval", categories=["engage"])),
        policies.ruled(rule("dry_run", categories=["write"])),
        policies.ruled(rule("deny", modes=["composer"]), rule("dry_run", "x_like_tweet", modes=["autopilot"])),
        policies.ruled(rule("deny", modes=["composer", "autopilot"])),
        policies.ruled(rule("deny"), rule("allow", "x_post_tweet", name="first", priority=EARLIER)),
        policies.ruled(rule("allow", "x_like_tweet", name="first", priority=EARLIER), rule("dry_run")),
    ]
    if "enabled" in policies.naming.parts:
        asked.append(policies.ruled({**rule("deny", "x_post_tweet"), "enabled": False}, require_approval_for=[]))
    wished: dict[str, Json] = {"mode": "autopilot", "approval_mode": False}
    settings = {name: value for name, value in wished.items() if bench.can(name)}
    await apart(*[_with(bench, policy, "x_post_tweet", "x_like_tweet", "x_retweet", **settings) for policy in asked])


@stimulus("tuitbot", exercises=("TB-POL-01", "TB-POL-02", "TB-POL-07", "TB-SRV-01"), needs=("policy",))
async def rules_hold_at_certain_times(bench: TuitbotBench) -> None:
    """Rules of hours that are now and of hours that are not, of today and of other days, in another time zone.

    They leave posts alone: a new tweet tells the time.
    """
    policies = bench.policies
    parts = policies.naming.parts
    if "schedule_window" not in parts:
        message = "the target does not say that its policy takes schedule_window; see policy_parts in [choices]"
        raise SkipError(message)
    now = await server_time(await bench.workflow(policy=OPEN))
    windows = [_window(now.hour - 2), _window(now.hour + 6), _window(now.hour + 3, hours=23)]
    if "days" in parts:
        today = DAYS[now.weekday()]
        day = {"start_hour": 0, "end_hour": 24, "timezone": "UTC"}
        windows += [{**day, "days": [today]}, {**day, "days": [each for each in DAYS if each != today]}]
    if "timezone" in parts:
        windows += [{**_window(hour - 2), "timezone": ELSEWHERE} for hour in (now.hour, now.hour + AHEAD_H)]
    tools = ("x_quote_tweet", "x_like_tweet")
    rules = [policies.rule("deny", *tools, schedule_window=window) for window in windows]
    await apart(*[_with(bench, policies.ruled(rule), "x_post_tweet", *tools) for rule in rules])


def _window(start: int, hours: int = 4) -> dict[str, Json]:
    """Some hours of each day; 23 of them mostly go on after midnight."""
    return {"start_hour": start % 24, "end_hour": (start + hours) % 24, "timezone": "UTC"}


@stimulus("tuitbot", exercises=("TB-POL-01", "TB-POL-02", "TB-POL-03", "TB-POL-05"), needs=("policy",))
async def lists_and_templates_rule(bench: TuitbotBench) -> None:
    """The list of approvals, dry runs of everything, the templates, and the server's own rule against deletions."""
    policies = bench.policies
    asked: list[Policy] = [
        policies.lists(require_approval_for=["x_post_tweet"]),
        policies.lists(dry_run_mutations=True),
        *({"enforce_for_mutations": True, "template": name} for name in ("safe_default", "growth_aggressive")),
    ]
    parts = [_with(bench, policy, "x_post_tweet", "x_like_tweet", "x_delete_tweet") for policy in asked]
    await apart(*parts, _delete(bench))


async def _delete(bench: TuitbotBench) -> None:
    """A user's rule allows what the server's own holds back."""
    rule = bench.policies.rule("allow", name="everything")
    await _with(bench, bench.policies.ruled(rule), "x_delete_tweet", "x_post_tweet")


@stimulus("tuitbot", exercises=("TB-POL-01", "TB-POL-02", "TB-POL-03"), needs=("policy", "mode"))
async def everything_is_routed_in_composer_mode(bench: TuitbotBench) -> None:
    """The server's own rule, against which a user's that allows comes too late; and where the gate asks nobody."""
    allowing = bench.policies.ruled(bench.policies.rule("allow", name="everything"))
    for policy in (allowing, OPEN):
        await _with(bench, policy, "x_post_tweet", "x_like_tweet", "compose_tweet", mode="composer")


@stimulus("tuitbot", exercises=("TB-POL-09",), needs=("policy", "mode"))
async def what_is_outside_the_gate_acts_in_composer_mode(bench: TuitbotBench) -> None:
    """An upload, and words on what the server's own rule routed."""
    allowing = bench.policies.ruled(bench.policies.rule("allow", name="everything"))
    calls = await Calls.at(await bench.workflow(policy=allowing, mode="composer"))
    tools = ("x_upload_media", "approve_item", "reject_item", "approve_all")
    await apart(*[calls.call(tool) for tool in tools])


async def _with(bench: TuitbotBench, policy: Policy, *tools: str, **settings: Json) -> None:
    """These mutations under a policy, each with reads around it; a tweet that is posted tells the time."""
    calls = await Calls.at(await bench.workflow(policy=policy, **settings))
    shown = _shown(calls, TIMELINE)
    for _ in range(2):
        await look(calls.bench, shown)
    for tool in tools:
        arguments = {"tweet_id": calls.subjects.tweet_id} if tool == "x_delete_tweet" else calls.plain(tool)
        answer = await calls.bench.call(tool, arguments)
        if isinstance(answer.given.get("id"), str):
            await calls.bench.call("get_tweet_by_id", {"tweet_id": answer.given["id"]})
        await look(calls.bench, shown)


@stimulus("tuitbot", exercises=("TB-POL-09",), needs=("policy",))
async def the_gate_denies_what_is_outside_it(bench: TuitbotBench) -> None:
    """An upload, and words on what was routed before a rule denies everything else."""
    policies = bench.policies
    routing = policies.rule("require_approval", "x_post_tweet", name="posts", priority=EARLIER)
    server = await bench.workflow(policy=policies.ruled(routing, policies.rule("deny", name="everything")))
    calls = await Calls.at(server)
    await server.call("x_upload_media", {"file_path": PICTURE})
    await apart(*[calls.call(tool) for tool in ("approve_item", "reject_item", "approve_all")])
    await look(server, TIMELINE)
    await _requests(bench, policies.ruled(policies.rule("deny", name="everything")))


async def _requests(bench: TuitbotBench, policy: Policy) -> None:
    """Universal requests, where the contract has any."""
    for _, server in await bench.profiles(("admin",), {"policy": policy}) if bench.offers("admin") else ():
        for tool, given in (await Calls.at(server)).things.requests():
            await server.call(tool, given)
