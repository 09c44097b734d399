"""Its names, messages and errors are what a CI would take for commands."""

import sys

from base import TOOL, Json, RefusedError, Server

SPOKEN = "##[error]owned ##vso[task.setvariable]x\n::error file=a::owned\n" + "word " * 12 + "::error::folded"


class Speaking(Server):
    """Refuses calls so, and lists so."""

    tools = ({**TOOL, "name": "##[error]tool", "title": SPOKEN}, {**TOOL, "name": "::error::tool"})

    def call(self, params: Json) -> Json:
        """tools/call."""
        print(SPOKEN, file=sys.stderr, flush=True)
        raise RefusedError(-32603, SPOKEN)


if __name__ == "__main__":
    Speaking().stdio()
