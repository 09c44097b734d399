"""Where the values of calls came from: the suite made them up, or the server had answered them before."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from conformance.contract.catalogue import Contract
from conformance.histories.values import answer
from conformance.model.events import Json
from conformance.model.exchange import Exchange, carried
from conformance.model.pointer import scalars

COUNTED = ("revision", "version", "seq", "id", "cursor", "position", "number")
"""Names under which a number stands for something that the server counted, not for an amount."""
LEAST = 2
"""Characters of a text that may be one of the server's."""
LEAST_PART = 4
"""Characters of one within another text: such a part has a digit as well."""
LONGEST = 4_000
"""Characters of a text in which parts are looked for."""
NEAR = 3
"""How far from what was answered a number may be to be told by it: a revision that is stale, or not there yet."""
_PARTS = re.compile(r"[\w.:@~+-]{4,}")


def answered(exchange: Exchange) -> Json:
    """What a call was answered, as pointers lead into it: the payload of a success, else the envelope or the error."""
    if exchange.accepted and exchange.payload is not None:
        return exchange.payload
    if exchange.envelope is not None:
        return exchange.envelope
    if exchange.result is not None:
        return carried(exchange.result) if exchange.method == "tools/call" else exchange.result
    return exchange.error


def fixed_texts(contract: Contract) -> frozenset[str]:
    """Texts that the contract itself says: names and values that no server makes up."""
    found = {*contract.errors, *contract.tools, *contract.marks}
    for tool in contract.tools.values():
        _add_values(tool.inputSchema, found)
        _add_values(tool.outputSchema, found)
    return frozenset(found)


def _add_values(schema: Json, found: set[str]) -> None:
    stack = [schema]
    while stack:
        part = stack.pop()
        if isinstance(part, dict):
            values = [
                *(part["enum"] if isinstance(part.get("enum"), list) else ()),
                part.get("const"),
                part.get("default"),
            ]
            found.update(value for value in values if isinstance(value, str))
            stack.extend(part.values())
        elif isinstance(part, list):
            stack.extend(part)


class Origins:
    """Of the values of one instance's calls. The first who said a text is whose it is."""

    def __init__(self, exchanges: Iterable[Exchange], contract: Contract, fixed: frozenset[str]) -> None:
        self._fixed = fixed
        self._contract = contract
        self._texts: dict[str, tuple[int, int, str]] = {}
        """By text when it was answered, by which call, at which pointer."""
        self._near: dict[tuple[str, ...], tuple[int, int, str]] = {}
        """The same within a stimulus, and within what its calls are about: others may be given an equal id there."""
        self._numbers: dict[tuple[str, str], list[tuple[int, int, str, int]]] = defaultdict(list)
        """By stimulus and the last step of its pointer, likewise, with the number."""
        ours: set[str] = set()
        for at, exchange in sorted(_moments(exchanges), key=lambda each: each[0]):
            if at == (exchange.sent, 1):
                ours.update(text for text in _texts(exchange.arguments) if text not in self._texts)
            else:
                self._take(exchange, at[0], ours)

    def _take(self, exchange: Exchange, at: int, ours: set[str]) -> None:
        for pointer, value in scalars(answered(exchange)):
            if isinstance(value, str):
                if len(value) >= LEAST and value not in ours and value not in self._fixed:
                    self._texts.setdefault(value, (at, exchange.call, pointer))
                    for place in self._places(exchange):
                        self._near.setdefault((*place, value), (at, exchange.call, pointer))
            elif isinstance(value, int) and not isinstance(value, bool):
                step = pointer.rpartition("/")[2]
                self._numbers[exchange.stimulus, step].append((at, exchange.call, pointer, value))

    def _places(self, call: Exchange) -> tuple[tuple[str, ...], ...]:
        """What a call is about in its stimulus, and the stimulus."""
        mark = self._contract.marks.get(call.tool or "")
        about = tuple(str(call.argument(name)) for name in mark.scope) if mark is not None else ()
        return ((call.stimulus, *about), (call.stimulus,)) if about else ((call.stimulus,),)

    def text(self, value: str, call: Exchange) -> dict[str, Json] | None:
        """The answer that a text of a call is from; None where none before it had it, or it is ours.

        Of several that had it, the first about the same things, else of the same stimulus, else of all.
        """
        known = (*(self._near.get((*place, value)) for place in self._places(call)), self._texts.get(value))
        found = next((each for each in known if each is not None and each[0] <= call.sent), None)
        return answer(found[1], found[2], value) if found is not None else None

    def parts(self, value: str, call: Exchange) -> Iterator[Json]:
        """The parts of a text, each the server's or plain; one plain part where none is the server's."""
        over = 0
        for found in _PARTS.finditer(value) if len(value) <= LONGEST else ():
            part = found[0]
            told = self.text(part, call) if any(map(str.isdigit, part)) and len(part) >= LEAST_PART else None
            if told is not None:
                if found.start() > over:
                    yield value[over : found.start()]
                yield told
                over = found.end()
        if over < len(value):
            yield value[over:]

    def number(self, call: Exchange, name: str, value: int) -> dict[str, Json] | None:
        """The last answer that a counted number is from, or is near to; None where the name stands for an amount.

        It is an answer to the call's own stimulus: others count side by side with it, now sooner and now later.
        """
        own = [each for key in self._counted(call.tool, name) for each in self._numbers.get((call.stimulus, key), ())]
        seen = [each for each in own if each[0] <= call.sent]
        for plus in (0, *(sign * step for step in range(1, NEAR + 1) for sign in (1, -1))):
            exact = max((each for each in seen if each[3] + plus == value), default=None)
            if exact is not None:
                return answer(exact[1], exact[2], exact[3], plus)
        return None

    def _counted(self, tool: str | None, name: str) -> tuple[str, ...]:
        """The keys under which a server tells what an argument of this name repeats."""
        known = self._contract.tools.get(tool or "")
        guard = known.writes.guard if known is not None and known.writes is not None else None
        if guard is not None and name in (guard.argument, guard.alias):
            return (guard.revision.rpartition("/")[2],)
        return tuple(key for key in COUNTED if name == key or name.endswith(f"_{key}"))


def _moments(exchanges: Iterable[Exchange]) -> Iterator[tuple[tuple[int, int], Exchange]]:
    for exchange in exchanges:
        yield (exchange.sent, 1), exchange
        if exchange.received is not None:
            # what came in the same microsecond was there before what left
            yield (exchange.received, 0 if exchange.received > exchange.sent else 2), exchange


def _texts(value: Json) -> Iterator[str]:
    return (each for _, each in scalars(value) if isinstance(each, str))
