"""Which arguments break a tool's schema: the control of a call that is refused for them differs in these alone."""

from conformance.contract.catalogue import Contract
from conformance.contract.schema import compiled
from conformance.judge.controls import ARGUMENTS, ButFor, but_for
from conformance.model.exchange import Exchange


def mistaken(call: Exchange, contract: Contract) -> ButFor:
    """In what an accepted like of a call with bad arguments differs from it."""
    tool = contract.tools.get(call.tool or "")
    if tool is None or not isinstance(call.arguments, dict):
        return ARGUMENTS
    known, required = tool.inputSchema.get("properties", {}), tool.inputSchema.get("required", [])
    wrong = {name for name in required if name not in call.arguments}
    for name, value in call.arguments.items():
        if name not in known or not _fits(known[name], value):
            wrong.add(name)
    return but_for(*wrong)


def _fits(schema: dict[str, object], value: object) -> bool:
    try:
        return compiled(schema, formats=False).is_valid(value)
    except ValueError:  # text that is no Unicode
        return False
