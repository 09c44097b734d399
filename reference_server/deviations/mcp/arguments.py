"""MC-CALL-04 to -06: arguments against the schema that is served."""

from collections.abc import Iterator
from dataclasses import replace

import jsonschema_rs

from reference_server.application import Answer, Application, Json, Request
from reference_server.bindings.jsonrpc import Dispatcher
from reference_server.bindings.protocol import INVALID_PARAMS, ProtocolError
from reference_server.deviations.mcp.changing import Serve, change_serving, code_of, input_schema
from reference_server.deviations.registry import deviation


@deviation("MC-CALL-04")
def numbers_are_clamped(dispatcher: Dispatcher) -> None:
    """A number beyond the schema's minimum or maximum is moved to it, and the call succeeds."""

    async def around(request: Request, application: Application, serve: Serve) -> Answer:
        arguments = dict(request.arguments)
        for name, schema in _declared(request, application):
            value = arguments[name]
            if isinstance(value, int | float) and not isinstance(value, bool):
                value = max(value, schema.get("minimum", value))
                arguments[name] = min(value, schema.get("maximum", value))
        return await serve(replace(request, arguments=arguments), application)

    change_serving(dispatcher, around)


@deviation("MC-CALL-04", variant="fractions")
def fractions_are_cut(dispatcher: Dispatcher) -> None:
    """A fraction where the schema wants an integer loses what comes after the point, and the call succeeds."""

    async def around(request: Request, application: Application, serve: Serve) -> Answer:
        arguments = dict(request.arguments)
        for name, schema in _declared(request, application):
            if schema.get("type") == "integer" and isinstance(arguments[name], float):
                arguments[name] = int(arguments[name])
        return await serve(replace(request, arguments=arguments), application)

    change_serving(dispatcher, around)


@deviation("MC-CALL-05")
def bad_arguments_are_a_protocol_error(dispatcher: Dispatcher) -> None:
    """Arguments that break the schema are refused as -32602, where the model that sent them does not see why."""

    async def around(request: Request, application: Application, serve: Serve) -> Answer:
        answer = await serve(request, application)
        schema = input_schema(application, request.tool)
        if code_of(answer) == "VALIDATION_ERROR" and not jsonschema_rs.is_valid(schema, request.arguments):
            raise ProtocolError(INVALID_PARAMS, answer.envelope["error"]["message"])
        return answer

    change_serving(dispatcher, around)


@deviation("MC-CALL-06")
def upper_bounds_are_exclusive(dispatcher: Dispatcher) -> None:
    """A number or a length that equals the schema's maximum is refused as beyond it."""

    async def around(request: Request, application: Application, serve: Serve) -> Answer:
        for name, schema in _declared(request, application):
            value = request.arguments[name]
            size = len(value) if isinstance(value, str) else value
            if not isinstance(value, bool) and size == schema.get("maxLength" if isinstance(value, str) else "maximum"):
                # what is no object is refused as breaking the schema, in the contract's own envelope
                return await serve(replace(request, arguments=None), application)
        return await serve(request, application)

    change_serving(dispatcher, around)


@deviation("MC-CALL-06", variant="plane")
def the_basic_plane_alone_is_valid(dispatcher: Dispatcher) -> None:
    """A text with a character beyond the basic plane is refused as breaking the schema."""

    async def around(request: Request, application: Application, serve: Serve) -> Answer:
        texts = (value for value in request.arguments.values() if isinstance(value, str))
        if any(max(text, default="") > "\uffff" for text in texts):
            # what is no object is refused as breaking the schema, in the contract's own envelope
            return await serve(replace(request, arguments=None), application)
        return await serve(request, application)

    change_serving(dispatcher, around)


def _declared(request: Request, application: Application) -> Iterator[tuple[str, dict[str, Json]]]:
    properties = input_schema(application, request.tool).get("properties", {})
    return ((name, schema) for name, schema in properties.items() if name in request.arguments)
