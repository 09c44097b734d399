"""The editions of the contract, as data: what of the one domain each of them serves."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, Literal

from reference_server.tuitbot.errors import ErrorCode

EditionName = Literal["session-05", "convergence"]
Profile = Literal["workflow", "api", "readonly", "api-readonly", "write", "admin"]
"""Profiles of both editions; each is of one alone."""


@dataclass(frozen=True, slots=True, eq=False)
class Edition:
    """One version of the contract."""

    name: EditionName
    profiles: tuple[Profile, ...]
    profile: Profile
    """That of an instance which names none."""
    left_out: frozenset[ErrorCode] = frozenset()
    """Codes of the catalogue that this edition does not have."""
    guards: bool = False
    """Whether a mutation is refused that repeats another, or that a scraper cannot make."""
    changes: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: MappingProxyType({}))
    """By tool, fields of its definition that are others than in session-05."""


NO_DATABASE: Final[Mapping[str, Any]] = MappingProxyType({"requires_db": False})
SESSION_05: Final = Edition(
    "session-05", ("workflow", "api"), "workflow", frozenset({ErrorCode.SCRAPER_MUTATION_BLOCKED})
)
CONVERGENCE: Final = Edition(
    "convergence",
    ("readonly", "api-readonly", "write", "admin"),
    "write",
    guards=True,
    changes=MappingProxyType({"health_check": NO_DATABASE, "score_tweet": NO_DATABASE}),
)
EDITIONS: Final[Mapping[str, Edition]] = MappingProxyType({each.name: each for each in (SESSION_05, CONVERGENCE)})


def edition(name: str) -> Edition:
    """An edition by name. LookupError: there is none."""
    if name not in EDITIONS:
        message = f"tuitbot has no edition {name!r}; it has {', '.join(EDITIONS)}"
        raise LookupError(message)
    return EDITIONS[name]
