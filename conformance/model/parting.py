"""What a run's history tells of the parts in which its transcript was judged, where it was too large for one."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Parting:
    """Counts of what was judged apart, and what was judged on less than the whole of it."""

    parts: int = 0
    """Parts that were judged each by itself."""
    calls: int = 0
    """Exchanges in them that were let go of."""
    divided: list[str] = field(default_factory=list)
    """What is to be said of those of them that were too large to be judged as a whole."""
    partly: list[str] = field(default_factory=list)
    """Requirements that were judged on the beginning of such a part alone."""
