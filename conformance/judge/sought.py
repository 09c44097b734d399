"""A pattern that is looked for in many texts, most of which do not even hold the words that it cannot do without."""

import re
from collections.abc import Iterator
from functools import lru_cache

SHORT = 100
"""Characters of a text that is remembered: keys, codes and common sentences come again in every answer."""
REMEMBERED = 10_000


class Sought:
    """A regular expression that matches only where one of some words is in the text."""

    def __init__(self, pattern: re.Pattern[str], *words: str | tuple[str, ...]) -> None:
        """`words`, in lower case where the pattern ignores case: no match lacks all of them.

        Several words in one place are there together.
        """
        self.pattern = pattern
        together = [(word,) if isinstance(word, str) else word for word in words]
        self._words = [(first, rest) for first, *rest in together]
        self._folded = bool(pattern.flags & re.IGNORECASE)
        self._remembered = lru_cache(REMEMBERED)(self._search)

    def search(self, text: str) -> re.Match[str] | None:
        """The first match, as the pattern itself finds it."""
        return self._remembered(text) if len(text) <= SHORT else self._search(text)

    def every(self, text: str) -> Iterator[re.Match[str]]:
        """All matches, one after the other."""
        return self.pattern.finditer(text) if self.may_match(text) else iter(())

    def _search(self, text: str) -> re.Match[str] | None:
        return self.pattern.search(text) if self.may_match(text) else None

    def may_match(self, text: str) -> bool:
        """Whether a text has the words: of texts that were joined, one may match only where the whole has them."""
        if not self._folded:
            return self._has_words(text)
        # beyond ASCII some letters equal others when case is ignored: the pattern alone knows
        return not text.isascii() or self._has_words(text.lower())

    def _has_words(self, text: str) -> bool:
        for word, besides in self._words:  # noqa: SIM110 -- a generator takes twice as long
            if word in text and all(map(text.__contains__, besides)):
                return True
        return False
