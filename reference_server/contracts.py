"""The contracts that this server serves: who opens one, and what its statement of implementation says."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Final

from reference_server.application import Application, Json
from reference_server.bindings import examples
from reference_server.tokens import TEST_AUDIENCE, Trust


class MissingLibraryError(LookupError):
    """A contract cannot be served here."""

    def __init__(self, module: str, library: str) -> None:
        super().__init__(module, library)  # as given: an error of another process is made again from them

    def __str__(self) -> str:
        module, library = self.args
        return f'{module} needs {library}: pip install "mcp-contract-conformance[reference]"'


@dataclass(frozen=True, slots=True)
class Served:
    """One contract."""

    module: str
    opener: str
    """Function of the module: settings to an instance; with tokens also `trust`, by name."""
    edition: str
    """The one that is meant where none is named."""
    audience: str | None = None
    """Of its tokens; None: it has none."""
    examples: tuple[dict[str, Json], ...] = ()
    """Calls that work, for whoever does not know the contract."""
    publishes: tuple[str, ...] = ()
    """Documents besides its tools: each a method of the instance that gives it."""
    binds: tuple[str, ...] = ("mcp",)
    """Bindings over HTTP."""
    editions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Where there are several, each with its profiles: settings of the name `profile` that an instance can have."""
    domain: bool = True
    """Whether the module is what the contract is about, of which mutants are made; MCP itself is about no domain."""
    choices: dict[str, Json] = field(default_factory=dict)
    """What its contract leaves open, as this server has it."""
    offers: bool = False
    """Whether resources and prompts are served besides the tools."""
    guarded: bool = False
    """Whether over HTTP MCP's own authorization asks for a token, before any tool does."""
    needs: tuple[str, ...] = ()
    """Libraries that it needs, also in process, and that are not always installed."""
    claims: bool = True
    """Whether the contract it is judged by knows its settings."""
    streams: bool = False
    """Whether calls can take long: partial results are sent meanwhile, and a call can be cancelled."""
    state: tuple[str, ...] = ()
    """The attributes of an instance, dotted, that make up what a store on disk keeps; none: it has no such store."""

    def edition_of(self, named: str | None) -> str:
        """The edition that is meant. UnknownEditionError: there is none of this name."""
        if named is not None and named not in (self.editions or (self.edition,)):
            raise UnknownEditionError(named, tuple(self.editions) or (self.edition,))
        return named or self.edition

    def profiles(self, edition: str | None) -> tuple[str, ...]:
        """The profiles of an edition; none where the contract has none."""
        return self.editions.get(self.edition_of(edition), ())

    def open(self, settings: dict[str, Json], trust: Trust, edition: str | None = None) -> Application:
        """An instance. ValueError: settings that do not fit."""
        opener: Callable[..., Application] = getattr(self.imported(), self.opener)
        if self.editions:
            return opener(settings, self.edition_of(edition))
        return opener(settings, trust=trust) if self.audience is not None else opener(settings)

    def settings(self, edition: str | None = None) -> dict[str, Json]:
        """What an instance claims that was given no settings."""
        if not self.claims:
            return {}
        found: Callable[..., dict[str, Json]] = self.imported().default_settings
        return found(self.edition_of(edition)) if self.editions else found()

    def imported(self) -> ModuleType:
        """The domain. MissingLibraryError: it needs one that is not installed."""
        for library in self.needs:
            if find_spec(library) is None:
                raise MissingLibraryError(self.module, library)
        return import_module(self.module)


_THREADS: Final = Served(
    "reference_server.threads",
    "open_threads",
    "004",
    audience=TEST_AUDIENCE,
    examples=examples.THREADS,
    binds=("mcp", "http"),
    choices={
        "transitions": {
            "active": ["blocked", "resolved", "closed"],
            "blocked": ["active", "closed"],
            "resolved": ["active", "closed"],
        }
    },
    # the audit trail is for whoever runs the server, and new ids begin with what no other process has
    state=(
        "clock.ahead",
        "store.threads",
        "ledger.originals",
        "quota.spent",
        "cursors.cursors",
        "sessions.sessions",
        "supervisor.last_key",
        "supervisor.pending",
    ),
)
CONTRACTS: Final[dict[str, Served]] = {
    "threads": _THREADS,
    # any server can be judged as an MCP server: this one is
    "mcp": replace(
        _THREADS, edition="2026-07-28", domain=False, claims=False, choices={}, offers=True, guarded=True, state=()
    ),
    "tuitbot": Served(
        "reference_server.tuitbot",
        "open_tuitbot",
        "session-05",
        publishes=("manifest",),
        editions={
            "session-05": ("workflow", "api"),
            "convergence": ("readonly", "api-readonly", "write", "admin"),
        },
        # rules come before the server's own where their priority is below zero
        choices={
            "rule_priorities": {"lowest": -1000, "highest": 1000},
            "policy_parts": ["schedule_window", "days", "timezone", "rate_limits", "enabled"],
        },
    ),
    "tasks": Served(
        "reference_server.tasks",
        "open_tasks",
        "001",
        state=("parts.clock.ahead", "parts.store.initialised", "parts.store.workspaces"),
    ),
    "invocation": Served(
        "reference_server.invocation",
        "open_invocation",
        "003",
        audience="invocation.reference",
        streams=True,
        needs=("mcp",),
    ),
}


class UnknownEditionError(LookupError):
    """A contract has no edition of this name."""

    def __init__(self, edition: str, known: tuple[str, ...]) -> None:
        super().__init__(edition, known)  # as above

    def __str__(self) -> str:
        edition, known = self.args
        return f"no edition {edition!r}; served are {', '.join(known)}"


class UnknownContractError(LookupError):
    """No contract of this name is served."""

    def __init__(self, contract: str) -> None:
        super().__init__(contract)  # as above

    def __str__(self) -> str:
        return f"no contract {self.args[0]!r}; served are {', '.join(CONTRACTS)}"


def served(contract: str) -> Served:
    """A contract by name; UnknownContractError."""
    if contract not in CONTRACTS:
        raise UnknownContractError(contract)
    return CONTRACTS[contract]
