"""What the deviations of this contract share: a tool's handler, its listing or its schema changed on one instance."""

import copy
import dataclasses
from collections.abc import Callable

import jsonschema_rs

from reference_server.application import Json
from reference_server.tasks import Tasks
from reference_server.tasks.call import Call
from reference_server.tasks.spec import Handler

Result = dict[str, Json]


def handle(tasks: Tasks, tool: str) -> Callable[[Callable[[Call, Handler], Result]], None]:
    """Lets the decorated function serve a tool; it gets the call and the handler that it stands in for."""
    spec = tasks.specs[tool]

    def replace(function: Callable[[Call, Handler], Result]) -> None:
        tasks.specs[tool] = dataclasses.replace(spec, handle=lambda call: function(call, spec.handle))

    return replace


def list_without(tasks: Tasks, tool: str, *properties: str) -> None:
    """Leaves properties out of a tool's schema as tools/list shows it; the server goes on taking them."""

    def shown(schema: Result) -> Result:
        kept = {name: each for name, each in schema["properties"].items() if name not in properties}
        return {**schema, "properties": kept}

    tasks.tools = tuple(
        dataclasses.replace(each, input_schema=shown(each.input_schema)) if each.name == tool else each
        for each in tasks.tools
    )


def accept_any(tasks: Tasks, tools: tuple[str, ...] | None, *properties: str) -> None:
    """Lets any string through where the tools' schemas (None: every tool's) ask for more; tools/list still says so."""
    for name, spec in tasks.specs.items():
        if tools is not None and name not in tools:
            continue
        schema = copy.deepcopy(spec.input_schema)
        for each in properties:
            if each in schema["properties"]:
                schema["properties"][each] = {"type": "string"}
        tasks.parts.arguments.validators[name] = jsonschema_rs.Draft202012Validator(schema)


def accept_any_in_graphs(tasks: Tasks, *properties: str) -> None:
    """Lets any string through in the operations of branchmind_graph_apply; tools/list still asks for more."""
    tool = "branchmind_graph_apply"
    schema = copy.deepcopy(tasks.specs[tool].input_schema)
    for operation in schema["properties"]["ops"]["items"]["oneOf"]:
        operation["properties"] |= {each: {"type": "string"} for each in properties if each in operation["properties"]}
    tasks.parts.arguments.validators[tool] = jsonschema_rs.Draft202012Validator(schema)
