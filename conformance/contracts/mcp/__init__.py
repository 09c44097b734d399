"""The mcp contract: what any tool server claims."""

from conformance.contract.place import folder

FOLDER = folder("mcp")
"""Its data."""
