"""Tools of the kit that exist for their policies, and the one that invokes others."""

from typing import Final

from reference_server.application import Json
from reference_server.invocation.failure import downstream
from reference_server.invocation.kit.catalogue import KIT
from reference_server.invocation.limits.budgets import Budgets
from reference_server.invocation.providers.local import Function
from reference_server.invocation.providers.provider import Execution

COSTLY: Final = "local::kit.costly"
BUDGETS: Final = {one.name: one.policies.budget for one in KIT if one.policies.budget is not None}


class Policed:
    """Tools that show what the policies do."""

    def __init__(self, budgets: Budgets) -> None:
        self.budgets = budgets

    def functions(self) -> dict[str, Function]:
        """By the name of the tool."""
        return {
            "local::kit.fragile": self.fragile,
            COSTLY: self.costly,
            "local::kit.relay": self.relay,
        }

    async def fragile(self, execution: Execution) -> Json:
        """Fails downstream where it is told to."""
        if execution.input["fail"]:
            raise downstream("the service behind the tool is away", "UPSTREAM_503")
        return {"ok": True}

    async def costly(self, execution: Execution) -> Json:
        """What is left of the budget."""
        return {"left": self.budgets.left((execution.tool, execution.tenant), BUDGETS[COSTLY])}

    async def relay(self, execution: Execution) -> Json:
        """Invokes another tool, and fails where that one fails or where it is told to."""
        result = await execution.invoke(execution.input["tool"], execution.input["input"])
        if result["status"] != "Ok":
            raise downstream("the tool behind failed", result["error"]["code"], result["error"])
        if execution.input.get("fail", False):
            raise downstream("the service behind the tool is away", "UPSTREAM_503")
        return {"result": result}
