"""Breaks the envelope of the Session 05 contract."""

import dataclasses
from collections.abc import Callable
from typing import Any

from reference_server.application import Answer, Json, Request
from reference_server.deviations.registry import deviation
from reference_server.deviations.rewriting import instead, rewrite
from reference_server.tuitbot import Tuitbot
from reference_server.tuitbot.tools.outcome import Failure

HOUR_MS = 3_600_000


def _successes(tuitbot: Tuitbot, tool: str, change: Callable[[dict[str, Json]], Any]) -> None:
    """Passes the successes of one tool through `change`."""

    def changed(request: Request, answer: Answer) -> Answer:
        if request.tool != tool or answer.failed:
            return answer
        return dataclasses.replace(answer, envelope=change(dict(answer.envelope)))

    rewrite(tuitbot, changed)


def _errors(tuitbot: Tuitbot, change: Callable[[dict[str, Json]], dict[str, Json]]) -> None:
    """Passes every error object through `change`."""
    original = tuitbot.envelopes.error

    @instead(tuitbot.envelopes, "error")
    def error(failure: Failure) -> dict[str, Json]:
        return change(original(failure))


def _meta(tuitbot: Tuitbot, change: Callable[[dict[str, Json]], dict[str, Json]]) -> None:
    """Passes every meta object through `change`."""
    original = tuitbot.envelopes.meta

    @instead(tuitbot.envelopes, "meta")
    def meta(elapsed_ms: int) -> dict[str, Json]:
        return change(original(elapsed_ms))


@deviation("TB-ENV-01")
def an_envelope_in_a_list(tuitbot: Tuitbot) -> None:
    """get_capabilities answers a list that holds the envelope."""
    _successes(tuitbot, "get_capabilities", lambda envelope: [envelope])


@deviation("TB-ENV-02")
def success_is_a_word(tuitbot: Tuitbot) -> None:
    """The success of a failed get_tweet_by_id is the string false."""

    def changed(request: Request, answer: Answer) -> Answer:
        if request.tool != "get_tweet_by_id" or not answer.failed:
            return answer
        return dataclasses.replace(answer, envelope={**answer.envelope, "success": "false"})

    rewrite(tuitbot, changed)


@deviation("TB-ENV-03")
def the_envelope_names_a_layer(tuitbot: Tuitbot) -> None:
    """The envelope of get_mode has a fifth key, layer."""
    _successes(tuitbot, "get_mode", lambda envelope: {**envelope, "layer": "workflow"})


@deviation("TB-ENV-04")
def a_success_has_an_error(tuitbot: Tuitbot) -> None:
    """A successful get_mode carries the key error, with null."""
    _successes(tuitbot, "get_mode", lambda envelope: {**envelope, "error": None})


@deviation("TB-ENV-05")
def a_success_without_data(tuitbot: Tuitbot) -> None:
    """A successful validate_config leaves data out."""
    _successes(tuitbot, "validate_config", lambda envelope: {k: v for k, v in envelope.items() if k != "data"})


@deviation("TB-ENV-06")
def a_code_of_its_own(tuitbot: Tuitbot) -> None:
    """x_get_user_by_username answers user_not_found instead of not_found."""

    def changed(request: Request, answer: Answer) -> Answer:
        error = answer.envelope.get("error")
        if request.tool != "x_get_user_by_username" or not error or error["code"] != "not_found":
            return answer
        return dataclasses.replace(answer, envelope={**answer.envelope, "error": {**error, "code": "user_not_found"}})

    rewrite(tuitbot, changed)


@deviation("TB-ENV-07")
def errors_have_no_message(tuitbot: Tuitbot) -> None:
    """The message of an error is empty."""
    _errors(tuitbot, lambda error: {**error, "message": ""})


@deviation("TB-ENV-08")
def retryable_is_a_number(tuitbot: Tuitbot) -> None:
    """An error's retryable is 0 or 1."""
    _errors(tuitbot, lambda error: {**error, "retryable": int(error["retryable"])})


@deviation("TB-ENV-09")
def the_reset_is_prose(tuitbot: Tuitbot) -> None:
    """rate_limit_reset says soon."""
    _errors(tuitbot, lambda error: {**error, "rate_limit_reset": "soon"} if "rate_limit_reset" in error else error)


@deviation("TB-ENV-10")
def a_decision_that_there_is_not(tuitbot: Tuitbot) -> None:
    """policy_decision of a denial is blocked."""
    _errors(tuitbot, lambda error: {**error, "policy_decision": "blocked"} if "policy_decision" in error else error)


@deviation("TB-ENV-11")
def errors_say_when_to_retry(tuitbot: Tuitbot) -> None:
    """An error has the key retry_after_ms."""
    _errors(tuitbot, lambda error: {**error, "retry_after_ms": 1000})


@deviation("TB-ENV-12")
def another_tool_version(tuitbot: Tuitbot) -> None:
    """meta.tool_version is 1.1."""
    _meta(tuitbot, lambda meta: {**meta, "tool_version": "1.1"})


@deviation("TB-ENV-13")
def time_runs_backwards(tuitbot: Tuitbot) -> None:
    """meta.elapsed_ms is -1."""
    _meta(tuitbot, lambda meta: {**meta, "elapsed_ms": -1})


@deviation("TB-ENV-14")
def time_is_exaggerated(tuitbot: Tuitbot) -> None:
    """meta.elapsed_ms is an hour too long."""
    _meta(tuitbot, lambda meta: {**meta, "elapsed_ms": meta["elapsed_ms"] + HOUR_MS})


@deviation("TB-ENV-15")
def meta_correlates(tuitbot: Tuitbot) -> None:
    """An answer's meta has the key correlation_id."""
    _meta(tuitbot, lambda meta: {**meta, "correlation_id": "c-1"})


@deviation("TB-ENV-16")
def a_mode_that_there_is_not(tuitbot: Tuitbot) -> None:
    """meta.mode autopilot is called automatic."""
    _meta(tuitbot, lambda meta: {**meta, "mode": "automatic"} if meta.get("mode") == "autopilot" else meta)


@deviation("TB-ENV-17")
def the_approval_mode_is_a_number(tuitbot: Tuitbot) -> None:
    """meta.approval_mode is 0 or 1."""
    _meta(
        tuitbot,
        lambda meta: {**meta, "approval_mode": int(meta["approval_mode"])} if "approval_mode" in meta else meta,
    )


@deviation("TB-ENV-18")
def failures_are_no_errors_of_mcp(tuitbot: Tuitbot) -> None:
    """The result's isError is false on every failure."""
    rewrite(tuitbot, lambda _, answer: dataclasses.replace(answer, failed=False))
