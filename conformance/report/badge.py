"""The claim as a badge: a small picture, and the JSON from which shields.io draws one."""

from typing import NamedTuple
from xml.etree import ElementTree as ET

from conformance.model.verdict import Verdict
from conformance.report.model import Report
from conformance.report.printable import plain
from conformance.report.standing import some
from conformance.report.words import state

LONGEST = 60
"""Characters of either side."""
GREEN, YELLOW, RED, GREY = "#2e7d32", "#8a6100", "#b3261e", "#555555"
LETTER = 6.6
"""Width of a letter, on average; the picture is told to fit its text to the room there is."""
MARGIN, HEIGHT = 7, 20


class Badge(NamedTuple):
    """What a badge says."""

    label: str
    message: str
    colour: str


def badge(report: Report) -> Badge:
    """Never more than the claim: a selection, an exception and an open question are named."""
    label = plain(f"{report.contract} {report.edition}", LONGEST)
    stands = state(report)
    if stands is Verdict.ERROR:
        return Badge(label, "no verdict", GREY)
    if report.selected is not None:
        held = {Verdict.PASS: "held", Verdict.FAIL: "broken"}.get(stands, "inconclusive")
        colour = {Verdict.PASS: GREY, Verdict.FAIL: RED}.get(stands, YELLOW)
        return Badge(label, f"{report.selected} of its requirements: {held}", colour)
    if stands is Verdict.FAIL:
        return Badge(label, "does not conform", RED)
    if stands is Verdict.PASS:
        but = f", {some(len(report.excused), 'exception')}" if report.excused else ""
        return Badge(label, f"conforms{but}", GREEN)
    return Badge(label, "inconclusive", YELLOW)


def render(report: Report) -> str:
    """A picture in SVG: no script, no font, nothing fetched."""
    said = badge(report)
    left, right = (round(len(text) * LETTER) + 2 * MARGIN for text in (said.label, said.message))
    title = f"{said.label}: {said.message}"
    svg = ET.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "width": str(left + right),
            "height": str(HEIGHT),
            "role": "img",
            "aria-label": title,
        },
    )
    ET.SubElement(svg, "title").text = title
    for at, width, colour in ((0, left, "#333333"), (left, right, said.colour)):
        ET.SubElement(svg, "rect", x=str(at), width=str(width), height=str(HEIGHT), fill=colour)
    style = {"fill": "#ffffff", "font-family": "Verdana,DejaVu Sans,sans-serif", "font-size": "11"}
    group = ET.SubElement(svg, "g", style)
    for at, width, text in ((0, left, said.label), (left, right, said.message)):
        room = {"textLength": str(width - 2 * MARGIN), "lengthAdjust": "spacingAndGlyphs"}
        ET.SubElement(group, "text", {"x": str(at + MARGIN), "y": "14", **room}).text = text
    return ET.tostring(svg, encoding="unicode") + "\n"
