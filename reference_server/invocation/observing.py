"""What is told of an invocation while it runs: events, spans, executions, and the entry in the audit ledger.

Everything is redacted here, before the ledger sees it.
"""

from typing import Final

from reference_server.application import Json
from reference_server.conditions import Clock
from reference_server.invocation.course import Course
from reference_server.invocation.failure import Failure
from reference_server.invocation.ledger import Ledger
from reference_server.invocation.redaction import Redaction

RUNNING: Final = "running"


class Observing:
    """Writes the records of each invocation."""

    def __init__(self, ledger: Ledger, redaction: Redaction, clock: Clock, *, cache_in_logs: bool) -> None:
        self.ledger = ledger
        self.redaction = redaction
        self.clock = clock
        self.cache_in_logs = cache_in_logs
        """Whether records may tell what came from the cache."""

    def common(self, course: Course) -> dict[str, Json]:
        """What every record of an invocation has."""
        told: dict[str, Json] = {
            "at": self.clock.instant(),
            "tool": course.tool_name,
            "correlationId": course.correlation_id,
        }
        return told if course.causation_id is None else {**told, "causationId": course.causation_id}

    def event(self, course: Course, name: str, data: dict[str, Json]) -> None:
        """Something happened."""
        self.ledger.write("event", self.common(course), {"name": name, "data": self.event_data(course, data)})

    def event_data(self, course: Course, data: dict[str, Json]) -> Json:
        """The data of an event as it is written."""
        del course  # for deviations that tell more
        return self.redaction.recorded("data", data)[0]

    def invoked(self, course: Course) -> None:
        """The tool is about to be invoked: everything that comes before the policies is in order."""
        self.event(course, "ToolInvoked", {"version": course.version, "input": self.recorded_input(course)})

    def began(self, course: Course) -> dict[str, Json]:
        """The tool's own code begins."""
        content = {"version": course.version, "attempt": course.attempts, "outcome": RUNNING}
        return self.ledger.write("execution", self.common(course), content)

    def ended(self, execution: dict[str, Json], outcome: str) -> None:
        """The tool's own code has ended."""
        execution["outcome"] = outcome

    def succeeded(self, course: Course, result: dict[str, Json]) -> None:
        """The invocation gives an output."""
        output = self.recorded_output(result["output"])
        self.event(course, "ToolSucceeded", {"output": output, "durationMs": result["durationMs"]})
        self.finished(course, result["status"], None, output)

    def failed(self, course: Course, status: str, failure: Failure) -> None:
        """The invocation fails."""
        self.event(
            course, "ToolFailed", {"class": failure.error_class, "code": failure.code, "message": failure.message}
        )
        self.finished(course, status, failure.code, None)

    def finished(self, course: Course, status: str, code: str | None, output: Json) -> None:
        """The span, and the entry in the audit ledger."""
        common = self.common(course)
        self.ledger.write("span", common, self.span(course, code))
        entry: dict[str, Json] = {"invocationId": course.id, "status": status}
        if code is not None:
            entry["code"] = code
        entry["input"] = self.recorded_input(course)
        if output is not None:
            entry["output"] = output
        for name in ("metadata", "headers"):
            if name in course.given:
                entry[name] = self.recorded_part(name, course.given[name])
        if self.cache_in_logs:
            entry["cache"] = {"hit": course.cached}
        self.ledger.write("audit", common, entry)

    def span(self, course: Course, code: str | None) -> dict[str, Json]:
        """A span, with OpenTelemetry's names for what it has names for."""
        attributes: dict[str, Json] = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": course.tool_name,
            "gen_ai.tool.call.id": course.id,
            "tool.version": course.version,
            "tool.origin": course.origin,
            "correlation.id": course.correlation_id,
        }
        if course.causation_id is not None:
            attributes["causation.id"] = course.causation_id
        if course.definition is not None:
            attributes["effect.level"] = course.definition.effect.value
        if code is not None:
            attributes["error.type"] = code
        span: dict[str, Json] = {"name": f"execute_tool {course.tool_name}", "spanId": course.span_id}
        if course.caller.parent_span is not None:
            span["parentSpanId"] = course.caller.parent_span
        return {**span, "links": self.links(course), "attributes": attributes}

    def links(self, course: Course) -> list[str]:
        """The ids on which a span is linked with others."""
        return [course.correlation_id, *([] if course.causation_id is None else [course.causation_id])]

    def recorded_input(self, course: Course) -> Json:
        """The input as records show it."""
        rules = () if course.definition is None else course.definition.redaction_rules
        return self.redaction.recorded_input(course.given.get("input"), rules)[0]

    def recorded_output(self, output: Json) -> Json:
        """An output, which the rules of the tool have gone over already, as records show it."""
        return self.redaction.recorded("output", output)[0]

    def recorded_part(self, name: str, value: Json) -> Json:
        """Metadata or headers as records show them."""
        return self.redaction.recorded(name, value)[0]
