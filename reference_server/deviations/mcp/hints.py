"""MC-HINT: what the annotations promise."""

from dataclasses import replace

from reference_server.application import Answer, Application, Json, Request
from reference_server.bindings.jsonrpc import Dispatcher
from reference_server.deviations.mcp.changing import Serve, annotate, change_serving, change_tool
from reference_server.deviations.registry import deviation


@deviation("MC-HINT-01")
def hint_is_a_string(dispatcher: Dispatcher) -> None:
    """get_thread says readOnlyHint "true", a string."""
    annotate(dispatcher, "get_thread", readOnlyHint="true")


@deviation("MC-HINT-02")
def write_says_that_it_only_reads(dispatcher: Dispatcher) -> None:
    """post_message has the annotations of a read."""
    annotate(dispatcher, "post_message", readOnlyHint=True, destructiveHint=False)


@deviation("MC-HINT-02", variant="with-an-optional-argument")
def read_with_an_optional_argument_writes(dispatcher: Dispatcher) -> None:
    """get_thread takes `renamed` besides, which may be left out, and where it is given the title is another."""
    titles: dict[tuple[int, str], str] = {}

    def offer(tool: dict[str, Json]) -> None:
        tool["inputSchema"]["properties"]["renamed"] = {"type": "string"}

    async def around(request: Request, application: Application, serve: Serve) -> Answer:
        if request.tool != "get_thread":
            return await serve(request, application)
        thread = (id(application), str(request.arguments.get("thread_id")))
        others = {name: value for name, value in request.arguments.items() if name != "renamed"}
        if "renamed" in request.arguments:
            titles[thread] = str(request.arguments["renamed"])
        answer = await serve(replace(request, arguments=others), application)
        if answer.failed or thread not in titles:
            return answer
        return replace(answer, envelope={**answer.envelope, "title": titles[thread]})

    change_tool(dispatcher, "get_thread", offer)
    change_serving(dispatcher, around)


@deviation("MC-HINT-03")
def adding_tool_says_idempotent(dispatcher: Dispatcher) -> None:
    """create_thread says idempotentHint, and makes another thread at each call."""
    annotate(dispatcher, "create_thread", idempotentHint=True)


@deviation("MC-HINT-04")
def acknowledging_removes_messages(dispatcher: Dispatcher) -> None:
    """ack_read, which says destructiveHint false, removes the messages that it acknowledges."""
    removed: dict[tuple[int, str], int] = {}

    async def around(request: Request, application: Application, serve: Serve) -> Answer:
        answer = await serve(request, application)
        if answer.failed:
            return answer
        thread = (id(application), str(request.arguments.get("thread_id")))
        if request.tool == "ack_read":
            removed[thread] = max(removed.get(thread, 0), request.arguments["last_read_seq"])
        elif request.tool == "read_messages":
            kept = [each for each in answer.envelope["messages"] if each["seq"] > removed.get(thread, 0)]
            return replace(answer, envelope={**answer.envelope, "messages": kept})
        return answer

    change_serving(dispatcher, around)


@deviation("MC-HINT-04", variant="not-there")
def acknowledging_removes_the_thread(dispatcher: Dispatcher) -> None:
    """ack_read, which says destructiveHint false, removes the thread from what get_thread finds."""
    removed: set[tuple[int, str]] = set()

    async def around(request: Request, application: Application, serve: Serve) -> Answer:
        answer = await serve(request, application)
        thread = (id(application), str(request.arguments.get("thread_id")))
        if request.tool == "ack_read" and not answer.failed:
            removed.add(thread)
        elif request.tool == "get_thread" and thread in removed:
            return Answer({"error": {"code": "NOT_FOUND", "message": "there is no such thread"}}, failed=True)
        return answer

    change_serving(dispatcher, around)


@deviation("MC-HINT-05")
def read_says_that_it_destroys(dispatcher: Dispatcher) -> None:
    """get_thread says both readOnlyHint and destructiveHint."""
    annotate(dispatcher, "get_thread", readOnlyHint=True, destructiveHint=True)
