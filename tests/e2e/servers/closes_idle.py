"""Closes each connection on which nothing came for two milliseconds after an answer, as servers do with idle ones."""

import select
import socket

from base import Json
from httpbase import Handler, serve


class Closing(Handler):
    """So soon that it often falls between a client's look at the connection and its next request."""

    def answered(self, message: Json, answer: Json) -> None:
        """Answers, and waits a little for more."""
        super().answered(message, answer)
        self.wfile.flush()
        if not select.select([self.connection], [], [], 0.002)[0]:
            self.connection.shutdown(socket.SHUT_RDWR)
            self.close_connection = True


serve(Closing)
