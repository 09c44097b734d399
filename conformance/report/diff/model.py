"""What changed from one report to another, as every format tells it."""

from enum import StrEnum

from msgspec import Struct

FORMAT = 1


class Weight(StrEnum):
    """What a change means for whoever relied on the old report."""

    WORSE = "worse"
    """A regression: it fails the comparison."""
    ADVISED = "advised"
    """Worse in what is only recommended: it fails the comparison with --strict alone."""
    EXCUSED = "excused"
    """It does not hold, or is not tested, any more; the statement now says so, with a reason."""
    BETTER = "better"
    OTHER = "other"


class Change(Struct, frozen=True, kw_only=True):
    """What changed in one requirement."""

    id: str
    contract: str
    level: str
    weight: Weight
    old: str
    """The verdict before; empty where it was not judged."""
    new: str
    """The verdict now; empty where it is not judged."""
    what: str
    """The change in a sentence."""
    fresh: tuple[str, ...] = ()
    """What was seen in findings of a kind that the old report has not."""
    gone: tuple[str, ...] = ()
    """What was seen in findings of a kind that the new report has not."""


class ToolChange(Struct, frozen=True, kw_only=True):
    """What changed in how far a tool was exercised."""

    name: str
    weight: Weight
    what: str


class Side(Struct, frozen=True, kw_only=True):
    """One of the two reports."""

    suite: str
    edition: str
    target: str
    started_at: str
    claim: str


class Diff(Struct, frozen=True, kw_only=True):
    """The whole."""

    format: int = FORMAT
    contract: str
    old: Side
    new: Side
    facts: tuple[str, ...]
    """What else differs: the suite's version, the target, how it was reached."""
    worse: tuple[str, ...]
    """What is worse about the run as a whole: it was cut short, or what was claimed is claimed no longer."""
    changes: tuple[Change, ...]
    """Those that weigh most first, else in the report's order."""
    tools: tuple[ToolChange, ...]
    same: int
    """Requirements in which nothing changed."""
    known: tuple[str, ...]
    """Requirements that are broken or blocked now, and did not get worse."""
    untested: tuple[str, ...]
    """MUSTs that are not tested, and whose lack is not worse than before."""

    @property
    def regressed(self) -> bool:
        """Whether anything got worse."""
        weights = {*(change.weight for change in self.changes), *(change.weight for change in self.tools)}
        return bool(self.worse) or Weight.WORSE in weights
