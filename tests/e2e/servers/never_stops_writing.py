"""Writes lines to stdout without end, beside its answers."""

import sys
import threading

from base import Server

LINE = "x\n" if "noise" in sys.argv else '{"jsonrpc": "2.0", "method": "notifications/message", "params": {}}\n'


class Loud(Server):
    """Writes all the time."""

    lock = threading.Lock()

    def write(self, message: dict[str, object]) -> None:
        """One line at a time."""
        with self.lock:
            super().write(message)

    def shout(self) -> None:
        """Until the end."""
        while True:
            with self.lock:
                sys.stdout.write(LINE * 200)
                sys.stdout.flush()


server = Loud()
threading.Thread(target=server.shout, daemon=True).start()
server.stdio()
