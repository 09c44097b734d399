"""Writes to argv[1], for each call, how many others were being answered when its body had come."""

import sys
import threading
import time
from pathlib import Path

from base import Json
from httpbase import Handler, serve

under_way = 0
lock = threading.Lock()


class Counting(Handler):
    """Each call takes 30 ms."""

    def message(self, message: Json) -> None:
        """Counts."""
        global under_way  # noqa: PLW0603 -- one server
        if message.get("method") != "tools/call":
            return super().message(message)
        with lock:
            under_way += 1
            with Path(sys.argv[1]).open("a") as file:
                file.write(f"{under_way}\n")
        time.sleep(0.03)
        with lock:
            under_way -= 1
        return super().message(message)


serve(Counting)
