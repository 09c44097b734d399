"""MC-CALL-03 and -17: tools that a server does not have."""

import re
from collections.abc import Hashable, Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.mcp.laws.asking import asked
from conformance.contracts.mcp.laws.limits import for_a_time
from conformance.contracts.mcp.laws.toolless import no_tools
from conformance.judge.faults import declined, failed_itself
from conformance.judge.judgements import breach, holds
from conformance.judge.law import law
from conformance.judge.memo import once
from conformance.judge.served import served
from conformance.model.ending import reason
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import HELD, Judgement

UNKNOWN = re.compile(
    r"\b(?:unknown|no such|unregistered|undefined) tool\b|\btool\b.*\b(?:not (?:found|known|registered)|unknown)\b",
    re.IGNORECASE,
)
"""That there is no such tool."""


class _Strangers:
    """The calls of tools that are not listed, and whether listed ones were reached beside them."""

    def __init__(self, history: History, contract: Contract) -> None:
        listed = served(history, contract)
        self._listed = listed
        self.calls = [call for call in history.calls() if asked(call) and listed.unknown(call)]
        known = [call for call in history.calls() if listed.tool(call) is not None] if self.calls else []
        self._reached = {_place(call) for call in known if call.result is not None}
        self._refused = {_place(call) for call in self.calls if call.refused}
        self._accepted = {_place(call) for call in known if call.accepted}
        self._answered = {_place(call) for call in known if call.received is not None}
        self._unknown = {_place(call) for call in known if said_unknown(call)}

    def reached(self, call: Exchange) -> bool:
        """Whether a listed tool gave the same caller a result, be it a failure."""
        return _place(call) in self._reached

    def refuses(self, call: Exchange) -> bool:
        """Whether a call of a tool that is not listed was refused to the same caller."""
        return _place(call) in self._refused

    def respelled(self, call: Exchange) -> bool:
        """Whether a listed tool is named so but for case, blanks and the signs between words."""
        return _plain(str(call.tool)) in {_plain(name) for name in self._listed.names(call)}

    def accepted(self, call: Exchange) -> bool:
        """Whether a listed tool accepted a call of the same caller."""
        return _place(call) in self._accepted

    def told_apart(self, call: Exchange) -> bool:
        """Whether a refusal says that there is no such tool, and what listed ones answered the same caller does not."""
        return said_unknown(call) and _place(call) in self._answered - self._unknown


def _place(call: Exchange) -> Hashable:
    return call.instance, call.connection.binding, call.credential.name


def _plain(name: str) -> str:
    return "".join(filter(str.isalnum, name)).casefold()


_strangers = once(_Strangers)


def said_unknown(call: Exchange) -> bool:
    """Whether a refusal says that there is no tool of the name that was called."""
    said = reason(call)
    return call.refused and str(call.tool) in said and UNKNOWN.search(said) is not None


@law("MC-CALL-03", absent=no_tools)
def an_unknown_tool_is_a_protocol_error(history: History, contract: Contract) -> Iterator[Judgement]:
    """A call of a tool that is not listed gets a protocol error, where a call of a listed one gives a result.

    A name that differs from a listed one only in case, blanks or the signs between its words counts as unknown, where
    the server refuses any name at all.
    """
    strangers = _strangers(history, contract)
    for call in strangers.calls:
        if call.accepted and strangers.respelled(call):
            if not strangers.refuses(call):
                continue
            saw = f"the unknown tool {call.tool!r} was served as another one that is spelled nearly so"
            yield breach(saw, call, expected="a JSON-RPC error", got="a result without isError")
        elif call.refused and strangers.reached(call) and not for_a_time(call):
            saw = f"the unknown tool {call.tool!r} was refused by a result with isError"
            got = "a result with isError: true"
            yield holds(call.result is None, saw, call, expected="a JSON-RPC error", got=got)


@law("MC-CALL-17", absent=no_tools, compares="call")
def an_unknown_tool_is_never_served(history: History, contract: Contract) -> Iterator[Judgement]:
    """A call of a tool that is not listed does not succeed, while a call of a listed tool does.

    Where none does, it counts if the refusal says that there is no such tool, and says so of no listed one.

    A name that differs from a listed one only in case, blanks or the signs between its words is judged by MC-CALL-03:
    MCP only recommends that case counts.
    """
    strangers = _strangers(history, contract)
    for call in strangers.calls:
        if call.accepted and strangers.respelled(call):
            continue
        if call.accepted:
            saw = f"a call of the unknown tool {call.tool!r} succeeded"
            yield breach(saw, call, expected="a JSON-RPC error", got="a result without isError")
        elif (declined(call) or _names_it(call)) and (strangers.accepted(call) or strangers.told_apart(call)):
            yield HELD


def _names_it(call: Exchange) -> bool:
    """Whether a call ended in an internal error that names the tool that is not there."""
    return failed_itself(call) and str(call.tool) in reason(call)
