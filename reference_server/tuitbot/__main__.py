"""Prints what schemas/tuitbot/ holds of an edition: `python -m reference_server.tuitbot manifest|tools`."""

import argparse
import json
import sys
from collections.abc import Sequence

from reference_server.tuitbot import manifest
from reference_server.tuitbot.editions import EDITIONS, SESSION_05
from reference_server.tuitbot.tools.catalogue import catalogue, described


def main(arguments: Sequence[str] | None = None) -> int:
    """Writes one JSON document to stdout; 2 for a bad invocation."""
    parser = argparse.ArgumentParser(prog="python -m reference_server.tuitbot", description=__doc__)
    parser.add_argument("document", choices=("manifest", "tools"))
    parser.add_argument("--edition", choices=tuple(EDITIONS), default=SESSION_05.name)
    wanted = parser.parse_args(arguments)
    tools = catalogue(EDITIONS[wanted.edition]).values()
    document = manifest(wanted.edition) if wanted.document == "manifest" else [described(each) for each in tools]
    print(json.dumps(document, indent=1, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
