"""When two findings of different runs are the same: they may differ in values, numbers of calls and places in lists."""

import re
from collections.abc import Iterable

from conformance.model.verdict import Finding, without_values
from conformance.report.model import RequirementResult

_REPEATED = re.compile(r"…(?:,? …)+")
"""Values side by side: how many there are is a value as well."""
_PLACE = re.compile(r"(?<=/)\d+(?=/|$)")


def kind(finding: Finding) -> str:
    """What findings of one kind have in common: the sentence without its values, and the place without its numbers."""
    sentence = _REPEATED.sub("…", without_values(finding.saw))
    return f"{sentence} at {_PLACE.sub('*', finding.pointer)}"


def fresh(result: RequirementResult, before: RequirementResult) -> tuple[str, ...]:
    """What was seen in findings of a kind that `before` has not, or in calls of a tool where it has none.

    A report keeps the first findings of a requirement only, but counts the breaches of every tool.
    """
    known = set(map(kind, before.findings))
    seen = _told(finding for finding in result.findings if kind(finding) not in known)
    # reports of older suites do not count breaches by tool
    added = [name for name in result.tools if name not in before.tools] if before.tools else []
    return (*seen, *(f"calls of {name} break it ({result.tools[name]:,} times)" for name in added))


def _told(findings: Iterable[Finding]) -> tuple[str, ...]:
    """One sentence a kind."""
    by_kind: dict[str, str] = {}
    for finding in findings:
        by_kind.setdefault(kind(finding), finding.saw)
    return tuple(by_kind.values())
