"""Section 6: the codes of a wake that fails. That it fails is another row's."""

from collections.abc import Iterable, Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.threads.laws.wakes import Attempt, attempts
from conformance.contracts.threads.laws.waking import any_trigger
from conformance.contracts.threads.laws.withheld import always_falls_back, always_waits, unreachable
from conformance.judge.conditional import coded
from conformance.judge.law import law
from conformance.model.history import History
from conformance.model.verdict import Judgement


@law("TH-ERR-WAKE_FAILED", absent=always_falls_back)
def a_failed_wake_is_called_so(history: History, contract: Contract) -> Iterator[Judgement]:
    """A refused trigger of a managed target out of reach, or of one without a session, has the code WAKE_FAILED."""
    out = (a for a in attempts(history, contract) if unreachable(a) and not a.fallback)
    yield from _coded(history, contract, "WAKE_FAILED", "of a target that cannot be reached", out)


@law("TH-ERR-UNMANAGED_RUNTIME", absent=always_falls_back)
def an_unmanaged_runtime_is_called_so(history: History, contract: Contract) -> Iterator[Judgement]:
    """A refused trigger of an unmanaged target without a fallback has the code UNMANAGED_RUNTIME."""
    unmanaged = (a for a in attempts(history, contract) if a.unmanaged and a.steady and not a.fallback)
    yield from _coded(history, contract, "UNMANAGED_RUNTIME", "of an unmanaged target", unmanaged)


@law("TH-ERR-HUMAN_INPUT_COLLISION", absent=always_waits)
def a_busy_person_is_called_so(history: History, contract: Contract) -> Iterator[Judgement]:
    """A refused trigger, told not to wait, of a live target at which a person types has HUMAN_INPUT_COLLISION."""
    live = (a for a in attempts(history, contract) if a.live and a.typing and a.steady)
    busy = (a for a in live if not a.may_wait)
    yield from _coded(history, contract, "HUMAN_INPUT_COLLISION", "of a target that is busy with a person", busy)


def _coded(
    history: History, contract: Contract, code: str, because: str, refused: Iterable[Attempt]
) -> Iterator[Judgement]:
    """Judges those that were refused, and not for a quota; force has rules of its own."""
    calls = (a.call for a in refused if not a.forced and a.call.code != "RATE_LIMITED")
    yield from coded(calls, code, because=lambda _: because, beside=any_trigger(history, contract))
