"""Prints what schemas/tuitbot/ holds of this edition: `python -m reference_server.tuitbot manifest|tools`."""

import argparse
import json
import sys
from collections.abc import Sequence

from reference_server.tuitbot import manifest
from reference_server.tuitbot.tools.catalogue import SESSION_05, described


def main(arguments: Sequence[str] | None = None) -> int:
    """Writes one JSON document to stdout; 2 for a bad invocation."""
    parser = argparse.ArgumentParser(prog="python -m reference_server.tuitbot", description=__doc__)
    parser.add_argument("document", choices=("manifest", "tools"))
    wanted = parser.parse_args(arguments).document
    document = manifest() if wanted == "manifest" else [described(each) for each in SESSION_05.values()]
    print(json.dumps(document, indent=1, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
