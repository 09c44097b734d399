"""Does what an answer suggests."""

from conformance.contracts.tasks.bench import Workspace
from conformance.contracts.tasks.suggested import suggestions
from conformance.model.exchange import Exchange


async def follow(workspace: Workspace, answer: Exchange) -> list[Exchange]:
    """Makes the calls that an answer suggests, as they are, one after another: tools of the contract, in here alone."""
    made = []
    for suggestion in suggestions(answer):
        target, params = suggestion.target, suggestion.params
        known = target in workspace.bench.contract.tools
        if target is not None and known and params is not None and params.get("workspace") == workspace.name:
            made.append(await workspace.bench.call(target, params))
    return made
