"""Which laws look at an exchange by itself: found once for each tool, as they are asked of every answer."""

from collections.abc import Callable, Iterable

from conformance.contract.catalogue import Contract
from conformance.judge.law import ExchangeLaw
from conformance.judge.tally import Tally
from conformance.model.exchange import Exchange
from conformance.model.requirement import Requirement

Whose = Callable[[Requirement], Contract]
"""The contract of a requirement, in the edition that is judged."""
_Asked = tuple[Tally, ExchangeLaw, Contract]
TOOLS = 1_000
"""Names of tools for which that is kept: a hostile history may name a new one in every call."""


class Dispatch:
    """The laws over exchanges, each with its tally: those for every exchange, and those for a tool's answers alone."""

    def __init__(self, tallies: Iterable[Tally], whose: Whose) -> None:
        self._everywhere: list[_Asked] = []
        self._by_tool: dict[str, list[_Asked]] = {}
        self._found: dict[str | None, tuple[_Asked, ...]] = {}
        for tally in tallies:
            law = tally.law
            if law is None or law.over_exchange is None:
                continue
            asked = (tally, law.over_exchange, whose(tally.requirement))
            if law.tools is None:
                self._everywhere.append(asked)
            for tool in law.tools or ():
                self._by_tool.setdefault(tool, []).append(asked)

    def look(self, exchange: Exchange) -> bool:
        """Asks them all; whether one of them finds a breach."""
        asked = self._found.get(exchange.tool)
        if asked is None:
            asked = (*self._everywhere, *self._by_tool.get(exchange.tool or "", ()))
            if len(self._found) < TOOLS:
                self._found[exchange.tool] = asked
        broken = False
        for tally, law, contract in asked:
            if tally.take_all(law, exchange, contract):
                broken = True
        return broken
