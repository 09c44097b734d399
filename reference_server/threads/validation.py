"""Judges arguments against the tool's own input schema, compiled once a process."""

from collections.abc import Mapping
from typing import Final

import jsonschema_rs

from reference_server.application import Json
from reference_server.threads.catalogue import TOOLS
from reference_server.threads.refusal import Refusal

EXPLANATION: Final = 200
"""Characters of an explanation: a message quotes the value, which may be long."""

_VALIDATORS = {tool.name: jsonschema_rs.Draft202012Validator(tool.input_schema) for tool in TOOLS}


def holds_nul(given: Json) -> bool:
    """Whether U+0000 is in a text of the arguments, keys among them: many stores cannot keep it."""
    waiting = [given]
    while waiting:
        found = waiting.pop()
        if isinstance(found, str):
            if "\0" in found:
                return True
        elif isinstance(found, dict):
            waiting += found
            waiting += found.values()
        elif isinstance(found, list):
            waiting += found
    return False


class Arguments:
    """What a caller may hand to each method."""

    def __init__(self) -> None:
        self.validators: dict[str, jsonschema_rs.Draft202012Validator] = dict(_VALIDATORS)

    def check(self, tool: str, given: Json) -> Mapping[str, Json]:
        """The arguments as given. Raises VALIDATION_ERROR where they break the tool's schema, or hold U+0000."""
        validator = self.validators[tool]
        if not validator.is_valid(given):
            raise Refusal("VALIDATION_ERROR", self.explain(validator, given))
        if holds_nul(given):
            raise Refusal("VALIDATION_ERROR", "arguments: a text holds U+0000")
        return given  # type: ignore[no-any-return]  # the schema's root type is object

    def explain(self, validator: jsonschema_rs.Draft202012Validator, given: Json) -> str:
        """Where the first breach is and what it is, without quoting a long value."""
        error = next(validator.iter_errors(given))
        where = "/".join(map(str, error.instance_path))
        what = error.message if len(error.message) <= EXPLANATION else f"{error.message[:EXPLANATION]}..."
        return f"{where or 'arguments'}: {what}"
