"""Tool Manifest of the Session 05 contract: every tool with all that it may need, and without one thing at a time."""

from conformance.contracts.tuitbot.bench import ALL_PROFILES, WORKING, TuitbotBench
from conformance.contracts.tuitbot.gate import GATED_PROFILES
from conformance.contracts.tuitbot.stimuli.sweeping import sweep_profiles
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json


async def _without(bench: TuitbotBench, name: str, value: Json) -> None:
    """Each tool without a dependency; those on approvals one by one, each with its item.

    The gate is asked and allows: what it needs is needed by whatever it guards.
    """
    wished = {**WORKING, "policy": bench.policies.everything("allow")}
    kind = GATED_PROFILES if name == "database" else ALL_PROFILES
    await sweep_profiles(bench, "", name, value, kind=kind, wished=wished)


@stimulus("tuitbot", exercises=("TB-MAN-07", "TB-ERR-x_not_configured"), needs=("x_client",))
async def the_x_client_is_taken_away(bench: TuitbotBench) -> None:
    """Every tool of each profile without it, and with it."""
    await _without(bench, "x_client", value=False)


@stimulus("tuitbot", exercises=("TB-MAN-08", "TB-ERR-llm_not_configured"), needs=("llm",))
async def the_llm_is_taken_away(bench: TuitbotBench) -> None:
    """Every tool of each profile without it, and with it."""
    await _without(bench, "llm", value=False)


@stimulus(
    "tuitbot",
    exercises=("TB-MAN-09", "TB-ERR-db_error", "TB-ERR-context_error", "TB-ERR-recommendation_error", "TB-SRV-03"),
    needs=("database",),
)
async def the_database_is_taken_away(bench: TuitbotBench) -> None:
    """Every tool of the profiles that have one, while it fails and while it does not."""
    await _without(bench, "database", value="failing")
