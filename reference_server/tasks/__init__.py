"""The tasks contract (seed 001): 36 tools over workspaces, plans, tasks, documents, branches and graphs, in memory."""

from reference_server.tasks.application import Tasks, open_tasks

__all__ = ["Tasks", "open_tasks"]
