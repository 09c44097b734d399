"""The tasks contract: plans, tasks, notes and graphs under optimistic concurrency and budgets (seed 001)."""

from conformance.contract.place import folder

FOLDER = folder("tasks")
"""Its data."""
