"""Counts what a law says of one requirement, and keeps the first breaches."""

from collections.abc import Callable, Iterable
from typing import Any

from conformance.contract.catalogue import Contract
from conformance.judge.law import Law
from conformance.model.requirement import Requirement
from conformance.model.verdict import Judgement

KEPT = 20
"""Findings kept a requirement; further breaches are counted."""


class Tally:
    """Subjects, breaches and evidence of one requirement, so far."""

    __slots__ = ("breached_calls", "breaches", "fault", "kept", "law", "requirement", "subjects")

    def __init__(self, requirement: Requirement, law: Law | None) -> None:
        self.requirement = requirement
        self.law = law
        self.subjects = 0
        self.breaches = 0
        self.kept: list[Judgement] = []
        self.breached_calls: list[frozenset[int]] = []
        """The evidence of every breach, also of those that are not kept."""
        self.fault = "" if law is not None else "the suite has no law for it"

    def take_all(
        self, law: Callable[[Any, Contract], Iterable[Judgement]], subject: object, contract: Contract
    ) -> None:
        """Runs a law and counts its judgements. What it raises is a fault of ours, not of the target."""
        try:
            for judgement in law(subject, contract):
                self.subjects += 1
                if not judgement.ok:
                    self._breach(judgement)
        except Exception as error:  # noqa: BLE001 -- a law meets hostile data: its crash is the verdict `error`
            place = error.__traceback__
            while place is not None and place.tb_next is not None:
                place = place.tb_next
            where = f"{place.tb_frame.f_code.co_name}, line {place.tb_lineno}" if place is not None else "?"
            self.fault = f"the law failed: {type(error).__name__}: {error} (in {where})"

    def _breach(self, judgement: Judgement) -> None:
        self.breaches += 1
        self.breached_calls.append(frozenset(judgement.calls))
        if len(self.kept) < KEPT:
            self.kept.append(judgement)
