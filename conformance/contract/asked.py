"""What a contract says of an argument: its part of the tool's input schema."""

from conformance.contract.promises import Place
from conformance.contract.rows import Contract
from conformance.model.events import Json
from conformance.model.pointer import ASKED, steps


def asked_as(contract: Contract, tool: str, place: Place) -> dict[str, Json] | None:
    """The schema of the argument at a place; None where the contract says nothing of it."""
    about = contract.tools.get(tool)
    found: Json = about.inputSchema if about is not None else None
    for step in steps(place.removeprefix(ASKED)):
        properties = found.get("properties") if isinstance(found, dict) else None
        found = properties.get(step) if isinstance(properties, dict) else None
    return found if isinstance(found, dict) else None
