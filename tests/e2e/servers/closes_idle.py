"""Closes each connection soon after an answer, as servers do with idle ones.

`soon`: where nothing came for two milliseconds, which often falls between a client's look at the connection and its
next request. `late`: when the next request is there, before it is read. `read`: after it is read, which is a fault.
"""

import select
import socket
import sys
import time

from base import Json
from httpbase import Handler, serve

WAITED_S = {"soon": 0.002, "late": 2.0, "read": 2.0}


class Closing(Handler):
    """One request on each connection."""

    def answered(self, message: Json, answer: Json) -> None:
        """Answers, and waits a little for more."""
        super().answered(message, answer)
        self.wfile.flush()
        how = sys.argv[1]
        came = bool(select.select([self.connection], [], [], WAITED_S[how])[0])
        if came:
            time.sleep(0.01)  # the headers come before the body
        if came and how == "read":
            self.connection.recv(1_000_000)
        if not came or how != "soon":
            self.connection.shutdown(socket.SHUT_RDWR)
            self.close_connection = True


serve(Closing)
