"""What every page of ours is framed in: nothing is fetched, nothing runs, one style."""

from collections.abc import Mapping
from typing import NamedTuple

from conformance.report.html.element import Child, Html, el
from conformance.report.html.style import STYLE

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""Nothing is fetched, nothing runs."""


class Site(NamedTuple):
    """The pages that a report's page stands among."""

    home: str
    """The way to the index."""
    pages: Mapping[str, str]
    """By requirement: the way to where it is explained."""


def framed(title: str, *body: Child, style: str = "") -> str:
    """A whole page with this title; `style` is added to the common one."""
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", http_equiv="Content-Security-Policy", content=POLICY),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="color-scheme", content="light dark"),
        el("title", title),
        el("style", Html(STYLE + style)),
    )
    return f"<!doctype html>\n{el('html', head, el('body', *body), lang='en')}\n"
