"""Profile Metadata Boundaries: both modes, with approval configured and without."""

from conformance.contracts.tuitbot.bench import TuitbotBench
from conformance.contracts.tuitbot.calls import Calls
from conformance.contracts.tuitbot.policies import Action
from conformance.drive.stimulus import stimulus

UNKNOWN_ITEM = 987_654_321


@stimulus(
    "tuitbot",
    exercises=("TB-META-05", "TB-META-06", "TB-META-03", "TB-META-04", "TB-SRV-02"),
    needs=("mode", "approval_mode"),
)
async def servers_run_in_each_mode(bench: TuitbotBench) -> None:
    """Autopilot and composer, each with and without approval: reads, a mutation and a refusal."""
    for mode in ("autopilot", "composer"):
        for approval in (True, False):
            server = await bench.workflow(mode=mode, approval_mode=approval)
            calls = await Calls.at(server)
            for tool in ("get_mode", "get_config", "x_post_tweet"):
                await calls.call(tool)
            await server.call("get_stats", {"days": "seven"})
            # a server may refuse wrong arguments before any envelope, and this it cannot
            await server.call("reject_item", {"id": UNKNOWN_ITEM})


@stimulus("tuitbot", exercises=("TB-META-05", "TB-META-06"), needs=("mode", "policy"))
async def the_gate_answers_in_composer_mode(bench: TuitbotBench) -> None:
    """A mutation in its place, by each kind of decision."""
    actions: tuple[Action, ...] = ("allow", "deny", "require_approval", "dry_run")
    for action in actions:
        server = await bench.workflow(mode="composer", policy=bench.policies.everything(action))
        await (await Calls.at(server)).call("x_post_tweet")
