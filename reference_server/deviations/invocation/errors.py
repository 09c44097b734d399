"""Breaks the error object."""

import traceback

from reference_server.deviations.invocation.handling import (
    Object,
    change_code,
    change_details,
    change_errors,
    without,
)
from reference_server.deviations.registry import deviation
from reference_server.deviations.rewriting import instead
from reference_server.invocation import Invocations
from reference_server.invocation.course import Course
from reference_server.invocation.failure import Failure


@deviation("IR-ERR-01")
def errors_have_no_class(invocations: Invocations) -> None:
    """An error has its code, but not its class."""
    change_errors(invocations, lambda _, error: without(error, "class"))


@deviation("IR-ERR-02")
def a_fault_is_named_by_its_exception(invocations: Invocations) -> None:
    """The code of an unforeseen fault is the name of the exception."""
    change_code(invocations, "Unhandled", "RuntimeError")


@deviation("IR-ERR-03")
def a_fault_shows_its_stack(invocations: Invocations) -> None:
    """The message of an unforeseen fault ends with the stack."""
    executing = invocations.pipeline.executing
    original = executing.unhandled
    last: list[str] = []

    @instead(executing, "unhandled")
    def unhandled(fault: Exception) -> Failure:
        last[:] = traceback.format_exception(fault)
        return original(fault)

    def changed(_: Course, error: Object) -> Object:
        if error["code"] != "Unhandled":
            return error
        return {**error, "message": f"{error['message']}\n{''.join(last)}"}

    change_errors(invocations, changed)


@deviation("IR-ERR-04")
def every_timeout_is_retryable(invocations: Invocations) -> None:
    """A Timeout is retryable whatever the tool does, also where it may have run."""

    def changed(_: Course, error: Object) -> Object:
        if error["code"] != "Timeout":
            return error
        return {**error, "isRetryable": True, "details": {"retryAfterMs": 100, **error["details"]}}

    change_errors(invocations, changed)


@deviation("IR-ERR-05")
def the_origin_of_errors_is_unknown(invocations: Invocations) -> None:
    """The origin of every error is unknown."""
    change_errors(invocations, lambda _, error: {**error, "origin": "unknown"})


@deviation("IR-ERR-06")
def causes_are_texts(invocations: Invocations) -> None:
    """The causedBy of an error is the message of the cause."""

    def changed(_: Course, error: Object) -> Object:
        return {**error, "causedBy": error["causedBy"]["message"]} if "causedBy" in error else error

    change_errors(invocations, changed)


@deviation("IR-ERR-07")
def the_missing_field_is_not_named(invocations: Invocations) -> None:
    """A MissingField has no details."""
    change_details(invocations, "MissingField", lambda _: {})


@deviation("IR-ERR-08")
def the_code_of_the_provider_is_lost(invocations: Invocations) -> None:
    """A failure downstream does not say the provider's own code."""
    change_details(invocations, "DownstreamFailed", lambda details: without(details, "providerCode"))
