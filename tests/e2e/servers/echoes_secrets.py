"""Gives back all that it was given: its command line, its environment, what it reads and the headers of each request.

Each comes as it is and in every form in which a server may spell it; and once more on stderr, in a frame that is no
JSON, and across the place at which such a frame is cut.
"""

import base64
import json
import os
import sys
from typing import Any
from urllib.parse import parse_qs, quote, quote_plus, urlsplit

from base import TOOL, Json, Server
from httpbase import Handler, serve

PLANTED = json.loads(os.environ.get("PLANTED", "[]"))
"""Names of the environment whose values are given back."""
CUT = 2_000
KNOWN = ("Host", "accept", "accept-encoding", "content-type", "content-length", "connection", "mcp-protocol-version")


def given() -> list[str]:
    """The values, the command line's words among them."""
    return [*sys.argv[1:], *(os.environ[name] for name in PLANTED)]


def forms(value: str) -> list[Any]:
    """A value in each form."""
    octets = value.encode()
    spelled: list[Any] = [
        value,
        f"it was {value}, they say",
        json.dumps({"inner": value}),
        quote(value, safe=""),
        quote_plus(value),
        *(base64.b64encode(b"x" * n + octets + b"end").decode() for n in range(3)),
        *(base64.urlsafe_b64encode(b"x" * n + octets).decode() for n in range(3)),
        {value: True},
    ]
    return [*spelled, int(value)] if value.isdigit() else spelled


class Echo(Server):
    """Tells everything to everybody."""

    tools = ({**TOOL, "description": " ".join(given())},)
    heard: tuple[str, ...] = ()
    """What the request carried."""

    def call(self, params: Json) -> Json:
        """All of it, with the answer."""
        print("stderr:", *given(), file=sys.stderr, flush=True)
        told = [form for value in (*given(), *self.heard) for form in forms(value)]
        answer = super().call(params)
        return {**answer, "content": [*answer["content"], {"type": "text", "text": json.dumps(told)}], "said": told}


class Noisy(Echo):
    """Over stdio, with lines that are no JSON, whose cut goes through a value."""

    def list(self, params: Json) -> Json:
        """tools/list."""
        for value in given():
            for place in (CUT - len(value) // 2, CUT - len(value) + 1, CUT - 3):
                sys.stdout.write(f"{'.' * place}{value}{'.' * 50}\n")
        return super().list(params)


class EchoHandler(Handler):
    """Over HTTP, at any path."""

    server_of = Echo()

    def do_POST(self) -> None:
        """One message."""
        message = json.loads(self.rfile.read(int(self.headers["content-length"])))
        query = [value for values in parse_qs(urlsplit(self.path).query).values() for value in values]
        server = Echo()
        server.heard = (self.path, *query, *(value for name, value in self.headers.items() if name not in KNOWN))
        if (answer := server.answer(message)) is None:
            self.reply(b"", status=202)
        else:
            self.answered(message, answer)


if __name__ == "__main__":
    serve(EchoHandler) if "http" in sys.argv else Noisy().stdio()
