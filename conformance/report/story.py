"""What there is to tell of a root finding, gathered once: every format tells it in this order."""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from conformance.model.events import Json
from conformance.model.pointer import pointer_of
from conformance.model.verdict import UNSAID, Finding, Verdict
from conformance.report.model import Call, Report, RequirementResult
from conformance.report.printable import DEEPEST, compact

EXPLAINED = (Verdict.XPASS, Verdict.ERROR, Verdict.FLAKY, Verdict.XFAIL)
"""Verdicts that are told with their reasons beside the root findings."""
LEADING = 24
"""Calls of the conversation that are shown before the one with the breach."""
RUN, REPLAY = "conformance run", "conformance replay"
OF_RUNS = ("--fuzz", "--seed", "--level", "--only", "--stimulus", "--without", "--beside")
"""Options with a value that a conversation has no use for: it holds the calls and what they are judged by."""
RANDOM = ".fuzz-"
"""In the names of random histories."""
GREETING = "suite.greeting"
"""Whose calls every run makes."""
ADVICE = {"why": "Why it matters", "right": "What would be right", "spec": "Specification", "SDK": "Behaviour of"}
"""What is shown beside a finding, each with its heading."""
MOST_CHANGES = 20
LARGEST_COMPARED = 20_000
"""Characters of JSON beyond which an inequality is shown, not explained: deepdiff's time grows faster than they do."""


@dataclass(frozen=True, slots=True)
class Change:
    """One place where two values differ, as JSON Pointer; `missing` names the side that lacks it."""

    pointer: str
    expected: Json
    got: Json
    missing: str = ""


@dataclass(frozen=True, slots=True)
class Story:
    """A root finding and all that belongs to it."""

    finding: Finding
    result: RequirementResult
    calls: tuple[Call, ...]
    """Those that the finding names, the one with the breach last."""
    conversation: tuple[Call, ...]
    """The same stimulus's calls up to that one, in the order sent."""
    others: tuple[Finding, ...]
    """Further breaches of the same requirement."""
    blocks: tuple[str, ...]
    """Requirements that could not be judged because of this one."""
    reproduce: str
    """A command, or empty where the run was not started by one."""

    @property
    def share(self) -> str:
        """`2 of 12 checks failed`."""
        return (
            f"{self.result.breaches} of {self.result.subjects} check{'' if self.result.subjects == 1 else 's'} failed"
        )


def stories(report: Report) -> Iterator[Story]:
    """The root findings with what belongs to them, in the report's order."""
    results = {result.id: result for result in everything(report)}
    calls = {call.call: call for call in report.evidence}
    for finding in report.roots:
        result = results[finding.requirement]
        named = tuple(calls[number] for number in finding.calls if number in calls)
        yield Story(
            finding=finding,
            result=result,
            calls=named,
            conversation=_conversation(report.evidence, named),
            others=tuple(other for other in result.findings if other != finding),
            blocks=tuple(other.id for other in everything(report) if other.blocked_by == finding.requirement),
            reproduce=reproducer(report, finding),
        )


def advice(result: RequirementResult) -> list[tuple[str, str]]:
    """Why it matters, what would be right, what the specification says, and whose behaviour it is; as far as known."""
    clause, found = result.clause, [("why", result.why)] if result.why else list[tuple[str, str]]()
    if clause is not None:
        found.append(("right", clause.right))
        sentence = f"“{clause.says}” " if clause.says else ""
        found += [("spec", f"{sentence}{clause.url}")] if clause.url else []
    return [*found, *([("SDK", result.sdk)] if result.sdk else [])]


def everything(report: Report) -> tuple[RequirementResult, ...]:
    """The contract's own requirements, then those it stands on."""
    own = {result.id for result in report.requirements}
    return (*report.requirements, *(result for result in report.foundation if result.id not in own))


def reproducer(report: Report, finding: Finding) -> str:
    """The command that drives the stimuli of a finding's calls again, with the same seed; empty where nobody typed one.

    A finding in the server's first answers, or in no call, needs any one stimulus: those that exercise it are driven.
    """
    if not report.command or report.command.startswith(REPLAY):
        # its file holds the very calls
        return report.command
    by_call = {call.call: call.stimulus for call in report.evidence}
    stimuli = dict.fromkeys(by_call[call] for call in finding.calls if call in by_call)
    seed = [] if "--seed" in report.command else [f"--seed {report.seed}"]
    if any(RANDOM in name for name in stimuli):
        if finding.requirement in report.kept:
            return replaying(report.command, report.kept[finding.requirement])
        # its calls could not be kept: the same seed makes the same
        return " ".join([report.command, *seed])
    named = [f"--stimulus {name}" for name in stimuli if name != GREETING]
    return " ".join([report.command, *seed, f"--only {finding.requirement}", *named])


def replaying(command: str, file: str) -> str:
    """The command that makes the calls in a file again at the target of a run; empty where the run's is no command."""
    try:
        words = shlex.split(command.removeprefix(RUN))
    except ValueError:
        return ""
    kept: list[str] = []
    value = False
    for word in words:
        name, equals, _ = word.partition("=")
        if value:
            value = False
        elif name in OF_RUNS:
            value = not equals
        else:
            kept.append(word)
    return shlex.join([*REPLAY.split(), file, *kept])


def by_reason(report: Report, verdict: Verdict) -> dict[str, list[RequirementResult]]:
    """The contract's requirements that got this verdict, under the reason that they share."""
    found: dict[str, list[RequirementResult]] = {}
    for result in report.requirements:
        if result.verdict is verdict:
            found.setdefault(result.reason, []).append(result)
    return found


def _conversation(evidence: Sequence[Call], named: Sequence[Call]) -> tuple[Call, ...]:
    stimuli = {call.stimulus for call in named}
    last = max((call.call for call in named), default=0)
    return tuple(call for call in evidence if call.stimulus in stimuli and call.call <= last)[-LEADING:]


def _nested(value: Json) -> bool:
    """Whether values lie deeper inside one another than a line can tell."""
    inner, depth = [value], 0
    while inner and depth <= DEEPEST:
        inner = [
            item
            for outer in inner
            if isinstance(outer, dict | list)
            for item in (outer.values() if isinstance(outer, dict) else outer)
        ]
        depth += 1
    return depth > DEEPEST


def sides(finding: Finding) -> list[tuple[str, Json]]:
    """`expected` and `got` with their values, as far as the finding says them: a `got` of null alone says nothing."""
    expected = [("expected", finding.expected)] if finding.expected is not UNSAID else []
    got = [("got", finding.got)] if finding.got is not UNSAID and (finding.got is not None or expected) else []
    return [*expected, *got]


def changes(expected: Json, got: Json) -> list[Change]:
    """Where two unequal objects or arrays differ; empty where that explains nothing, or they are too large."""
    if type(expected) is not type(got) or not isinstance(expected, dict | list) or expected == got:
        return []
    shown = [compact(side, LARGEST_COMPARED) for side in (expected, got)]
    if shown[0] == shown[1] or max(map(len, shown)) > LARGEST_COMPARED or any(map(_nested, (expected, got))):
        return []
    from deepdiff import DeepDiff  # noqa: PLC0415 -- a third of a second that only an inequality needs
    from deepdiff.helper import notpresent  # noqa: PLC0415 -- as above

    found = [
        Change(
            pointer=pointer_of(level.path(output_format="list")),
            expected=None if level.t1 is notpresent else level.t1,
            got=None if level.t2 is notpresent else level.t2,
            missing="expected" if level.t1 is notpresent else "got" if level.t2 is notpresent else "",
        )
        for levels in DeepDiff(expected, got, view="tree").values()
        for level in levels
    ]
    return sorted(found, key=lambda change: change.pointer)[:MOST_CHANGES]
