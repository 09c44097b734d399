"""Breaks the response envelope."""

import dataclasses
import itertools

from reference_server.application import Answer, Request
from reference_server.deviations.registry import deviation
from reference_server.deviations.rewriting import Envelope, instead, rewrite
from reference_server.tasks import Tasks

HOUR_S = 3600.0


def _changed(answer: Answer, envelope: Envelope) -> Answer:
    return dataclasses.replace(answer, envelope=envelope)


@deviation("TK-ENV-01")
def empty_warnings_are_left_out(tasks: Tasks) -> None:
    """An answer without warnings has no key `warnings`."""

    def change(_: Request, answer: Answer) -> Answer:
        kept = {name: value for name, value in answer.envelope.items() if name != "warnings" or value}
        return _changed(answer, kept)

    rewrite(tasks, change)


@deviation("TK-ENV-02")
def error_is_empty_on_success(tasks: Tasks) -> None:
    """A success has an empty error object rather than null."""

    def change(_: Request, answer: Answer) -> Answer:
        return answer if answer.failed else _changed(answer, {**answer.envelope, "error": {}})

    rewrite(tasks, change)


@deviation("TK-ENV-03")
def errors_have_no_message(tasks: Tasks) -> None:
    """An error tells its code and recovery, but no message."""

    def change(_: Request, answer: Answer) -> Answer:
        if not answer.failed:
            return answer
        error = {name: value for name, value in answer.envelope["error"].items() if name != "message"}
        return _changed(answer, {**answer.envelope, "error": error})

    rewrite(tasks, change)


@deviation("TK-ENV-04")
def an_empty_context_is_null(tasks: Tasks) -> None:
    """The context is null where there is nothing to say."""

    def change(_: Request, answer: Answer) -> Answer:
        return _changed(answer, {**answer.envelope, "context": answer.envelope["context"] or None})

    rewrite(tasks, change)


@deviation("TK-ENV-05")
def timestamps_name_no_zone(tasks: Tasks) -> None:
    """The timestamp is written as a local time: 2026-07-28 12:00:00."""

    def change(_: Request, answer: Answer) -> Answer:
        local = answer.envelope["timestamp"].partition(".")[0].replace("T", " ")
        return _changed(answer, {**answer.envelope, "timestamp": local})

    rewrite(tasks, change)


@deviation("TK-ENV-06")
def every_other_timestamp_is_an_hour_old(tasks: Tasks) -> None:
    """Two clocks that are an hour apart take turns."""
    behind = itertools.cycle((0.0, HOUR_S))
    clock = tasks.parts.clock

    @instead(tasks.parts.envelopes, "timestamp")
    def timestamp() -> str:
        return clock.instant(clock.now() - next(behind))


@deviation("TK-ENV-07")
def failures_are_no_tool_errors(tasks: Tasks) -> None:
    """A failure is sent as if the tool had succeeded: isError false."""

    def change(_: Request, answer: Answer) -> Answer:
        return dataclasses.replace(answer, failed=False)

    rewrite(tasks, change)
