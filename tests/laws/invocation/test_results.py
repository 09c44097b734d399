"""The Result and its error: what each law on answers holds, and what it finds."""

from collections.abc import Callable

import pytest

from conformance.model.events import Json
from tests.laws.invocation.desk import SECRET, Desk, echo

GIVEN = {"text": "x"}
Tell = Callable[[Desk], object]


def good(desk: Desk) -> None:
    desk.ok("echo", GIVEN, echo())
    desk.no("echo", {"text": 5}, "SchemaInvalid")


def with_result(**result: Json) -> Tell:
    return lambda desk: desk.ok("echo", GIVEN, echo(), result=result)


def with_error(code: str = "SchemaInvalid", given: Json = None, tool: str = "echo", **error: Json) -> Tell:
    def tell(desk: Desk) -> None:
        desk.ok("echo", GIVEN, echo())
        desk.no(tool, given or {"text": 5}, code, error=error)

    return tell


def nested(depth: int, *, last: Json = None) -> dict[str, Json]:
    error: dict[str, Json] = {"class": "ExecutionError", "code": "DownstreamFailed", "message": "It failed.",
                              "isRetryable": False, "origin": "local"}  # fmt: skip
    if depth:
        return {**error, "causedBy": nested(depth - 1, last=last)}
    return error if last is None else {**error, "causedBy": last}


BREACHES: list[tuple[str, Tell]] = [
    ("IR-RES-01", with_result(status="Fine")),
    ("IR-RES-01", lambda desk: desk.call("invoke", {"toolName": "local::kit.echo", "input": GIVEN}, {"text": "x"})),
    ("IR-RES-01", lambda desk: desk.call("invoke", {"toolName": "local::kit.echo", "input": GIVEN}, ["Ok"])),
    ("IR-RES-02", with_result(error={"class": "SystemError"})),
    ("IR-RES-02", with_result(error=None)),
    ("IR-RES-02", with_result(output=None)),
    ("IR-RES-03", lambda desk: desk.no("echo", GIVEN, "Unhandled", result={"output": {}})),
    ("IR-RES-03", lambda desk: desk.no("echo", GIVEN, "Unhandled", result={"error": "bad"})),
    ("IR-RES-04", lambda desk: desk.no("echo", GIVEN, "Unhandled", result={"status": "Retryable"})),
    ("IR-RES-06", with_result(attempts=0)),
    ("IR-RES-06", with_result(attempts=True)),
    ("IR-RES-09", with_result(correlationId="another")),
    ("IR-RES-10", with_result(origin="remote")),
    ("IR-RES-10", with_result(origin="mcp::kit")),
    ("IR-RES-05", with_result(durationMs=-1)),
    ("IR-RES-05", with_result(durationMs="3")),
    ("IR-RES-05", with_result(durationMs=9_000)),
    ("IR-RES-05", lambda desk: desk.ok("wait", {"ms": 110}, {"waited": 110}, took=115, result={"durationMs": 3})),
    ("IR-RES-05", lambda desk: desk.no("wait", {"ms": 900}, "Timeout", took=310, result={"durationMs": 1})),
    ("IR-RES-07", with_result(resolvedVersion="^1.0.0")),
    ("IR-RES-07", with_result(resolvedVersion="7.0.0")),
    ("IR-RES-07", lambda desk: desk.no("echo", GIVEN, "UnsupportedVersion", versionRange="^9.0.0",
                                       result={"resolvedVersion": "2.0.0"})),
    ("IR-RES-08", with_result(policySnapshot={})),
    ("IR-RES-08", with_result(policySnapshot={"timeoutMs": 5000, "retry": {"maxAttempts": 3}, "rateLimitIds": [],
                                              "circuitState": "closed"})),
    ("IR-RES-08", lambda desk: desk.ok("limited", GIVEN, GIVEN, result={"policySnapshot": {
        "timeoutMs": 5000, "retry": {"maxAttempts": 1}, "rateLimitIds": [], "circuitState": "closed"}})),
    ("IR-RES-11", lambda desk: desk.ok("sum", {"a": 1, "b": 2}, {"sum": "3"})),
    ("IR-RES-11", lambda desk: desk.ok("bad_output", GIVEN, {"count": "five"})),
    ("IR-ERR-01", with_error(**{"class": "Oops"})),
    ("IR-ERR-01", with_error(**{"class": None})),
    ("IR-ERR-02", with_error("Timeout", **{"class": "ContractError"})),
    ("IR-ERR-02", with_error("Invalid", **{"class": "ContractError"})),
    ("IR-ERR-03", with_error(message="")),
    ("IR-ERR-03", with_error(message=f"no such secret: {SECRET}")),
    ("IR-ERR-03", with_error(message='File "/srv/app/tool.py", line 3, in run')),
    ("IR-ERR-03", with_error(details={"where": SECRET})),
    ("IR-ERR-04", with_error(isRetryable=None)),
    ("IR-ERR-04", with_error(isRetryable=True)),
    ("IR-ERR-04", with_error("DownstreamFailed", {"fail": True}, "fragile", isRetryable=False)),
    ("IR-ERR-04", lambda desk: desk.no("wait_and_append", {"list": "l", "item": "i", "ms": 900}, "Timeout", took=310,
                                       error={"isRetryable": True})),
    ("IR-ERR-05", with_error(origin="here")),
    ("IR-ERR-05", with_error(origin=None)),
    ("IR-ERR-06", with_error(causedBy="the net")),
    ("IR-ERR-06", with_error(causedBy={"code": "x"})),
    ("IR-ERR-06", with_error(causedBy=nested(5))),
]  # fmt: skip


@pytest.mark.parametrize(("requirement", "tell"), BREACHES)
def test_a_breach_is_found(requirement: str, tell: Tell) -> None:
    desk = Desk()
    tell(desk)
    assert desk.judged(requirement).breaches == 1


@pytest.mark.parametrize("requirement", sorted({name for name, _ in BREACHES} - {"IR-ERR-06", "IR-RES-11"}))
def test_good_answers_hold(requirement: str) -> None:
    desk = Desk()
    good(desk)
    outcome = desk.judged(requirement)
    assert (outcome.verdict, outcome.subjects > 0) == ("pass", True)


def test_causes_of_five_levels_hold() -> None:
    desk = Desk()
    with_error(causedBy=nested(4))(desk)
    assert desk.judged("IR-ERR-06").verdict == "pass"


def test_an_output_that_its_tool_cannot_give_is_refused() -> None:
    desk = Desk()
    desk.no("bad_output", GIVEN, "SchemaInvalid")
    assert desk.judged("IR-RES-11").subjects == 0, "nothing else was ever served"
    desk.ok("echo", GIVEN, echo())
    outcome = desk.judged("IR-RES-11")
    assert (outcome.verdict, outcome.subjects) == ("pass", 2)


def test_equal_failures_have_equal_codes() -> None:
    desk = Desk()
    desk.ok("echo", GIVEN, echo())
    desk.no("echo", {"text": 5}, "SchemaInvalid")
    desk.no("echo", {"text": 6}, "MissingField")
    assert desk.judged("IR-ERR-02").breaches == 1


def test_refused_arguments_and_tokens_may_be_refused_by_the_protocol() -> None:
    desk = Desk()
    arguments = {"toolName": "local::kit.echo", "input": 5}
    desk.error("tools/call", {"name": "invoke", "arguments": arguments}, -32602, by="full")
    assert desk.judged("IR-RES-01").subjects == 0


def test_a_wait_that_is_not_over_is_no_matter_of_time() -> None:
    desk = Desk()
    desk.ok("wait", {"ms": 110}, {"waited": 110}, took=115, result={"durationMs": 112.5})
    desk.ok("narrow", {"ms": 300}, {"waited": 300}, took=400, result={"durationMs": 310})
    assert desk.judged("IR-RES-05").verdict == "pass"
