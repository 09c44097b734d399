"""Breaks the codes, each under its own condition: the refusal does not come, or bears another code."""

from collections.abc import Coroutine
from typing import Any, TypeVar

from reference_server.application import Json
from reference_server.deviations.invocation.handling import Object as Error
from reference_server.deviations.invocation.handling import change_code, change_errors
from reference_server.deviations.registry import deviation
from reference_server.deviations.rewriting import instead
from reference_server.invocation import Invocations
from reference_server.invocation.course import Course
from reference_server.invocation.failure import Failure, downstream
from reference_server.invocation.limits.rates import Key
from reference_server.invocation.policies import Budget

Output = TypeVar("Output")


@deviation("IR-ERR-SchemaInvalid")
def a_bad_input_misses_something(invocations: Invocations) -> None:
    """An input that breaks its schema is answered as if a field were missing."""

    def changed(course: Course, error: Error) -> Error:
        bad_input = error["code"] == "SchemaInvalid" and course.definition is not None and course.attempts == 0
        return {**error, "code": "MissingField", "details": {"missingField": "input"}} if bad_input else error

    change_errors(invocations, changed)


@deviation("IR-ERR-UnsupportedVersion")
def a_missing_version_is_a_missing_tool(invocations: Invocations) -> None:
    """A range that no version satisfies is answered with ToolNotFound."""
    change_code(invocations, "UnsupportedVersion", "ToolNotFound")


@deviation("IR-ERR-MissingField")
def a_missing_field_is_a_bad_schema(invocations: Invocations) -> None:
    """A field that is missing is answered with SchemaInvalid."""
    change_code(invocations, "MissingField", "SchemaInvalid")


@deviation("IR-ERR-ToolNotFound")
def an_unknown_tool_has_no_version(invocations: Invocations) -> None:
    """A tool that there is not is answered with UnsupportedVersion."""
    change_code(invocations, "ToolNotFound", "UnsupportedVersion")


@deviation("IR-ERR-Timeout")
def a_timeout_is_the_fault_of_the_service(invocations: Invocations) -> None:
    """A tool that takes longer than its timeout is answered with DownstreamFailed; a past deadline stays a Timeout."""
    timing = invocations.pipeline.timing
    original = timing.bounded

    async def bounded(course: Course, work: Coroutine[Any, Any, Output]) -> Output:
        try:
            return await original(course, work)
        except Failure as failure:
            if failure.code != "Timeout":
                raise
            raise downstream("the service behind the tool did not answer in time", "TIMEOUT") from failure

    timing.bounded = bounded  # type: ignore[method-assign]  # a generic method of one instance


@deviation("IR-ERR-RateLimited")
def no_rate_is_limited(invocations: Invocations) -> None:
    """Rate limits are shown and not applied."""

    @instead(invocations.pipeline.admission, "ask_rate")
    def ask_rate(_course: Course, _key: Key) -> None:
        return None


@deviation("IR-ERR-CircuitOpen")
def an_open_circuit_lets_everything_pass(invocations: Invocations) -> None:
    """A circuit opens, and the tool is called all the same."""

    @instead(invocations.pipeline.admission, "ask_circuit")
    def ask_circuit(course: Course, key: Key) -> None:
        course.circuit_state = invocations.pipeline.admission.circuits.state(key, course.tool.policies.circuit)


@deviation("IR-ERR-BudgetExceeded")
def a_budget_is_never_exceeded(invocations: Invocations) -> None:
    """An invocation that costs more than is left is served, and nothing is left."""
    admission = invocations.pipeline.admission
    left = admission.budgets.left

    @instead(admission, "ask_budget")
    def ask_budget(_course: Course, _key: Key) -> None:
        return None

    @instead(admission.budgets, "left")
    def nothing_below_zero(key: Key, budget: Budget) -> int:
        return max(left(key, budget), 0)


@deviation("IR-ERR-ConcurrencyLimited")
def any_number_runs_at_once(invocations: Invocations) -> None:
    """The concurrency limit is shown and not applied."""

    @instead(invocations.pipeline.admission, "ask_place")
    def ask_place(_course: Course, _key: Key) -> None:
        return None


@deviation("IR-ERR-Unauthenticated")
def no_token_is_too_few_scopes(invocations: Invocations) -> None:
    """A caller without credentials is answered like one whose scopes do not suffice."""
    change_code(invocations, "Unauthenticated", "Forbidden")


@deviation("IR-ERR-Forbidden")
def any_token_will_do(invocations: Invocations) -> None:
    """A token that is believed may invoke everything, whatever its scopes."""
    authorisation = invocations.pipeline.authorisation
    original = authorisation.check

    @instead(authorisation, "check")
    def check(authorization: str | None, required: tuple[str, ...]) -> None:
        original(authorization, () if authorisation.scopes(authorization) is not None else required)


@deviation("IR-ERR-DownstreamFailed")
def a_service_that_is_away_is_a_fault(invocations: Invocations) -> None:
    """A failure of the service behind a tool is answered with Unhandled, and is not retryable."""

    def changed(_: Course, error: Error) -> Error:
        if error["code"] != "DownstreamFailed":
            return error
        return {**error, "class": "SystemError", "code": "Unhandled", "isRetryable": False}

    change_errors(invocations, changed)


@deviation("IR-ERR-Unhandled")
def a_fault_is_the_fault_of_the_service(invocations: Invocations) -> None:
    """A tool that faults is answered with DownstreamFailed."""

    @instead(invocations.pipeline.executing, "unhandled")
    def unhandled(_: Exception) -> Failure:
        return downstream("the service behind the tool is away", "UNKNOWN")


@deviation("IR-ERR-SerializationFailed")
def what_no_json_holds_is_null(invocations: Invocations) -> None:
    """What cannot be written as JSON is given as null."""
    outputs = invocations.pipeline.outputs
    original = outputs.serialised

    @instead(outputs, "serialised")
    def serialised(given: object) -> Json:
        try:
            return original(given)
        except Failure:
            return dict.fromkeys(given) if isinstance(given, dict) else None
