"""The report as JUnit XML: a test suite a contract, a test case a requirement."""

from collections.abc import Iterable
from itertools import groupby
from xml.etree import ElementTree as ET

from conformance.model.verdict import Verdict
from conformance.report.build import exit_code
from conformance.report.model import Report, RequirementResult
from conformance.report.printable import plain
from conformance.report.story import everything
from conformance.report.text import claim_text, finding_text
from conformance.report.words import LOOKS, introduced, state

SKIPPED = (Verdict.NOT_OBSERVED, Verdict.NOT_APPLICABLE, Verdict.XFAIL)
TOLD = (Verdict.WARN, Verdict.FLAKY)
"""They break no build: the exit code leaves them out as well."""
OUTCOMES = {"failures": "failure", "errors": "error", "skipped": "skipped"}


def render(report: Report) -> str:
    """A whole document. A MUST that is blocked is a failure, because the claim falls with it."""
    root = ET.Element("testsuites", name=f"conformance {plain(report.contract)}")
    for contract, results in groupby(everything(report), key=lambda result: result.contract):
        suite = ET.SubElement(root, "testsuite", name=plain(contract), timestamp=plain(report.started_at))
        _properties(suite, _about(report))
        for result in results:
            _case(suite, report, result)
        if contract == report.contract:
            _claim(suite, report)
        _count(suite, [suite])
        suite.set("time", f"{report.duration_ms / 1000 if contract == report.contract else 0:.3f}")
    _count(root, list(root))
    root.set("time", f"{report.duration_ms / 1000:.3f}")
    ET.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _about(report: Report) -> dict[str, str]:
    return {
        "claim": report.claim,
        "target": report.target.name,
        "server": introduced(report),
        "endpoints": ", ".join(report.target.endpoints),
        "revisions": ", ".join(report.target.revisions),
        "edition": report.edition,
        "profiles": ", ".join(report.profiles),
        "suite": report.suite,
        "seed": str(report.seed),
        "complete": f"no: {report.reason}" if not report.complete else "yes",
        "command": report.command,
    }


def _properties(parent: ET.Element, about: dict[str, str]) -> None:
    properties = ET.SubElement(parent, "properties")
    for name, value in about.items():
        if value:
            ET.SubElement(properties, "property", name=name, value=plain(value))


def _count(element: ET.Element, suites: Iterable[ET.Element]) -> None:
    cases = [case for suite in suites for case in suite.iter("testcase")]
    element.set("tests", str(len(cases)))
    for name, tag in OUTCOMES.items():
        element.set(name, str(sum(case.find(tag) is not None for case in cases)))


def _case(suite: ET.Element, report: Report, result: RequirementResult) -> None:
    case = ET.SubElement(
        suite,
        "testcase",
        classname=plain(f"{result.contract}.{result.source}"),
        name=plain(result.id),
        time="0",
    )
    about = {
        "statement": result.statement,
        "level": result.level,
        "verdict": result.verdict.value,
        "checks": str(result.subjects),
        "excused": result.excused,
    }
    _properties(case, about)
    verdict = result.verdict
    if report.baseline is not None and result.id in report.baseline.known:
        ET.SubElement(case, "skipped", message=f"known from the baseline: {_message(result)}")
    elif verdict is Verdict.FAIL or verdict is Verdict.XPASS or (verdict is Verdict.BLOCKED and result.level == "MUST"):
        failure = ET.SubElement(case, "failure", type=result.level, message=_message(result))
        failure.text = finding_text(report, result)
    elif verdict is Verdict.ERROR:
        error = ET.SubElement(case, "error", type=verdict.value, message=_message(result))
        error.text = plain(result.reason)
    elif verdict in SKIPPED or verdict is Verdict.BLOCKED:
        ET.SubElement(case, "skipped", message=_message(result))
    elif verdict in TOLD:
        ET.SubElement(case, "system-out").text = f"{_message(result)}\n{finding_text(report, result)}"


def _claim(suite: ET.Element, report: Report) -> None:
    """The claim as a test case of its own: no single requirement tells that a run is inconclusive.

    Held against a baseline it fails where something got worse; else it tells the claim, whatever that says.
    """
    case = ET.SubElement(suite, "testcase", classname=plain(report.contract), name="claim", time="0")
    if state(report) is Verdict.PASS:
        return
    if exit_code(report) == 0:
        ET.SubElement(case, "system-out").text = claim_text(report)
        return
    failure = ET.SubElement(case, "failure", type=LOOKS[state(report)].word, message=plain(report.claim, 500))
    failure.text = claim_text(report)


def _message(result: RequirementResult) -> str:
    word = LOOKS[result.verdict].word
    if result.verdict is Verdict.BLOCKED:
        return plain(f"blocked by {result.blocked_by}")
    said = result.findings[0].saw if result.verdict in (Verdict.FAIL, *TOLD) and result.findings else result.reason
    return plain(f"{word}: {said or LOOKS[result.verdict].means}", 500)
