"""How the report words a verdict: the same glyph, word and order in every format."""

from typing import NamedTuple

from conformance.model.verdict import Verdict
from conformance.report.model import Call, Report
from conformance.report.standing import some as some

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
    Verdict.BLOCKED: Look("⊘", "blocked", "red", "could not be judged because another requirement is broken"),
    Verdict.FLAKY: Look("≋", "flaky", "yellow", "listed as failing now and then; it decides nothing"),
    Verdict.WARN: Look("▲", "warn", "yellow", "a SHOULD or MAY is missed"),
    Verdict.XFAIL: Look("≈", "known failure", "yellow", "fails as the target's own list says"),
    Verdict.PASS: Look("✓", "pass", "green", "every check held"),
    Verdict.NOT_OBSERVED: Look("○", "not observed", "dim", "not tested: nothing that could have broken it was seen"),
    Verdict.NOT_APPLICABLE: Look("·", "not applicable", "dim", "does not apply to this target or this run"),
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


def upper(text: str) -> str:
    """Text as a sentence begins; a name such as get_thread, or isError, stays as it is."""
    first = text.split(" ", 1)[0].rstrip(",:;.")
    return f"{text[0].upper()}{text[1:]}" if first.isalpha() and first.islower() else text


def state(report: Report) -> Verdict:
    """The whole run as one verdict, as its exit code has it; not_observed where it is inconclusive."""
    if (
        report.fault
        or report.totals.get(Verdict.ERROR, 0)
        or any(r.verdict is Verdict.ERROR for r in report.foundation)
    ):
        return Verdict.ERROR
    if report.broken:
        return Verdict.FAIL
    return Verdict.PASS if report.conformant else Verdict.NOT_OBSERVED


def caveat(report: Report) -> str | None:
    """What has to be said beside the claim: what went wrong with the suite's own files, why the run was cut short."""
    told = [f"{report.fault[0].upper()}{report.fault[1:]}."] if report.fault else []
    if not report.complete:
        told.append(f"The run is incomplete: {report.reason.rstrip('.') or 'nobody knows why'}.")
    return " ".join(told) or None


def counted(report: Report) -> list[tuple[Verdict, int]]:
    """The verdicts that were given, how often each; they add up to the requirements."""
    return [(verdict, report.totals.get(verdict, 0)) for verdict in LOOKS if report.totals.get(verdict, 0)]


def totals(report: Report) -> str:
    """`92 requirements = 1 fail + 88 pass + 3 not observed`."""
    parts = " + ".join(f"{number} {LOOKS[verdict].word}" for verdict, number in counted(report))
    return f"{some(len(report.requirements), 'requirement')} = {parts or '0'}"


def spoken(transport: str, binding: str) -> str:
    """What is spoken over a connection: `MCP stdio`, `plain HTTP`."""
    return "plain HTTP" if binding == "http" else f"MCP {transport}"


def caller(call: Call) -> str:
    """In whose name a call was made."""
    return "without credentials" if call.credential == "none" else f"as {call.credential}"


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
