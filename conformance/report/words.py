"""How the report words a verdict: the same glyph, word and order in every format."""

from typing import NamedTuple

from conformance.model.verdict import Verdict
from conformance.report.model import Report

MILLISECOND, SECOND = 1_000, 1_000_000


class Look(NamedTuple):
    """A verdict as it is shown. The glyph and the word tell it without any colour."""

    glyph: str
    word: str
    style: str
    """Of the terminal."""
    means: str


LOOKS: dict[Verdict, Look] = {
    Verdict.FAIL: Look("✗", "fail", "bold red", "a MUST is broken"),
    Verdict.XPASS: Look("⚑", "stale known failure", "bold red", "listed as failing, and passes: remove the entry"),
    Verdict.ERROR: Look("!", "error", "bold magenta", "the suite itself failed; says nothing of the server"),
    Verdict.BLOCKED: Look("⊘", "blocked", "red", "the breach of another requirement stands in the way"),
    Verdict.FLAKY: Look("≋", "flaky", "yellow", "judged differently from one time to the next"),
    Verdict.WARN: Look("▲", "warn", "yellow", "a SHOULD or MAY is missed"),
    Verdict.XFAIL: Look("≈", "known failure", "yellow", "fails as the target's own list says"),
    Verdict.PASS: Look("✓", "pass", "green", "held for every subject"),
    Verdict.NOT_OBSERVED: Look("○", "not observed", "dim", "nothing that could have broken it was seen"),
    Verdict.NOT_APPLICABLE: Look("·", "not applicable", "dim", "the target does not claim it"),
}
"""Every verdict, those that want attention first."""

PLAIN_GLYPHS = str.maketrans(
    {
        "✗": "x",
        "⚑": "F",
        "⊘": "#",
        "≋": "~",
        "▲": "^",
        "≈": "=",
        "✓": "+",
        "○": "o",
        "·": "-",
        "→": "->",
        "←": "<-",
        "▶": ">",
        "━": "=",
        "…": "...",
        "µ": "u",
    }
)
"""For a terminal that cannot show the others."""


def state(report: Report) -> Verdict:
    """The whole run as one verdict, as its exit code has it; not_observed where it is incomplete."""
    if report.totals.get(Verdict.ERROR, 0):
        return Verdict.ERROR
    if not report.conformant:
        return Verdict.FAIL
    return Verdict.PASS if report.complete and report.judged else Verdict.NOT_OBSERVED


def caveat(report: Report) -> str | None:
    """What has to be said beside the claim: why the run was cut short."""
    return None if report.complete else f"The run is incomplete: {report.reason.rstrip('.') or 'nobody knows why'}."


def counted(report: Report) -> list[tuple[Verdict, int]]:
    """The verdicts that were given, how often each; they add up to the requirements."""
    return [(verdict, report.totals.get(verdict, 0)) for verdict in LOOKS if report.totals.get(verdict, 0)]


def totals(report: Report) -> str:
    """`92 requirements = 1 fail + 88 pass + 3 not observed`."""
    parts = " + ".join(f"{number} {LOOKS[verdict].word}" for verdict, number in counted(report))
    return f"{some(len(report.requirements), 'requirement')} = {parts or '0'}"


def some(number: int, what: str) -> str:
    """A number of things, `what` in the singular."""
    plural = f"{what}es" if what.endswith("ch") else f"{what}s"
    return f"{number:,} {what if number == 1 else plural}"


def took(microseconds: int | None) -> str:
    """A time as a person reads it."""
    if microseconds is None:
        return ""
    if microseconds < MILLISECOND:
        return f"{microseconds} µs"
    if microseconds < SECOND:
        return f"{microseconds / MILLISECOND:.1f} ms"
    return f"{microseconds / SECOND:.2f} s"


def introduced(report: Report) -> str:
    """The server as it introduced itself: name and version; empty where it did not."""
    server = report.target.server
    return " ".join(str(server[key]) for key in ("name", "version") if server.get(key))
