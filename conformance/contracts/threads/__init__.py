"""The threads contract: agents exchanging messages."""

from conformance.contract.place import folder

FOLDER = folder("threads")
"""Its data."""
