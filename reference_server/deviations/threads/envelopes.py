"""Breaks section 6's envelope, and the instants of all answers."""

import dataclasses

from reference_server.application import Answer, Json, Request
from reference_server.deviations.registry import deviation
from reference_server.deviations.rewriting import instead, rewrite
from reference_server.threads import Threads
from reference_server.threads.refusal import Refusal


@deviation("TH-ENV-01")
def failures_have_no_message(threads: Threads) -> None:
    """The message of a failure is empty."""
    original = threads.failure

    @instead(threads, "failure")
    def failure(refusal: Refusal, request_id: str) -> dict[str, Json]:
        return original(Refusal(refusal.code, ""), request_id)


@deviation("TH-ENV-02")
def request_ids_repeat(threads: Threads) -> None:
    """Every request that brings no id of its own gets the same."""

    @instead(threads, "request_id")
    def request_id(request: Request) -> str:
        return request.request_id or "req_local"


@deviation("TH-ENV-03")
def instants_have_no_zone(threads: Threads) -> None:
    """Instants are written without the Z that makes them UTC."""
    original = threads.instants.text

    @instead(threads.instants, "text")
    def text(at: float) -> str:
        return original(at).removesuffix("Z")


@deviation("TH-ENV-04")
def failures_are_no_tool_errors(threads: Threads) -> None:
    """A failure is sent with isError false."""

    def passed_off(request: Request, answer: Answer) -> Answer:
        del request
        return dataclasses.replace(answer, failed=False)

    rewrite(threads, passed_off)
