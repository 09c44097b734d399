"""The law of each promise."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from conformance.contract import promises as p
from conformance.contract.catalogue import Contract
from conformance.contract.saying import sentence
from conformance.judge.law import LAWS, Law
from conformance.judge.promised import (
    barring,
    causes,
    enforcing,
    envelope,
    inventory,
    keys,
    listing,
    numbers,
    pages,
    revisions,
    serving,
    showing,
)
from conformance.model.history import History
from conformance.model.verdict import Judgement

Shared = Callable[[Any, Contract, Any], Iterable[Judgement]]
OVER_EXCHANGES: dict[type, Shared] = {
    p.Answer: envelope.answer,
    p.Mirrored: envelope.mirrored,
    p.Catalogued: envelope.catalogued,
    p.Retryable: envelope.retryable,
    p.Echoed: envelope.echoed,
    p.Ordered: envelope.ordered,
    p.Filtered: envelope.filtered,
}
"""Laws that look at each exchange of the tools by itself."""
OVER_MCP = (p.Mirrored, p.Declared)
"""Promises about what MCP alone has."""
OVER_HISTORIES: dict[type, Shared] = {
    p.Served: serving.served,
    p.Refused: causes.judged,
    p.Barred: barring.barred,
    p.Replayed: keys.replayed,
    p.Conflicting: keys.conflicting,
    p.Revised: revisions.revised,
    p.Guarded: revisions.guarded,
    p.Shows: showing.shows,
    p.Lives: showing.lives,
    p.Listed: inventory.complete,
    p.Steady: showing.steady,
    p.Rising: numbers.rising,
    p.Unique: numbers.unique,
    p.Bounded: numbers.bounded,
    p.Enforced: enforcing.enforced,
    p.Paged: pages.paged,
    p.Capped: pages.capped,
    p.Declared: listing.declared,
}


def laws_of(requirement: str, contract: Contract) -> tuple[Law, ...]:
    """What decides a requirement: its law in Python, else the shared laws that it names; none where there is none."""
    promised = contract.promised(requirement)
    if not promised:
        return (LAWS[requirement],) if requirement in LAWS else ()
    return tuple(_law(name, promise, contract) for name, promise in promised.items())


def _law(identifier: str, promise: p.Promise, contract: Contract) -> Law:
    by_exchange = OVER_EXCHANGES.get(type(promise))
    said, absent = sentence(promise), _only_over_mcp if isinstance(promise, OVER_MCP) else None
    if by_exchange is not None:
        tool = getattr(promise, "tool", "")
        tools = (tool,) if tool else (*getattr(promise, "tools", ()),) or tuple(contract.tools)
        return Law(
            identifier, over_exchange=partial(_promised, by_exchange, promise), tools=tools, absent=absent, says=said
        )
    over_history = partial(_promised, OVER_HISTORIES[type(promise)], promise)
    return Law(identifier, over_history=over_history, absent=absent, says=said)


def _only_over_mcp(history: History, _: Contract) -> str:
    """Why nothing shows a promise about what plain HTTP does not have: isError, and a list of tools."""
    plain = history.connections and all(each.binding == "http" for each in history.connections.values())
    return "plain HTTP has neither isError nor tools/list" if plain else ""


def _promised(law: Shared, promise: p.Promise, about: Any, contract: Contract) -> Iterable[Judgement]:
    return law(about, contract, promise)
