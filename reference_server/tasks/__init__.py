"""The tasks contract (Common types): 36 tools on workspaces, plans, tasks, documents, branches, graphs, in memory."""

from reference_server.application import Json
from reference_server.tasks.application import Tasks, open_tasks

__all__ = ["Tasks", "default_settings", "open_tasks"]


def default_settings() -> dict[str, Json]:
    """The settings of an instance that is given none."""
    return {"initialised": False}
