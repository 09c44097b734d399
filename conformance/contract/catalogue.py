"""The contracts that are known here, each read once."""

from collections.abc import Iterator
from functools import cache

from conformance.contract.errors import ContractError as ContractError
from conformance.contract.errors import UnknownContractError as UnknownContractError
from conformance.contract.errors import UnknownEditionError as UnknownEditionError
from conformance.contract.place import folder as folder
from conformance.contract.reading import read
from conformance.contract.registry import names as names
from conformance.contract.registry import source_of
from conformance.contract.rows import Contract as Contract
from conformance.contract.rows import ErrorCode as ErrorCode
from conformance.contract.rows import Modelling as Modelling
from conformance.contract.rows import Shown as Shown
from conformance.contract.rows import ToolMark as ToolMark
from conformance.contract.source import Source
from conformance.model.requirement import Requirement


def load(name: str, edition: str | None = None) -> Contract:
    """Reads an edition of a contract that is known, its own choice where none is named.

    UnknownContractError, UnknownEditionError: there is none of that name. ContractError: its folder holds none.
    """
    return _read(source_of(name), edition)


@cache
def _read(source: Source, edition: str | None) -> Contract:
    return read(source, edition, load)


def requirement(identifier: str) -> Requirement | None:
    """A requirement by its id, of whichever contract is known here; None where none has it."""
    for contract in map(_tried, reversed(names())):
        if isinstance(contract, Contract) and identifier in contract.requirements:
            return contract.requirements[identifier]
    return None


def readable() -> Iterator[Contract]:
    """The contracts that are known here and can be read: a package of others may have installed one that cannot."""
    return (contract for contract in map(_tried, names()) if isinstance(contract, Contract))


def unreadable() -> Iterator[str]:
    """Why each of the others cannot."""
    return (why for why in map(_tried, names()) if isinstance(why, str))


def _tried(name: str) -> Contract | str:
    """A contract, or why it cannot be read."""
    try:
        return load(name)
    except (ContractError, UnknownContractError) as error:
        return str(error)
