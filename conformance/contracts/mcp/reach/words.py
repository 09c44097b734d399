"""The words in a name, and what the name of a tool says that it does."""

import re
from functools import lru_cache
from typing import Literal

_PART = re.compile(r"[A-Z]+(?![^\W\d_A-Z])|[A-Z]?[^\W\d_A-Z]+|\d+")
"""In the letters of any language: `größe`, `名称`. A name may have no word at all: `-`."""
_PLURAL = re.compile(r"(?<=[a-z]{2})(?:(?<=[sxh])es|(?<!s)s)$")
REMEMBERED = 4_096
"""Names whose words are kept."""
Deed = Literal["make", "read", "change", "remove"]


@lru_cache(REMEMBERED)
def words(name: str) -> tuple[str, ...]:
    """`repoPath`, `repo_path` and `repo-path` alike: repo, path."""
    return tuple(part.casefold() for part in _PART.findall(name))


def singular(word: str) -> str:
    """`tasks` as `task`; what is no plural stays as it is."""
    if word.endswith("ies") and len(word) > len("ties"):
        return f"{word[:-3]}y"
    return _PLURAL.sub("", word)


@lru_cache(REMEMBERED)
def singulars(name: str) -> frozenset[str]:
    """The words of a name, each in the singular."""
    return frozenset(map(singular, words(name)))


def ends_with(name: tuple[str, ...], tail: tuple[str, ...]) -> bool:
    """Whether the last words of a name are these."""
    return name[-len(tail) :] == tail
