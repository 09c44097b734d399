"""Whether a payload is in order by the contract's own list of parameters, whatever schema the server serves."""

import msgspec

from conformance.contract.catalogue import Contract
from conformance.contract.dialect import seems_valid
from conformance.contract.schema import compiled
from conformance.contracts.threads.payloads import IDENTITY
from conformance.judge.characters import doubtful
from conformance.judge.served import served
from conformance.judge.settings import number, setting
from conformance.judge.sizes import exceeds, limits
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.listed import ListedTool

TEXTS = ("title", "reason", "trigger_prompt", "idempotency_key", "runtime")
"""Those that max_text limits."""
ASSURED = {"max_page": 50, "max_summary": 200, "max_body": 8_192, "max_metadata": 2_048, "max_text": 125}
"""What any server takes: the document names no limits. Pages, summaries and prompts are as large in its examples."""


def fits(call: Exchange, history: History, contract: Contract) -> bool:
    """Whether nothing in a call's arguments is in doubt. Fields that nobody knows are no matter.

    In doubt are texts of white space alone, keys with white space at an end, control characters but tabs and ends of
    lines, whole numbers written as fractions, what exceeds a limit, and a field of the server's own that is not as the
    server lists it.
    """
    given = call.arguments
    if not isinstance(given, dict) or not compiled(contract.tools[call.tool or ""].inputSchema).is_valid(given):
        return False
    listed = served(history, contract).tool(call)
    if exceeds(given, listed) or not _as_listed(given, contract.tools[call.tool or ""].inputSchema, listed):
        return False
    known = {name: given[name] for name in contract.tools[call.tool or ""].inputSchema["properties"] if name in given}
    if any(isinstance(value, float) or (isinstance(value, str) and not value.strip()) for value in known.values()):
        return False
    key = known.get("idempotency_key", "")
    if key != key.strip():
        return False
    return not doubtful(given) and _own(call) and _within(call, known, history, contract)


def _as_listed(given: dict[str, Json], own: dict[str, Json], listed: ListedTool | None) -> bool:
    """Whether each field that the server has beside the contract's keeps the schema that is listed for it."""
    more = listed.input_schema.get("properties") if listed is not None else None
    known = own["properties"]
    return not isinstance(more, dict) or all(
        seems_valid(more[name], value) is True for name, value in given.items() if name in more and name not in known
    )


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
    """Whether it keeps the limits that the target states or lists; any, where it does neither, are to be well kept."""
    listed = served(history, contract).tool(call)

    def most(setting_name: str, argument: str) -> float:
        if setting(history, call, setting_name) is None and not limits(listed, argument):
            return ASSURED[setting_name]
        return number(history, contract, call, setting_name)

    return (
        given.get("limit", 0) <= most("max_page", "limit")
        and given.get("max_messages", 0) <= most("max_summary", "max_messages")
        and len(given.get("body", "")) <= most("max_body", "body")
        and len(msgspec.json.encode(given.get("metadata"))) <= most("max_metadata", "metadata")
        and all(len(given[name]) <= most("max_text", name) for name in TEXTS if name in given)
    )
