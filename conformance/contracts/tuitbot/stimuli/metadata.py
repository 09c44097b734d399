"""Profile Metadata Boundaries: both modes, with approval configured and without."""

from conformance.contracts.tuitbot.bench import TuitbotBench
from conformance.contracts.tuitbot.calls import TEXT
from conformance.drive.stimulus import stimulus


@stimulus(
    "tuitbot", exercises=("TB-META-05", "TB-META-06", "TB-META-03", "TB-META-04"), needs=("mode", "approval_mode")
)
async def servers_run_in_each_mode(bench: TuitbotBench) -> None:
    """Autopilot and composer, each with and without approval: a read, a mutation and a refusal."""
    for mode in ("autopilot", "composer"):
        for approval in (True, False):
            server = await bench.workflow(mode=mode, approval_mode=approval)
            await server.call("get_mode", {})
            await server.call("x_post_tweet", {"text": TEXT})
            await server.call("get_stats", {"days": "seven"})
