"""Policies of the gate in the shape that the contract's term `policy` has, in the target's own names."""

from dataclasses import dataclass
from typing import Literal

from conformance.contracts.tuitbot.naming import HARD_RULES, USERS, Naming
from conformance.model.events import Json

Policy = dict[str, Json]
Action = Literal["allow", "deny", "require_approval", "dry_run"]
MANY = 1_000
"""Mutations an hour, or replies a day, that no stimulus reaches."""
OPEN: Policy = {"enforce_for_mutations": False}
"""A policy that asks nobody: every mutation happens."""
WHY: dict[str, Json] = {"reason": "a rule of the conformance suite"}


@dataclass(frozen=True)
class Policies:
    """Makes policies for a target."""

    naming: Naming

    def rule(
        self, action: Action, *tools: str, name: str = "on_trial", priority: int | None = None, **conditions: Json
    ) -> dict[str, Json]:
        """A user's rule for these tools, or for all where none is named."""
        wanted = USERS if priority is None else priority
        return self._rule(f"{self.naming.user}{name}", action, tools, wanted, conditions)

    def hard(self, action: Action, *tools: str, name: str = "on_trial") -> dict[str, Json]:
        """A hard rule for these tools."""
        return self._rule(f"{self.naming.hard}{name}", action, tools, HARD_RULES, {})

    def _rule(
        self, rule_id: str, action: Action, tools: tuple[str, ...], priority: int, conditions: dict[str, Json]
    ) -> dict[str, Json]:
        named: dict[str, Json] = {"tools": [self.naming.tool(each) for each in tools]} if tools else {}
        return {
            "id": rule_id,
            "priority": self.naming.priority(priority),
            "label": "conformance suite",
            "enabled": True,
            "conditions": {**named, **conditions},
            "action": {"type": action, **(WHY if action in ("deny", "require_approval") else {})},
        }

    def ruled(self, *rules: dict[str, Json], **more: Json) -> Policy:
        """A policy of these rules, whose hourly limit is out of reach."""
        return {"enforce_for_mutations": True, "max_mutations_per_hour": MANY, "rules": list(rules), **more}

    def everything(self, action: Action) -> Policy:
        """A policy of one rule that matches all there is; before the server's own rules, where that can be had."""
        return self.ruled(self.rule(action, name="everything", priority=self.naming.first))

    def lists(self, **lists: Json) -> Policy:
        """A policy without rules: what its lists name is held back, tools by the names of rules."""
        named = {name: self._named(value) for name, value in lists.items()}
        return {"enforce_for_mutations": True, "max_mutations_per_hour": MANY, "require_approval_for": [], **named}

    def _named(self, value: Json) -> Json:
        return [self.naming.tool(str(each)) for each in value] if isinstance(value, list) else value
