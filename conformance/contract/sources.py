"""The full name of a requirement's source: the document by its title, then the section."""

from collections.abc import Mapping

SHARED: Mapping[str, str] = {"MCP": "MCP specification"}
"""What every contract may refer to."""


def named(source: str, documents: Mapping[str, str]) -> str:
    """`004 3.2` as `Threads protocol, 3.2`, by the contract's [documents]; what they do not know stays as it is.

    A source has parts divided by semicolons. A part is known as a whole, or by its first word: that of a document.
    """
    return "; ".join(_part(part, {**SHARED, **documents}) for part in source.split("; "))


def _part(part: str, documents: Mapping[str, str]) -> str:
    if part in documents:
        return documents[part]
    word, _, section = part.partition(" ")
    word = word.rstrip(",")
    return f"{documents[word]}, {section}" if section and word in documents else part
