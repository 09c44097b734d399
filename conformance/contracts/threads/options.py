"""The options of trigger_participant, which the document leaves open: the names that a server has for them, if any."""

from collections.abc import Mapping

from conformance.contract.catalogue import Contract
from conformance.judge.parameters import parameters
from conformance.judge.settings import choice, chosen
from conformance.model.events import Json
from conformance.model.history import History
from conformance.model.listed import tools_of

TERM = "trigger_options"
TOOL = "trigger_participant"
AUDIT = {"force": "audit"}
"""What comes with an option, by the contract's own name where the statement gives none."""


def options(history: History, contract: Contract) -> Mapping[str, str]:
    """By our name, the server's name of each option that it has.

    It has those that its list of tools names. Where no list says, as over plain HTTP, it has those that its statement
    names: a server may ignore fields that it does not know.
    """
    statement = history.header.statement if history.header is not None else {}
    stated, named = chosen(history, TERM), choice(history, contract, TERM)
    names: dict[str, Json] = dict(named) if isinstance(named, dict) else {}
    names |= {second: second for first, second in AUDIT.items() if first in names and second not in names}
    left_out, listed = _left_out(statement), _listed(history)
    return {
        ours: name
        for ours, name in names.items()
        if isinstance(name, str) and ours not in left_out and (stated if listed is None else name in listed)
    }


def _left_out(statement: Mapping[str, Json]) -> Mapping[str, Json]:
    """What the statement says it does not support."""
    table = statement.get("unsupported")
    found = table.get("options") if isinstance(table, dict) else None
    return found if isinstance(found, dict) else {}


def _listed(history: History) -> frozenset[str] | None:
    """The parameters that every list of the server's tools names; None where none names any."""
    schemas = [tool.input_schema for listing in history.listings for tool in tools_of(listing) if tool.name == TOOL]
    told = [found for schema in schemas if (found := parameters(schema))]
    return frozenset.intersection(*told) if told else None


def without(history: History, contract: Contract, option: str) -> str:
    """Why the server has no such option; empty where it has."""
    if option in options(history, contract):
        return ""
    return f"the server has no option {option} of {TOOL} ([choices] {TERM} names those that it has)"
