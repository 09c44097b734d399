"""Profile Metadata Boundaries: profiles without a gate never tell mode and approval_mode, the others always, truly."""

from collections.abc import Callable, Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.tuitbot.gate import GATED_PROFILES, UNGATED_PROFILES
from conformance.contracts.tuitbot.laws.envelope import MODES, meta_of
from conformance.judge.judgements import MISSING, holds
from conformance.judge.law import exchange_law, law
from conformance.judge.settings import setting
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement


def _absent(call: Exchange, key: str) -> Iterator[Judgement]:
    if call.profile in UNGATED_PROFILES and call.envelope is not None:
        given = (meta_of(call) or {}).get(key, MISSING)
        saw = f"in the profile {call.profile} {call.tool} answers the {key} {given!r}"
        yield holds(given is MISSING, saw, call, pointer=f"/meta/{key}", expected=MISSING, got=given)


def _present(call: Exchange, key: str) -> Iterator[Judgement]:
    if call.profile in GATED_PROFILES and call.envelope is not None:
        ended = "failure" if call.failed else "success"
        saw = f"in the profile {call.profile} {call.tool} answers a {ended} without {key}"
        yield holds(key in (meta_of(call) or {}), saw, call, pointer=f"/meta/{key}", got=MISSING)


@exchange_law("TB-META-07")
def the_later_profiles_keep_the_boundary(call: Exchange, _: Contract) -> Iterator[Judgement]:
    """No envelope of readonly or api-readonly has meta.mode or meta.approval_mode; each of write and admin has both."""
    for key in ("mode", "approval_mode"):
        yield from _absent(call, key)
        yield from _present(call, key)


def _told(
    history: History, key: str, expected: Callable[[Exchange], Json], known: Callable[[Json], bool]
) -> Iterator[Judgement]:
    """What answers of the profiles with a gate tell of a state that the instance is known to be in."""
    for call in history.calls():
        meta = meta_of(call) if call.profile in GATED_PROFILES else None
        wanted, given = expected(call), (meta or {}).get(key)
        if wanted is not None and known(given):
            saw = f"{key} is {given!r} where the server runs with {wanted!r}"
            yield holds(given == wanted, saw, call, pointer=f"/meta/{key}", expected=wanted, got=given)


@law("TB-META-05")
def the_mode_is_the_one_in_force(history: History, _: Contract) -> Iterator[Judgement]:
    """Each meta.mode is the one that the server is set to. It holds where servers of both modes are seen."""

    def mode(call: Exchange) -> Json:
        claimed = setting(history, call, "mode")
        return claimed if claimed in MODES else None

    seen = {mode(call) for call in history.calls() if call.profile in GATED_PROFILES and meta_of(call) is not None}
    for judgement in _told(history, "mode", mode, lambda given: given in MODES):
        if not judgement.ok or seen.issuperset(MODES):
            yield judgement


@law("TB-META-06")
def the_approval_mode_is_the_effective_one(history: History, _: Contract) -> Iterator[Judgement]:
    """Each meta.approval_mode is true in composer mode, and in autopilot as the server is set."""

    def effective(call: Exchange) -> Json:
        mode, configured = setting(history, call, "mode"), setting(history, call, "approval_mode")
        if mode == "composer" or configured is True:
            return True
        return configured if mode == "autopilot" and isinstance(configured, bool) else None

    yield from _told(history, "approval_mode", effective, lambda given: isinstance(given, bool))
