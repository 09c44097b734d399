"""The envelope of the Session 05 contract, closed as AD-07 has it: each answer of each tool, by itself."""

import math
import re
from collections.abc import Iterator
from datetime import datetime

from conformance.contract.catalogue import Contract
from conformance.contracts.tuitbot.gate import DENIALS, DENIED, DRY, ROUTED
from conformance.contracts.tuitbot.manifest import entry
from conformance.judge.envelope import one_object
from conformance.judge.judgements import MISSING, holds
from conformance.judge.kinds import integer, is_integer
from conformance.judge.law import exchange_law
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement

MODES = ("autopilot", "composer")
U64 = 1 << 64
SLACK_MS = 50
"""Two clocks of one machine, and rounding."""
DRIFT = 1.01
"""How much faster one of them may run."""
DECISIONS = (DENIED, ROUTED, DRY)
LIMITED = ("x_rate_limited", "policy_denied_rate_limited")
"""Codes of answers that may tell when a limit ends."""
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


def _no_reset(history: History, contract: Contract) -> str:
    """Why there is no time to be judged: it may be left out, and the answers that could have it do not."""
    del contract
    limited = sum(call.code in LIMITED for call in history.calls())
    return (
        f"none of {limited} answers on a used-up limit has rate_limit_reset, which may be left out" if limited else ""
    )


@exchange_law("TB-ENV-09", absent=_no_reset)
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


def _no_decision(history: History, contract: Contract) -> str:
    """Why there is no decision to be judged: it may be left out, and the denials that could name one do not."""
    del contract
    denied = sum((call.code or "").startswith(DENIALS) for call in history.calls())
    return f"none of {denied} denials has policy_decision, which may be left out" if denied else ""


@exchange_law("TB-ENV-10", absent=_no_decision)
def a_decision_is_one_of_the_gates(call: Exchange, _: Contract) -> Iterator[Judgement]:
    """Each policy_decision is denied, routed_to_approval or dry_run."""
    error = error_of(call)
    if error is not None and "policy_decision" in error:
        given = error["policy_decision"]
        saw = f"policy_decision is {given!r}"
        yield holds(given in DECISIONS, saw, call, pointer="/error/policy_decision", expected=DECISIONS, got=given)


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
    """An elapsed_ms is no longer than the call took from outside, apart from the inaccuracy of two clocks."""
    meta = meta_of(call)
    given = integer(meta.get("elapsed_ms")) if meta is not None else None
    if given is not None and call.received is not None:
        measured = (call.received - call.sent) / 1000
        saw = f"elapsed_ms is {given}, the call took {measured:.3f} ms"
        kept = given <= measured * DRIFT + SLACK_MS
        yield holds(kept, saw, call, pointer="/meta/elapsed_ms", expected=f"at most {measured:.3f}", got=given)
