"""The invocation contract: calling any tool under policies and receiving its outcome."""

from conformance.contract.place import folder

FOLDER = folder("invocation")
"""Its data."""
