"""Safety checks of a reply: pure functions of the text, the configuration and what the caller fetched (AD-12)."""

from collections.abc import Sequence
from typing import Final

SIMILAR_FROM: Final = 0.8
"""Jaccard similarity from which two texts count as the same."""
FEWEST_TOKENS: Final = 5
"""Shorter texts share words by chance: they are compared as a whole."""


def tokens(text: str) -> frozenset[str]:
    """The words of a text in lower case, without marks around them."""
    words = (word.lower() for word in text.split())
    return frozenset(trimmed for word in words if (trimmed := _trim(word)))


def _trim(word: str) -> str:
    start, end = 0, len(word)
    while start < end and not word[start].isalnum():
        start += 1
    while end > start and not word[end - 1].isalnum():
        end -= 1
    return word[start:end]


def similarity(one: str, other: str) -> float:
    """Jaccard similarity of the words, 0 to 1; two texts without words are alike."""
    left, right = tokens(one), tokens(other)
    union = left | right
    return len(left & right) / len(union) if union else 1.0


def similar_to(text: str, recent: Sequence[str], threshold: float = SIMILAR_FROM) -> str | None:
    """The recent text that this one repeats, None where it repeats none."""
    if not text:
        return None
    short = len(tokens(text)) < FEWEST_TOKENS
    for earlier in recent:
        if text == earlier:
            return earlier
        if not short and len(tokens(earlier)) >= FEWEST_TOKENS and similarity(text, earlier) >= threshold:
            return earlier
    return None


def banned_phrase(text: str, banned_phrases: Sequence[str]) -> str | None:
    """The first banned phrase that the text holds, in any case."""
    lowered = text.lower()
    return next((phrase for phrase in banned_phrases if phrase and phrase.lower() in lowered), None)


def is_self_reply(author_id: str, own_id: str) -> bool:
    """Whether the tweet to be answered is one's own."""
    return bool(author_id) and author_id == own_id
