"""Profiles of seed 000: each is asked for the other's tools."""

from conformance.contracts.tuitbot.bench import TuitbotBench
from conformance.contracts.tuitbot.calls import ABOUT, FIXED, Calls
from conformance.contracts.tuitbot.looking import look, whole
from conformance.contracts.tuitbot.manifest import manifest, tools_of
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json

MADE_UP: dict[str, dict[str, Json]] = {
    "approve_item": {"id": 1},
    "reject_item": {"id": 1},
    "draft_replies_for_candidates": {"candidate_ids": ["1"]},
    "propose_and_queue_replies": {"items": [{"candidate_id": "1", "pre_drafted_text": "Out of reach"}]},
}
"""Arguments that the tool's schema allows, about things that there need not be."""


@stimulus("tuitbot", exercises=("TB-PROF-05",))
async def workflow_is_asked_for_the_others_tools(bench: TuitbotBench) -> None:
    """x_get_me, with a look at the whole around it."""
    await _ask(await Calls.at(await bench.workflow()), "workflow")


@stimulus("tuitbot", exercises=("TB-PROF-05",))
async def api_is_asked_for_the_others_tools(bench: TuitbotBench) -> None:
    """All that workflow alone has, with a look at the whole around them."""
    await _ask(await Calls.at(await bench.api()), "api")


async def _ask(calls: Calls, profile: str) -> None:
    shown = whole(calls.subjects, profile)
    for _ in range(2):
        await look(calls.bench, shown)
    for tool in manifest():
        if tool not in tools_of(profile):
            about = ABOUT[tool](calls.subjects) if tool in ABOUT else FIXED.get(tool, {})
            await calls.bench.call(tool, MADE_UP.get(tool, about))
    await look(calls.bench, shown)
