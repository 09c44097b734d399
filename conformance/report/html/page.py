"""The whole page: the verdict, totals that add up, what is broken, then everything."""

from collections.abc import Iterator

from conformance.model.verdict import Verdict
from conformance.report.asides import asides
from conformance.report.first import first
from conformance.report.html.element import Child, Html, el, joined
from conformance.report.html.finding import article, command, link
from conformance.report.html.frame import Site, framed
from conformance.report.html.table import filters, foundation, requirements
from conformance.report.model import Report
from conformance.report.story import Story, stories
from conformance.report.words import LOOKS, caveat, counted, introduced, some, state, totals

MOST_WHOLE = 60
"""Findings told whole; of the others one line each."""


def render(report: Report, site: Site | None = None) -> str:
    """One self-contained file; as a page of a site it leads to the others."""
    told = list(stories(report))
    return framed(
        f"{LOOKS[state(report)].glyph} {report.target.name}: {report.claim}",
        el("nav", el("a", "All targets and contracts", href=site.home), class_="way") if site is not None else None,
        el("header", _band(report), _totals(report), _about(report)),
        el(
            "main",
            _first(report),
            _findings(told, site),
            list(_explained(report)),
            requirements(report, site),
            foundation(report, site),
        ),
        el("footer", _footer(report)),
        style=filters(report),
    )


def _band(report: Report) -> Html:
    look = LOOKS[state(report)]
    server = introduced(report)
    profiles = f", profile {', '.join(report.profiles)}" if report.profiles else ""
    return el(
        "div",
        el("p", look.glyph, class_="glyph", aria_hidden="true"),
        el(
            "div",
            el("p", f"{report.title}, edition {report.edition}{profiles}", class_="soft"),
            el("h1", report.claim),
            el("p", said, class_="caveat") if (said := caveat(report)) else None,
            el("p", el("strong", report.target.name), f", introduced as {server}" if server else None),
        ),
        class_=f"band v-{state(report)}",
    )


def _totals(report: Report) -> Html:
    parts = counted(report)
    bar = el(
        "div",
        [el("i", style=f"flex-grow:{number}", class_=f"v-{verdict}") for verdict, number in parts],
        class_="bar",
        role="img",
        aria_label=totals(report),
    )
    legend = [
        el(
            "li",
            el("i", class_=f"v-{verdict}"),
            el("strong", str(number)),
            f" {LOOKS[verdict].glyph} {LOOKS[verdict].word}",
            el("span", f" {LOOKS[verdict].means}", class_="soft"),
        )
        for verdict, number in parts
    ]
    return el("section", bar, el("p", totals(report), class_="sum"), el("ul", legend, class_="legend"), id="totals")


def _about(report: Report) -> Html:
    facts: list[tuple[str, Child]] = [
        ("over", ", ".join(report.target.endpoints)),
        ("protocol", ", ".join(report.target.revisions)),
        ("contract", f"{report.contract} {report.edition}, {report.document}"),
        ("seen", f"{some(report.calls, 'call')}, {some(report.judged, 'check')}"),
        ("when", report.started_at),
        ("took", f"{report.duration_ms / 1000:.1f} s"),
        ("suite", report.suite),
        ("seed", str(report.seed)),
        *([("besides", report.fuzz)] if report.fuzz else []),
    ]
    wide: list[tuple[str, Child]] = [("command", command(report.command))] if report.command else []
    wide.append(
        ("verify", [command("conformance judge FILE"), " with the transcript of this run gives these verdicts again"])
    )
    return el(
        "section",
        el("dl", [el("div", el("dt", name), el("dd", content)) for name, content in facts if content]),
        el("dl", [el("div", el("dt", name), el("dd", content)) for name, content in wide], class_="wide"),
        id="run",
    )


def _first(report: Report) -> Html | None:
    """What to do first, in steps."""
    steps = [
        el("li", step.text, " " if step.ids else None, joined(*map(link, step.ids), by=", "), step.rest)
        for step in first(report)
    ]
    return el("section", el("h2", "What to do first"), el("ol", steps), id="first") if steps else None


def _findings(told: list[Story], site: Site | None) -> Html | None:
    if not told:
        return None
    more = told[MOST_WHOLE:]
    return el(
        "section",
        el("h2", some(len(told), "finding")),
        [article(story, site) for story in told[:MOST_WHOLE]],
        el("ul", [el("li", link(s.finding.requirement), " ", s.finding.saw) for s in more]) if more else None,
        id="findings",
    )


def _explained(report: Report) -> Iterator[Html]:
    """What stands beside the claim."""
    for aside in asides(report):
        glyph = el("span", aside.glyph, class_=f"tag v-{aside.verdict}") if aside.glyph else None
        words = el("h2", glyph, f" {aside.heading[0].upper()}{aside.heading[1:]}")
        items = [
            el("li", item.text, [": ", joined(*map(link, item.ids), by=", ")] if item.ids else None)
            for item in aside.items
        ]
        held = aside.verdict is None or aside.verdict is Verdict.NOT_OBSERVED
        inner = el("details", el("summary", words), el("ul", items), open=not held or not report.conformant)
        yield el("section", inner if items else words, class_="aside")


def _footer(report: Report) -> Child:
    return [
        "Written by mcp-contract-conformance ",
        report.suite,
        ". This page loads nothing and runs nothing. What was folded is whole in the transcript.",
    ]
