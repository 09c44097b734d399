"""The contracts that this server serves: who opens one, and what its statement of implementation says."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Final

from reference_server.application import Application, Json
from reference_server.bindings import examples
from reference_server.tokens import TEST_AUDIENCE, Trust


@dataclass(frozen=True, slots=True)
class Served:
    """One contract."""

    module: str
    opener: str
    """Function of the module: settings to an instance; with tokens also `trust`, by name."""
    edition: str
    audience: str | None = None
    """Of its tokens; None: it has none."""
    examples: tuple[dict[str, Json], ...] = ()
    """Calls that work, for whoever does not know the contract."""
    publishes: tuple[str, ...] = ()
    """Documents besides its tools: each a method of the instance that gives it."""
    binds: tuple[str, ...] = ("mcp",)
    """Bindings over HTTP."""

    def open(self, settings: dict[str, Json], trust: Trust) -> Application:
        """An instance. ValueError: settings that do not fit."""
        opener: Callable[..., Application] = getattr(import_module(self.module), self.opener)
        return opener(settings, trust=trust) if self.audience is not None else opener(settings)

    def settings(self) -> dict[str, Json]:
        """What an instance claims that was given no settings."""
        found: Callable[[], dict[str, Json]] = import_module(self.module).default_settings
        return found()


_THREADS: Final = Served(
    "reference_server.threads",
    "open_threads",
    "004",
    audience=TEST_AUDIENCE,
    examples=examples.THREADS,
    binds=("mcp", "http"),
)
CONTRACTS: Final[dict[str, Served]] = {
    "threads": _THREADS,
    # any server can be judged as an MCP server: this one is
    "mcp": replace(_THREADS, edition="2026-07-28"),
    "tuitbot": Served("reference_server.tuitbot", "open_tuitbot", "session-05", publishes=("manifest",)),
    "tasks": Served("reference_server.tasks", "open_tasks", "001"),
}


class UnknownContractError(LookupError):
    """No contract of this name is served."""

    def __init__(self, contract: str) -> None:
        super().__init__(f"no contract {contract!r}; served are {', '.join(CONTRACTS)}")


def served(contract: str) -> Served:
    """A contract by name; UnknownContractError."""
    if contract not in CONTRACTS:
        raise UnknownContractError(contract)
    return CONTRACTS[contract]
