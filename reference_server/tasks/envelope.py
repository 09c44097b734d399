"""The one shape of every answer (Common types, Response envelope)."""

from typing import TYPE_CHECKING, Final

from reference_server.application import Json
from reference_server.conditions import Clock
from reference_server.tasks.refusal import Code, Refusal, Suggestion

if TYPE_CHECKING:
    from reference_server.tasks.call import Call
    from reference_server.tasks.spec import Spec

RECOVERY: Final[dict[Code, str]] = {
    "INVALID_NAME": "use a name of the form that branches and documents have",
    "INVALID_INPUT": "correct the arguments: see the tool's inputSchema and description",
}
"""Where the refusal itself has no better hint."""


class Envelopes:
    """Success and failure alike: success, intent, result, warnings, suggestions, context, error, timestamp."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.latest = 0.0

    def success(self, call: "Call", result: dict[str, Json]) -> dict[str, Json]:
        """Of a call that was served."""
        return {
            "success": True,
            "intent": call.spec.intent,
            "result": result,
            "warnings": call.warnings,
            "suggestions": [],
            "context": call.context,
            "error": None,
            "timestamp": self.timestamp(),
        }

    def failure(
        self, spec: "Spec", refusal: Refusal, call: "Call | None", workspace: str | None = None
    ) -> dict[str, Json]:
        """Of a call that was refused; `call` is None where it never began, `workspace` one that exists."""
        error: dict[str, Json] = {"code": refusal.code, "message": refusal.message}
        recovery = refusal.recovery or RECOVERY.get(refusal.code)
        if recovery is not None:
            error["recovery"] = recovery
        suggestions = refusal.suggestions or self.fallback(workspace)
        return {
            "success": False,
            "intent": spec.intent,
            "result": refusal.result,
            "warnings": [] if call is None else call.warnings,
            "suggestions": [each.as_json() for each in suggestions],
            "context": {} if call is None else call.context,
            "error": error,
            "timestamp": self.timestamp(),
        }

    def fallback(self, workspace: str | None) -> tuple[Suggestion, ...]:
        """A look at the workspace helps wherever nothing better is known."""
        if workspace is None:
            return ()
        return (Suggestion("branchmind_status", {"workspace": workspace}, "see where the workspace stands", "medium"),)

    def timestamp(self) -> str:
        """Never earlier than the one before, whatever the machine's clock does."""
        self.latest = max(self.latest, self.clock.now())
        return self.clock.instant(self.latest)
