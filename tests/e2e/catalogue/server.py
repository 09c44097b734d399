"""A server that misbehaves in one way: `python server.py NAME stdio` or `python server.py NAME http`."""

import sys

import answers
import bodies
import endings
import lines
import listings
from kinds import FOUND, Handler, serve

MODULES = (answers, bodies, endings, lines, listings)


def main() -> None:
    """Serves."""
    kind = FOUND[sys.argv[1]]
    if sys.argv[2] == "stdio":
        kind().stdio()
    else:
        serve(kind if issubclass(kind, Handler) else type("Its", (Handler,), {"server_of": kind()}))


main()
