"""Profiles of the Session 05 contract: each is asked for the other's tools."""

from conformance.contracts.tuitbot.bench import TuitbotBench
from conformance.contracts.tuitbot.calls import Calls
from conformance.contracts.tuitbot.looking import look, whole
from conformance.contracts.tuitbot.manifest import manifest, tools_of
from conformance.drive.bench import side_by_side
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json

MADE_UP: dict[str, dict[str, Json]] = {
    "approve_item": {"id": 1},
    "reject_item": {"id": 1},
    "draft_replies_for_candidates": {"candidate_ids": ["1"]},
    "propose_and_queue_replies": {"items": [{"candidate_id": "1", "pre_drafted_text": "Out of reach"}]},
}
"""Arguments that the tool's schema allows, about things that there need not be."""


@stimulus("tuitbot", exercises=("TB-PROF-03", "TB-PROF-05"))
async def profiles_are_asked_for_the_others_tools(bench: TuitbotBench) -> None:
    """Each for all that it does not serve, with a look at the whole around them."""
    found = await bench.profiles(wished={})
    await side_by_side(*[_ask(server, profile) for profile, server in found])


async def _ask(server: TuitbotBench, profile: str) -> None:
    calls = await Calls.at(server)
    shown = whole(calls.subjects, profile)
    for _ in range(2):
        await look(calls.bench, shown)
    for tool in manifest(server.contract.edition):
        if tool not in tools_of(server.contract, profile) and server.supports(tool):
            await calls.bench.call(tool, MADE_UP[tool] if tool in MADE_UP else calls.plain(tool))
    await look(calls.bench, shown)
