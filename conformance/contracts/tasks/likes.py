"""Reads that ask the same of the same state, under different budgets: what one of them leaves out another shows."""

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from conformance.contract.catalogue import Contract
from conformance.contracts.tasks.listing import lists
from conformance.contracts.tasks.lists import CAPS, content, goes_on, held, paged
from conformance.judge.epochs import epochs
from conformance.judge.kinds import integer, spelled
from conformance.judge.memo import once
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.octets import octets

ROOM = 64
"""More bytes or lines than an answer may say of its budget."""
PLACE = "offset"
"""The knob that says where to begin, not how much to give."""
LIMIT = "limit"


@dataclass
class Like:
    """An accepted read, with its budgets."""

    call: Exchange
    knobs: dict[str, int]
    """The caps that were given, each an integer; `offset` is not among them."""
    offset: int

    @cached_property
    def shown(self) -> dict[str, Json]:
        """What it shows, apart from words about its size."""
        return content(self.call.given)

    @cached_property
    def weight(self) -> int:
        """Bytes of what it shows."""
        return octets(self.shown)

    @property
    def truncated(self) -> bool:
        """Whether it says that something was cut."""
        return self.call.given.get("truncated") is True


@dataclass
class Group:
    """Likes of one question and one state."""

    tool: str
    likes: list[Like] = field(default_factory=list)

    @cached_property
    def first(self) -> Sequence[Like]:
        """Those that begin at the beginning."""
        return [like for like in self.likes if like.offset == 0]

    @cached_property
    def fullest(self) -> Like | None:
        """The one of them that shows most; of equals one that says it is whole."""
        return max(self.first, key=lambda like: (like.weight, not like.truncated), default=None)

    @cached_property
    def defaults(self) -> Sequence[tuple[Like, Like]]:
        """Those of a list, asked for without a budget, that end before the list does and do not say so.

        Each has a like beside it that was asked for a larger page: it begins with the same entries and has more.
        """
        pages = [like for like in self.first if like.knobs.keys() == {LIMIT}]
        longest = max(pages, key=lambda like: len(paged(self.tool, like.call.given)), default=None)
        if longest is None:
            return ()
        bare = (like for like in self.first if not like.knobs and not like.truncated and not goes_on(like.call.given))
        return [(like, longest) for like in bare if _begins(self.tool, like.call, longest.call)]


def _begins(tool: str, short: Exchange, long: Exchange) -> bool:
    """Whether what one shows of a list is the beginning of what the other shows, and not all of it."""
    few, many = paged(tool, short.given), paged(tool, long.given)
    return 0 < len(few) < len(many) and spelled(few) == spelled(many[: len(few)])


@once
def default_pages(history: History, contract: Contract) -> Mapping[str, int]:
    """By tool whose lists end at a default of its own and do not say so: how many entries that is."""
    found = ((group.tool, like) for group in groups(history, contract) for like, _ in group.defaults)
    return {tool: len(paged(tool, like.call.given)) for tool, like in found}


@once
def groups(history: History, contract: Contract) -> Sequence[Group]:
    """The accepted reads of tools with budgets, by what they ask, and of which state."""
    known, found = epochs(history, contract), dict[Hashable, Group]()
    likes: dict[Hashable, list[Like]] = defaultdict(list)
    for call in history.accepted():
        tool, mark = contract.tools.get(call.tool or ""), contract.marks.get(call.tool or "")
        if tool is None or mark is None or mark.effect == "write" or not tool.budgets:
            continue
        epoch, given = known.met(call), taken(history, contract, call)
        if epoch is None or given is None:
            continue
        rest = {name: value for name, value in call.arguments.items() if name not in tool.budgets}
        asked = spelled([rest, call.conditions])
        key: Hashable = (known.scope(call), epoch, tool.name, asked, call.credential.name)
        found.setdefault(key, Group(tool.name))
        likes[key].append(Like(call, {k: v for k, v in given.items() if k != PLACE}, given.get(PLACE, 0)))
    for key, group in found.items():
        group.likes = likes[key]
    return list(found.values())


class Sizes:
    """How much room answers surely have, by what their likes without a cap needed."""

    def __init__(self, history: History, contract: Contract) -> None:
        self._epochs, self._contract = epochs(history, contract), contract
        self._likes: dict[Hashable, Exchange] = {}
        for call in history.accepted():
            given = taken(history, contract, call)
            if given is not None and not any(knob in CAPS for knob in given):
                self._likes.setdefault(self._asked(call), call)

    def suffices(self, call: Exchange) -> bool:
        """Whether a call's caps in bytes and lines are surely large enough for all that it asks for."""
        like, given = self._likes.get(self._asked(call)), caps(call, self._contract)
        if like is None or given is None or self._epochs.met(call) is None:
            return False
        needed = {knob: held(call.tool or "", knob, like.given) for knob in CAPS if knob in given}
        room = all(size is not None and size + ROOM <= given[knob] for knob, size in needed.items())
        return room and like.given.get("truncated") is not True

    def _asked(self, call: Exchange) -> Hashable:
        """Equal for reads of one state that differ in their caps alone."""
        arguments = call.arguments if isinstance(call.arguments, dict) else {}
        rest = {name: value for name, value in arguments.items() if name not in CAPS}
        return self._epochs.scope(call), self._epochs.met(call), call.tool, spelled([rest, call.conditions])


def caps(call: Exchange, contract: Contract) -> dict[str, int] | None:
    """The budgets that a call gives, by knob; None where one is no integer from 0, or the arguments are no object."""
    tool = contract.tools.get(call.tool or "")
    if tool is None or not isinstance(call.arguments, dict):
        return None
    values: dict[str, int] = {}
    for name in tool.budgets:
        if name in call.arguments:
            value = integer(call.arguments[name])
            if value is None or value < 0:
                return None
            values[name] = value
    return values


def taken(history: History, contract: Contract, call: Exchange) -> dict[str, int] | None:
    """Those budgets, where the tool lists each of them: which knobs it has is the server's."""
    return _taken(history, contract).get(call.call)


@once
def _taken(history: History, contract: Contract) -> dict[int, dict[str, int]]:
    """By call, where they are known."""
    found = ((call, caps(call, contract)) for call in history.calls())
    return {call.call: given for call, given in found if given is not None and lists(history, contract, call, *given)}
