"""Tools of an MCP server behind the runtime: a process of its own, spoken to over stdio with the SDK's client.

The process starts with the first call and ends with the runtime, or with the event loop that it belongs to.
"""

import asyncio
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import anyio

from reference_server.invocation.failure import Failure, downstream
from reference_server.invocation.providers.provider import Execution

if TYPE_CHECKING:
    from mcp import ClientSession
    from mcp.types import CallToolResult, RequestParamsMeta

# The SDK is imported by what calls it: what can be broken is listed without it, also where it is not installed.

CORRELATION_KEY: Final = "dev.conformance/correlationId"
"""Key of `_meta` that carries the correlationId to the server."""


class McpProvider:
    """One server. Calls run side by side over one session."""

    def __init__(self, command: Sequence[str]) -> None:
        self.command = list(command)
        self._owner: asyncio.Task[None] | None = None
        self._session: asyncio.Future[ClientSession] | None = None
        self._leave: asyncio.Event | None = None

    async def execute(self, execution: Execution) -> object:
        """Calls the tool. Raises DownstreamFailed: the server refuses, or is not there."""
        from mcp import MCPError  # noqa: PLC0415 -- see above
        from mcp.types import CONNECTION_CLOSED  # noqa: PLC0415 -- see above

        try:
            session = await self.session()
            result = await session.call_tool(
                execution.tool.rpartition("::")[2], execution.input, meta=self.meta(execution)
            )
        except MCPError as error:
            if error.code == CONNECTION_CLOSED:
                self.forget()
            raise downstream("the MCP server refused the call", str(error.code)) from error
        except (OSError, anyio.ClosedResourceError, anyio.BrokenResourceError) as error:
            self.forget()
            raise downstream("the MCP server cannot be reached", None) from error
        if result.is_error:
            raise self.failure(result)
        return result.structured_content

    def meta(self, execution: Execution) -> "RequestParamsMeta":
        """What goes with the call beside its arguments."""
        from mcp.types import RequestParamsMeta  # noqa: PLC0415 -- see above

        return RequestParamsMeta(**{CORRELATION_KEY: execution.correlation_id})  # type: ignore[typeddict-unknown-key]  # open

    def failure(self, result: "CallToolResult") -> Failure:
        """The failure that a result with isError tells."""
        told = result.structured_content
        code = told.get("code") if isinstance(told, dict) else None
        return downstream("the MCP server answered with an error", code if isinstance(code, str) else None)

    async def session(self) -> "ClientSession":
        """The session, opened at its first use and again after it was lost."""
        loop = asyncio.get_running_loop()
        if self._session is None or self._session.get_loop() is not loop or self._owner is None or self._owner.done():
            self._session, self._leave = loop.create_future(), asyncio.Event()
            self._owner = loop.create_task(self._hold(self._session, self._leave))
        return await asyncio.shield(self._session)

    def forget(self) -> None:
        """Lets go of a session that was lost: the next call opens another one."""
        self._session = None
        if self._leave is not None:
            self._leave.set()

    async def close(self) -> None:
        """Ends the server."""
        owner = self._owner
        if owner is None or owner.done() or owner.get_loop() is not asyncio.get_running_loop():
            return
        self.forget()
        await asyncio.wait((owner,))

    async def _hold(self, opened: "asyncio.Future[ClientSession]", leave: asyncio.Event) -> None:
        """Keeps the session open, in a task of its own: whoever opens it has to close it.

        The end of the loop cancels this task; the SDK then closes the server's stdin and waits for its end.
        """
        from mcp import ClientSession, MCPError, StdioServerParameters  # noqa: PLC0415 -- see above
        from mcp.client.stdio import stdio_client  # noqa: PLC0415 -- see above

        parameters = StdioServerParameters(command=self.command[0], args=self.command[1:])
        try:
            with open(os.devnull, "w", encoding="utf-8") as nowhere:  # noqa: ASYNC230, PTH123 -- the null device
                async with stdio_client(parameters, nowhere) as streams, ClientSession(*streams) as session:
                    await session.initialize()
                    opened.set_result(session)
                    await leave.wait()
        except* (MCPError, OSError):
            pass  # whoever waits for the session is told below
        finally:
            if not opened.done():
                opened.set_exception(ConnectionError("the session was not opened"))
                opened.exception()  # at the end of the loop nobody waits for it
