"""The table of targets: who keeps what, by the reports that were given."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from conformance.model.verdict import Verdict
from conformance.report.html.element import Html, el
from conformance.report.model import Report
from conformance.report.words import LOOKS, some, state

WORDS = {
    Verdict.PASS: "conforms",
    Verdict.FAIL: "does not conform",
    Verdict.NOT_OBSERVED: "inconclusive",
    Verdict.ERROR: "no verdict",
}
"""The whole run in a word or three."""
_INSTANT = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d)")


class Told(NamedTuple):
    """A report and the page that tells it."""

    report: Report
    page: str
    """Its path, as the index names it."""


def table(told: Sequence[Told], caption: str, way: str = "") -> Html:
    """One row a report; `way` leads from the page that holds the table to the index."""
    heads = ("verdict", "target", "contract", "MUSTs that hold", "not tested", "when")
    return el(
        "table",
        el("caption", caption),
        el("thead", el("tr", [el("th", head, scope="col", class_=_kind(head)) for head in heads])),
        el("tbody", [_row(each, way) for each in told]),
        class_="list",
    )


def _kind(head: str) -> str | None:
    return "number" if head in ("MUSTs that hold", "not tested") else None


def _row(told: Told, way: str) -> Html:
    report, musts = told.report, told.report.musts
    verdict, word = _verdict(report)
    excused = f", {some(musts.excused, 'exception')}" if musts.excused else ""
    return el(
        "tr",
        el("td", el("span", f"{LOOKS[verdict].glyph} {word}", class_=f"tag v-{verdict}")),
        el(
            "th",
            el("a", report.target.name, href=f"{way}{told.page}"),
            el("p", report.claim, class_="soft"),
            scope="row",
        ),
        el("td", f"{report.contract} {report.edition}", class_="whole", data_name="contract"),
        el("td", f"{musts.held:,} of {musts.applicable:,}{excused}", class_="number", data_name="MUSTs that hold"),
        el("td", f"{musts.untested:,}", class_="number", data_name="not tested"),
        el("td", when(report), class_="when", data_name="when"),
    )


def _verdict(report: Report) -> tuple[Verdict, str]:
    """The verdict to show and its words: a selection that holds claims nothing of the whole."""
    found = state(report)
    if report.selected is None:
        return found, WORDS[found]
    return (found, "a selection fails") if found is Verdict.FAIL else (Verdict.NOT_OBSERVED, "only a selection")


def when(report: Report) -> str:
    """The day and the minute at which the run began, in UTC; as it stands there, where it is no instant."""
    found = _INSTANT.match(report.started_at)
    return f"{found[1]} {found[2]} UTC" if found else report.started_at[:40]
