"""Breaks sections 1.2 and 9: versions, unknown fields."""

from collections.abc import Mapping

from reference_server.application import Json
from reference_server.deviations.registry import deviation
from reference_server.deviations.rewriting import instead
from reference_server.deviations.threads.demanding import demand
from reference_server.threads import Threads
from reference_server.threads.call import Call
from reference_server.threads.idempotency import Payload
from reference_server.threads.instance import FIELDS
from reference_server.threads.store import Message


@deviation("TH-VER-02")
def any_schema_version_is_accepted(threads: Threads) -> None:
    """post_message takes whatever version, or none, for version 1."""
    original = threads.arguments.check

    @instead(threads.arguments, "check")
    def check(tool: str, given: Json) -> Mapping[str, Json]:
        if tool == "post_message" and isinstance(given, dict):
            return original(tool, {**given, "schema_version": 1})
        return original(tool, given)


@deviation("TH-VER-03")
def unknown_fields_are_refused(threads: Threads) -> None:
    """A request with a field that the method does not know is VALIDATION_ERROR."""
    demand(threads, _unknown)


@deviation("TH-VER-03", variant="status")
def unknown_fields_of_a_move_are_refused(threads: Threads) -> None:
    """An update_thread_status with a field that it does not know is VALIDATION_ERROR; other methods ignore it."""
    demand(threads, lambda tool, given: _unknown(tool, given) if tool == "update_thread_status" else "")


def _unknown(tool: str, given: Mapping[str, Json]) -> str:
    unknown = sorted(set(given) - FIELDS[tool])
    return f"unknown fields: {', '.join(unknown)}" if unknown else ""


@deviation("TH-VER-04")
def event_version_is_dropped(threads: Threads) -> None:
    """An event is kept without the event_version of its metadata."""
    original = threads.posting.message

    @instead(threads.posting, "message")
    def message(call: Call, payload: Payload) -> Message:
        kept = original(call, payload)
        if payload.kind == "event" and "metadata" in kept:
            kept["metadata"].pop("event_version", None)
        return kept
