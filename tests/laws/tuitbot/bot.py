"""A tuitbot's answers by hand: envelopes as they ought to be, changed where a test says so."""

from typing import Any

from conformance.contract.catalogue import load
from conformance.model.events import Json
from conformance.model.verdict import Verdict
from tests.laws.histories import Story

GONE = object()
"""Takes a key away."""


EDITIONS = {"workflow": "session-05", "api": "session-05"}
"""Of profiles; the others are convergence's."""


class Bot(Story):
    """Calls of one instance, whose tools were listed: of the edition that has its profile."""

    def __init__(
        self,
        profile: str = "write",
        *,
        listed: bool = True,
        statement: Json = None,
        claims: dict[str, Json] | None = None,
        **settings: Json,
    ) -> None:
        """`claims` are the settings of the target, the others those of its instance."""
        edition = EDITIONS.get(profile, "convergence")
        super().__init__("tuitbot", settings=claims, statement=statement or {}, edition=edition)
        self.profile = profile
        self.name = self.instance("i1", profile=profile, **settings)
        if listed:
            self.list(
                [{"name": t.name, "inputSchema": t.inputSchema} for t in self.contract.tools.values()],
                instance=self.name,
            )

    def meta(self, **changes: Any) -> dict[str, Json]:
        """A good meta of the profile."""
        known = {"mode": "autopilot", "approval_mode": True} if self.profile in ("workflow", "write", "admin") else {}
        return changed({"tool_version": "1.0", "elapsed_ms": 0, **known}, changes)

    def answer(self, tool: str, envelope: Json, arguments: Json = None, **more: Any) -> int:
        """A call that gets this envelope."""
        failed = isinstance(envelope, dict) and envelope.get("success") is False
        more = {"failed": failed, "instance": self.name, **more}
        return self.call(tool, {} if arguments is None else arguments, envelope, **more)

    def good(self, tool: str, arguments: Json = None, data: Json = None, /, *, meta: Json = ..., **more: Any) -> int:
        """A success."""
        envelope = {"success": True, "data": data, "meta": self.meta() if meta is ... else meta}
        return self.answer(tool, envelope, arguments, **more)

    def bad(
        self, tool: str, code: Json, arguments: Json = None, /, *, error: dict[str, Any] | None = None, **more: Any
    ) -> int:
        """A failure; `error` changes its error."""
        known = load("tuitbot", "convergence").errors.get(code) if isinstance(code, str) else None
        flag = known.retryable if known is not None else False
        whole = changed({"code": code, "message": "it failed", "retryable": flag}, error or {})
        return self.answer(
            tool, {"success": False, "data": None, "error": whole, "meta": self.meta()}, arguments, **more
        )

    def verdict(self, requirement: str) -> Verdict:
        """The verdict on what was told."""
        return self.judged(requirement).verdict

    def alone(self, requirement: str) -> str:
        """What a law says by itself, whichever other finding explains it: pass, fail or not_observed."""
        outcome = self.judged(requirement)
        return "fail" if outcome.breaches else "pass" if outcome.subjects else "not_observed"


def rule(action: str, *tools: str, rule_id: str = "user:on_trial", priority: int = 200) -> dict[str, Json]:
    """A rule of a policy for these tools, or for all where none is named."""
    conditions: dict[str, Json] = {"tools": list(tools)} if tools else {}
    return {"id": rule_id, "priority": priority, "conditions": conditions, "action": {"type": action}}


def changed(value: dict[str, Json], changes: dict[str, Any]) -> dict[str, Json]:
    """With these keys set, or taken away."""
    return {key: each for key, each in {**value, **changes}.items() if each is not GONE}
