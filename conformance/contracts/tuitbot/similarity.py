"""How alike two texts are: the Jaccard similarity of their words."""

FEWEST_WORDS = 5
"""Shorter texts share words by chance: they are compared as a whole."""


def words(text: str) -> frozenset[str]:
    """The words of a text in lower case, without marks around them."""
    return frozenset(filter(None, (word.lower().strip(".,;:!?'\"()-") for word in text.split())))


def similarity(one: str, other: str) -> float:
    """0 to 1; texts of few words are alike only as a whole."""
    left, right = words(one), words(other)
    if one == other:
        return 1.0
    if min(len(left), len(right)) < FEWEST_WORDS:
        return 0.0
    return len(left & right) / len(left | right)
