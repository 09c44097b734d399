"""Takes secrets out of what is written, whoever sent them."""

import re

import msgspec

SHORTEST = 6
"""Shorter values are not masked: they would hit words that are no secrets."""
_UNSAFE = re.compile(r"[\x00-\x1f\"\\]")
"""What a name in a marker cannot have: the marker is put into JSON, and into JSON within JSON, as it is."""


class _Family:
    """Secrets that begin alike, as tokens do: one search of a line for all of them."""

    __slots__ = ("beginnings", "shortest")

    def __init__(self) -> None:
        self.shortest = 0
        self.beginnings: dict[bytes, list[tuple[bytes, bytes]]] = {}

    def add(self, secret: bytes, marker: bytes) -> None:
        pairs = [(secret, marker)]
        if not self.beginnings or len(secret) < self.shortest:
            pairs += [pair for known in self.beginnings.values() for pair in known]
            self.shortest, self.beginnings = len(secret), {}
        for pair in pairs:
            known = self.beginnings.setdefault(pair[0][: self.shortest], [])
            known.append(pair)
            # the longest first: where one secret begins with another, the whole of it is meant
            known.sort(key=lambda pair: -len(pair[0]))


class Masking:
    """The secrets that are known so far. Its cost does not grow with their number where they begin alike."""

    def __init__(self) -> None:
        self._families: dict[bytes, _Family] = {}

    def add(self, value: str, name: str) -> None:
        """From now on this value is shown as «secret:NAME»."""
        if len(value) < SHORTEST:
            return
        marker = f"«secret:{_UNSAFE.sub('_', name)}»".encode()
        for form in {value.encode(), msgspec.json.encode(value)[1:-1]}:
            self._families.setdefault(form[:SHORTEST], _Family()).add(form, marker)

    def masked(self, line: bytes) -> bytes:
        """The line without them."""
        for prefix, family in self._families.items():
            at = line.find(prefix)
            while at >= 0:
                for secret, marker in family.beginnings.get(line[at : at + family.shortest], ()):
                    if line.startswith(secret, at):
                        line = line[:at] + marker + line[at + len(secret) :]
                        at += len(marker) - 1
                        break
                at = line.find(prefix, at + 1)
        return line
