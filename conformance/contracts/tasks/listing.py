"""What a server lists of the contract: some rules are about parameters that it need not have."""

from collections.abc import Callable

from conformance.contract.catalogue import Contract
from conformance.judge.memo import once
from conformance.judge.parameters import parameters
from conformance.judge.served import distinct, served
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.listed import tools_of


def listed_by_none(*names: str) -> Callable[[History, Contract], str]:
    """Says why rules about these parameters have no subject, where none of the contract's tools lists one of them."""

    def absent(history: History, contract: Contract) -> str:
        listings = [listing for listing in distinct(history) if listing.ended == "done"]
        tools = [tool for listing in listings for tool in tools_of(listing) if tool.name in contract.tools]
        if any(parameters(tool.input_schema) & set(names) for tool in tools):
            return ""
        return f"no tool lists {' or '.join(names)}" if tools else ""

    return absent


class Listed:
    """The parameters that tools are listed with."""

    def __init__(self, history: History, contract: Contract) -> None:
        self._served = served(history, contract)
        self._known: dict[int, frozenset[str]] = {}
        """By the identity of a listed tool, which lives as long as the history."""

    def names(self, call: Exchange) -> frozenset[str] | None:
        """Those of the tool that is called; None where it is not listed, or nothing is."""
        tool = self._served.tool(call)
        if tool is None:
            return None
        if id(tool) not in self._known:
            self._known[id(tool)] = parameters(tool.input_schema)
        return self._known[id(tool)]


listed = once(Listed)


def lists(history: History, contract: Contract, call: Exchange, *names: str) -> bool:
    """Whether the tool of a call lists these parameters, or nobody knows what it lists."""
    known = listed(history, contract).names(call)
    return known is None or known.issuperset(names)
