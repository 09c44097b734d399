"""The words into which a POSIX shell splits a command line, as far as they are plain text."""

import re

EXPANDED = "\0"
"""Stands in a word for what the shell would replace: a variable, a command's output, a pattern."""
_HOSTILE = frozenset("\"'`$\\;|&<>()\n\t*?[]{}#~!")
_TOKEN = re.compile(
    r"""
      '(?P<single>[^']*)'
    | "(?P<double>(?:[^"\\]|\\.)*)"
    | \\(?P<escaped>.)
    | (?P<between>[\s;|&<>()]+)
    | (?P<comment>(?<![^\s;|&<>()])\#[^\n]*)
    | (?P<open>['"\\])
    | (?P<bare>[^\s;|&<>()'"\\]+)
    """,
    re.VERBOSE | re.DOTALL,
)
_IN_DOUBLE = re.compile(r'\\(?P<escaped>[$`"\\])|\\\n|(?P<expanded>[$`])')
_IN_BARE = re.compile(r"[$`*?\[\]{}]|^~")


def words(command: str) -> list[str] | None:
    """The words of a command line, operators between them left out; None where a quote is not closed."""
    found: list[str] = []
    word: str | None = None
    for token in _TOKEN.finditer(command):
        kind = token.lastgroup
        if kind == "open":
            return None
        if kind in ("between", "comment"):
            found.extend([] if word is None else [word])
            word = None
        else:
            word = (word or "") + _meant(kind, token[kind or 0])
    return found if word is None else [*found, word]


def _meant(kind: str | None, text: str) -> str:
    """What a part of a word comes to."""
    if kind == "double":
        return _IN_DOUBLE.sub(lambda part: EXPANDED if part["expanded"] else part["escaped"] or "", text)
    if kind == "bare":
        return _IN_BARE.sub(EXPANDED, text)
    return "" if kind == "escaped" and text == "\n" else text


def hostile_part(text: str) -> str:
    """A text up to the last of its characters that a shell takes for its own, spaces aside.

    Where it has none but spaces, up to its first space; empty where it has not even that.
    """
    last = max((place for place, character in enumerate(text) if character in _HOSTILE), default=-1)
    return text[: last + 1] if last >= 0 else text[: text.find(" ") + 1]
