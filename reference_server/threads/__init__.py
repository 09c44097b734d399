"""The agent thread protocol (seed 004): nine methods over threads, messages, cursors, sessions and wakes."""

from reference_server.threads.instance import Threads, open_threads

__all__ = ["Threads", "open_threads"]
