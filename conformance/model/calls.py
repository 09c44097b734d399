"""The exchanges of a history, in the order in which they were sent, and by what laws ask for them."""

from collections import defaultdict

from conformance.model.exchange import Exchange


class Calls:
    """What was asked of a server, listed once for all laws that want the same of it."""

    __slots__ = ("_accepted", "_of", "_undecided", "by_tool", "exchanges")

    def __init__(self) -> None:
        self.exchanges: list[Exchange] = []
        self.by_tool: dict[str, list[Exchange]] = defaultdict(list)
        self._of: dict[tuple[str, ...], tuple[Exchange, ...]] = {}
        """By tools, their calls: most laws ask for the same ones. Empty again after each event."""
        self._accepted: dict[tuple[str, ...], tuple[Exchange, ...]] = {}
        self._undecided: dict[int, Exchange] = {}
        """By their numbers, calls that say nothing of the tool that they name."""

    def add(self, exchange: Exchange) -> None:
        """Takes the next one."""
        self.forget()
        self.exchanges.append(exchange)
        if exchange.tool is not None:
            self.by_tool[exchange.tool].append(exchange)
            self.look(exchange)

    def look(self, exchange: Exchange) -> None:
        """Looks at one that was answered: is it of a forgotten session, it is no call of a tool's.

        The same call once more, in a new session that has served nothing either, is one: the server does not serve it.
        """
        own = self.by_tool.get(exchange.tool or "", ())
        if not exchange.of_no_session or exchange not in own:
            return
        again = any(map(exchange.repeats, self._undecided.values()))
        if again and not any(each.accepted and each.session == exchange.session for each in self.exchanges):
            return
        self.came_to_none(exchange)

    def let_go(self, exchange: Exchange) -> None:
        """Of one that was made again: nobody had looked at it."""
        if exchange in self.exchanges:
            self.forget()
            self.exchanges.remove(exchange)
            if exchange.tool is not None:
                self.by_tool[exchange.tool].remove(exchange)

    def came_to_none(self, exchange: Exchange) -> None:
        """Of one that came to no tool, or names what a process took with it when it ended."""
        own = self.by_tool.get(exchange.tool or "", [])
        # it is among the last: there may be many such calls
        place = next((place for place in reversed(range(len(own))) if own[place] is exchange), None)
        if place is not None:
            self.forget()
            self._undecided[exchange.call] = exchange
            del own[place]

    def forget(self) -> None:
        """What was listed may be so no more: an answer has come."""
        if self._of:
            self._of.clear()
            self._accepted.clear()

    def of(self, tools: tuple[str, ...]) -> tuple[Exchange, ...]:
        """Calls of these tools (all tools where none is named)."""
        found = self._of.get(tools)
        if found is None:
            if len(tools) == 1:
                found = tuple(self.by_tool.get(tools[0], ()))
            else:
                wanted = frozenset(tools)
                found = tuple([e for e in self.exchanges if e.tool is not None and (not wanted or e.tool in wanted)])
                if self._undecided:
                    found = tuple([exchange for exchange in found if exchange.call not in self._undecided])
            self._of[tools] = found
        return found

    def accepted(self, tools: tuple[str, ...]) -> tuple[Exchange, ...]:
        """Those of them that the server says it served."""
        found = self._accepted.get(tools)
        if found is None:
            found = self._accepted[tools] = tuple([exchange for exchange in self.of(tools) if exchange.accepted])
        return found
