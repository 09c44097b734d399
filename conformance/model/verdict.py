"""Judgement on a subject, finding, and the verdict on a requirement that they add up to."""

import re
from enum import StrEnum

from msgspec import UNSET, Struct, field

from conformance.model.events import Json

UNSAID: Json = UNSET
"""In the place of a value that is not told. null is a value like any other."""
_VALUES = re.compile(r"'[^']*'|\"[^\"]*\"|\b[\w-]*\d[\w-]*\b")


def without_values(saw: str) -> str:
    """A sentence on a breach without what others of its kind may differ in: what is quoted, and words with a number."""
    return _VALUES.sub("…", saw)


class Verdict(StrEnum):
    """The word on one requirement; each requirement of a contract has exactly one."""

    PASS = "pass"  # noqa: S105 -- a verdict
    FAIL = "fail"
    WARN = "warn"
    NOT_APPLICABLE = "not_applicable"
    NOT_OBSERVED = "not_observed"
    BLOCKED = "blocked"
    ERROR = "error"
    XFAIL = "xfail"
    XPASS = "xpass"
    FLAKY = "flaky"


class Judgement(Struct, frozen=True, omit_defaults=True):
    """A law's word on one subject: an element that could, with other content, have failed."""

    ok: bool
    saw: str = ""
    """What was seen, in one sentence."""
    expected: Json = UNSAID
    got: Json = UNSAID
    calls: tuple[int, ...] = ()
    """Evidence: the numbers of the calls, the one with the breach last."""
    pointer: str = ""
    """JSON Pointer into the last call's answer (its envelope where it has one, else the message)."""
    beside: tuple[int, ...] = ()
    """Sound calls that show what is wrong with the last one: its likes, which were served."""
    spoils: tuple[int, ...] = ()
    """Further calls that the same breach spoiled: what is wrong in them follows from it."""
    judged: bool = True
    """False: nothing can be said of the element, which is then no subject; `saw` says why."""
    withholds: bool = False
    """Not judged, and a pass of the requirement would claim more than was seen."""


HELD = Judgement(ok=True)
"""The rule held for a subject; nothing more is to be said of it."""


class Finding(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A judgement that failed, as the report holds it."""

    requirement: str
    saw: str
    expected: Json = UNSAID
    got: Json = UNSAID
    calls: tuple[int, ...] = ()
    pointer: str = ""
    blocked_by: str | None = None
    """The requirement whose breach in the same calls explains this one."""


class Outcome(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The verdict on one requirement, with what it rests on."""

    id: str
    level: str
    verdict: Verdict
    subjects: int = 0
    """How many elements were judged."""
    breaches: int = 0
    """How many of them failed; `findings` holds the first of them."""
    tools: dict[str, int] = field(default_factory=dict)
    """How many of the breaches were seen in a call of which tool, or of which method where it is no tool's."""
    findings: tuple[Finding, ...] = ()
    blocked_by: str | None = None
    reason: str = ""
    """Why it was not observed, not applicable, expected to fail, or an error of ours."""
    excused: str = ""
    """Why its lack does not count against the claim: the statement's own reason. Empty where nothing excuses it."""
