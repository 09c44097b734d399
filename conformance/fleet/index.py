"""The index of a fleet: who conforms to what, what fails most, what changed since last time."""

from collections import Counter
from collections.abc import Sequence
from urllib.parse import quote

from conformance.fleet.changes import Change, commonest
from conformance.fleet.row import STATES, Row, State
from conformance.model.verdict import Verdict
from conformance.report.html.element import Html, el
from conformance.report.html.frame import framed
from conformance.report.words import LOOKS, some

VERDICTS: dict[State, Verdict] = {name: verdict for verdict, name in STATES.items()}
MOST_IDS = 12
"""Requirements of a target that stand in its row; its report has all."""
MOST_COMMON = 30
LOOK = """
table{border-collapse:collapse;width:100%;font-size:.9375rem}
caption{text-align:left;color:var(--soft);padding-bottom:.4rem}
th,td{text-align:left;vertical-align:top;padding:.4rem .8rem .4rem 0;border-bottom:1px solid var(--line)}
th{font-weight:650}.number{text-align:right;font-variant-numeric:tabular-nums}
"""


def render(rows: Sequence[Row], changed: Sequence[Change], title: str) -> str:
    """One file that loads nothing and runs nothing; its links lead to the reports beside it."""
    return framed(
        title,
        el("header", el("h1", title), _sums(rows)),
        el("main", _changes(changed), _common(rows), _targets(rows)),
        style=LOOK,
    )


def _sums(rows: Sequence[Row]) -> Html:
    counts = Counter((row.contract, row.state) for row in rows)
    contracts = list(dict.fromkeys(row.contract for row in rows))
    cells = [
        el(
            "tr",
            el("th", contract, scope="row"),
            *(el("td", str(counts[contract, name] or ""), class_="number") for name in VERDICTS),
        )
        for contract in contracts
    ]
    heads = [el("th", _tag(name), scope="col", class_="number") for name in VERDICTS]
    return el(
        "table",
        el("caption", f"{some(len(rows), 'target')}, by contract and by what came of them"),
        el("thead", el("tr", el("th", "contract", scope="col"), heads)),
        el("tbody", cells),
    )


def _tag(name: State) -> Html:
    verdict = VERDICTS[name]
    return el("span", f"{LOOKS[verdict].glyph} {name}", class_=f"tag v-{verdict}")


def _changes(changed: Sequence[Change]) -> Html | None:
    if not changed:
        return None
    items = [
        el(
            "li",
            el("strong", change.name),
            " ",
            change.words,
            el("span", " worse", class_=f"tag v-{Verdict.FAIL}") if change.worse else None,
        )
        for change in changed
    ]
    return el("section", el("h2", "Changed since last time"), el("ul", items), id="changed")


def _common(rows: Sequence[Row]) -> Html | None:
    found = commonest(rows)
    if not found:
        return None
    items = [el("li", el("code", name), f" {some(number, 'target')}") for name, number in found[:MOST_COMMON]]
    return el("section", el("h2", "What fails most"), el("ol", items), id="common")


def _targets(rows: Sequence[Row]) -> Html:
    heads = ("target", "contract", "", "MUSTs held", "broken", "not tested", "calls", "seconds", "broken requirements")
    body = [
        el(
            "tr",
            el("th", _link(row), el("br"), el("span", row.server, class_="soft"), scope="row"),
            el("td", f"{row.contract} {row.edition}"),
            el("td", _tag(row.state)),
            el("td", f"{row.held} of {row.applicable}" if row.report else "", class_="number"),
            *(el("td", str(number) if row.report else "", class_="number") for number in (row.broken, row.untested)),
            el("td", str(row.calls) if row.report else "", class_="number"),
            el("td", f"{row.duration_ms / 1000:.1f}" if row.report else "", class_="number"),
            el("td", _broken(row)),
        )
        for row in rows
    ]
    return el(
        "section",
        el("h2", "Targets"),
        el(
            "table",
            el("caption", "Each name leads to its report"),
            el("thead", el("tr", [el("th", head, scope="col") for head in heads])),
            el("tbody", body),
        ),
        id="targets",
    )


def _link(row: Row) -> Html | str:
    if not row.report:
        return row.name
    return el("a", row.name, href=quote(row.report.removesuffix(".json") + ".html"))


def _broken(row: Row) -> str:
    if row.error:
        return row.error
    return ids(row.failed, MOST_IDS)


def ids(failed: Sequence[str], most: int) -> str:
    """Requirements by their ids, `most` of them."""
    more = len(failed) - most
    return " ".join(failed[:most]) + (f" and {more} more" if more > 0 else "")
