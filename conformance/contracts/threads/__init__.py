"""The threads contract: agents exchanging messages (seed 004)."""

from conformance.contract.place import folder

FOLDER = folder("threads")
"""Its data."""
