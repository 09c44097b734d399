"""Profile Metadata Boundaries: the api profile never tells mode and approval_mode, workflow always does, and truly."""

from collections.abc import Callable, Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.tuitbot.laws.envelope import MODES, meta_of
from conformance.judge.judgements import MISSING, holds
from conformance.judge.law import exchange_law, law
from conformance.judge.settings import setting
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement


def _absent(call: Exchange, key: str) -> Iterator[Judgement]:
    if call.profile == "api" and call.envelope is not None:
        given = (meta_of(call) or {}).get(key, MISSING)
        saw = f"in the api profile {call.tool} answers the {key} {given!r}"
        yield holds(given is MISSING, saw, call, pointer=f"/meta/{key}", expected=MISSING, got=given)


def _present(call: Exchange, key: str) -> Iterator[Judgement]:
    if call.profile == "workflow" and call.envelope is not None:
        ended = "failure" if call.failed else "success"
        saw = f"in the workflow profile {call.tool} answers a {ended} without {key}"
        yield holds(key in (meta_of(call) or {}), saw, call, pointer=f"/meta/{key}", got=MISSING)


@exchange_law("TB-META-01")
def api_never_tells_the_mode(call: Exchange, _: Contract) -> Iterator[Judgement]:
    """In the api profile no envelope, of a success or of a failure, has meta.mode."""
    yield from _absent(call, "mode")


@exchange_law("TB-META-02")
def api_never_tells_the_approval_mode(call: Exchange, _: Contract) -> Iterator[Judgement]:
    """In the api profile no envelope, of a success or of a failure, has meta.approval_mode."""
    yield from _absent(call, "approval_mode")


@exchange_law("TB-META-03")
def workflow_always_tells_the_mode(call: Exchange, _: Contract) -> Iterator[Judgement]:
    """In the workflow profile each envelope, of a success or of a failure, has meta.mode."""
    yield from _present(call, "mode")


@exchange_law("TB-META-04")
def workflow_always_tells_the_approval_mode(call: Exchange, _: Contract) -> Iterator[Judgement]:
    """In the workflow profile each envelope, of a success or of a failure, has meta.approval_mode."""
    yield from _present(call, "approval_mode")


def _told(
    history: History, key: str, expected: Callable[[Exchange], Json], known: Callable[[Json], bool]
) -> Iterator[Judgement]:
    """What answers of the workflow profile tell of a state that the instance is known to be in."""
    for call in history.calls():
        meta = meta_of(call) if call.profile == "workflow" else None
        wanted, given = expected(call), (meta or {}).get(key)
        if wanted is not None and known(given):
            saw = f"{key} is {given!r} where the server runs with {wanted!r}"
            yield holds(given == wanted, saw, call, pointer=f"/meta/{key}", expected=wanted, got=given)


@law("TB-META-05")
def the_mode_is_the_one_in_force(history: History, _: Contract) -> Iterator[Judgement]:
    """Over a run in which servers are set to autopilot and to composer, each meta.mode is its server's own."""

    def mode(call: Exchange) -> Json:
        claimed = setting(history, call, "mode")
        return claimed if claimed in MODES else None

    seen = {mode(call) for call in history.calls() if call.profile == "workflow" and meta_of(call) is not None}
    if seen.issuperset(MODES):
        yield from _told(history, "mode", mode, lambda given: given in MODES)


@law("TB-META-06")
def the_approval_mode_is_the_effective_one(history: History, _: Contract) -> Iterator[Judgement]:
    """Each meta.approval_mode is true in composer mode, and in autopilot as the server is set."""

    def effective(call: Exchange) -> Json:
        mode, configured = setting(history, call, "mode"), setting(history, call, "approval_mode")
        if mode == "composer":
            return True
        return configured if mode == "autopilot" and isinstance(configured, bool) else None

    yield from _told(history, "approval_mode", effective, lambda given: isinstance(given, bool))
