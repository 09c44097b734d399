"""Breaks what the contract offers as a whole: that good calls are served, shown, and fail in the contract's words."""

import json
from typing import TYPE_CHECKING

from reference_server.application import Answer, Request
from reference_server.deviations.mcp.changing import replace_method
from reference_server.deviations.registry import deviation
from reference_server.deviations.rewriting import Envelope, rewrite, rewrite_results
from reference_server.deviations.threads.demanding import demand_field
from reference_server.threads import Threads

if TYPE_CHECKING:
    from starlette.requests import Request as HttpRequest
    from starlette.responses import Response

    from reference_server.bindings.plain_http import PlainHttp


@deviation("TH-SRV-01")
def a_summary_wants_its_bound(threads: Threads) -> None:
    """summarize_thread without max_messages, which is optional, is VALIDATION_ERROR."""
    demand_field(threads, "summarize_thread", "max_messages")


@deviation("TH-SRV-02")
def a_post_tells_the_first_status(threads: Threads) -> None:
    """post_message answers the status that its thread was made with, whatever it is by now."""

    def stale(request: Request, envelope: Envelope) -> Envelope:
        del request
        return {**envelope, "thread_status": "active"}

    rewrite_results(threads, "post_message", stale)


@deviation("TH-SRV-03")
def a_refusal_shows_the_inside(threads: Threads) -> None:
    """The message of a VALIDATION_ERROR is followed by the place in the code that raised it."""

    def traced(request: Request, answer: Answer) -> Answer:
        del request
        error = answer.envelope.get("error")
        if not isinstance(error, dict) or error["code"] != "VALIDATION_ERROR":
            return answer
        trace = 'Traceback (most recent call last):\n  File "/srv/app/validation.py", line 31, in check'
        said = f"{error['message']}\n{trace}"
        return Answer({"error": {**error, "message": said}}, failed=True, effects=answer.effects)

    rewrite(threads, traced)


@deviation("TH-SRV-03", variant="closed")
def a_closed_thread_has_a_code_of_its_own(threads: Threads) -> None:
    """A message to a closed thread is refused with THREAD_CLOSED, which the contract does not have."""

    def named(request: Request, answer: Answer) -> Answer:
        error = answer.envelope.get("error")
        if request.tool != "post_message" or not isinstance(error, dict) or error["code"] != "CONFLICT":
            return answer
        return Answer({"error": {**error, "code": "THREAD_CLOSED"}}, failed=True, effects=answer.effects)

    rewrite(threads, named)


@deviation("TH-SRV-04", transport="v1")
def a_body_that_is_no_json_is_a_fault(plain: "PlainHttp") -> None:
    """Over plain HTTP a body that is no JSON raises where it is read, and is answered with HTTP 500."""
    original = plain.call

    async def call(request: "HttpRequest") -> "Response":
        try:
            json.loads(await request.body())
        except ValueError as error:
            return await plain.fault(request, error)
        return await original(request)

    replace_method(plain, "call", call)
