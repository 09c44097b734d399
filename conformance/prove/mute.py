"""Mute tools: a server that refuses every call of one tool, with a plausible code, never conforms."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from msgspec import Struct

from conformance.certify import contract_of
from conformance.drive.target import entry
from conformance.engine import Engine, spread, whole
from conformance.prove.runs import Subject, recorded, run, stimuli_of
from conformance.report.build import exit_code

PREFIX = "mute:"
NOT_CONFORMING = 1
"""The exit code."""
SOME = 8
"""Stimuli that a muted tool meets by themselves."""


class Row(Struct, frozen=True, kw_only=True):
    """One tool on trial."""

    tool: str
    exit: int
    """The exit code of the run: 0 would say that the server conforms."""
    roots: tuple[str, ...]
    """Requirements that failed on their own account."""
    claim: str

    @property
    def passed(self) -> bool:
        """Whether the suite let the server conform."""
        return self.exit == 0


class Silence(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The trial of a contract, as reports/mute-<contract>.json holds it."""

    contract: str
    edition: str | None = None
    rows: tuple[Row, ...]


class Asked(NamedTuple):
    """A tool, and the stimuli in which calls of it are accepted, those of fewest calls first."""

    tool: str
    stimuli: tuple[str, ...]


def mute(subject: Subject, *, engine: Engine, told: Callable[[Row], None], every: bool = False) -> Silence:
    """Runs the suite at the target once for each tool that it can mute.

    A muted tool meets some of the stimuli that call it, one at a time, until one breaks the claim: a run of all would
    have that finding as well. Where none does it meets all; `every`: each tool does at once.
    """
    tools: Sequence[str] = entry(subject.target).mutes(subject.contract, **subject.named)
    calling: Mapping[str, tuple[str, ...]] = {}
    for _, found in spread(_calling, [] if every else [subject], engine):
        calling = whole(found)
    rows = []
    for _, row in spread(partial(_tried, subject), [Asked(tool, calling.get(tool, ())) for tool in tools], engine):
        rows.append(whole(row))
        told(rows[-1])
    rows.sort(key=lambda row: tools.index(row.tool))
    return Silence(contract=subject.contract, edition=subject.edition, rows=tuple(rows))


def _calling(subject: Subject) -> dict[str, tuple[str, ...]]:
    """By tool, some stimuli in which the target accepts calls of it."""
    own = set(stimuli_of(subject))
    calls = [call for call in recorded(subject).exchanges if call.stimulus in own]
    counts = Counter(call.stimulus for call in calls)
    found = defaultdict[str, set[str]](set)
    for call in calls:
        if call.tool is not None and call.accepted:
            found[call.tool].add(call.stimulus)
    return {tool: tuple(sorted(names, key=lambda name: (counts[name], name))[:SOME]) for tool, names in found.items()}


def _tried(subject: Subject, asked: Asked) -> Row:
    contract = contract_of(subject.contract, subject.edition)
    # a protocol has no tools of its own, and cannot say which calls have to be accepted: that is a SHOULD there
    muted = partial(run, subject, deviations=(f"{PREFIX}{asked.tool}",), strict=not contract.tools)
    ways: list[dict[str, Any]] = [
        *({"stimuli": [name], "only": tuple(contract.requirements)} for name in asked.stimuli),
        {},
    ]
    for how in ways:
        report = muted(**how)
        if exit_code(report) == NOT_CONFORMING:
            break
    roots = tuple(dict.fromkeys(finding.requirement for finding in report.roots))
    return Row(tool=asked.tool, exit=exit_code(report), roots=roots, claim=report.claim)
