"""The tuitbot contract: tools over X, in two editions, each with profiles of its own."""

from conformance.contract.place import folder

FOLDER = folder("tuitbot")
"""Its data."""
