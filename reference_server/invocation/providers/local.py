"""Tools that are functions of this process."""

from collections.abc import Awaitable, Callable, Mapping

from reference_server.invocation.providers.provider import Execution

Function = Callable[[Execution], Awaitable[object]]


class LocalProvider:
    """Functions by the name of the tool."""

    def __init__(self, functions: Mapping[str, Function]) -> None:
        self.functions = dict(functions)

    async def execute(self, execution: Execution) -> object:
        """Calls the tool's function."""
        return await self.functions[execution.tool](execution)

    async def close(self) -> None:
        """Has started nothing."""
