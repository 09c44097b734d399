"""Whether a payload is in order by the contract's own list of parameters, whatever schema the server serves."""

import msgspec

from conformance.contract.catalogue import Contract
from conformance.contract.schema import compiled
from conformance.contracts.threads.payloads import IDENTITY
from conformance.judge.characters import doubtful
from conformance.judge.settings import number
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History

TEXTS = ("title", "reason", "trigger_prompt", "idempotency_key", "runtime")
"""Those that max_text limits."""


def fits(call: Exchange, history: History, contract: Contract) -> bool:
    """Whether nothing in a call's arguments is in doubt. Fields that the contract does not know are no matter.

    In doubt are texts of white space alone, control characters but tabs and ends of lines, whole numbers written as
    fractions, and what exceeds a limit.
    """
    given = call.arguments
    if not isinstance(given, dict) or not compiled(contract.tools[call.tool or ""].inputSchema).is_valid(given):
        return False
    known = {name: given[name] for name in contract.tools[call.tool or ""].inputSchema["properties"] if name in given}
    if any(isinstance(value, float) or (isinstance(value, str) and not value.strip()) for value in known.values()):
        return False
    return not doubtful(given) and _own(call) and _within(call, known, history, contract)


def _own(call: Exchange) -> bool:
    """Whether what repeats the caller's identity is the caller's."""
    claims = call.credential.claims
    names = {"created_by": "agent_id", "sender_agent_id": "agent_id", "sender_session_id": "session_id"}
    return all(
        call.argument(name) == claims.get(names.get(name, name))
        for name in IDENTITY[call.tool or ""]
        if name in call.arguments
    )


def _within(call: Exchange, given: dict[str, Json], history: History, contract: Contract) -> bool:
    """Whether it keeps the limits, which a target may state to be narrower."""

    def most(name: str) -> float:
        return number(history, contract, call, name)

    texts = [given[name] for name in TEXTS if name in given]
    return (
        given.get("limit", 0) <= most("max_page")
        and given.get("max_messages", 0) <= most("max_summary")
        and len(given.get("body", "")) <= most("max_body")
        and len(msgspec.json.encode(given.get("metadata"))) <= most("max_metadata")
        and all(len(text) <= most("max_text") for text in texts)
    )
