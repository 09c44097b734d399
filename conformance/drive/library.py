"""Imports the stimuli of a contract, and the bench that they are written for."""

from collections.abc import Sequence
from importlib import import_module
from types import ModuleType

from conformance.contract.catalogue import Contract
from conformance.contract.modules import import_all
from conformance.drive.bench import Bench
from conformance.drive.stimulus import STIMULI, StimulusPlan


def import_stimuli(contract: Contract) -> Sequence[StimulusPlan]:
    """The stimuli of the contract's edition, in the order of their modules."""
    import_all(f"conformance.contracts.{contract.name}.stimuli")
    return [plan for plan in STIMULI.values() if plan.is_of(contract)]


def bench_of(contract: Contract) -> type[Bench]:
    """The contract's kind of bench."""
    found: type[Bench] = _module(contract).BENCH
    return found


def default_role(contract: Contract) -> str | None:
    """In whose name a call is made where a stimulus names nobody; None: in nobody's."""
    role: str | None = _module(contract).DEFAULT_ROLE
    return role


def _module(contract: Contract) -> ModuleType:
    return import_module(f"conformance.contracts.{contract.name}.bench")
