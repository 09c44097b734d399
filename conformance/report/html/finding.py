"""A root finding as HTML: the clause, what was seen, expected against got, the calls, how to reproduce it."""

from collections.abc import Iterator

from conformance.model.events import Json
from conformance.report.html.element import Html, el, joined
from conformance.report.html.frame import Site
from conformance.report.html.value import call, conversation, value
from conformance.report.printable import compact
from conformance.report.story import ADVICE, Change, Story, advice, changes, sides
from conformance.report.words import LOOKS, some

MOST_OTHERS = 10
SHORT = 90
MINUS = "\N{MINUS SIGN}"
SIDES = {"expected": (f"{MINUS} expected", "minus"), "got": ("+ got", "plus")}


def article(story: Story, site: Site | None = None) -> Html:
    """The whole finding, its anchor `finding-ID`; in a site with the way to what explains the requirement."""
    finding, result = story.finding, story.result
    look = LOOKS[result.verdict]
    return el(
        "article",
        el(
            "h3",
            el("span", look.glyph, " ", look.word, class_=f"tag v-{result.verdict}"),
            " ",
            link(finding.requirement),
            " ",
            el("span", f"{result.level} · {result.source} · {story.share}", class_="soft"),
        ),
        el("blockquote", result.statement),
        el("p", finding.saw, class_="saw"),
        _page(finding.requirement, site),
        list(_compared(story)),
        list(_advice(story)),
        [call(made) for made in story.calls[:-1]],
        [call(made, finding.pointer) for made in story.calls[-1:]],
        _more(story),
        class_=f"finding v-{result.verdict}",
        id=f"finding-{finding.requirement}",
    )


def _advice(story: Story) -> Iterator[Html]:
    for label, said in advice(story.result):
        yield el("p", el("span", f"{ADVICE[label]} ", class_="soft"), said)


def _page(requirement: str, site: Site | None) -> Html | None:
    """The way to the page that explains a requirement, where there is one."""
    page = site.pages.get(requirement) if site is not None else None
    return el("p", el("a", f"How {requirement} is judged, and what breaks it", href=page)) if page else None


def link(requirement: str) -> Html:
    """The way to a requirement's row."""
    return el("a", requirement, href=f"#{requirement}")


def command(text: str) -> Html:
    """A command that one click selects whole."""
    return el("code", joined(*(el("span", word) for word in text.split(" ")), by=" "), class_="command")


def _compared(story: Story) -> Iterator[Html]:
    finding = story.finding
    explained = changes(finding.expected, finding.got)
    if explained:
        heads = [el("th", word) for word in ("where", "expected", "got")]
        yield el("table", el("tr", heads), [_change(change) for change in explained], class_="diff")
        return
    said = [(*SIDES[name], content) for name, content in sides(finding)]
    if all(len(compact(content, SHORT)) <= SHORT for _, _, content in said):
        lines = [el("p", words, " ", el("code", compact(content)), class_=kind) for words, kind, content in said]
        yield el("div", lines) if lines else joined()
        return
    both = [el("div", el("p", words, class_=kind), value(content, lines=30)) for words, kind, content in said]
    yield el("div", both, class_="call")


def _change(change: Change) -> Html:
    return el(
        "tr",
        el("td", el("code", change.pointer or "/")),
        _side(f"{MINUS} ", change.expected, "minus", missing=change.missing == "expected"),
        _side("+ ", change.got, "plus", missing=change.missing == "got"),
    )


def _side(sign: str, content: Json, kind: str, *, missing: bool) -> Html:
    return el("td", el("em", "nothing") if missing else joined(sign, el("code", compact(content, 400))), class_=kind)


def _more(story: Story) -> Iterator[Html]:
    if len(story.conversation) > len(story.calls):
        yield el(
            "details",
            el("summary", f"The conversation that led here, {some(len(story.conversation), 'call')}"),
            conversation(story.conversation, story.finding.calls),
        )
    if story.others:
        left = story.result.breaches - 1 - len(story.others[:MOST_OTHERS])
        yield el(
            "details",
            el("summary", some(story.result.breaches - 1, "further breach")),
            el(
                "ul",
                [el("li", other.saw, _numbers(other.calls)) for other in story.others[:MOST_OTHERS]],
                el("li", f"and {left:,} more", class_="soft") if left > 0 else None,
            ),
        )
    if story.blocks:
        yield el("p", "Blocks ", joined(*map(link, story.blocks), by=", "), ".", class_="blocks")
    if story.reproduce:
        yield el("p", el("span", "Reproduce ", class_="soft"), command(story.reproduce))


def _numbers(calls: tuple[int, ...]) -> Html:
    return el("span", f" {', '.join(f'#{number}' for number in calls)}", class_="soft")
