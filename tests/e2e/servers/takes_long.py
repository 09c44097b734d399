"""A tool that takes argv[1] seconds; with `progress` it says so five times a second. Cancelled, it stops at once."""

import sys
import threading

from base import Json, Older, Server

SECONDS, PROGRESS = float(sys.argv[1]), "progress" in sys.argv


class Long(Older if "older" in sys.argv else Server):  # type: ignore[misc]
    """Works in threads, so that it goes on reading."""

    def __init__(self) -> None:
        self.cancelled: dict[int, threading.Event] = {}

    def told(self, message: Json) -> None:
        """Stops what is cancelled."""
        if message.get("method") == "notifications/cancelled":
            self.cancelled.setdefault(message["params"]["requestId"], threading.Event()).set()

    def work(self, message: Json) -> None:
        """Takes its time, and answers."""
        stop = self.cancelled.setdefault(message["id"], threading.Event())
        token = message["params"]["_meta"].get("progressToken")
        for step in range(round(SECONDS * 5)):
            if stop.wait(0.2):
                return
            if PROGRESS and token is not None:
                params = {"progressToken": token, "progress": step}
                self.write({"jsonrpc": "2.0", "method": "notifications/progress", "params": params})
        answer = super().answer(message)
        assert answer is not None
        self.write(answer)

    def answer(self, message: Json) -> Json | None:
        """A call is worked at beside the others."""
        if message.get("method") != "tools/call":
            return super().answer(message)
        threading.Thread(target=self.work, args=[message], daemon=True).start()
        return None


Long().stdio()
