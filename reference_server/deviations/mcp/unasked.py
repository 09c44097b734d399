"""MC-RPC-11 to -14, -19, -20 and MC-CALL-13, -16: notifications, metadata, and what is sent unasked."""

from collections.abc import Mapping

from reference_server.application import Json
from reference_server.bindings.jsonrpc import Dispatcher, Message
from reference_server.bindings.protocol import INTERNAL_ERROR, METHOD_NOT_FOUND, VERSION_KEY, ProtocolError
from reference_server.deviations.mcp.changing import replace_method
from reference_server.deviations.registry import deviation


@deviation("MC-RPC-11")
def ping_is_no_method(dispatcher: Dispatcher) -> None:
    """The older era's ping is not found: -32601."""

    def ping() -> Message:
        raise dispatcher.unknown_method("ping")

    replace_method(dispatcher, "ping", ping)


@deviation("MC-RPC-12")
def calls_ask_for_roots(dispatcher: Dispatcher) -> None:
    """Before a call is answered the client is asked for its roots, whatever it declared."""
    _before_calls(dispatcher, {"jsonrpc": "2.0", "id": "roots", "method": "roots/list"})


@deviation("MC-CALL-13")
def calls_are_logged_to_everybody(dispatcher: Dispatcher) -> None:
    """Before a call is answered a log message is sent, though the call asked for none."""
    params = {"level": "info", "logger": "calls", "data": "a tool is called"}
    _before_calls(dispatcher, {"jsonrpc": "2.0", "method": "notifications/message", "params": params})


def _before_calls(dispatcher: Dispatcher, sent: Message) -> None:
    original = dispatcher.answers

    async def answers(message: Json) -> list[Message]:
        calls = isinstance(message, dict) and message.get("method") == "tools/call"
        return [dict(sent)] * calls + await original(message)

    replace_method(dispatcher, "answers", answers)


@deviation("MC-RPC-13")
def capabilities_are_not_looked_for(dispatcher: Dispatcher) -> None:
    """A request that does not say what its client can do is served."""

    def check_envelope(meta: Mapping[str, Json]) -> None:
        dispatcher.check_version(meta.get(VERSION_KEY))  # type: ignore[arg-type]  # a deviation: what is missing is not told apart

    replace_method(dispatcher, "check_envelope", check_envelope)


@deviation("MC-RPC-14")
def unknown_notifications_are_refused(dispatcher: Dispatcher) -> None:
    """A notification that the server does not know is answered with -32601, under no id."""
    original = dispatcher.answers

    async def answers(message: Json) -> list[Message]:
        told = await original(message)
        named = message.get("method") if isinstance(message, dict) and "id" not in message else None
        if named is None or named in ("notifications/initialized", "notifications/cancelled"):
            return told
        return [dispatcher.refusal(None, ProtocolError(METHOD_NOT_FOUND, f"Method not found: {named}"))]

    replace_method(dispatcher, "answers", answers)


@deviation("MC-RPC-19")
def discovery_keeps_for_a_text(dispatcher: Dispatcher) -> None:
    """server/discover says how long its answer keeps as a text, "0"."""
    original = dispatcher.surface.discover

    def discover() -> dict[str, Json]:
        return {**original(), "ttlMs": "0"}

    replace_method(dispatcher.surface, "discover", discover)


@deviation("MC-RPC-20")
def no_request_is_an_internal_error(dispatcher: Dispatcher) -> None:
    """What is no request falls through to the general handler of errors: -32603."""
    original = dispatcher.refusal

    def refusal(request_id: str | int | None, error: ProtocolError) -> Message:
        if request_id is None:
            error = ProtocolError(INTERNAL_ERROR, "Internal error")
        return original(request_id, error)

    replace_method(dispatcher, "refusal", refusal)


@deviation("MC-CALL-16")
def cancelled_calls_are_errors(dispatcher: Dispatcher) -> None:
    """A call that was cancelled is answered all the same: with error 0."""
    original = dispatcher.answers
    cancelled: set[str | int] = set()

    async def answers(message: Json) -> list[Message]:
        if isinstance(message, dict) and message.get("method") == "notifications/cancelled":
            cancelled.add(message["params"]["requestId"])
        if isinstance(message, dict) and message.get("method") == "tools/call" and message["id"] in cancelled:
            return [dispatcher.refusal(message["id"], ProtocolError(0, "Request cancelled"))]
        return await original(message)

    replace_method(dispatcher, "answers", answers)
