"""What a text labels: `ID: 5`, `task #5`, `- [5] buy milk`."""

import re
from collections.abc import Iterator
from typing import NamedTuple

LABELLED = 20_000
"""Characters of a text in which labelled values are looked for."""
MOST = 200
"""Labels of one text."""
REVISIONS = frozenset({"revision", "rev", "version", "etag", "generation"})
"""What tells the state of a thing, as answers call it."""
AS_NUMBER = "|number"
"""After the name of a value in a placeholder: the text is a whole number, and is given as one."""
_WORD = r"[*`\"']{0,3}"
_LABEL = re.compile(
    rf"(?:^|[\s(*`\"',{{])([A-Za-z][\w -]{{0,40}}?){_WORD}\s*[:=][*`\"'\s]{{0,6}}"
    r"([^\s,;*`\"'()\[\]{}]{0,119}[^\s,;*`\"'()\[\]{}.!?])"
)
_NAME = r"(\d{1,18}|(?=[A-Za-z_-]{0,40}\d)[A-Za-z0-9][\w-]{3,63})(?![\w.]?\w)"
"""A number, or a name with a digit in it."""
_ALONE = re.compile(_NAME)
_NUMBERED = re.compile(rf"\b([A-Za-z]{{2,30}}) {_WORD}#?{_NAME}")
_LISTED = re.compile(rf"^\W{{0,6}}[\[(#]{_NAME}|^\W{{0,6}}{_NAME} ?[.):|]\s", re.MULTILINE)
_BEFORE = re.compile(
    r"^.*\b(?:a|an|and|as|at|by|for|has|is|its|new|of|the|to|under|was|with|your)\s+(?=[A-Za-z])", re.DOTALL
)
"""The words before the noun of a label: created with."""


class Label(NamedTuple):
    """A value in a text, and what it is called there."""

    name: str
    value: str


def labels(text: str) -> list[Label]:
    """Those of a text, what is said most plainly first; a value without a name of its own is called an id."""
    if _ALONE.fullmatch(text):
        return [Label("id", text)]
    return list(_labels(text[:LABELLED]))[:MOST]


def _labels(text: str) -> Iterator[Label]:
    for found in _LABEL.finditer(text):
        noun = _BEFORE.sub("", found[1].strip().casefold())
        yield Label(noun.replace(" ", "_"), found[2])
    for found in _NUMBERED.finditer(text):
        noun = found[1].casefold()
        yield Label(noun if noun == "id" or noun in REVISIONS else f"{noun}_id", found[2])
    for found in _LISTED.finditer(text):
        yield Label("id", found[1] or found[2])
