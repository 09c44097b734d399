"""Whether a payload is in order by the contract's own list of parameters, whatever schema the server serves."""

import re

import msgspec

from conformance.contract.catalogue import Contract
from conformance.contract.dialect import seems_valid
from conformance.contract.schema import compiled
from conformance.contracts.threads.payloads import IDENTITY
from conformance.judge.characters import doubtful
from conformance.judge.memo import once
from conformance.judge.served import served
from conformance.judge.settings import number, setting
from conformance.judge.sizes import exceeds, limits
from conformance.model.arguments import properties
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.listed import ListedTool

TEXTS = ("title", "reason", "trigger_prompt", "idempotency_key", "runtime")
"""Those that max_text limits."""
AGENT = re.compile("[!-~]+")
"""A name that any server takes for an agent's: the document says nothing of the characters in ids."""
LIMITED = {"max_page": "limit", "max_summary": "max_messages", "max_body": "body", "max_metadata": "metadata"}
"""Settings, each with the argument that it limits."""
FEW_AGENTS = 8
"""So many participants any thread may have."""
ASSURED = {"max_page": 50, "max_summary": 200, "max_body": 8_192, "max_metadata": 2_048, "max_text": 125}
"""What any server takes: the document names no limits. Pages, summaries and prompts are as large in its examples."""


def fits(call: Exchange, history: History, contract: Contract) -> bool:
    """Whether nothing in a call's arguments is in doubt. Fields that nobody knows are no matter.

    In doubt are texts of white space alone, keys with white space at an end, control characters but tabs and ends of
    lines, whole numbers written as fractions, agents with names that no id has, what exceeds a limit, and a field of
    the server's own that is not as the server lists it.
    """
    given = call.arguments
    if not isinstance(given, dict) or not compiled(contract.tools[call.tool or ""].inputSchema).is_valid(given):
        return False
    listed = served(history, contract).tool(call)
    if exceeds(given, listed) or not _as_listed(given, contract.tools[call.tool or ""].inputSchema, listed):
        return False
    known = _known(call, contract)
    if any(isinstance(value, float) or (isinstance(value, str) and not value.strip()) for value in known.values()):
        return False
    key = known.get("idempotency_key", "")
    agents = [*known.get("participants", ()), *(known[name] for name in ("target_agent_id",) if name in known)]
    if key != key.strip() or not all(map(AGENT.fullmatch, agents)):
        return False
    return not doubtful(given) and _own(call) and in_limits(call, history, contract)


def _as_listed(given: dict[str, Json], own: dict[str, Json], listed: ListedTool | None) -> bool:
    """Whether each field that the server has beside the contract's keeps the schema that is listed for it."""
    more, known = properties(listed.input_schema) if listed is not None else {}, own["properties"]
    return all(
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


def _known(call: Exchange, contract: Contract) -> dict[str, Json]:
    """The arguments that the contract has a parameter for."""
    given = call.arguments if isinstance(call.arguments, dict) else {}
    return {name: given[name] for name in contract.tools[call.tool or ""].inputSchema["properties"] if name in given}


def in_limits(call: Exchange, history: History, contract: Contract) -> bool:
    """Whether it keeps the limits that the target states or lists; any, where it does neither, are to be well kept.

    A value of another type keeps them: what is wrong with it is something else.
    """
    given, most = _known(call, contract), _limits(history, contract).of(call)
    numbers = {name: value for name, value in given.items() if isinstance(value, int)}
    texts = {name: value for name, value in given.items() if isinstance(value, str)}
    return (
        numbers.get("limit", 0) <= most["max_page"]
        and numbers.get("max_messages", 0) <= most["max_summary"]
        and (not isinstance(agents := given.get("participants"), list) or len(agents) <= FEW_AGENTS)
        and len(texts.get("body", "")) <= most["max_body"]
        and ("metadata" not in given or len(msgspec.json.encode(given["metadata"])) <= most["max_metadata"])
        and all(len(texts[name]) <= most[name] for name in TEXTS if name in texts)
    )


class _Limits:
    """The limits that hold for a call: the same for all calls of a tool at an instance."""

    def __init__(self, history: History, contract: Contract) -> None:
        self._history, self._contract = history, contract
        self._known: dict[tuple[str, int], tuple[ListedTool | None, dict[str, float]]] = {}
        """By instance and listed tool, which is held so that its identity stays its own."""

    def of(self, call: Exchange) -> dict[str, float]:
        """By the name of the setting, or of the text that max_text limits."""
        listed = served(self._history, self._contract).tool(call)
        place = call.instance, id(listed)
        if place not in self._known:
            settings = {name: self._most(call, listed, name, argument) for name, argument in LIMITED.items()}
            self._known[place] = listed, settings | {name: self._most(call, listed, "max_text", name) for name in TEXTS}
        return self._known[place][1]

    def _most(self, call: Exchange, listed: ListedTool | None, name: str, argument: str) -> float:
        if setting(self._history, call, name) is None and not limits(listed, argument):
            return ASSURED[name]
        return number(self._history, self._contract, call, name)


_limits = once(_Limits)
