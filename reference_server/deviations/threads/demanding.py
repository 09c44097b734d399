"""Payloads that are refused though they are in order."""

from collections.abc import Callable, Mapping

from reference_server.application import Json
from reference_server.deviations.rewriting import instead
from reference_server.threads import Threads
from reference_server.threads.refusal import Refusal

LONGEST = 200
"""Characters of a message: names of fields are the caller's."""


def demand(threads: Threads, wrong: Callable[[str, Mapping[str, Json]], str]) -> None:
    """Refuses what is in order where `wrong` says, of the method and its payload, what is not to its liking."""
    original = threads.arguments.check

    @instead(threads.arguments, "check")
    def check(tool: str, given: Json) -> Mapping[str, Json]:
        checked = original(tool, given)
        if why := wrong(tool, checked):
            raise Refusal("VALIDATION_ERROR", why[:LONGEST])
        return checked


def demand_field(threads: Threads, method: str, field: str) -> None:
    """Refuses calls of a method that leave out a field which is optional."""

    def lacking(tool: str, given: Mapping[str, Json]) -> str:
        return f"{field} is required" if tool == method and field not in given else ""

    demand(threads, lacking)
