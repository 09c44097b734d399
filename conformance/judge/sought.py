"""A pattern that is looked for in many texts, most of which do not even hold the words that it cannot do without."""

import re
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
        self._words = [(word,) if isinstance(word, str) else word for word in words]
        self._folded = bool(pattern.flags & re.IGNORECASE)
        self._remembered = lru_cache(REMEMBERED)(self._search)

    def search(self, text: str) -> re.Match[str] | None:
        """The first match, as the pattern itself finds it."""
        return self._remembered(text) if len(text) <= SHORT else self._search(text)

    def _search(self, text: str) -> re.Match[str] | None:
        # beyond ASCII some letters equal others when case is ignored: the pattern alone knows
        if not self._folded or text.isascii():
            looked_in = text.lower() if self._folded else text
            if not any(all(map(looked_in.__contains__, words)) for words in self._words):
                return None
        return self.pattern.search(text)
