"""What a server has to hold against a call, by the contract's codes, and what it may hold against it besides."""

from typing import Final

OPEN: Final = "?"
"""A server may see a cause of its own here, or nobody knows whether there is one."""
TIGHT: Final = "tight"
"""The budget may be too small for the answer, and nothing else is wrong with it."""
