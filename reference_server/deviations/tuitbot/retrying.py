"""Breaks what retryable says: code by code, tool by tool, and at a caller's word."""

import dataclasses

from reference_server.application import Answer, Request
from reference_server.deviations.registry import deviation
from reference_server.deviations.rewriting import instead, rewrite
from reference_server.tuitbot import Tuitbot
from reference_server.tuitbot.editions import CONVERGENCE, SESSION_05
from reference_server.tuitbot.errors import ErrorCode


def _flip(tuitbot: Tuitbot, flipped: ErrorCode) -> None:
    original = tuitbot.envelopes.retryable

    @instead(tuitbot.envelopes, "retryable")
    def retryable(code: ErrorCode) -> bool:
        return original(code) is not (code is flipped)


def _register(code: ErrorCode) -> None:
    def the_flag_is_wrong(tuitbot: Tuitbot) -> None:
        _flip(tuitbot, code)

    the_flag_is_wrong.__doc__ = f"The error {code} has retryable {str(not code.retryable).lower()}."
    edition = CONVERGENCE.name if code in SESSION_05.left_out else None
    deviation(f"TB-ERR-{code}", edition=edition)(the_flag_is_wrong)


for _code in ErrorCode:
    _register(_code)


def _with_retryable(answer: Answer, *, retryable: bool) -> Answer:
    error = {**answer.envelope["error"], "retryable": retryable}
    return dataclasses.replace(answer, envelope={**answer.envelope, "error": error})


@deviation("TB-RETRY-01")
def one_tool_thinks_otherwise(tuitbot: Tuitbot) -> None:
    """get_tweet_by_id answers not_found as retryable, every other tool does not."""

    def changed(request: Request, answer: Answer) -> Answer:
        if request.tool != "get_tweet_by_id" or not answer.failed or answer.envelope["error"]["code"] != "not_found":
            return answer
        return _with_retryable(answer, retryable=True)

    rewrite(tuitbot, changed)


@deviation("TB-RETRY-02")
def the_caller_decides(tuitbot: Tuitbot) -> None:
    """An argument named retryable is answered as the error's retryable."""

    def changed(request: Request, answer: Answer) -> Answer:
        wish = request.arguments.get("retryable") if isinstance(request.arguments, dict) else None
        return _with_retryable(answer, retryable=wish) if answer.failed and isinstance(wish, bool) else answer

    rewrite(tuitbot, changed)


@deviation("TB-RETRY-03")
def an_eighth_retryable_code(tuitbot: Tuitbot) -> None:
    """invalid_input is retryable."""
    _flip(tuitbot, ErrorCode.INVALID_INPUT)
