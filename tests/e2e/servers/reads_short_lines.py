"""A server that reads lines of so many bytes at the most; a longer one ends it, as many libraries would have it."""

import sys

from base import Json, Server, parsed

MOST = int(sys.argv[1])


class Short(Server):
    """Ordinary otherwise."""

    def read(self) -> Json | None:
        """The next message; None where stdin is closed, or a line is too long."""
        while (line := sys.stdin.buffer.readline(MOST)).endswith(b"\n"):
            message, refusal = parsed(line)
            if refusal is None:
                return message
            self.write(refusal)
        return None


Short().stdio()
