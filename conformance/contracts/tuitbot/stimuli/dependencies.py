"""Tool Manifest of seed 000: every tool with all that it may need, and without one thing at a time."""

from conformance.contracts.tuitbot.bench import ASKED, TuitbotBench
from conformance.contracts.tuitbot.calls import Calls
from conformance.contracts.tuitbot.manifest import tools_of
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json

X_AND_LLM: dict[str, Json] = {"x_client": False, "llm": False}
ALL: dict[str, Json] = {**X_AND_LLM, "database": "failing"}


@stimulus("tuitbot", exercises=("TB-MAN-07", "TB-MAN-08", "TB-MAN-09"), needs=("policy",))
async def dependencies_are_taken_away_in_workflow(bench: TuitbotBench) -> None:
    """X client, LLM and database, while the gate is asked and allows."""
    await _each_way(await Calls.at(await bench.workflow(**ASKED)), "workflow", ALL)


@stimulus("tuitbot", exercises=("TB-MAN-07", "TB-MAN-08"))
async def dependencies_are_taken_away_in_api(bench: TuitbotBench) -> None:
    """X client and LLM; there is no database."""
    await _each_way(await Calls.at(await bench.api()), "api", X_AND_LLM)


async def _each_way(calls: Calls, profile: str, away: dict[str, Json]) -> None:
    """Calls of one tool have its name as their label: by that they are paired."""
    conditions = {name: value for name, value in away.items() if calls.bench.can(name)}
    for tool in tools_of(profile):
        await calls.call(tool, label=tool)
        for name, value in conditions.items():
            await calls.call(tool, on=await calls.bench.under(**{name: value}), label=tool)
