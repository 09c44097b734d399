"""A requirement: one normative statement of a contract, and where it applies."""

from enum import StrEnum

from msgspec import Struct


class Level(StrEnum):
    """RFC 2119. A MUST that is missed fails the target; a SHOULD or MAY that is missed is a warning."""

    MUST = "MUST"
    SHOULD = "SHOULD"
    MAY = "MAY"


class Applies(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Where a requirement holds; an empty tuple restricts nothing."""

    transports: tuple[str, ...] = ()
    """in-process, stdio, http"""
    bindings: tuple[str, ...] = ()
    """mcp, http"""
    revisions: tuple[str, ...] = ()
    """Revisions of MCP."""
    profiles: tuple[str, ...] = ()
    editions: tuple[str, ...] = ()


class Requirement(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One statement of a contract, by its id, as schemas/<contract>/requirements.toml holds it."""

    id: str
    contract: str
    level: Level
    source: str
    """The document that states it, by its title, and the section: `Threads protocol, 3.2`."""
    seen: str
    """exchange, history, scenario, static, with +provoked; or reference: no law, held by the reference's own tests."""
    statement: str
    why: str = ""
    """What goes wrong for a caller where it is broken."""
    breach: str = ""
    """An answer or a history that breaks it, in a line."""
    requires: tuple[str, ...] = ()
    """Prerequisites: where one of these failed in the same calls, a breach here is a consequence, not a finding."""
    falls_with: tuple[str, ...] = ()
    """Requirements that no server can break this one without breaking."""
    disguised: bool = False
    """Whether each of its breaches is a call that failed in the form of a success: it was accepted in name alone."""
    applies: Applies = Applies()

    def is_of(self, edition: str) -> bool:
        """Whether it holds in an edition of its contract."""
        return not self.applies.editions or edition in self.applies.editions
