"""Which tool and which version an invocation means."""

from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.invocation.calls import QUALIFIED, Invocation, invocations
from conformance.contracts.invocation.described import described
from conformance.contracts.invocation.faults import Fault, Faults, Stage, known
from conformance.contracts.invocation.kit import EXECUTION
from conformance.contracts.invocation.laws.result import STATUSES
from conformance.contracts.invocation.likes import beside
from conformance.contracts.invocation.ranges import is_version, resolve
from conformance.contracts.invocation.records import Records, records
from conformance.judge.judgements import MISSING, breach, holds, told
from conformance.judge.law import law
from conformance.model.events import Json
from conformance.model.exchange import INVALID_PARAMS
from conformance.model.history import History
from conformance.model.verdict import HELD, Judgement

CONTRACT_ERROR = "ContractError"
RANGE_CHARACTERS = frozenset("^~*<>=| ")


@law("IR-INV-01")
def a_name_is_fully_qualified(history: History, contract: Contract) -> Iterator[Judgement]:
    """An invocation whose toolName is not fully qualified is a ContractError, where the tool's own name is served."""
    for one, fault in known(history, contract).alone("toolName"):
        if fault.stage is Stage.RESOLUTION and (QUALIFIED.fullmatch(one.name) is None):
            yield from refused(history, contract, one, fault.words)


def refused(history: History, contract: Contract, one: Invocation, words: str) -> Iterator[Judgement]:
    """A call with one fault is refused with a ContractError, or by -32602. Without its control it is no subject."""
    call = one.call
    if call.accepted:
        yield breach(f"{one.name or 'invoke'} {words} ended as {told(call)}", call, expected=CONTRACT_ERROR)
        return
    fault = known(history, contract).faults(one).only
    like = beside(history, contract, fault)(call) if call.refused and fault is not None else None
    if like is None:
        return
    kind = one.error.get("class", MISSING)
    if call.protocol_code == INVALID_PARAMS:
        yield HELD
    elif one.error:
        saw = f"{one.name or 'invoke'} {words} was {told(call)} of class {kind}"
        place = "/error/class"
        yield holds(kind == CONTRACT_ERROR, saw, call, beside=like, pointer=place, expected=CONTRACT_ERROR, got=kind)


@law("IR-INV-02")
def a_range_resolves_to_a_version(history: History, contract: Contract) -> Iterator[Judgement]:
    """A range resolves to the highest version that satisfies it; where none does, the call is a ContractError."""
    for one, fault in known(history, contract).alone("versionRange"):
        if fault.stage is Stage.RESOLUTION:
            yield from refused(history, contract, one, fault.words)
    for one in invocations(history, contract):
        wanted = one.given("versionRange") if one.has("versionRange") else None
        if one.tool is None or not one.call.accepted or not isinstance(wanted, str | None):
            continue
        due = resolve(wanted, one.tool.versions)
        if due is None or due.version is None:
            continue
        got = one.result.get("resolvedVersion")
        if not isinstance(got, str) or got not in one.tool.versions:
            # that it is no version of the tool's is judged where the form of resolvedVersion is
            continue
        meant = f"the range {wanted}" if wanted is not None else "no range"
        saw = f"{one.name} with {meant} was resolved to {got}"
        yield holds(got == due.version, saw, one.call, pointer="/resolvedVersion", expected=due.version, got=got)
        ran = one.output.get("version")
        if isinstance(ran, str) and got == due.version:
            saw = f"{one.name} with {meant} ran as version {ran}"
            yield holds(ran == due.version, saw, one.call, pointer="/output/version", expected=due.version, got=ran)


@law("IR-RES-07")
def the_resolved_version_is_concrete(history: History, contract: Contract) -> Iterator[Judgement]:
    """A Result's resolvedVersion is the one version that was executed, and none where none was resolved."""
    run, kept, listed = known(history, contract), records(history, contract), described(history, contract)
    for one in invocations(history, contract):
        if one.result.get("status") not in STATUSES:
            continue
        got = one.result.get("resolvedVersion", MISSING)
        unresolved = [fault for fault in run.faults(one).found if fault.stage is Stage.RESOLUTION]
        if unresolved:
            saw = f"resolution failed, and resolvedVersion is {got!r}"
            claimed = isinstance(got, str) and is_version(got)
            # a refusal for another fault does not say that resolution failed
            if one.call.refused and any(one.call.code in fault.codes for fault in unresolved):
                yield holds(not claimed, saw, one.call, pointer="/resolvedVersion", expected="unresolved", got=got)
            continue
        if not one.call.accepted:
            if one.tool is not None:
                yield from _of_a_refusal(one, run.faults(one), kept)
            continue
        versions = one.tool.versions if one.tool is not None else _versions(listed.get(one.name))
        good = isinstance(got, str) and (got in versions if versions else _concrete(got))
        yield holds(
            good, f"resolvedVersion is {got!r}", one.call, pointer="/resolvedVersion", expected=list(versions), got=got
        )
        looked = kept.of(one, EXECUTION) if kept.distinct(one) else None
        for entry in looked.entries if looked is not None and good else ():
            ran = entry.get("version", MISSING)
            saw = f"resolvedVersion is {got}, and version {ran} was executed"
            calls = (one.call,) if looked is None else (looked.call, one.call)
            yield holds(ran == got, saw, *calls, pointer="/resolvedVersion", expected=ran, got=got)


def _of_a_refusal(one: Invocation, faults: Faults, kept: Records) -> Iterator[Judgement]:
    """A call that failed after its version was resolved tells it: no range, and where it ran the one that ran.

    What is refused before it runs may as well be told without a version, in words.
    """
    fault, versions = faults.only, one.tool.versions if one.tool is not None else ()
    if fault is None or one.call.code not in fault.codes or not _resolved_before(one, fault):
        return
    looked = kept.of(one, EXECUTION) if kept.distinct(one) else None
    ran = looked.entries[-1].get("version") if looked is not None and looked.entries else None
    got = one.result.get("resolvedVersion", MISSING)
    named = isinstance(got, str) and got not in ("", MISSING)
    if ran is not None or fault.stage >= Stage.EXECUTION:
        good = got in versions and ran in (None, got)
    else:
        good = named and not RANGE_CHARACTERS.intersection(got) and (got in versions or not is_version(got))
    saw = f"{one.name} {fault.words} failed after its version was resolved, and resolvedVersion is {got!r}"
    calls = (one.call,) if looked is None or ran is None else (looked.call, one.call)
    yield holds(good, saw, *calls, pointer="/resolvedVersion", expected=ran or list(versions), got=got)


def _resolved_before(one: Invocation, fault: Fault) -> bool:
    """Whether no server can have found a fault before it knew the tool and its version.

    The form of an Invocation, bad credentials and a deadline may be looked at first of all.
    """
    if fault.stage is Stage.INPUT:
        return fault.about == "input" and isinstance(one.given("input"), dict)
    if fault.stage is Stage.AUTHORISATION:
        return fault.codes == ("Forbidden",)
    return fault.stage >= Stage.POLICIES and fault.about != "deadline"


def _versions(tool: Json) -> tuple[str, ...]:
    found = tool.get("versions") if isinstance(tool, dict) else None
    return tuple(v for v in found if isinstance(v, str)) if isinstance(found, list) else ()


def _concrete(version: str) -> bool:
    """Whether a text can be one version, and is no range."""
    return bool(version) and version != MISSING and not RANGE_CHARACTERS.intersection(version)
