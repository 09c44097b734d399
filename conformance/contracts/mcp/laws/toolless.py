"""Servers without tools: of prompts or resources alone. What is said of tools does not apply to them."""

from conformance.contract.catalogue import Contract
from conformance.contracts.mcp.laws.offered import undeclared
from conformance.judge.law import Absence
from conformance.model.history import History
from conformance.model.listed import tools_of


def no_tools(history: History, contract: Contract) -> str:
    """Why nothing is said of tools: prompts or resources are declared and tools are not, nor listed, and none answered.

    A contract that has tools is about them, whatever is declared. A server that declares tools and lists none may have
    lost them, and so may one that declares nothing.
    """
    of_a_contract = history.header is not None and history.header.contract != contract.name
    seen = of_a_contract or any(any(tools_of(each)) for each in history.listings) or any(history.accepted())
    alone = all(undeclared(each, history) for each in ("prompts", "resources"))
    return "" if seen or alone else undeclared("tools", history)


def or_no_tools(absent: Absence) -> Absence:
    """The same where there is a reason of its own besides."""

    def either(history: History, contract: Contract) -> str:
        return absent(history, contract) or no_tools(history, contract)

    return either
