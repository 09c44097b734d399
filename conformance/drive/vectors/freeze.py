"""Freezes a contract's vectors: `python -m conformance.drive.vectors.freeze threads` writes them beside its schemas.

Our own and those of Schemathesis's coverage phase. Needs the extra `generate`; whoever only uses the vectors does not.
"""

import sys
from collections.abc import Iterator

import msgspec
import schemathesis
from schemathesis import GenerationMode
from schemathesis.generation.meta import REQUEST_SHAPE_PROBES, CoveragePhaseData

from conformance.contract.catalogue import Contract, UnknownContractError, folder, load
from conformance.drive.errors import UsageError
from conformance.drive.vectors.choosing import Vector
from conformance.drive.vectors.vector import vectors
from conformance.model.events import Json

LIMIT = 60
"""Vectors a tool: ours come first, those that Schemathesis adds after them."""


def frozen_form(contract: Contract) -> list[dict[str, Json]]:
    """What vectors.json holds: the vectors of each tool; UsageError where the contract has no tools.json."""
    if not contract.tools:
        raise UsageError(f"the contract {contract.name} lists no tools", f"schemas/{contract.name}/tools.json")
    made = {tool.name: generated(tool.name, tool.inputSchema) for tool in contract.tools.values()}
    return [{"tool": name, "vectors": msgspec.to_builtins(found)} for name, found in made.items()]


def generated(name: str, schema: dict[str, Json]) -> list[Vector]:
    """The vectors of one tool from both generators."""
    return vectors(schema, limit=LIMIT, also={"schemathesis": list(covered(name, schema))})


def covered(name: str, schema: dict[str, Json]) -> Iterator[dict[str, Json]]:
    """Objects of Schemathesis's coverage cases: bytes, scalars and wrong methods are no arguments of a tool."""
    document = schemathesis.openapi.from_dict(_document(name, schema))
    operation = document[f"/{name}"]["POST"]
    config = document.config.generation_for(operation=operation)
    for case in document.iter_coverage_cases(
        operation, generation_modes=list(GenerationMode), generation_config=config
    ):
        about = case.meta.phase.data if case.meta is not None else None
        if (
            isinstance(case.body, dict)
            and isinstance(about, CoveragePhaseData)
            and about.scenario not in REQUEST_SHAPE_PROBES
        ):
            yield case.body


def _document(name: str, schema: dict[str, Json]) -> dict[str, Json]:
    """One operation whose body is the tool's arguments.

    `#/$defs/x` would point into the document and not into the schema: definitions become the document's components.
    """
    own = {key: value for key, value in schema.items() if key not in ("$defs", "definitions", "$schema", "$id")}
    definitions = {**schema.get("definitions", {}), **schema.get("$defs", {})}
    body = {"required": True, "content": {"application/json": {"schema": _hoisted(own)}}}
    operation = {"requestBody": body, "responses": {"200": {"description": "answered"}}}
    return {
        "openapi": "3.1.0",
        "info": {"title": name, "version": "0"},
        "paths": {f"/{name}": {"post": operation}},
        "components": {"schemas": {key: _hoisted(value) for key, value in definitions.items()}},
    }


def _hoisted(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _pointer(each) if key == "$ref" else _hoisted(each) for key, each in value.items()}
    return [_hoisted(each) for each in value] if isinstance(value, list) else value


def _pointer(pointer: Json) -> Json:
    if not isinstance(pointer, str):
        return _hoisted(pointer)
    for place in ("#/$defs/", "#/definitions/"):
        if pointer.startswith(place):
            return f"#/components/schemas/{pointer.removeprefix(place)}"
    return pointer


def main(names: list[str]) -> int:
    """Writes vectors.json of each contract named; gives the exit status."""
    for name in names:
        path = folder(name, "vectors.json")
        try:
            whole = frozen_form(load(name))
        except (UsageError, UnknownContractError) as error:
            sys.stderr.write(f"{error}\n")
            return 2
        path.write_bytes(msgspec.json.format(msgspec.json.encode(whole), indent=1) + b"\n")
        sys.stdout.write(f"{path.name}: {sum(len(tool['vectors']) for tool in whole)} vectors of {len(whole)} tools\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
