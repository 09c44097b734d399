"""The report as SARIF 2.1.0, for code scanning: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html."""

import hashlib
import re
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from conformance.contract.catalogue import requirement
from conformance.model.events import Json
from conformance.model.verdict import Finding, Verdict
from conformance.report.build import exit_code
from conformance.report.diff.kinds import kind
from conformance.report.model import Call, Report, RequirementResult
from conformance.report.printable import called, compact, plain
from conformance.report.story import advice, everything, reproducer, sides

VERSION = "2.1.0"
SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
PLACE = "conformance.toml"
"""Where a finding is shown: nobody knows a line of the server's source, and code scanning asks for a file."""
LEVELS = {Verdict.FAIL: "error", Verdict.WARN: "warning", Verdict.XFAIL: "warning", Verdict.FLAKY: "note"}
LISTED = (Verdict.XFAIL, Verdict.FLAKY)
_LINK = re.compile(r"\](?=\()")
_PLACEHOLDER = re.compile(r"\{(?=\d+\})")


def render(report: Report) -> str:
    """A whole log of one run."""
    rules = everything(report)
    results = [one for place, rule in enumerate(rules) for one in _results(report, rule, place)]
    run: dict[str, Json] = {
        "tool": {
            "driver": {
                "name": "mcp-contract-conformance",
                "version": report.suite,
                "rules": [_rule(rule) for rule in rules],
            }
        },
        "automationDetails": {"id": f"conformance/{report.contract}/"},
        "invocations": [_invocation(report)],
        "results": results,
        "properties": {
            "contract": report.contract,
            "edition": report.edition,
            "target": plain(report.target.name),
            "claim": plain(report.claim),
            "conformant": report.conformant,
        },
    }
    log = {"$schema": SCHEMA, "version": VERSION, "runs": [run]}
    return msgspec.json.format(msgspec.json.encode(log), indent=2).decode() + "\n"


def message(text: str) -> dict[str, str]:
    """A message that is text alone: no link and no placeholder, whatever a server says in it."""
    return {"text": _PLACEHOLDER.sub("{ ", _LINK.sub("] ", text))}


def _rule(result: RequirementResult) -> dict[str, Any]:
    about = requirement(result.id)
    rule: dict[str, Any] = {
        "id": result.id,
        "shortDescription": message(plain(result.statement)),
        "help": message(plain(about.why) if about is not None and about.why else plain(result.statement)),
        "defaultConfiguration": {"level": "error" if result.level == "MUST" else "warning"},
        "properties": {"tags": [result.contract, result.level], "source": plain(result.source)},
    }
    if result.clause is not None and result.clause.url:
        rule["helpUri"] = result.clause.url
    return rule


def _invocation(report: Report) -> dict[str, Any]:
    """What was run. Where nothing can be claimed the run was no success, and says why."""
    said: dict[str, Any] = {
        "executionSuccessful": not report.fault and exit_code(report) != 2,  # noqa: PLR2004 -- an error of ours
        "exitCode": exit_code(report),
    }
    if report.command:
        said["commandLine"] = plain(report.command)
    notes = [("error", report.fault), ("warning", "" if report.complete else f"the run is incomplete: {report.reason}")]
    notes += [("warning", f"not tested: {gap.cause}: {', '.join(gap.ids)}") for gap in report.gaps]
    told = [{"level": level, "message": message(plain(text))} for level, text in notes if text]
    return {**said, **({"toolExecutionNotifications": told} if told else {})}


def _results(report: Report, result: RequirementResult, place: int) -> Iterator[dict[str, Any]]:
    """One for each kind of finding that stands by itself."""
    if result.verdict not in LEVELS:
        return
    calls = {call.call: call for call in report.evidence}
    seen: set[str] = set()
    for finding in result.findings:
        if finding.blocked_by is not None or kind(finding) in seen:
            continue
        seen.add(kind(finding))
        yield _result(report, result, finding, [calls[number] for number in finding.calls if number in calls], place)


def _result(
    report: Report, result: RequirementResult, finding: Finding, calls: Sequence[Call], place: int
) -> dict[str, Any]:
    last = calls[-1] if calls else None
    tool = plain(last.tool or last.method, 200) if last is not None else ""
    location: dict[str, Any] = {"physicalLocation": {"artifactLocation": {"uri": PLACE}, "region": {"startLine": 1}}}
    if tool:
        location["logicalLocations"] = [{"name": tool, "kind": "function"}]
    about: dict[str, Any] = {
        "ruleId": result.id,
        "ruleIndex": place,
        "level": LEVELS[result.verdict],
        "message": message("\n".join(_told(report, result, finding, calls))),
        "locations": [location],
        "partialFingerprints": {"findingKind/v1": _fingerprint(report, finding, tool)},
    }
    if result.verdict in LISTED:
        about["suppressions"] = [{"kind": "external", "justification": plain(result.excused or result.reason)}]
    if report.baseline is not None:
        about["baselineState"] = "unchanged" if result.id in report.baseline.known else "new"
    return about


def _fingerprint(report: Report, finding: Finding, tool: str) -> str:
    """The same for the same finding of another run: values and numbers of calls do not count."""
    parts = "\0".join((report.contract, finding.requirement, tool, kind(finding)))
    return hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _told(report: Report, result: RequirementResult, finding: Finding, calls: Sequence[Call]) -> Iterator[str]:
    yield plain(finding.saw)
    yield f"{result.level} ({plain(result.source)}): {plain(result.statement)}"
    for name, value in sides(finding):
        yield f"{name}: {compact(value, 300)}"
    for call in calls:
        yield f"call {call.call}: {called(call.tool or call.method, call.arguments, 300)}: {plain(call.ended)}"
    for label, said in advice(result):
        yield f"{label}: {plain(said)}"
    if command := reproducer(report, finding):
        yield f"reproduce: {plain(command)}"
