"""What describe_tools says of the registered tools."""

from collections.abc import Mapping

from conformance.contract.catalogue import Contract
from conformance.contracts.invocation.kit import DESCRIBE
from conformance.judge.memo import once
from conformance.model.events import Json
from conformance.model.history import History


@once
def described(history: History, _: Contract) -> Mapping[str, dict[str, Json]]:
    """The tools as they were described last, by name; whatever has no name is left out."""
    found: dict[str, dict[str, Json]] = {}
    for call in history.accepted(DESCRIBE):
        tools = call.given.get("tools")
        for tool in tools if isinstance(tools, list) else ():
            if isinstance(tool, dict) and isinstance(tool.get("name"), str):
                found[tool["name"]] = tool
    return found
