"""What an accepted call of a run rests on: earlier calls that gave it values, or wrote what it is about."""

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence

from conformance.contract.catalogue import Contract
from conformance.histories.origins import LEAST, fixed_texts
from conformance.histories.patterns import KNOWN, WHO, Pattern, Story
from conformance.histories.values import AHEAD, PLANTED
from conformance.model.events import Json

MOST = 14
"""Calls that one rests on: what is seldom needed stands in nobody's way."""


PLACE = ""
"""What stands for it."""
LAST = 2
"""Writes of a tool to the same thing that are made again."""


class Stories:
    """The accepted calls of a run, each with those that it rests on.

    Nobody says which calls a call needs: a merge names a branch that another call has made, and finds what further
    calls have written there. So it rests on those from whose answers it took a value, on writes before it that name
    something that it names too, on what these rest on, and on the first call of its story, which makes the place.
    """

    def __init__(self, made: Sequence[Pattern], contract: Contract, under: Collection[int]) -> None:
        """`made`: the calls in order. `under`: those that were made under a condition, which does not hold again."""
        self._fixed = fixed_texts(contract)
        self._calls = {each.call: each for each in made}
        self._of: dict[Story, list[Pattern]] = defaultdict(list)
        self._writes: dict[tuple[Story, Hashable], list[int]] = defaultdict(list)
        """By story and by what is named, the calls that may have written it, in order."""
        self._before: dict[int, tuple[Pattern, ...]] = {}
        self._sources: dict[int, frozenset[int]] = {}
        """By call, those from whose answers it takes a value, what these rest on, and the first of its story."""
        self._scopes = {mark.name: mark.scope for mark in contract.marks.values()}
        reads = frozenset(mark.name for mark in contract.marks.values() if mark.effect == "read")
        for each in made:
            direct = {hole.call for hole in each.holes if self._is_of(hole.call, each.story)}
            direct.update(first.call for first in self.of(each.story)[:1])
            every = direct.union(*(self._sources[number] for number in direct))
            self._sources[each.call] = frozenset(sorted(every)[-MOST:])
            if each.call not in under:
                self._of[each.story].append(each)
                for name in self._names(each) | {PLACE} if each.tool not in reads else ():
                    self._writes[each.story, name].append(each.call)

    def of(self, story: Story) -> Sequence[Pattern]:
        """The calls of a story, in order."""
        return self._of.get(story, ())

    def before(self, pattern: Pattern) -> tuple[Pattern, ...]:
        """The calls that a call rests on, in order: none without those that it takes values from."""
        if pattern.call not in self._before:
            found = self._sources[pattern.call]
            for wanted in (self._first, self._last):
                found = self._with(found, pattern, wanted)
            self._before[pattern.call] = tuple(self._calls[number] for number in sorted(found))
        return self._before[pattern.call]

    def _with(
        self, found: frozenset[int], pattern: Pattern, wanted: Callable[[Pattern], Iterable[int]]
    ) -> frozenset[int]:
        """These calls, with those that are wanted for the call, for each of them, and so on."""
        looked: set[int] = set()
        left = [pattern.call, *sorted(found, reverse=True)]
        while left:
            one = left.pop(0)
            if one in looked:
                continue
            looked.add(one)
            for number in wanted(self._calls[one]):
                more = found | {number} | self._sources[number]
                if number < pattern.call and len(more) <= MOST:
                    left += sorted(more - found, reverse=True)
                    found = more
        return found

    def _is_of(self, number: int, story: Story) -> bool:
        """Whether a call is of the same stimulus: another's has the same value by chance."""
        return number in self._sources and self._calls[number].story[:1] == story[:1]

    def _first(self, pattern: Pattern) -> list[int]:
        """Of each thing that a call names, the first write that named it: it may have made it."""
        return sorted({some[0] for some in self._named(pattern)}, reverse=True)

    def _last(self, pattern: Pattern) -> list[int]:
        """Of each such thing, the last writes with each tool."""
        found: set[int] = set()
        for some in self._named(pattern):
            by_tool: dict[str, list[int]] = defaultdict(list)
            for number in some:
                by_tool[self._calls[number].tool].append(number)
            found.update(number for numbers in by_tool.values() for number in numbers[-LAST:])
        return sorted(found, reverse=True)

    def _named(self, pattern: Pattern) -> Iterator[list[int]]:
        """Of each thing that a call names, the writes before it that named it too."""
        for name in self._names(pattern):
            written = self._writes.get((pattern.story, name), ())
            if some := [each for each in written if each < pattern.call]:
                yield some

    def _names(self, pattern: Pattern) -> frozenset[Hashable]:
        """The texts of a call that the contract does not say itself, and the answers that it goes on from.

        The place that all calls of a story share is named where a call names nothing else.
        """
        scope = self._scopes.get(pattern.tool, ())
        texts = frozenset(_texts({name: each for name, each in pattern.arguments.items() if name not in scope}))
        return (texts - self._fixed) | {(hole.call, hole.at) for hole in pattern.holes} or frozenset((PLACE,))


def _texts(value: Json) -> Iterator[str]:
    """What a call says in its own words; a name of the suite's own as it stands in the pattern."""
    if isinstance(value, str):
        if len(value) >= LEAST:
            yield value
    elif isinstance(value, dict | list):
        kind = next(iter(value)) if isinstance(value, dict) and len(value) == 1 else ""
        for each in value.values() if isinstance(value, dict) else value:
            if kind not in (KNOWN, WHO, AHEAD, PLANTED):
                yield from _texts(each)
