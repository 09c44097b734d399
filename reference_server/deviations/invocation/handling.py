"""What the deviations of this contract share: a Result, an error or a tool of the kit changed on one instance."""

from collections.abc import Callable
from typing import cast

from reference_server.application import Json
from reference_server.deviations.rewriting import instead
from reference_server.invocation import Invocations
from reference_server.invocation.course import Course
from reference_server.invocation.failure import Failure
from reference_server.invocation.providers.local import Function, LocalProvider

Object = dict[str, Json]


def change_common(invocations: Invocations, change: Callable[[Course, Object], Object]) -> None:
    """Passes what every Result has through `change`: duration, attempts, version, snapshot, ids."""
    results = invocations.pipeline.results
    original = results.common

    @instead(results, "common")
    def common(course: Course) -> Object:
        return change(course, original(course))


def change_snapshot(invocations: Invocations, change: Callable[[Object], Object]) -> None:
    """Passes every policySnapshot through `change`."""
    results = invocations.pipeline.results
    original = results.policy_snapshot

    @instead(results, "policy_snapshot")
    def policy_snapshot(course: Course) -> Object:
        return change(original(course))


def change_errors(invocations: Invocations, change: Callable[[Course, Object], Object]) -> None:
    """Passes every error through `change`, as the Result shows it; records stay as they are."""
    results = invocations.pipeline.results
    original = results.error

    @instead(results, "error")
    def error(course: Course, failure: Failure) -> Object:
        return change(course, original(course, failure))


def change_details(invocations: Invocations, code: str, change: Callable[[Object], Object]) -> None:
    """Passes the details of the errors with this code through `change`."""

    def changed(_: Course, error: Object) -> Object:
        if error["code"] != code:
            return error
        details = change(error.get("details", {}))
        kept = {name: value for name, value in error.items() if name != "details"}
        return {**kept, "details": details} if details else kept

    change_errors(invocations, changed)


def change_code(invocations: Invocations, code: str, told: str, error_class: str | None = None) -> None:
    """Tells another code than this one, and another class where one is given."""

    def changed(_: Course, error: Object) -> Object:
        if error["code"] != code:
            return error
        return {**error, "code": told, "class": error_class or error["class"]}

    change_errors(invocations, changed)


def without(value: Object, *names: str) -> Object:
    """A copy without these fields."""
    return {name: each for name, each in value.items() if name not in names}


def local(invocations: Invocations) -> LocalProvider:
    """The provider of the kit's local tools."""
    return cast("LocalProvider", invocations.pipeline.executing.providers["local"])


def serve(invocations: Invocations, tool: str) -> Callable[[Callable[[Function], Function]], None]:
    """Lets the function that the decorated one makes of a tool's own stand in for it."""
    functions = local(invocations).functions

    def replace(make: Callable[[Function], Function]) -> None:
        functions[tool] = make(functions[tool])

    return replace
