"""Counts what a law says of one requirement, and keeps breaches that differ."""

from collections.abc import Callable, Collection, Iterable
from typing import Any

from msgspec import structs

from conformance.contract.catalogue import Contract
from conformance.contract.limits import OutOfTimeError, go_on
from conformance.judge.law import Law
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.measure import brief, measured
from conformance.model.requirement import Requirement
from conformance.model.verdict import HELD, Judgement, without_values

KEPT = 20
"""Findings kept a requirement; further breaches are counted."""
ALIKE = 3
"""Of them those that differ in nothing but their values."""
LOOKED_THROUGH = 2_000
"""Breaches among which those to keep are chosen."""
SENTENCE = 2_000
"""Characters of a sentence that is kept."""
LARGEST = 50_000
"""Parts of a value that is kept as evidence; one that is larger, or deeper than this, is told in short:"""
DEEPEST = 100
AT_ONCE = 256
"""Judgements between two looks at the clock."""


class Tally:
    """Subjects, breaches and evidence of one requirement, so far."""

    __slots__ = (
        "_left_out", "_spoiled", "_why", "breached_calls", "breaches", "by_law", "cut", "fault", "judgements", "laws",
        "partly", "requirement", "subjects", "withheld",
    )  # fmt: skip

    def __init__(self, requirement: Requirement, *laws: Law) -> None:
        self.requirement = requirement
        self.laws = laws
        """What decides it: several where it promises several things, each of which has to be seen to hold."""
        self.subjects = 0
        self.by_law = [0] * len(laws)
        """How many of the subjects are those of which law."""
        self.breaches = 0
        self.judgements: list[Judgement] = []
        """The first breaches, in the order found."""
        self.breached_calls: list[tuple[int, ...]] = []
        """The calls that every breach spoiled and its evidence, the call with the breach last."""
        self._spoiled: set[int] = set()
        self._left_out = 0
        self._why = ""
        self.cut = ""
        """Why not all was judged that could be; empty where it was."""
        self.partly = ""
        """On which calls it was judged, where the transcript was too large for all of them."""
        self.withheld = ""
        """Why it was not seen to hold, whatever else was seen; empty where nothing is known against it."""
        self.fault = "" if laws else "the suite has no law for it"

    def take_all(
        self, law: Callable[[Any, Contract], Iterable[Judgement]], subject: object, contract: Contract, place: int = 0
    ) -> bool:
        """Runs a law, the one at this place, and counts its judgements; whether one is a breach.

        What the law raises is a fault of ours, not of the target.
        """
        held, before = True, self.subjects
        try:
            for judgement in law(subject, contract):
                # most are this one: what is to be looked at are the others
                if judgement is not HELD:
                    held = held and judgement.ok
                    if not self._take(judgement):
                        continue
                self.subjects += 1
                if not self.subjects % AT_ONCE:
                    go_on()
        except OutOfTimeError as error:
            self.cut = str(error)
        except RecursionError:
            if isinstance(subject, Exchange):
                self._leave_out(f"the answer of {subject.tool or subject.method} is nested too deep")
            else:
                self.cut = "a value is nested too deep"
        except Exception as error:  # noqa: BLE001 -- a law meets hostile data: its crash is the verdict `error`
            frame = error.__traceback__
            while frame is not None and frame.tb_next is not None:
                frame = frame.tb_next
            where = f"{frame.tb_frame.f_code.co_name}, line {frame.tb_lineno}" if frame is not None else "?"
            self.fault = f"the law failed: {type(error).__name__}: {error} (in {where})"
        self._count_for(place, self.subjects - before)
        return not held

    def count(self, subjects: int, place: int) -> None:
        """Counts subjects of a law of which it is known that they hold."""
        self.subjects += subjects
        self._count_for(place, subjects)

    def _count_for(self, place: int, subjects: int) -> None:
        if self.laws:  # a model may tell something of what has no law in this edition
            self.by_law[place] += subjects

    @property
    def left_out(self) -> str:
        """What was not judged, in one sentence; empty where everything was."""
        more = f"; and {self._left_out - 1} more like it" if self._left_out > 1 else ""
        return self.cut or (f"{self._why}{more}" if self._left_out else "")

    def _take(self, judgement: Judgement) -> bool:
        """Whether it is on a subject."""
        if not judgement.judged:
            self._leave_out(judgement.saw)
            self.withheld = self.withheld or (judgement.saw[:SENTENCE] if judgement.withholds else "")
        elif not judgement.ok:
            self._breach(judgement)
        return judgement.judged

    def _leave_out(self, why: str) -> None:
        self._left_out += 1
        self._why = self._why or why[:SENTENCE]

    def _breach(self, judgement: Judgement) -> None:
        self.breaches += 1
        if self.breaches <= LOOKED_THROUGH:
            saw, expected, got = judgement.saw[:SENTENCE], _kept(judgement.expected), _kept(judgement.got)
            self.judgements.append(structs.replace(judgement, saw=saw, expected=expected, got=got))
        self.breached_calls.append((*judgement.spoils, *judgement.calls))
        self._spoiled.update(judgement.calls, judgement.spoils)

    def spoils(self, calls: Collection[int]) -> bool:
        """Whether one of these calls is evidence of a breach, or was spoiled by one."""
        return not self._spoiled.isdisjoint(calls)


def _kept(value: Json) -> Json:
    """A value as evidence: whoever shows it walks through it."""
    if not isinstance(value, dict | list):
        return value
    size = measured(value, LARGEST)
    return brief(value) if size.values > LARGEST or size.depth > DEEPEST else value


def distinct(judgements: Iterable[Judgement]) -> list[Judgement]:
    """The breaches to keep: a few of each kind, the kinds in the order in which they were found."""
    kinds: dict[tuple[str, str], list[Judgement]] = {}
    for judgement in judgements:
        alike = kinds.setdefault((without_values(judgement.saw), judgement.pointer), [])
        if len(alike) < ALIKE:
            alike.append(judgement)
    first = [judgement for alike in kinds.values() for judgement in alike[:1]]
    return [*first, *(judgement for alike in kinds.values() for judgement in alike[1:])][:KEPT]
