"""The tasks contract: plans, tasks, notes and graphs under optimistic concurrency and budgets (Common types)."""

from conformance.contract.place import folder

FOLDER = folder("tasks")
"""Its data."""
