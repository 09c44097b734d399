"""Judges arguments against the tool's own input schema, and fills in its defaults."""

import json
from collections.abc import Iterable, Mapping
from typing import Final

import jsonschema_rs

from reference_server.application import Json
from reference_server.tasks.refusal import Refusal
from reference_server.tasks.spec import Spec

LONGEST_MESSAGE: Final = 200


class Arguments:
    """What a caller may hand to each tool."""

    def __init__(self, validators: Mapping[str, jsonschema_rs.Draft202012Validator]) -> None:
        self.validators = dict(validators)

    @staticmethod
    def compiled(specs: Iterable[Spec]) -> dict[str, jsonschema_rs.Draft202012Validator]:
        """One validator a tool, by its name."""
        return {spec.name: jsonschema_rs.Draft202012Validator(spec.input_schema) for spec in specs}

    def check(self, spec: Spec, given: Json) -> dict[str, Json]:
        """The arguments as the tool takes them, without its defaults. Raises INVALID_INPUT."""
        arguments = self.as_json({} if given is None else given)
        validator = self.validators[spec.name]
        if not validator.is_valid(arguments):
            raise self.refusal(validator, arguments)
        return {name: self.plain(spec, name, value) for name, value in arguments.items()}

    def with_defaults(self, spec: Spec, given: Mapping[str, Json]) -> dict[str, Json]:
        """The arguments and what the schema says of those left out."""
        return {**spec.defaults, **given}

    def plain(self, spec: Spec, name: str, value: Json) -> Json:
        """JSON Schema takes 5.0 for an integer; so does this server."""
        whole = isinstance(value, float) and spec.properties.get(name, {}).get("type") == "integer"
        return int(value) if whole else value

    def as_json(self, value: Json) -> Json:
        """A copy, so that no caller holds what is stored. Raises INVALID_INPUT.

        Python's decoder lets through what no answer could send back: NaN, lone surrogates, endless nesting.
        """
        try:
            return json.loads(json.dumps(value, ensure_ascii=False, allow_nan=False).encode())
        except (ValueError, RecursionError) as error:
            raise Refusal(
                "INVALID_INPUT", f"the arguments are no JSON: {error}", recovery="send finite numbers and valid Unicode"
            ) from error

    def refusal(self, validator: jsonschema_rs.Draft202012Validator, arguments: Json) -> Refusal:
        """Says where the first breach is and what it is, without quoting a long value."""
        error = next(validator.iter_errors(arguments))
        where = "/".join(map(str, error.instance_path)) or "arguments"
        what = error.message
        if len(what) > LONGEST_MESSAGE:
            what = f"{what[:LONGEST_MESSAGE]}..."
        recovery = f"correct {where}: see the tool's inputSchema at {'/'.join(map(str, error.schema_path))}"
        return Refusal("INVALID_INPUT", f"{where}: {what}", recovery=recovery)
