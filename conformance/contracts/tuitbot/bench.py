"""The bench of the tuitbot contract: an account on X that is reached through tools, in one profile or the other."""

from dataclasses import dataclass
from typing import Self

from conformance.drive.bench import Bench
from conformance.drive.errors import SkipError
from conformance.model.events import Json

PROFILES = ("workflow", "api")
MANY = 1_000
OPEN: dict[str, Json] = {"enforce_for_mutations": False}
"""A policy that asks nobody: every mutation happens."""
ALLOWING: dict[str, Json] = {
    "enforce_for_mutations": True,
    "max_mutations_per_hour": MANY,
    "rules": [{"id": "user:allow_all", "priority": -1, "conditions": {}, "action": {"type": "allow"}}],
}
"""A policy that is asked and allows every mutation, deletions too: its rule comes before all others."""
WORKING: dict[str, Json] = {
    "approval_mode": True,
    "limits": {"max_replies_per_author_per_day": MANY},
    "policy": OPEN,
}
"""Settings with which every tool can be made to succeed: proposed replies wait for approval, all else happens."""
ASKED: dict[str, Json] = {**WORKING, "policy": ALLOWING}
"""The same, with a policy gate that is asked."""


def rule(action: str, *tools: str, rule_id: str = "user:on_trial", priority: int = 200) -> dict[str, Json]:
    """A rule of a policy for these tools; the action is allow, deny, require_approval or dry_run."""
    return {"id": rule_id, "priority": priority, "conditions": {"tools": list(tools)}, "action": {"type": action}}


@dataclass(frozen=True)
class TuitbotBench(Bench):
    """One stimulus's place at a tuitbot."""

    async def workflow(self, **settings: Json) -> Self:
        """The target in the workflow profile, with settings an instance of its own; SkipError where that is left out.

        Settings: mode, approval_mode, x_client, llm, policy, limits.
        """
        return await self.in_profile("workflow", **settings)

    async def api(self, **settings: Json) -> Self:
        """The target in the api profile, as `workflow` does it."""
        return await self.in_profile("api", **settings)

    async def profiles(self, **settings: Json) -> list[Self]:
        """The target in each profile that the run is about; SkipError where it is about neither."""
        found: list[Self] = []
        skipped: SkipError | None = None
        for profile in PROFILES:
            try:
                found.append(await self.in_profile(profile, **settings))
            except SkipError as error:
                skipped = error
        if not found and skipped is not None:
            raise skipped
        return found


BENCH = TuitbotBench
DEFAULT_ROLE = None
"""The tuitbot knows no callers."""
