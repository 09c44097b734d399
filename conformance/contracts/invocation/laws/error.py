"""The error of a Result: its class, code, message, and what it tells of trying again."""

from collections.abc import Iterator
from typing import NamedTuple

from conformance.contract.catalogue import Contract
from conformance.contracts.invocation.calls import Invocation, invocations
from conformance.contracts.invocation.faults import Faults, Stage, known
from conformance.contracts.invocation.kit import EXECUTION, INVOKE, PROVIDER_CODE, taxonomy
from conformance.contracts.invocation.laws.result import FAILURES, is_origin
from conformance.contracts.invocation.likes import beside
from conformance.contracts.invocation.markers import markers
from conformance.contracts.invocation.planned import FLAKY, MCP_FAIL
from conformance.contracts.invocation.records import Records, records
from conformance.judge.insides import shown_inside
from conformance.judge.judgements import MISSING, breach, holds
from conformance.judge.kinds import spelled
from conformance.judge.law import exchange_law, law
from conformance.judge.texts import texts
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import HELD, UNSAID, Judgement

DEEPEST = 5
"""Levels of causedBy."""
FOLLOWED = 50


class Level(NamedTuple):
    """An error, and where in the answer it stands."""

    pointer: str
    error: dict[str, Json]


def levels(call: Exchange) -> list[Level]:
    """The error of a failure and those that caused it, outermost first."""
    envelope = call.envelope or {}
    found: list[Level] = []
    pointer, here = "/error", envelope.get("error") if envelope.get("status") in FAILURES else None
    while isinstance(here, dict) and len(found) < FOLLOWED:
        found.append(Level(pointer, here))
        pointer, here = f"{pointer}/causedBy", here.get("causedBy")
    return found


@law("IR-ERR-02")
def a_code_is_of_its_classs_catalogue(history: History, contract: Contract) -> Iterator[Judgement]:
    """An error's code is of its class, or in an ExecutionError the provider's; equal failures have equal codes."""
    catalogue = taxonomy().classes
    for one in invocations(history, contract):
        for level in levels(one.call):
            kind, code = level.error.get("class"), level.error.get("code", MISSING)
            if not isinstance(kind, str) or kind not in catalogue:
                continue
            of_class = catalogue[kind] if kind != "ExecutionError" else None
            good = isinstance(code, str) and (code in of_class if of_class is not None else _is_provider_code(code))
            saw, pointer = f"the code of the {kind} is {code!r}", f"{level.pointer}/code"
            yield holds(good, saw, one.call, pointer=pointer, expected=list(of_class or ()) or UNSAID, got=code)
    yield from _steady(history, contract)


def _is_provider_code(code: str) -> bool:
    """Whether a code can stand in an ExecutionError: its own, or a symbol, no sentence, that no other class has."""
    own = taxonomy().classes
    symbol = bool(code) and not any(character.isspace() for character in code)
    return symbol and not any(code in codes for kind, codes in own.items() if kind != "ExecutionError")


def _steady(history: History, contract: Contract) -> Iterator[Judgement]:
    """Calls with the same one fault in the same tool have one code."""
    firsts: dict[tuple[str, str, str, str], Invocation] = {}
    for one, fault in known(history, contract).alone():
        if one.call.code is None or fault.stage is Stage.EXECUTION or len(fault.codes) > 1:
            continue
        if one.error.get("class") == "PolicyError" and fault.stage < Stage.POLICIES:
            # a limit that was looked at first is another failure: what may be named first is judged elsewhere
            continue
        place = (one.call.instance, one.name, fault.about, spelled([fault.codes, fault.field]))
        first = firsts.setdefault(place, one)
        if first is not one:
            saw = f"{one.name} {fault.words} was refused with {one.call.code}, the same before with {first.call.code}"
            same = one.call.code == first.call.code
            yield holds(
                same, saw, first.call, one.call, pointer="/error/code", expected=first.call.code, got=one.call.code
            )


@exchange_law("IR-ERR-03", INVOKE)
def a_message_is_human_and_sanitised(call: Exchange, _: Contract) -> Iterator[Judgement]:
    """An error's message is a text for people; no secret, stack trace or path stands in the error."""
    found = levels(call)
    for level in found:
        message = level.error.get("message", MISSING)
        good = isinstance(message, str) and any(map(str.isalpha, message)) and message != MISSING
        yield holds(good, f"message is {message!r}", call, pointer=f"{level.pointer}/message", got=message)
    if found:
        leaked = markers(found[0].error)
        if leaked:
            yield breach(f"the error shows {', '.join(sorted(leaked))}", call, pointer="/error")
        else:
            inside = shown_inside(call)
            yield holds(not inside, f"the error shows {inside}", call, pointer="/error")


@law("IR-ERR-04")
def is_retryable_agrees_with_policy_and_effect(history: History, contract: Contract) -> Iterator[Judgement]:
    """An error's isRetryable is a boolean, and the one that its code and the effect of the tool call for."""
    run, kept = known(history, contract), records(history, contract)
    for one in invocations(history, contract):
        for level in levels(one.call):
            said, pointer = level.error.get("isRetryable", MISSING), f"{level.pointer}/isRetryable"
            yield holds(isinstance(said, bool), f"isRetryable is {said!r}", one.call, pointer=pointer, got=said)
        said, due = one.error.get("isRetryable"), _retryable(one, run.faults(one), kept)
        if due is not None and isinstance(said, bool):
            effect = f" of {one.name}, which is {one.tool.effect}" if one.tool is not None else ""
            saw = f"isRetryable is {str(said).lower()} in a {one.call.code}{effect}"
            yield holds(said is due, saw, one.call, pointer="/error/isRetryable", expected=due, got=said)


def _retryable(one: Invocation, faults: Faults, kept: Records) -> bool | None:
    """What a code and an effect call for; None where that is open: a provider's own code, a tool outside the kit."""
    kind, code = one.error.get("class"), one.error.get("code")
    codes = taxonomy().classes.get(kind, ()) if isinstance(kind, str) else ()
    if code == PROVIDER_CODE and one.name in FLAKY:
        code = "DownstreamFailed"
    elif code not in codes:
        return None
    by_effect = taxonomy().retryable.get(code)
    if by_effect is None:
        return False
    if one.tool is None:
        return None
    word = by_effect[one.tool.effect]
    if word == "if_not_run":
        return _surely_not_run(one, faults, kept)
    return word == "yes"


def _surely_not_run(one: Invocation, faults: Faults, kept: Records) -> bool | None:
    """What was planned to run too long did run; what came after its deadline did as far as an execution is recorded."""
    if faults.only is None or faults.only.about != "deadline":
        return None if faults.only is None else False
    looked = kept.of(one, EXECUTION) if kept.distinct(one) else None
    return None if looked is None or not looked.tells(one) else not looked.entries


@exchange_law("IR-ERR-05", INVOKE)
def an_error_names_its_origin(call: Exchange, _: Contract) -> Iterator[Judgement]:
    """An error's origin is local or mcp::SERVER."""
    for level in levels(call):
        found = level.error.get("origin", MISSING)
        pointer = f"{level.pointer}/origin"
        yield holds(
            is_origin(found), f"origin is {found!r}", call, pointer=pointer, expected="local or mcp::SERVER", got=found
        )


@exchange_law("IR-ERR-06", INVOKE)
def causes_are_errors_of_limited_depth(call: Exchange, _: Contract) -> Iterator[Judgement]:
    """What causedBy holds is an error with class, code and message, at most five deep."""
    found = levels(call)
    if not found or found[0].error.get("causedBy") is None:
        return
    last = found[-1].error.get("causedBy")
    if last is not None and len(found) < FOLLOWED:
        yield breach(f"causedBy is {last!r}, and no error", call, pointer=f"{found[-1].pointer}/causedBy", got=last)
        return
    for level in found[1:]:
        wrong = next((name for name in ("class", "code", "message") if not isinstance(level.error.get(name), str)), "")
        if wrong:
            yield breach(f"the error of causedBy has no {wrong}", call, pointer=f"{level.pointer}/{wrong}", got=MISSING)
            return
    deep = len(found) - 1
    yield holds(
        deep <= DEEPEST, f"causedBy goes {deep} deep", call, pointer="/error/causedBy", expected=DEEPEST, got=deep
    )


@law("IR-ERR-07")
def details_name_the_field_or_the_delay(history: History, contract: Contract) -> Iterator[Judgement]:
    """The details of a MissingField name the missing field; those of a RateLimited give retryAfterMs."""
    for one, fault in known(history, contract).alone():
        if fault.field and one.call.code == "MissingField":
            like = beside(history, contract, fault)(one.call)
            if like is None:
                continue
            found = one.details.get("missingField", MISSING)
            good = isinstance(found, str) and _last(found) == fault.field
            saw = f"{fault.field} is missing, and details.missingField is {found!r}"
            place = "/error/details/missingField"
            yield holds(good, saw, one.call, beside=like, pointer=place, expected=fault.field, got=found)
    for one in invocations(history, contract):
        if one.call.code == "RateLimited":
            found = one.details.get("retryAfterMs", MISSING)
            saw = f"details.retryAfterMs of a RateLimited is {found!r}"
            yield holds(is_delay(found), saw, one.call, pointer="/error/details/retryAfterMs", got=found)


def _last(path: str) -> str:
    """The last part of a path, however it is written."""
    return path.replace("/", ".").rpartition(".")[2]


def is_delay(value: Json) -> bool:
    """Whether a value is a number of milliseconds to wait."""
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0


@law("IR-ERR-08")
def a_failure_downstream_names_the_providers_code(history: History, contract: Contract) -> Iterator[Judgement]:
    """Where the service behind a tool gives a code, the error has it as its code, or in its details."""
    run = known(history, contract)
    for one in invocations(history, contract):
        given = one.input.get("code") if one.name == MCP_FAIL else PROVIDER_CODE if one.name in FLAKY else None
        fault = run.faults(one).only
        if not isinstance(given, str) or not one.error or fault is None or fault.stage is not Stage.EXECUTION:
            continue
        if one.error.get("class") == "ExecutionError":
            shown = [one.error.get("code"), *texts(one.details)]
            saw = f"the service failed with {given}, and neither code nor details say so"
            yield HELD if given in shown else holds(False, saw, one.call, pointer="/error", expected=given)
