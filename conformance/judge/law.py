"""A law decides one requirement: a pure function from a history, or from each exchange, to judgements."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from conformance.contract.catalogue import Contract
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement

HistoryLaw = Callable[[History, Contract], Iterable[Judgement]]
ExchangeLaw = Callable[[Exchange, Contract], Iterable[Judgement]]


Absence = Callable[[History, Contract], str]
Compares = Literal["all", "entity", "call"]
"""What a law over histories compares: whatever happened; what was done with one entity, that of `Contract.unit`; or
nothing, as it judges each call by itself and by what was listed. Where an instance is too large to be judged as a whole
this says what may be judged in parts: for any of them a law finds the same in a history and in its entities, apart from
refusals whose control is a call about another entity."""


@dataclass(frozen=True, slots=True)
class Law:
    """What decides a requirement. Exactly one of the two functions is given."""

    requirement: str
    over_history: HistoryLaw | None = None
    over_exchange: ExchangeLaw | None = None
    tools: tuple[str, ...] | None = None
    """For a law over exchanges: the tools whose answers it looks at; None: every exchange of the run."""
    absent: Absence | None = None
    """Says why nothing on the target could be a subject; empty where something could. Asked where there was none."""
    compares: Compares = "all"

    says: str = ""
    """How it judges, in one sentence, where its function serves many."""

    @property
    def sentence(self) -> str:
        """How it judges, in one sentence: the function's docstring."""
        if self.says:
            return self.says
        function = self.over_history or self.over_exchange
        return " ".join((function.__doc__ or "").split()) if function is not None else ""


LAWS: dict[str, Law] = {}
"""Every law that has been imported, by the requirement it decides."""


def law(
    requirement: str, *, absent: Absence | None = None, compares: Compares = "all"
) -> Callable[[HistoryLaw], HistoryLaw]:
    """Registers a law over the whole history: `(history, contract) -> judgements`."""

    def register(function: HistoryLaw) -> HistoryLaw:
        _add(Law(requirement, over_history=function, absent=absent, compares=compares))
        return function

    return register


def exchange_law(requirement: str, *tools: str, absent: Absence | None = None) -> Callable[[ExchangeLaw], ExchangeLaw]:
    """Registers a law over each exchange alone, of these tools if any are named: (exchange, contract) to judgements.

    It sees exchanges as they are completed and none of them twice, so its memory does not grow with the transcript.
    """

    def register(function: ExchangeLaw) -> ExchangeLaw:
        _add(Law(requirement, over_exchange=function, tools=tools or None, absent=absent))
        return function

    return register


def _add(law: Law) -> None:
    if law.requirement in LAWS:
        message = f"two laws claim {law.requirement}"
        raise ValueError(message)
    LAWS[law.requirement] = law
