"""What a tweet weighs, where every reading of X's published weights agrees."""

import re
import string
import unicodedata

LIMIT = 280
URL_WEIGHT = 23
URL = re.compile(r"(?i:https?)://[a-z]+(?:\.[a-z]+)+(?:/[A-Za-z0-9]*)*")
"""A URL of which nobody can doubt where it begins and ends, between blanks."""
ACCENTED = frozenset(map(chr, (*range(0xC0, 0xD7), *range(0xD8, 0xF7), *range(0xF8, 0x100))))
LIGHT = frozenset(string.ascii_letters + string.digits + ",!?'-") | ACCENTED
"""Characters that weigh one and are part of no URL, in the composed form that X counts."""
HEAVY = re.compile("[\u4e00-\u9fa5\U0001f600-\U0001f640]")
"""Characters that weigh two: Chinese ones, and faces, of which each is an emoji by itself."""


def weight(text: str) -> int | None:
    """The weight of a text of words, URLs, Chinese characters and faces between single blanks; None for any other."""
    words = unicodedata.normalize("NFC", text).split(" ")
    weighed = [_of(word) for word in words]
    known = [each for each in weighed if each is not None]
    return sum(known) + len(words) - 1 if len(known) == len(words) else None


def _of(word: str) -> int | None:
    if URL.fullmatch(word):
        return URL_WEIGHT
    heavy = len(HEAVY.findall(word))
    rest = HEAVY.sub("", word).removesuffix(".")
    return len(word) + heavy if LIGHT.issuperset(rest) else None


def at_most(text: str, limit: int) -> bool:
    """Whether a text surely weighs no more: no character weighs more than two, and any dot may be that of a URL."""
    known = weight(text)
    return known <= limit if known is not None else 2 * len(text) + URL_WEIGHT * text.count(".") <= limit
