"""MC-CALL-01 to -03 and -07 to -10: what a call answers, and whether it does."""

import asyncio
import traceback
from dataclasses import replace

from reference_server.application import Answer, Application, Json, Request, UnknownToolError
from reference_server.bindings.jsonrpc import Dispatcher
from reference_server.bindings.protocol import INTERNAL_ERROR, ProtocolError
from reference_server.deviations.mcp.changing import Serve, change_serving, code_of, replace_method
from reference_server.deviations.registry import deviation


@deviation("MC-CALL-01")
def result_breaks_its_output_schema(dispatcher: Dispatcher) -> None:
    """get_thread answers updated_at as a number of seconds where its outputSchema says a string."""

    async def around(request: Request, application: Application, serve: Serve) -> Answer:
        answer = await serve(request, application)
        if request.tool != "get_thread" or answer.failed:
            return answer
        return replace(answer, envelope={**answer.envelope, "updated_at": 1_785_240_000})

    change_serving(dispatcher, around)


@deviation("MC-CALL-02")
def text_is_not_the_structured_content(dispatcher: Dispatcher) -> None:
    """The text block of a success holds a sentence instead of the JSON of structuredContent."""
    original = dispatcher.surface.result

    def result(request: Request, answer: Answer) -> dict[str, Json]:
        made = original(request, answer)
        if not answer.failed:
            made["content"] = [{"type": "text", "text": f"{request.tool} succeeded."}]
        return made

    replace_method(dispatcher.surface, "result", result)


@deviation("MC-CALL-03")
def unknown_tool_succeeds(dispatcher: Dispatcher) -> None:
    """A call of a tool that there is not does nothing and succeeds."""

    async def around(request: Request, application: Application, serve: Serve) -> Answer:
        try:
            return await serve(request, application)
        except UnknownToolError:
            return Answer({"result": None})

    change_serving(dispatcher, around)


@deviation("MC-CALL-07")
def missing_thread_is_an_internal_error(dispatcher: Dispatcher) -> None:
    """A tool that finds nothing raises, and the raise ends as -32603."""

    async def around(request: Request, application: Application, serve: Serve) -> Answer:
        answer = await serve(request, application)
        if code_of(answer) == "NOT_FOUND":
            raise ProtocolError(INTERNAL_ERROR, "Internal error")
        return answer

    change_serving(dispatcher, around)


@deviation("MC-CALL-08")
def failure_shows_the_stack(dispatcher: Dispatcher) -> None:
    """The message of a refusal of arguments ends with the stack at the place that refused."""

    async def around(request: Request, application: Application, serve: Serve) -> Answer:
        answer = await serve(request, application)
        if code_of(answer) != "VALIDATION_ERROR":
            return answer
        error = answer.envelope["error"]
        try:
            raise ValueError(error["message"])
        except ValueError:
            shown = f"{error['message']}\n{traceback.format_exc()}"
        return replace(answer, envelope={**answer.envelope, "error": {**error, "message": shown}})

    change_serving(dispatcher, around)


@deviation("MC-CALL-09")
def refused_call_spoils_the_next(dispatcher: Dispatcher) -> None:
    """A refusal of arguments leaves the store's transaction open: the next call on it is answered -32603."""
    spoiled: set[int] = set()

    async def around(request: Request, application: Application, serve: Serve) -> Answer:
        if id(application) in spoiled:
            spoiled.discard(id(application))
            raise ProtocolError(INTERNAL_ERROR, "Internal error")
        answer = await serve(request, application)
        if code_of(answer) == "VALIDATION_ERROR":
            spoiled.add(id(application))
        return answer

    change_serving(dispatcher, around)


@deviation("MC-CALL-10")
def summary_never_comes(dispatcher: Dispatcher) -> None:
    """summarize_thread waits for something that never happens, and so never answers."""

    async def around(request: Request, application: Application, serve: Serve) -> Answer:
        if request.tool == "summarize_thread":
            await asyncio.Event().wait()
        return await serve(request, application)

    change_serving(dispatcher, around)
