"""Tools of the kit that write, and those that read what was written."""

from reference_server.application import Json
from reference_server.invocation.failure import downstream
from reference_server.invocation.kit.state import State
from reference_server.invocation.providers.local import Function
from reference_server.invocation.providers.provider import Execution

UPSTREAM_CODE = "UPSTREAM_503"


class Writing:
    """Tools over the kit's state."""

    def __init__(self, state: State) -> None:
        self.state = state

    def functions(self) -> dict[str, Function]:
        """By the name of the tool."""
        return {
            "local::kit.put": self.put,
            "local::kit.guarded": self.put,
            "local::kit.flaky_put": self.flaky_put,
            "local::kit.append": self.append,
            "local::kit.limited_append": self.append,
            "local::kit.flaky_append": self.flaky_append,
            "local::kit.read_list": self.read_list,
            "local::kit.notify": self.notify,
        }

    async def put(self, execution: Execution) -> Json:
        """Writes a value."""
        return self.state.put(execution.input["key"], execution.input["value"])

    async def flaky_put(self, execution: Execution) -> Json:
        """Writes a value, after so many executions for its key have failed."""
        key = execution.input["key"]
        self.state.put_attempts[key] += 1
        if self.state.put_attempts[key] <= execution.input["failures"]:
            raise downstream("the service behind the tool is away", UPSTREAM_CODE)
        return await self.put(execution)

    async def append(self, execution: Execution) -> Json:
        """Appends to a list."""
        return self.state.append(execution.input["list"], execution.input["item"])

    async def flaky_append(self, execution: Execution) -> Json:
        """Appends to a list, after so many executions for it have failed."""
        name = execution.input["list"]
        self.state.append_attempts[name] += 1
        if self.state.append_attempts[name] <= execution.input["failures"]:
            raise downstream("the service behind the tool is away", UPSTREAM_CODE)
        return await self.append(execution)

    async def read_list(self, execution: Execution) -> Json:
        """The items of a list."""
        return {"items": list(self.state.lists.get(execution.input["list"], ()))}

    async def notify(self, execution: Execution) -> Json:
        """Delivers a text, and says how many the receiver has got."""
        receiver = execution.input["to"]
        self.state.delivered[receiver] += 1
        return {"delivered": self.state.delivered[receiver]}
