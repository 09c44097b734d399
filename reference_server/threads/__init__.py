"""The agent thread protocol: nine methods over threads, messages, cursors, sessions and wakes."""

from dataclasses import asdict

from reference_server.application import Json
from reference_server.threads.instance import Threads, open_threads
from reference_server.threads.posting import METADATA_LIMIT
from reference_server.threads.settings import Settings

__all__ = ["Threads", "default_settings", "open_threads"]


def default_settings() -> dict[str, Json]:
    """The settings of an instance that is given none, and the one limit that no schema of its tools can tell."""
    return {**asdict(Settings()), "max_metadata": METADATA_LIMIT}
