"""What is wrong with one requirement, as plain text: for JUnit, for pytest."""

from collections.abc import Iterable, Iterator

from conformance.model.verdict import Finding
from conformance.report.asides import asides
from conformance.report.first import first
from conformance.report.model import Call, Report, RequirementResult
from conformance.report.printable import called, compact, plain
from conformance.report.story import advice, reproducer, sides


def finding_text(report: Report, result: RequirementResult) -> str:
    """The statement, each finding with its calls, and the command that reproduces them; printable lines."""
    lines = [plain(f"{result.id} {result.level} ({result.source}): {result.statement}")]
    calls = {call.call: call for call in report.evidence}
    for finding in result.findings:
        lines += ["", *_finding(finding, [calls[number] for number in finding.calls if number in calls])]
    if result.breaches > len(result.findings) > 0:
        lines += ["", f"and {result.breaches - len(result.findings)} more of {result.subjects} checks"]
    lines += [f"{label}: {plain(said)}" for label, said in advice(result)]
    if result.reason and not result.findings:
        lines += ["", plain(result.reason)]
    if result.findings and (command := reproducer(report, result.findings[0])):
        lines += ["", f"reproduce: {plain(command)}"]
    return "\n".join(lines)


def _finding(finding: Finding, calls: Iterable[Call]) -> Iterator[str]:
    yield f"saw: {plain(finding.saw)}"
    for name, value in sides(finding):
        yield f"{name}: {compact(value, 500)}"
    for call in calls:
        yield f"  -> #{call.call} {called(call.tool or call.method, call.arguments, 300)} as {plain(call.credential)}"
        yield f"  <- {plain(call.ended)} {compact(call.answer, 500)}"
    if finding.pointer:
        yield f"  at {plain(finding.pointer)} of the last answer"


def claim_text(report: Report) -> str:
    """The claim, and all that stands beside it, as lines."""
    return "\n".join(_told(report))


def _told(report: Report) -> Iterator[str]:
    yield plain(report.claim)
    steps = first(report)
    if steps:
        yield ""
        yield "what to do first"
        yield from (plain(f"  {step.text} {', '.join(step.ids)}".rstrip() + step.rest) for step in steps)
    for aside in asides(report):
        yield ""
        yield plain(aside.heading)
        for item in aside.items:
            yield _item(*item)


def _item(text: str, ids: Iterable[str]) -> str:
    named = ", ".join(ids)
    return plain(f"  {text}{': ' if named else ''}{named}")
