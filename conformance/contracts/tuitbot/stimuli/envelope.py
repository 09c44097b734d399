"""Every tool of both profiles, served and refused: what the envelope, its metadata and its retryable look like."""

from conformance.contracts.tuitbot.bench import WORKING, TuitbotBench
from conformance.contracts.tuitbot.calls import Calls
from conformance.contracts.tuitbot.manifest import tools_of
from conformance.drive.stimulus import stimulus

ENVELOPE = tuple(f"TB-ENV-{number:02}" for number in range(1, 19) if number not in (9, 10))
FLAW = {"no_such_parameter": True}


async def _all_of_it(bench: TuitbotBench, profile: str) -> None:
    """Each tool with arguments that work, and with one more that its schema does not know."""
    calls = await Calls.at(bench)
    for tool in tools_of(profile):
        await calls.call(tool)
        await bench.call(tool, FLAW)


@stimulus("tuitbot", exercises=(*ENVELOPE, "TB-META-03", "TB-META-04", "TB-RETRY-03", "TB-ERR-validation_error"))
async def every_tool_of_workflow_answers(bench: TuitbotBench) -> None:
    """Each of the 64 tools once as it works and once as it does not."""
    await _all_of_it(await bench.workflow(**WORKING), "workflow")


@stimulus("tuitbot", exercises=(*ENVELOPE, "TB-META-01", "TB-META-02", "TB-RETRY-03", "TB-ERR-validation_error"))
async def every_tool_of_api_answers(bench: TuitbotBench) -> None:
    """Each of the 34 tools once as it works and once as it does not."""
    await _all_of_it(await bench.api(), "api")
