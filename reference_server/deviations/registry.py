"""Which deviations there are: one function a requirement, found by the requirement's id."""

import difflib
import importlib
import importlib.util
import inspect
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, TypeVar

Transport = Literal["stdio", "http", "v1"]
Target = TypeVar("Target")

CONTRACTS = {"TH": "threads", "MC": "mcp", "TB": "tuitbot", "TK": "tasks", "IR": "invocation"}
"""The contract of a requirement by the first part of its id; its deviations are in the sub-package of that name."""


MUTE = "mute:"
"""Before the name of a tool that refuses every call."""


@dataclass(frozen=True, slots=True)
class Deviation:
    """One way to break one requirement: `apply` changes the one instance that it is given."""

    requirement: str
    what: str
    apply: Callable[[Any], None]
    edition: str | None = None
    """The only edition in which it can be observed; None: any."""
    transport: Transport | None = None
    """The only transport over which it can be observed; None: any, in process too."""
    variant: str | None = None
    """Another typical form of a fault: the requirement is broken in more ways than one."""
    store: bool = False
    """Whether it changes how an instance is kept on disk: it is given the `Kept`, where there is one."""

    @property
    def id(self) -> str:
        """By which it is asked for: the requirement's id, with the variant after a colon."""
        return self.requirement if self.variant is None else f"{self.requirement}:{self.variant}"


class UnknownDeviationError(KeyError):
    """No deviation bears this id."""

    def __init__(self, requirement: str, nearest: list[str]) -> None:
        super().__init__(requirement)
        self.requirement = requirement
        self.nearest = nearest

    def __str__(self) -> str:
        nearest = f"nearest: {', '.join(self.nearest)}" if self.nearest else ""
        known = nearest or "`python -m reference_server deviations` lists what can be broken"
        return f"no deviation breaks {self.requirement!r}; {known}"


_registered: dict[str, Deviation] = {}


def deviation(
    requirement: str,
    *,
    edition: str | None = None,
    transport: Transport | None = None,
    variant: str | None = None,
    store: bool = False,
) -> Callable[[Callable[[Target], None]], Callable[[Target], None]]:
    """Registers the decorated function as the deviation of `requirement`; its docstring says what goes wrong.

    A requirement has one, and any number of variants.
    """

    def register(apply: Callable[[Target], None]) -> Callable[[Target], None]:
        made = Deviation(requirement, inspect.getdoc(apply) or "", apply, edition, transport, variant, store)
        if made.id in _registered:
            raise ValueError(f"{made.id} has a deviation already")
        if not made.what:
            raise ValueError(f"the deviation of {made.id} does not say what it does")
        _registered[made.id] = made
        return apply

    return register


def find(requirement: str) -> Deviation:
    """The deviation of a requirement. Raises `UnknownDeviationError` (a `KeyError`), naming the nearest ids."""
    if requirement.startswith(MUTE):
        return _mute(requirement.removeprefix(MUTE))
    contract = CONTRACTS.get(requirement.partition("-")[0])
    known = _of(contract) if contract else {each: one for name in CONTRACTS.values() for each, one in _of(name).items()}
    if requirement not in known:
        raise UnknownDeviationError(requirement, difflib.get_close_matches(requirement, known, n=3))
    return known[requirement]


def _mute(tool: str) -> Deviation:
    from reference_server.deviations.mute import muted  # noqa: PLC0415 -- it needs the registry's neighbours

    return Deviation(f"{MUTE}{tool}", f"Every call of {tool} is refused.", lambda application: muted(application, tool))


def all_deviations(contract: str) -> list[Deviation]:
    """The deviations of a contract (`threads`, `mcp`, ...), by id. Raises `KeyError` for a contract unknown here."""
    if contract not in CONTRACTS.values():
        raise KeyError(contract)
    return [one for _, one in sorted(_of(contract).items()) if one.variant is None]


def all_variants(contract: str) -> list[Deviation]:
    """The other forms of their faults, by id."""
    return [one for _, one in sorted(_of(contract).items()) if one.variant is not None]


def _of(contract: str) -> dict[str, Deviation]:
    _load(contract)
    return {each: one for each, one in _registered.items() if CONTRACTS[each.partition("-")[0]] == contract}


@cache
def _load(contract: str) -> None:
    name = f"{__package__}.{contract}"
    # a domain that is not served here has no sub-package and thus no deviations
    if importlib.util.find_spec(name) is None:
        return
    package = importlib.import_module(name)
    for module in pkgutil.walk_packages(package.__path__, f"{name}."):
        importlib.import_module(module.name)
