"""Budgets: units that are spent and never refilled."""

from reference_server.invocation.limits.rates import Key
from reference_server.invocation.policies import Budget


class Budgets:
    """What has been spent, by tool and tenant."""

    def __init__(self) -> None:
        self.spent: dict[Key, int] = {}

    def left(self, key: Key, budget: Budget) -> int:
        """Units that can still be spent."""
        return budget.units - self.spent.get(key, 0)

    def spend(self, key: Key, units: int) -> None:
        """Takes units off the budget."""
        self.spent[key] = self.spent.get(key, 0) + units
