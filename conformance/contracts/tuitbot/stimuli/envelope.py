"""Every tool of each profile, served and refused: what the envelope, its metadata and its retryable look like."""

from collections.abc import Collection

from conformance.contracts.tuitbot.bench import TuitbotBench, apart
from conformance.contracts.tuitbot.calls import Calls
from conformance.contracts.tuitbot.gate import GATED_PROFILES, UNGATED_PROFILES
from conformance.drive.bench import side_by_side
from conformance.drive.stimulus import stimulus

ENVELOPE = tuple(f"TB-ENV-{number:02}" for number in range(1, 19) if number not in (9, 10))
FLAW = {"no_such_parameter": True}


async def _all_of_it(bench: TuitbotBench, kind: Collection[str]) -> None:
    """Each tool of each profile with arguments that work, and with one more that its schema does not know."""
    found = await bench.profiles(kind)
    await side_by_side(*[_in_profile(server, profile) for profile, server in found])


async def _in_profile(server: TuitbotBench, profile: str) -> None:
    calls = await Calls.at(server)
    await apart(*[_served_and_refused(calls, tool) for tool in server.served(profile)])


async def _served_and_refused(calls: Calls, tool: str) -> None:
    await calls.bench.call(tool, FLAW)
    await calls.call(tool)


@stimulus(
    "tuitbot",
    exercises=(
        *ENVELOPE,
        "TB-META-03",
        "TB-META-04",
        "TB-META-07",
        "TB-RETRY-03",
        "TB-ERR-validation_error",
        "TB-SRV-01",
    ),
)
async def every_tool_beside_a_gate_answers(bench: TuitbotBench) -> None:
    """Each tool of workflow, of write and of admin, once as it works and once as it does not."""
    await _all_of_it(bench, GATED_PROFILES)


@stimulus(
    "tuitbot",
    exercises=(
        *ENVELOPE,
        "TB-META-01",
        "TB-META-02",
        "TB-META-07",
        "TB-RETRY-03",
        "TB-ERR-validation_error",
        "TB-SRV-01",
    ),
)
async def every_tool_without_a_gate_answers(bench: TuitbotBench) -> None:
    """Each tool of api, of readonly and of api-readonly, once as it works and once as it does not."""
    await _all_of_it(bench, UNGATED_PROFILES)
