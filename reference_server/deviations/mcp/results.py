"""MC-CALL-01 to -03, -07 to -12, -14, -15 and -17: what a call answers, and whether it does."""

import asyncio
import traceback
from collections.abc import Callable, Mapping
from dataclasses import replace

from reference_server.application import Answer, Application, Json, Request, UnknownToolError
from reference_server.bindings.jsonrpc import Dispatcher
from reference_server.bindings.protocol import CAPABILITIES_KEY, INTERNAL_ERROR, ProtocolError
from reference_server.bindings.surface import meta_of
from reference_server.deviations.mcp.changing import Serve, change_serving, code_of, offered, replace_method
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
def unknown_tool_is_a_tools_failure(dispatcher: Dispatcher) -> None:
    """A call of a tool that there is not gets a result with isError, as if a tool had failed."""

    async def around(request: Request, application: Application, serve: Serve) -> Answer:
        try:
            return await serve(request, application)
        except UnknownToolError:
            return Answer({"error": {"code": "NOT_FOUND", "message": f"Unknown tool: {request.tool}"}}, failed=True)

    change_serving(dispatcher, around)


@deviation("MC-CALL-17")
def unknown_tool_succeeds(dispatcher: Dispatcher) -> None:
    """A call of a tool that there is not does nothing and succeeds."""

    async def around(request: Request, application: Application, serve: Serve) -> Answer:
        try:
            return await serve(request, application)
        except UnknownToolError:
            return Answer({"result": None})

    change_serving(dispatcher, around)


@deviation("MC-CALL-17", variant="beginning")
def the_beginning_of_a_name_will_do(dispatcher: Dispatcher) -> None:
    """A tool is found where the name that is asked for begins with its own."""
    _found(dispatcher, lambda asked, name: asked.startswith(name))


@deviation("MC-CALL-03", variant="case")
def case_does_not_matter(dispatcher: Dispatcher) -> None:
    """A tool is found in whatever case it is named."""
    _found(dispatcher, lambda asked, name: asked.casefold() == name.casefold())


def _found(dispatcher: Dispatcher, is_meant: Callable[[str, str], bool]) -> None:
    """Serves the tool that is meant where the one that is asked for is unknown."""

    async def around(request: Request, application: Application, serve: Serve) -> Answer:
        try:
            return await serve(request, application)
        except UnknownToolError:
            meant = next((tool.name for tool in application.tools if is_meant(request.tool, tool.name)), None)
            if meant is None:
                raise
            return await serve(replace(request, tool=meant), application)

    change_serving(dispatcher, around)


@deviation("MC-CALL-12")
def missing_thread_is_told_without_is_error(dispatcher: Dispatcher) -> None:
    """A tool that finds nothing says so in a text, and its result has no isError."""
    original = dispatcher.surface.result

    def result(request: Request, answer: Answer) -> dict[str, Json]:
        made = original(request, answer)
        if code_of(answer) != "NOT_FOUND":
            return made
        shown = {key: value for key, value in made.items() if key not in ("structuredContent", "isError")}
        return {**shown, "content": [{"type": "text", "text": f"Error: {answer.envelope['error']['message']}"}]}

    replace_method(dispatcher.surface, "result", result)


@deviation("MC-CALL-12", variant="unable")
def what_could_not_be_found_is_told_without_is_error(dispatcher: Dispatcher) -> None:
    """A tool that finds nothing says in a sentence that it could not, and its result has no isError."""
    original = dispatcher.surface.result

    def result(request: Request, answer: Answer) -> dict[str, Json]:
        made = original(request, answer)
        if code_of(answer) != "NOT_FOUND":
            return made
        shown = {key: value for key, value in made.items() if key not in ("structuredContent", "isError")}
        return {**shown, "content": [{"type": "text", "text": f"Could not {request.tool.replace('_', ' ')}."}]}

    replace_method(dispatcher.surface, "result", result)


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


@deviation("MC-CALL-15")
def acknowledging_is_refused_to_everybody(dispatcher: Dispatcher) -> None:
    """ack_read refuses every call, as a tool does whose storage was never set up."""

    async def around(request: Request, application: Application, serve: Serve) -> Answer:
        if request.tool != "ack_read":
            return await serve(request, application)
        return Answer({"error": {"code": "VALIDATION_ERROR", "message": "acknowledging is not set up"}}, failed=True)

    change_serving(dispatcher, around)


@deviation("MC-CALL-11")
def content_block_is_of_no_type(dispatcher: Dispatcher) -> None:
    """The result of get_thread has a block of the type link, which MCP does not have."""
    original = dispatcher.surface.result

    def result(request: Request, answer: Answer) -> dict[str, Json]:
        made = original(request, answer)
        if request.tool == "get_thread" and not answer.failed:
            made["content"].append({"type": "link", "href": "https://threads.example/"})
        return made

    replace_method(dispatcher.surface, "result", result)


@deviation("MC-CALL-14")
def everybody_is_asked(dispatcher: Dispatcher) -> None:
    """The prompt interview asks the user for its topic, though the client did not declare that it can."""
    offers = offered(dispatcher)
    original = offers.get_prompt

    def get_prompt(params: Mapping[str, Json]) -> dict[str, Json]:
        declared = {**meta_of(params), CAPABILITIES_KEY: {"elicitation": {}}}
        return original({**params, "_meta": declared})

    replace_method(offers, "get_prompt", get_prompt)
