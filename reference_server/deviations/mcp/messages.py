"""MC-RPC-01 to -06: the messages themselves."""

from collections.abc import Mapping

from reference_server.application import Json
from reference_server.bindings.jsonrpc import Dispatcher, Message
from reference_server.bindings.protocol import (
    HANDSHAKE_VERSIONS,
    INTERNAL_ERROR,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    ProtocolError,
)
from reference_server.deviations.mcp.changing import replace_method
from reference_server.deviations.registry import deviation

RETIRED_CODE = -32002


@deviation("MC-RPC-01")
def every_answer_is_sent_twice(dispatcher: Dispatcher) -> None:
    """Every request is answered twice: once by the handler, once more by the layer around it."""
    original = dispatcher.answers

    async def answers(message: Json) -> list[Message]:
        once = await original(message)
        return [dict(answer) for answer in once] + once

    replace_method(dispatcher, "answers", answers)


@deviation("MC-RPC-01", variant="digits")
def ids_of_digits_become_numbers(dispatcher: Dispatcher) -> None:
    """A request whose id is a text of digits is answered under the number that it spells."""
    original = dispatcher.answers

    async def answers(message: Json) -> list[Message]:
        found = await original(message)
        digits = [answer for answer in found if isinstance(answer.get("id"), str) and answer["id"].isdigit()]
        for answer in digits:
            answer["id"] = int(answer["id"])
        return found

    replace_method(dispatcher, "answers", answers)


@deviation("MC-RPC-20", variant="version")
def any_version_of_json_rpc_is_served(dispatcher: Dispatcher) -> None:
    """A request that does not say that it is JSON-RPC 2.0 is served like one that does."""
    original = dispatcher.answers

    async def answers(message: Json) -> list[Message]:
        return await original({**message, "jsonrpc": "2.0"} if isinstance(message, dict) else message)

    replace_method(dispatcher, "answers", answers)


@deviation("MC-RPC-02")
def error_message_is_an_object(dispatcher: Dispatcher) -> None:
    """The message of an error is an object with a text, not a string."""
    original = dispatcher.refusal

    def refusal(request_id: str | int | None, error: ProtocolError) -> Message:
        answer = original(request_id, error)
        answer["error"]["message"] = {"text": error.message}
        return answer

    replace_method(dispatcher, "refusal", refusal)


@deviation("MC-RPC-03")
def result_of_a_call_has_no_result_type(dispatcher: Dispatcher) -> None:
    """The results of tools/call still have the form of the revisions before resultType."""
    original = dispatcher.complete

    def complete(result: Message) -> Message:
        return result if "content" in result else original(result)

    replace_method(dispatcher, "complete", complete)


@deviation("MC-RPC-04")
def unknown_tool_has_a_retired_code(dispatcher: Dispatcher) -> None:
    """An unknown tool is refused with the retired code for what is not found, -32002."""
    original = dispatcher.refusal

    def refusal(request_id: str | int | None, error: ProtocolError) -> Message:
        answer = original(request_id, error)
        if error.message.startswith("Unknown tool"):
            answer["error"]["code"] = RETIRED_CODE
        return answer

    replace_method(dispatcher, "refusal", refusal)


@deviation("MC-RPC-05")
def any_protocol_version_is_accepted(dispatcher: Dispatcher) -> None:
    """Whatever protocol version a client names is taken for one that is served."""

    def check_version(_requested: str) -> None:
        return None

    def negotiate(requested: str) -> str:
        return requested

    replace_method(dispatcher, "check_version", check_version)
    replace_method(dispatcher, "negotiate", negotiate)


@deviation("MC-RPC-05", variant="later")
def any_later_version_is_accepted(dispatcher: Dispatcher) -> None:
    """A handshake agrees on whatever begins as a date of this century does."""
    original = dispatcher.negotiate

    def negotiate(requested: str) -> str:
        return requested if requested.startswith("20") else original(requested)

    replace_method(dispatcher, "negotiate", negotiate)


@deviation("MC-RPC-05", variant="unnamed")
def an_unknown_version_is_refused_without_a_word_on_others(dispatcher: Dispatcher) -> None:
    """A handshake in a version that is not served is refused, and no version is named that is."""

    def negotiate(requested: str) -> str:
        if requested not in HANDSHAKE_VERSIONS:
            raise ProtocolError(INVALID_PARAMS, "Unsupported protocol version")
        return requested

    replace_method(dispatcher, "negotiate", negotiate)


@deviation("MC-RPC-06")
def unknown_method_is_an_internal_error(dispatcher: Dispatcher) -> None:
    """An unknown method falls through to the general handler of errors: -32603."""

    def unknown_method(_method: str) -> ProtocolError:
        return ProtocolError(INTERNAL_ERROR, "Internal error")

    replace_method(dispatcher, "unknown_method", unknown_method)


@deviation("MC-RPC-06", variant="family")
def any_method_about_tools_is_served(dispatcher: Dispatcher) -> None:
    """A method that begins as those about tools do, and that there is not, gets an empty result."""
    original = dispatcher.result

    async def result(method: str, params: Mapping[str, Json]) -> Message:
        try:
            return await original(method, params)
        except ProtocolError as error:
            if error.code == METHOD_NOT_FOUND and method.startswith("tools/"):
                return {}
            raise

    replace_method(dispatcher, "result", result)


@deviation("MC-RPC-06", variant="case")
def methods_are_told_apart_by_their_letters_alone(dispatcher: Dispatcher) -> None:
    """A method is looked up in small letters: TOOLS/LIST is served as tools/list."""
    original = dispatcher.result

    async def result(method: str, params: Mapping[str, Json]) -> Message:
        return await original(method.lower(), params)

    replace_method(dispatcher, "result", result)
