"""Policy of seed 002: rules that hold everything back, the three kinds that deny, and what is outside the gate."""

from collections.abc import Iterator

from conformance.contracts.tuitbot.bench import TuitbotBench, rule
from conformance.contracts.tuitbot.calls import ABOUT, PICTURE, Calls
from conformance.contracts.tuitbot.looking import TIMELINE, Reads, about_queue, look
from conformance.contracts.tuitbot.manifest import manifest, tools_of
from conformance.drive.bench import taken
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json

FIRST = -1
"""A priority before every other, also before that of a server's own rules."""
EARLIER = -2


def everything(action: str) -> dict[str, Json]:
    """A policy with one rule, which matches all there is."""
    return {"rules": [rule(action, rule_id="user:everything", priority=FIRST)]}


@stimulus("tuitbot", exercises=("TB-POL-01", "TB-POL-06", "TB-POL-07"), needs=("policy",))
async def everything_is_denied(bench: TuitbotBench) -> None:
    """Each read, then each gated mutation with reads around it."""
    calls = await Calls.at(await bench.workflow(policy=everything("deny")))
    for tool in tools_of("workflow"):
        if not manifest()[tool].mutation:
            await calls.call(tool)
    await _try_all(calls)


@stimulus("tuitbot", exercises=("TB-POL-01", "TB-POL-03"), needs=("policy",))
async def everything_needs_approval(bench: TuitbotBench) -> None:
    """A read, each gated mutation with reads around it, and the queue at the end."""
    calls = await Calls.at(await bench.workflow(policy=everything("require_approval")))
    await calls.call("score_tweet")
    await _try_all(calls)
    await look(calls.bench, about_queue())


@stimulus("tuitbot", exercises=("TB-POL-01", "TB-POL-05"), needs=("policy",))
async def everything_is_a_dry_run(bench: TuitbotBench) -> None:
    """A read, and each gated mutation with reads around it."""
    calls = await Calls.at(await bench.workflow(policy=everything("dry_run")))
    await calls.call("score_tweet")
    await _try_all(calls)


async def _try_all(calls: Calls) -> None:
    shown = _shown(calls)
    candidate = await calls.candidate()
    for _ in range(2):
        await look(calls.bench, shown)
    for tool, arguments in _mutations(calls, candidate):
        await calls.bench.call(tool, arguments)
        await look(calls.bench, shown)


def _shown(calls: Calls) -> Reads:
    """Reads of which one at least shows what any of the mutations would do."""
    tweet: dict[str, Json] = {"tweet_id": calls.subjects.tweet_id}
    return (*TIMELINE, ("get_tweet_by_id", tweet), ("x_get_followers", {"user_id": calls.subjects.user_id}))


def _mutations(calls: Calls, candidate: str) -> Iterator[tuple[str, dict[str, Json]]]:
    """Each gated mutation; those that take something back come after those that would do it."""
    text: Json = calls.words()
    own: dict[str, dict[str, Json]] = {
        "compose_tweet": {"content": text},
        "x_post_tweet": {"text": text},
        "x_post_thread": {"tweets": [text, "and more"]},
        "propose_and_queue_replies": {"items": [{"candidate_id": candidate, "pre_drafted_text": text}]},
        "x_delete_tweet": {"tweet_id": calls.subjects.tweet_id},
    }
    for name, entry in manifest().items():
        if entry.gated:
            yield name, own[name] if name in own else ABOUT[name](calls.subjects)


@stimulus("tuitbot", exercises=("TB-POL-06", "TB-POL-07"), needs=("policy",))
async def each_kind_of_rule_denies(bench: TuitbotBench) -> None:
    """The blocked list, a hard rule and a user's rule, each with what it matches and what it does not."""
    policies: tuple[dict[str, Json], ...] = (
        {"blocked_tools": ["x_post_tweet", "x_retweet"], "require_approval_for": []},
        {"rules": [rule("deny", "x_post_tweet", "x_retweet", rule_id="hard:on_trial", priority=50)]},
        {"rules": [rule("deny", "x_post_tweet", "x_retweet", rule_id="user:on_trial", priority=200)]},
    )
    for policy in policies:
        calls = await Calls.at(await bench.workflow(policy=policy))
        shown = _shown(calls)
        for _ in range(2):
            await look(calls.bench, shown)
        for tool in ("x_post_tweet", "x_retweet"):
            await calls.call(tool)
            await look(calls.bench, shown)


@stimulus("tuitbot", exercises=("TB-POL-03", "TB-POL-04"), needs=("policy",))
async def routed_posts_are_approved_or_rejected(bench: TuitbotBench) -> None:
    """One approved twice over, one rejected and then approved, one approved with all others."""
    server = await bench.workflow(policy=everything("require_approval"))
    approved, rejected, among = [await _routed(server) for _ in range(3)]
    await look(server, about_queue())
    for tool, item in (("approve_item", approved), ("reject_item", rejected)):
        await server.call(tool, {"id": item})
        await look(server, TIMELINE)
    for item in (approved, rejected):
        await server.call("approve_item", {"id": item})
    await look(server, TIMELINE)
    await server.call("approve_all", {})
    await server.call("approve_item", {"id": among})
    await look(server, (*TIMELINE, *about_queue()))


async def _routed(server: TuitbotBench) -> Json:
    """The queue id of a post that waits for approval."""
    return taken(await server.call("x_post_tweet", {"text": server.unique("post")}), "approval_queue_id")


@stimulus("tuitbot", exercises=("TB-POL-09",), needs=("policy",))
async def the_gate_denies_what_is_outside_it(bench: TuitbotBench) -> None:
    """An upload, and words on what was routed before a rule denies everything else."""
    routing = rule("require_approval", "x_post_tweet", rule_id="user:posts", priority=EARLIER)
    denying = rule("deny", rule_id="user:everything", priority=FIRST)
    server = await bench.workflow(policy={"rules": [routing, denying]})
    first, second = await _routed(server), await _routed(server)
    await _routed(server)
    await server.call("x_upload_media", {"file_path": PICTURE})
    await server.call("approve_item", {"id": first})
    await server.call("reject_item", {"id": second})
    await server.call("approve_all", {})
    await look(server, TIMELINE)
