"""HTML that is escaped by construction: only what `el` made goes in unescaped."""

from collections.abc import Iterable
from html import escape

from conformance.report.printable import plain

VOID = frozenset({"br", "input", "meta"})


class Html(str):
    """Markup that is safe as it is."""

    __slots__ = ()


Child = str | None | Iterable["Child"]


def el(tag: str, *children: Child, **attributes: str | bool | None) -> Html:
    """An element. Text is made printable and escaped; None is left out; a trailing `_` of a name is dropped.

    A name's `_` is a `-`; an attribute that is True stands alone, one that is None or False is left out.
    """
    opening = "".join(_attribute(name, value) for name, value in attributes.items())
    if tag in VOID:
        return Html(f"<{tag}{opening}>")
    return Html(f"<{tag}{opening}>{joined(*children)}</{tag}>")


def joined(*children: Child, by: str = "") -> Html:
    """Children after one another, text among them escaped, with a separator of plain text."""
    return Html(escape(by).join(part for child in children if (part := _child(child))))


def _child(child: Child) -> str:
    if child is None:
        return ""
    if isinstance(child, Html):
        return str(child)
    if isinstance(child, str):
        return escape(plain(child))
    return joined(*child)


def _attribute(name: str, value: str | bool | None) -> str:  # noqa: FBT001 -- an attribute's value may be a bool
    if value is None or value is False:
        return ""
    key = name.rstrip("_").replace("_", "-")
    return f" {key}" if value is True else f' {key}="{escape(plain(value))}"'
