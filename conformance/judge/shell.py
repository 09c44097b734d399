"""The words into which a POSIX shell splits a command line, as far as they are plain text."""

EXPANDED = "\0"
"""Stands in a word for what the shell would replace: a variable, a command's output, a pattern."""
_HOSTILE = frozenset("\"'`$\\;|&<>()\n\t*?[]{}#~!")
_OPERATORS = frozenset(";|&<>()\n")
_EXPANSIONS = frozenset("$`*?[]{}")
_ESCAPED_IN_DOUBLE = frozenset('$`"\\\n')


class _Splitter:
    def __init__(self) -> None:
        self.words: list[str] = []
        self.word: str | None = None

    def add(self, character: str) -> None:
        self.word = (self.word or "") + character

    def end(self) -> None:
        if self.word is not None:
            self.words.append(self.word)
        self.word = None


def words(command: str) -> list[str] | None:
    """The words of a command line, operators between them left out; None where a quote is not closed."""
    found, quote, position = _Splitter(), "", 0
    while position < len(command):
        character = command[position]
        position += 1
        if quote == "'":
            if character == "'":
                quote = ""
            else:
                found.add(character)
        elif character == "\\" and position < len(command):
            escaped = command[position]
            position += 1
            if quote and escaped not in _ESCAPED_IN_DOUBLE:
                found.add(character)
            if escaped != "\n":
                found.add(escaped)
        elif quote:
            if character == '"':
                quote = ""
            else:
                found.add(EXPANDED if character in "$`" else character)
        elif character in "\"'":
            quote = character
            found.add("")
        elif character in _OPERATORS or character.isspace():
            found.end()
        elif character == "#" and found.word is None:
            position = command.find("\n", position)
            position = len(command) if position < 0 else position
        else:
            found.add(EXPANDED if character in _EXPANSIONS or (character == "~" and not found.word) else character)
    found.end()
    return None if quote else found.words


def hostile_part(text: str) -> str:
    """A text up to the last of its characters that a shell takes for its own, spaces aside.

    Where it has none but spaces, up to its first space; empty where it has not even that.
    """
    last = max((place for place, character in enumerate(text) if character in _HOSTILE), default=-1)
    return text[: last + 1] if last >= 0 else text[: text.find(" ") + 1]
