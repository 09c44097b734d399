"""Envelope Schema of seed 000, closed as AD-07 of seed 002 has it: each answer of each tool, by itself."""

import math
import re
from collections.abc import Iterator
from datetime import datetime

from conformance.contract.catalogue import Contract
from conformance.contracts.tuitbot.manifest import entry
from conformance.judge.envelope import closed, one_object
from conformance.judge.judgements import MISSING, holds
from conformance.judge.kinds import integer, is_integer
from conformance.judge.law import exchange_law
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.verdict import Judgement

TOP = ("success", "data", "error", "meta")
ERROR = ("code", "message", "retryable", "rate_limit_reset", "policy_decision")
META = ("tool_version", "elapsed_ms", "mode", "approval_mode")
MODES = ("autopilot", "composer")
U64 = 1 << 64
SLACK_MS = 50
"""Two clocks of one machine, and rounding."""
DRIFT = 1.01
"""How much faster one of them may run."""
EPOCH = re.compile(r"\d+(\.\d+)?")
TIMED = re.compile(r"\d{4}-?\d{2}-?\d{2}[Tt ]\d{2}.*", re.ASCII)
"""A date with a time of day; whether it is one of the calendar's is asked afterwards."""


def error_of(call: Exchange) -> dict[str, Json] | None:
    """The error of an answer, None where it has none that is an object."""
    error = call.envelope.get("error") if call.envelope is not None else None
    return error if isinstance(error, dict) else None


def meta_of(call: Exchange) -> dict[str, Json] | None:
    """The meta of an answer, None where it has none that is an object."""
    meta = call.envelope.get("meta") if call.envelope is not None else None
    return meta if isinstance(meta, dict) else None


@exchange_law("TB-ENV-01")
def a_tool_answers_one_envelope(call: Exchange, contract: Contract) -> Iterator[Judgement]:
    """The result of each tool of the profile carries one JSON object, as structuredContent, one text block, or both."""
    if entry(call, contract) is not None:
        yield from one_object(call)


@exchange_law("TB-ENV-03")
def the_envelope_has_four_keys(call: Exchange, _: Contract) -> Iterator[Judgement]:
    """Each envelope has no key besides success, data, error and meta."""
    yield from closed(call, call.envelope, TOP)


@exchange_law("TB-ENV-04")
def an_error_is_a_failures(call: Exchange, _: Contract) -> Iterator[Judgement]:
    """A success has no key error; a failure has an error that is an object."""
    success = call.envelope.get("success") if call.envelope is not None else None
    if call.envelope is None or not isinstance(success, bool):
        return
    given = call.envelope.get("error", MISSING)
    kept = "error" not in call.envelope if success else isinstance(given, dict)
    saw = f"success is {str(success).lower()} and error is {given if isinstance(given, str) else type(given).__name__}"
    yield holds(kept, saw, call, pointer="/error", expected=MISSING if success else "an object", got=given)


@exchange_law("TB-ENV-06")
def the_code_is_in_the_catalogue(call: Exchange, contract: Contract) -> Iterator[Judgement]:
    """The code of each error is one of the edition's catalogue."""
    error = error_of(call)
    if error is not None:
        code = error.get("code", MISSING)
        known = contract.errors.get(code) if isinstance(code, str) else None
        yield holds(known is not None, f"{call.tool} answers the code {code!r}", call, pointer="/error/code", got=code)


@exchange_law("TB-ENV-07")
def an_error_has_a_message(call: Exchange, _: Contract) -> Iterator[Judgement]:
    """The message of each error is a text that is not blank."""
    error = error_of(call)
    if error is not None:
        given = error.get("message", MISSING)
        kept = "message" in error and isinstance(given, str) and given.strip()
        yield holds(kept, f"the message is {given!r}", call, pointer="/error/message", got=given)


@exchange_law("TB-ENV-09")
def a_reset_is_an_instant(call: Exchange, _: Contract) -> Iterator[Judgement]:
    """Each rate_limit_reset is an ISO 8601 date and time, or an epoch time as a number or in digits."""
    error = error_of(call)
    if error is not None and "rate_limit_reset" in error:
        given = error["rate_limit_reset"]
        saw = f"rate_limit_reset is {given!r}"
        yield holds(_is_moment(given), saw, call, pointer="/error/rate_limit_reset", got=given)


def _is_moment(value: Json) -> bool:
    if is_integer(value) or isinstance(value, float):
        return bool(0 < value < math.inf)
    if not isinstance(value, str):
        return False
    if value.isascii() and EPOCH.fullmatch(value):
        return True
    try:
        return TIMED.fullmatch(value) is not None and datetime.fromisoformat(value) is not None
    except ValueError:
        return False


@exchange_law("TB-ENV-11")
def an_error_has_five_keys(call: Exchange, _: Contract) -> Iterator[Judgement]:
    """Each error has no key besides code, message, retryable, rate_limit_reset and policy_decision."""
    yield from closed(call, error_of(call), ERROR, "/error")


@exchange_law("TB-ENV-12")
def the_tool_version_is_1_0(call: Exchange, _: Contract) -> Iterator[Judgement]:
    """Where meta is present it is an object whose tool_version is the string 1.0."""
    if call.envelope is None or "meta" not in call.envelope:
        return
    meta = meta_of(call)
    got = MISSING if meta is None else meta.get("tool_version", MISSING)
    saw = "meta is no object" if meta is None else f"tool_version is {got!r}"
    yield holds(got == "1.0", saw, call, pointer="/meta/tool_version", expected="1.0", got=got)


@exchange_law("TB-ENV-13")
def elapsed_is_an_unsigned_integer(call: Exchange, _: Contract) -> Iterator[Judgement]:
    """Each meta has an elapsed_ms that is a whole number from 0 to 2^64 - 1."""
    meta = meta_of(call)
    if meta is not None:
        given = meta.get("elapsed_ms", MISSING)
        kept = is_integer(given) and 0 <= given < U64
        yield holds(kept, f"elapsed_ms is {given!r}", call, pointer="/meta/elapsed_ms", got=given)


@exchange_law("TB-ENV-14")
def elapsed_is_no_more_than_was_measured(call: Exchange, _: Contract) -> Iterator[Judgement]:
    """An elapsed_ms is no longer than the call took from outside, but for the slack of two clocks."""
    meta = meta_of(call)
    given = integer(meta.get("elapsed_ms")) if meta is not None else None
    if given is not None and call.received is not None:
        measured = (call.received - call.sent) / 1000
        saw = f"elapsed_ms is {given}, the call took {measured:.3f} ms"
        kept = given <= measured * DRIFT + SLACK_MS
        yield holds(kept, saw, call, pointer="/meta/elapsed_ms", expected=f"at most {measured:.3f}", got=given)


@exchange_law("TB-ENV-15")
def meta_has_four_keys(call: Exchange, _: Contract) -> Iterator[Judgement]:
    """Each meta has no key besides tool_version, elapsed_ms, mode and approval_mode."""
    yield from closed(call, meta_of(call), META, "/meta")
