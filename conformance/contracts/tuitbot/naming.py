"""What the contract leaves open about rules, as a target's statement has it: names of tools, priorities, prefixes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Self

from conformance.model.events import Json

LOWEST, HIGHEST = 0, 1_000
BUILT_IN = 0
"""Priority of the server's own rule against deletions."""
USERS = 200
"""Priority of a rule that names none: those of hard rules and templates are lower."""
HARD_RULES = 50
DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
"""As a policy spells them, in the order of the calendar."""


@dataclass(frozen=True)
class Naming:
    """How a target's policy names tools, which priorities it knows, and how ids of rules begin."""

    tools: Mapping[str, Json]
    """Names in rules, by the name that is registered."""
    lowest: int
    highest: int
    hard: str
    user: str
    parts: frozenset[str] = frozenset()
    """Parts of a policy that the target takes besides those that the contract names."""

    @classmethod
    def of(cls, choice: Callable[[str], Json]) -> Self:
        """By the choices of a statement."""
        tools, priorities, prefixes = map(_table, map(choice, ("rule_tools", "rule_priorities", "rule_prefixes")))
        parts = choice("policy_parts")
        lowest, highest = priorities.get("lowest", LOWEST), priorities.get("highest", HIGHEST)
        return cls(
            tools,
            lowest if isinstance(lowest, int) else LOWEST,
            highest if isinstance(highest, int) else HIGHEST,
            str(prefixes.get("hard", "hard:")),
            str(prefixes.get("user", "user:")),
            frozenset(map(str, parts)) if isinstance(parts, list) else frozenset(),
        )

    def tool(self, registered: str) -> str:
        """The name by which rules know a tool."""
        return str(self.tools.get(registered, registered))

    @property
    def first(self) -> int:
        """The priority that comes before every other, those of the server's own rules too, where there is one."""
        return self.lowest if self.lowest < BUILT_IN else self.priority(USERS)

    def priority(self, wanted: int) -> int:
        """The nearest that the target knows."""
        return min(max(wanted, self.lowest), self.highest)


def _table(value: Json) -> dict[str, Json]:
    return value if isinstance(value, dict) else {}
