"""What is offered is served: a call that nothing speaks against is answered with success."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping

from conformance.contract.wording import listed
from conformance.judge.judgements import breach
from conformance.judge.silence import silent, unheard
from conformance.model.ending import explained
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import HELD, Judgement

Way = Callable[[Exchange], Hashable]
"""The way in which a tool is called: which optional parameters are given, which documented variant it is."""


def given(call: Exchange) -> Hashable:
    """The plainest way: the names of the arguments."""
    return frozenset(call.arguments) if isinstance(call.arguments, dict) else frozenset()


def all_served(good: Iterable[Exchange], way: Way = given) -> Iterator[Judgement]:
    """One judgement for each tool and way of calling it: every good call of it was accepted.

    `good` are calls that the contract's own rules allow: by their arguments, by who calls, and by the state. Nothing is
    expected of one that its caller cancelled.
    """
    ways: dict[Hashable, list[Exchange]] = defaultdict(list)
    lost: dict[Hashable, Exchange] = {}
    for call in good:
        if call.received is not None and call.cancelled is None:
            ways[call.tool, call.profile, way(call)].append(call)
        elif silent(call):
            lost.setdefault((call.tool, call.profile, way(call)), call)
    for key, call in lost.items():
        if key not in ways:
            yield unheard(call, f"with {listed(sorted(map(str, call.arguments or ()))) or 'no arguments'}")
    for calls in ways.values():
        refused = [call for call in calls if call.refused]
        if not refused:
            yield HELD
            continue
        first = refused[0]
        saw = f"{first.tool} was {explained(first)}, and nothing in the contract speaks against the call"
        found = breach(saw, first, expected="success")
        yield Judgement(
            ok=False,
            saw=found.saw,
            expected=found.expected,
            calls=found.calls,
            spoils=tuple(call.call for call in refused[1:]),
        )


class Unsupported:
    """What the target's statement says it leaves out of the contract."""

    def __init__(self, history: History) -> None:
        statement = history.header.statement if history.header is not None else {}
        table = statement.get("unsupported")
        left_out: Mapping[str, Json] = table if isinstance(table, dict) else {}
        self.tools = _names(left_out.get("tools"))
        self.parameters = _names(left_out.get("parameters"))
        self.options = _names(left_out.get("options"))

    def concerns(self, call: Exchange) -> bool:
        """Whether a call needs something that is left out."""
        if call.tool in self.tools:
            return True
        names = call.arguments if isinstance(call.arguments, dict) else ()
        return any(f"{call.tool}.{name}" in self.parameters for name in names)


def _names(table: Json) -> frozenset[str]:
    return frozenset(table) if isinstance(table, dict) else frozenset()
