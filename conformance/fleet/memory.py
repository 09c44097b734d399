"""The most memory that this program has had."""

import resource
import sys
from pathlib import Path

_STATUS = Path("/proc/self/status")
_HIGHEST = "VmHWM:"
_OCTETS = 1 if sys.platform == "darwin" else 1024
"""What ru_maxrss counts in."""


def peak() -> int:
    """In octets.

    Linux counts in ru_maxrss what the process had before it became this program: as much as whoever started it.
    """
    if _STATUS.exists():
        found = _STATUS.read_text().partition(_HIGHEST)[2].split()
        if found:
            return int(found[0]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _OCTETS
