"""Judges input and output by the tool's schemas. Messages name places and keywords, never values."""

from collections.abc import Iterable

import jsonschema_rs

from reference_server.application import Json
from reference_server.invocation.definition import Definition
from reference_server.invocation.failure import Failure
from reference_server.invocation.form import missing

Validator = jsonschema_rs.Draft202012Validator


class Validation:
    """One validator a schema, compiled once."""

    def __init__(self, definitions: Iterable[Definition]) -> None:
        self.inputs: dict[str, Validator] = {}
        self.outputs: dict[str, Validator] = {}
        for one in definitions:
            self.inputs[one.name] = Validator(one.input_schema)
            self.outputs[one.name] = Validator(one.output_schema)

    def check_input(self, tool: Definition, given: Json) -> None:
        """Raises MissingField or SchemaInvalid."""
        validator = self.inputs[tool.name]
        if validator.is_valid(given):
            return
        errors = list(validator.iter_errors(given))
        for error in errors:
            absent = self.absent(error)
            if absent is not None:
                raise missing(absent, f"the input lacks the required field {absent}")
        raise Failure("SchemaInvalid", f"the input breaks its schema: {self.told(errors[0])}")

    def check_output(self, tool: Definition, output: Json) -> None:
        """Raises SchemaInvalid."""
        validator = self.outputs[tool.name]
        if not validator.is_valid(output):
            error = next(validator.iter_errors(output))
            raise Failure("SchemaInvalid", f"the output breaks the tool's schema: {self.told(error)}")

    def absent(self, error: jsonschema_rs.ValidationError) -> str | None:
        """The required field whose absence this breach is; None where it is another one."""
        kind = error.kind
        return kind.property if isinstance(kind, jsonschema_rs.ValidationErrorKind.Required) else None

    def told(self, error: jsonschema_rs.ValidationError) -> str:
        """Where a breach is, and which keyword it breaks."""
        where = "".join(f"/{step}" for step in error.instance_path if isinstance(step, int) or step in _names(error))
        return f"{error.schema_path[-1]} at {where or 'its root'}"


def _names(error: jsonschema_rs.ValidationError) -> set[str]:
    """The fields that the schema itself names: others come from the caller and may be anything."""
    return {str(step) for step in error.schema_path}
