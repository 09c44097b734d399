"""JSON values and calls as HTML: the pointed place is marked, by colour and by a sign."""

from conformance.model.events import Json
from conformance.report.excerpt import Line, Piece, excerpt
from conformance.report.html.element import Html, el, joined
from conformance.report.model import Call
from conformance.report.printable import called, compact
from conformance.report.words import caller, spoken, took

INITIALS = {"key": "k", "string": "s", "number": "n", "word": "n", "cut": "c"}
"""Class names of pieces, one letter each: there are thousands of them."""


def value(content: Json, pointer: str = "", lines: int = 60) -> Html:
    """A JSON value in lines, what is long folded, the place that the pointer names marked."""
    return el("pre", joined(*map(_line, excerpt(content, pointer, width=64, lines=lines)), by="\n"), class_="json")


def _line(line: Line) -> Html:
    indent, pieces = Html("  " * line.depth), [_piece(piece) for piece in line.pieces]
    return (
        joined(indent, el("mark", pieces), el("b", " ◀", title="the pointed place"))
        if line.marked
        else joined(indent, pieces)
    )


def _piece(piece: Piece) -> Html:
    initial = INITIALS.get(piece.kind)
    return el("span", piece.text, class_=initial) if initial else joined(piece.text)


def call(made: Call, pointer: str = "") -> Html:
    """A call beside its answer."""
    name = made.tool or made.method
    profile = [f"profile {made.profile}"] if made.profile else []
    over = spoken(made.transport, made.binding)
    facts = [f"#{made.call}", caller(made), made.instance, *profile, over]
    under = el("p", "under ", el("code", compact(made.conditions, 400)), class_="soft") if made.conditions else None
    return el(
        "div",
        el(
            "div",
            el("p", el("span", "→", class_="out"), " ", el("strong", name), " ", _facts(*facts)),
            under,
            value(made.arguments),
        ),
        el(
            "div",
            el("p", el("span", "←", class_="in"), " ", el("strong", made.ended), " ", _facts(took(made.took_us))),
            value(made.answer, pointer) if made.answer is not None else None,
        ),
        class_="call",
    )


def _facts(*facts: str) -> Html:
    return el("span", " · ".join(facts), class_="soft")


def conversation(calls: tuple[Call, ...], named: tuple[int, ...]) -> Html:
    """Every call in two lines, with when it was sent and how long its answer took."""
    return el("ol", [_turn(made, evident=made.call in named) for made in calls], class_="talk")


def _turn(made: Call, *, evident: bool) -> Html:
    sent = el("span", f"+{made.sent_us / 1000:,.1f} ms", class_="when")
    asked = called(made.tool or made.method, made.arguments, 300)
    back = el("span", took(made.took_us), class_="when")
    return el(
        "li",
        el("div", sent, el("span", "→", class_="out"), el("code", asked), el("span", f"#{made.call}", class_="soft")),
        el("div", back, el("span", "←", class_="in"), el("code", f"{made.ended} {compact(made.answer, 300)}")),
        class_="evident" if evident else None,
    )
