"""Identifiers: unique over all instances of all processes, and never used twice."""

import itertools
import secrets


class Ids:
    """Gives identifiers of one instance: a prefix for the kind, 48 random bits for the instance, a count."""

    def __init__(self) -> None:
        self.run = secrets.token_hex(6)
        self.count = itertools.count(1)

    def next(self, kind: str) -> str:
        """A new identifier: th_5d1f0c9a77e20001 for kind `th`."""
        return f"{kind}_{self.run}{next(self.count):04x}"
