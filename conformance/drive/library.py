"""Imports the stimuli of a contract, and the bench that they are written for."""

from collections.abc import Sequence
from importlib import import_module
from types import ModuleType

from conformance.contract.catalogue import Contract
from conformance.contract.modules import import_all
from conformance.contract.promises import Refused
from conformance.contract.source import has
from conformance.drive.bench import Bench
from conformance.drive.promised.library import plans
from conformance.drive.statement import Statement
from conformance.drive.stimulus import STIMULI, StimulusPlan

CALLER = "caller"
"""The role of whoever calls, where neither contract nor statement has a name for it."""


def import_stimuli(contract: Contract) -> Sequence[StimulusPlan]:
    """The stimuli of the contract's edition, in the order of their modules, whichever of these was imported first."""
    if has(contract.package, "stimuli"):
        import_all(f"{contract.package}.stimuli")
    own = sorted((plan for plan in STIMULI.values() if plan.is_of(contract)), key=lambda plan: plan.run.__module__)
    return [*own, *plans(contract)]


def bench_of(contract: Contract) -> type[Bench]:
    """The contract's kind of bench: a plain one where it has none of its own."""
    own = _module(contract)
    found: type[Bench] = own.BENCH if own is not None else Bench
    return found


def default_role(contract: Contract, statement: Statement) -> str | None:
    """In whose name a call is made where a stimulus names nobody; None: in nobody's.

    Where the contract names no roles, the first one for whom the statement has a token: the words are the target's. A
    contract that is data alone has one for whom there is a token, or one that it names: one to whom it refuses nothing.
    """
    own, known = _module(contract), [token.role for token in statement.auth.tokens]
    if own is not None:
        role: str | None = own.DEFAULT_ROLE
        free = role is not None and not contract.callers.roles and role not in known
        return known[0] if free and known else role
    roles = known or contract.callers.roles
    barred = {each.role for each in contract.promises.values() if isinstance(each, Refused) and each.cause == "role"}
    return next((role for role in roles if role not in barred), next(iter(roles), CALLER))


def _module(contract: Contract) -> ModuleType | None:
    return import_module(f"{contract.package}.bench") if has(contract.package, "bench") else None
