"""Asks the client before it serves a tool, a prompt or a resource. argv: METHOD, and how it asks.

`rightly`: where the client lets itself be asked by a form. `anyone`: where it declares anything at all. `by-url`: by a
URL, whether or not it declared that. `vaguely`: without saying what for. `nothing`: for nothing at all. `never`: it
refuses any client, as if that had not declared it.
"""

import sys
from collections.abc import Callable

from base import CAPABILITIES, Json, RefusedError
from offering import Offering

METHOD, HOW = sys.argv[1:3]
FORM: Json = {
    "message": "Are you sure?",
    "requestedSchema": {"type": "object", "properties": {"sure": {"type": "boolean"}}, "required": ["sure"]},
}
PARAMS: dict[str, Json] = {
    "by-url": {"mode": "url", "message": "Are you sure?", "url": "https://example.org/sure"},
    "vaguely": {"mode": "form"},
}


class AsksBack(Offering):
    """The client may do without being asked."""

    def methods(self) -> dict[str, Callable[[Json], Json]]:
        """One of them asks."""
        found = super().methods()
        served = found[METHOD]
        return {**found, METHOD: lambda params: self.asking(params) or served(params)}

    def asking(self, params: Json) -> Json | None:
        """The question; None where there is none."""
        if HOW == "never":
            raise RefusedError(-32021, "Ask first", {"requiredCapabilities": {"elicitation": {"form": {}}}})
        declared = params["_meta"][CAPABILITIES]
        form = "form" in declared.get("elicitation", {})
        if not (declared if HOW == "anyone" else form) or "inputResponses" in params:
            return None
        question = {"method": "elicitation/create", "params": PARAMS.get(HOW, FORM)}
        return {"resultType": "input_required", "inputRequests": {} if HOW == "nothing" else {"sure": question}}


AsksBack().stdio()
