"""What a tool gave, on its way to the caller: serialised, judged by the outputSchema, redacted."""

import json

from reference_server.application import Json
from reference_server.invocation.course import Course
from reference_server.invocation.failure import Failure
from reference_server.invocation.redaction import Redaction
from reference_server.invocation.validation import Validation


class Outputs:
    """The stage after the execution."""

    def __init__(self, validation: Validation, redaction: Redaction) -> None:
        self.validation = validation
        self.redaction = redaction

    def finished(self, course: Course, given: object) -> Json:
        """The output as it leaves. Raises SerializationFailed or SchemaInvalid."""
        output = self.serialised(given)
        self.validation.check_output(course.tool, output)
        output, removed = self.redaction.output(output, course.tool.redaction_rules)
        course.redactions += removed
        return output

    def serialised(self, given: object) -> Json:
        """A copy that is JSON and nothing else."""
        try:
            return json.loads(json.dumps(given, ensure_ascii=False, allow_nan=False).encode())
        except (TypeError, ValueError, RecursionError):
            raise Failure("SerializationFailed", "what the tool gave cannot be written as JSON") from None
