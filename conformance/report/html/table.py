"""The requirements with their verdicts, by section; filtered without a script, by what is chosen above them."""

import re
from collections.abc import Iterable, Sequence
from typing import TypeVar

from conformance.model.requirement import Requirement
from conformance.model.verdict import Verdict
from conformance.report.html.element import Child, Html, el
from conformance.report.html.finding import link
from conformance.report.html.frame import Site
from conformance.report.model import Report, RequirementResult
from conformance.report.words import LOOKS, counted, some

Stated = TypeVar("Stated", Requirement, RequirementResult)
"""What has the section that states it."""


def requirements(report: Report, site: Site | None = None) -> Html:
    """All of the contract's own requirements, under a choice of which to show."""
    table = rows(report, report.requirements, "Every requirement of the contract and its verdict", site)
    return el("section", el("h2", "Requirements"), _choice(report), table, id="requirements")


def foundation(report: Report, site: Site | None = None) -> Html | None:
    """What the contract stands on, folded while all of it holds."""
    if not report.foundation:
        return None
    held = not any(result.verdict in (Verdict.FAIL, Verdict.WARN) for result in report.foundation)
    passed = sum(result.verdict is Verdict.PASS for result in report.foundation)
    words = f"MCP itself: {passed} of {some(len(report.foundation), 'requirement')} seen to hold"
    return el(
        "section",
        el(
            "details",
            el("summary", el("h2", words)),
            rows(report, report.foundation, "Requirements of MCP itself and their verdicts", site),
            open=not held,
        ),
        id="foundation",
    )


def filters(report: Report) -> str:
    """The rules of style that make the choice work."""
    shown = "".join(
        f"body:has(#show-{verdict}:checked) #requirements :is(tbody:not(:has(.v-{verdict})),tr.row:not(.v-{verdict}))"
        "{display:none}"
        for verdict, _ in counted(report)
    )
    rest = "body:has(#show-rest:checked) #requirements :is(tbody:not(:has(.row:not(.v-pass))),tr.row.v-pass)"
    must = "body:has(#show-must:checked) #requirements :is(tbody:not(:has(.MUST)),tr.row:not(.MUST))"
    return f"{shown}{rest}{{display:none}}{must}{{display:none}}"


def _choice(report: Report) -> Html:
    whole = len(report.requirements)
    must = sum(result.level == "MUST" for result in report.requirements)
    rest = whole - report.totals.get(Verdict.PASS, 0)
    choices = [("all", f"all {whole}"), ("must", f"MUST {must}"), ("rest", f"not passed {rest}")]
    choices += [(str(v), f"{LOOKS[v].glyph} {LOOKS[v].word} {number}") for v, number in counted(report)]
    return el(
        "div", [_choose(name, words) for name, words in choices], class_="choice", role="group", aria_label="show"
    )


def _choose(name: str, words: str) -> Html:
    button = el("input", type="radio", name="show", id=f"show-{name}", checked=name == "all")
    return el("label", button, el("span", words))


def rows(report: Report, results: Sequence[RequirementResult], caption: str, site: Site | None) -> Html:
    """A table, its sections in the order of the contract's document."""
    told = {finding.requirement for finding in report.roots}
    heads = [el("th", word, scope="col") for word in ("verdict", "requirement", "statement", "checks")]
    return el(
        "table",
        el("caption", caption, class_="unseen"),
        el("thead", el("tr", heads)),
        [_section(name, those, told, site) for name, those in by_section(results)],
        class_="rows",
    )


def by_section(rows: Iterable[Stated]) -> list[tuple[str, list[Stated]]]:
    """Requirements, or their results, under the sections that state them."""
    found: dict[str, list[Stated]] = {}
    for row in rows:
        found.setdefault(row.source, []).append(row)
    return sorted(found.items(), key=lambda section: _natural(section[0]))


def _natural(name: str) -> list[tuple[int, str]]:
    """Sections in the order of their numbers: 3.2 before 3.10."""
    return [(int(part), "") if part.isdecimal() else (0, part) for part in re.split(r"(\d+)", name) if part]


def _section(name: str, results: list[RequirementResult], told: set[str], site: Site | None) -> Html:
    kinds = [verdict for verdict in LOOKS if any(result.verdict is verdict for result in results)]
    counts = " · ".join(f"{sum(r.verdict is verdict for r in results)} {LOOKS[verdict].word}" for verdict in kinds)
    head = el("th", name, " ", el("span", counts, class_="soft"), colspan="4", scope="rowgroup")
    return el("tbody", el("tr", head, class_="head"), [_row(result, told, site) for result in results])


def _row(result: RequirementResult, told: set[str], site: Site | None) -> Html:
    page = site.pages.get(result.id) if site is not None else None
    look = LOOKS[result.verdict]
    judged = f"{result.breaches} of {result.subjects}" if result.breaches else str(result.subjects or "")
    return el(
        "tr",
        el("td", el("span", look.glyph, " ", look.word, class_="tag")),
        el(
            "th",
            el("a", result.id, href=page) if page else link(result.id),
            " ",
            el("span", result.level, class_="soft"),
            scope="row",
        ),
        el("td", result.statement, _because(result, told)),
        el("td", judged),
        id=result.id,
        class_=f"row v-{result.verdict} {result.level}",
    )


def _because(result: RequirementResult, told: set[str]) -> Html | None:
    parts: list[Child] = [result.reason] if result.reason else []
    if result.blocked_by:
        parts.append(["blocked by ", link(result.blocked_by)])
    if result.id in told:
        parts.append(el("a", "the finding", href=f"#finding-{result.id}"))
    elif result.findings:
        parts.append(result.findings[0].saw)
    return (
        el("p", *[[" · " if place else None, part] for place, part in enumerate(parts)], class_="soft")
        if parts
        else None
    )
