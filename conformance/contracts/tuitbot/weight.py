"""What a tweet weighs, where every reading of X's published weights agrees."""

import re
import string

LIMIT = 280
URL_WEIGHT = 23
URL = re.compile(r"https?://[a-z]+(?:\.[a-z]+)+(?:/[A-Za-z0-9]*)*")
"""A URL of which nobody can doubt where it begins and ends, between blanks."""
LIGHT = frozenset(string.ascii_letters + string.digits + ",!?'-")
"""Characters that weigh one and are part of no URL."""
HEAVY = re.compile(r"[\u4e00-\u9fa5]")
"""Characters that weigh two."""


def weight(text: str) -> int | None:
    """The weight of a text of words, URLs and Chinese characters between single blanks; None where it holds others."""
    words = text.split(" ")
    weighed = [_of(word) for word in words]
    known = [each for each in weighed if each is not None]
    return sum(known) + len(words) - 1 if len(known) == len(words) else None


def _of(word: str) -> int | None:
    if URL.fullmatch(word):
        return URL_WEIGHT
    heavy = len(HEAVY.findall(word))
    rest = HEAVY.sub("", word).removesuffix(".")
    return len(word) + heavy if LIGHT.issuperset(rest) else None
