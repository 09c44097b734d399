"""Calls that a run was seen to accept, as patterns from which others are made: the words of random histories."""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Any

from conformance.contract.catalogue import Contract
from conformance.drive.naming import name_of_run
from conformance.drive.secrets import MARK
from conformance.histories.describing import Describing
from conformance.histories.features import features
from conformance.histories.patterns import KNOWN, NAME, WHO, Pattern, Story
from conformance.histories.stories import Stories
from conformance.histories.values import ANSWER, CLAIM, FRESH, TEXT, changed, standing
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History

A_TOOL = 24
"""Patterns of a tool in one setting: as few as show all that its calls were seen to hold, and then some more."""
LARGEST = 3_000
"""Characters of the arguments of one."""
_PLACES = re.compile(r"/\d+(?=/|$)")


class Corpus:
    """The patterns of a run."""

    def __init__(self, history: History, contract: Contract) -> None:
        seed = history.header.seed if history.header is not None else 0
        self._describing = Describing(history, contract, name_of_run(seed))
        self._casts: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        self._users: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        self._sources = {each.call: each.tool for each in history.exchanges}
        good = [each for each in history.exchanges if _is_good(each)]
        scopes = {mark.name: mark.scope for mark in contract.marks.values()}
        made = [self._pattern(call, scopes.get(call.tool or "", ())) for call in good]
        under = frozenset(call.call for call in good if call.conditions)
        self._stories = Stories(made, contract, under)
        self.patterns = sorted(_chosen(_ranked(made, under), contract), key=attrgetter("spelled"))
        self.sources = frozenset(hole.kind for each in made for hole in each.holes)
        """Where answers hold what calls go on from: the tool and a pointer, with * for any place in a list."""
        self.shared = {name: tuple(dict.fromkeys(texts)) for name, texts in self._introduced()}
        """By argument that names what we named ourselves, the tools that such a name was first given to."""
        self.conditions = self._under(history)
        """By tool, the conditions under which it was called, with holes as a pattern has them."""
        self.defects = sorted({c.defect for c in history.credentials.values() if c.defect is not None})
        """What was wrong with the tokens of some."""

    def settings(self) -> list[dict[str, Json]]:
        """The settings in which there are patterns, those of most patterns first."""
        counted: dict[str, int] = defaultdict(int)
        for each in self.patterns:
            counted[json.dumps(each.settings, sort_keys=True)] += 1
        ranked = sorted(counted, key=lambda text: (-counted[text], text))
        return [json.loads(text) for text in ranked]

    def before(self, pattern: Pattern) -> tuple[Pattern, ...]:
        """The calls of the run that this one rests on, in order."""
        return self._stories.before(pattern)

    def of(self, story: Story) -> Sequence[Pattern]:
        """All calls of a story that the run saw accepted, in order."""
        return self._stories.of(story)

    def _under(self, history: History) -> dict[str, list[dict[str, Json]]]:
        found: dict[str, dict[str, dict[str, Json]]] = defaultdict(dict)
        for call in history.exchanges:
            if call.tool is not None and call.conditions and MARK not in json.dumps(call.conditions):
                described = self._describing.value(call, call.conditions)
                held = {name: changed(value, self._hole(call)) for name, value in described.items()}
                found[call.tool].setdefault(json.dumps(held, sort_keys=True), held)
        return {tool: [some[text] for text in sorted(some)] for tool, some in sorted(found.items())}

    def _numbered(self, call: Exchange) -> Callable[[str], tuple[str, int]]:
        """Numbers the callers of a stimulus, by role."""
        cast = self._casts[call.stimulus]

        def numbered(name: str) -> tuple[str, int]:
            role = name.partition("/")[0]
            if name not in cast[role]:
                cast[role].append(name)
            return role, cast[role].index(name)

        return numbered

    def _hole(self, call: Exchange) -> Callable[[str, Any], Json]:
        """Makes the holes of a pattern from what stands for a value."""
        numbered = self._numbered(call)

        def hole(kind: str, held: Json) -> Json:
            if kind == ANSWER:
                place = f"{self._sources.get(held['call'])} {_PLACES.sub('/*', held['at'])}"
                return {KNOWN: [place, held["was"], held["call"], held["at"]]}
            if kind == CLAIM:
                return {WHO: [*numbered(held[0]), held[1]]}
            if kind == TEXT:
                return {TEXT: [changed(part, hole) for part in held]}
            return {NAME: held} if kind == FRESH else {kind: held}

        return hole

    def _pattern(self, call: Exchange, scope: tuple[str, ...]) -> Pattern:
        numbered, hole = self._numbered(call), self._hole(call)
        by = numbered(call.credential.name) if call.credential.name != "none" else None
        described = self._describing.value(call, call.arguments)
        for name, value in described.items():
            for kind, held in standing(value):
                if kind == FRESH and call.tool not in self._users[name][held]:
                    self._users[name][held].append(call.tool or "")
        holed = {name: changed(value, hole) for name, value in described.items()}
        settings = self._describing.settings_of(call.instance)
        story = (call.stimulus, call.instance, *(str(call.argument(name)) for name in scope))
        return Pattern(call.tool or "", holed, by, settings, call.call, story)

    def _introduced(self) -> Iterator[tuple[str, list[str]]]:
        for name, texts in self._users.items():
            if any(len(tools) > 1 for tools in texts.values()):
                yield name, [tools[0] for tools in texts.values()]


def _is_good(call: Exchange) -> bool:
    if not call.accepted or call.tool is None or not isinstance(call.arguments, dict):
        return False
    said = json.dumps(call.arguments, ensure_ascii=True)
    return call.credential.defect in (None, "missing") and len(said) <= LARGEST and MARK not in said


def _ranked(made: list[Pattern], under: Collection[int]) -> list[Pattern]:
    """In an order that is the same for the same calls, however they came: the smallest first.

    What was accepted under a condition alone may be refused without: it stands behind what needs none.
    """
    return sorted(
        made, key=lambda each: (each.call in under, len(each.spelled), each.spelled, each.story[0], each.call)
    )


def _chosen(patterns: Iterable[Pattern], contract: Contract) -> Iterator[Pattern]:
    """Some of each tool in each setting that differ: of those that show most that is new, always the smallest."""
    like: dict[tuple[str, str], dict[str, Pattern]] = defaultdict(dict)
    for each in patterns:
        settings = json.dumps(each.settings, sort_keys=True)
        like[settings, each.tool].setdefault(each.spelled, each)
    for (_, tool), some in like.items():
        known = contract.tools.get(tool)
        schema = known.inputSchema if known is not None else {}
        shown = {text: features(each.arguments, schema) | {f"by {_caller(each)}"} for text, each in some.items()}
        for text in _covering(list(some), shown):
            yield some[text]


def _caller(pattern: Pattern) -> str:
    """The role, and whether it is the first of that role, another or yet another."""
    return f"{pattern.by[0]} {min(pattern.by[1], 2)}" if pattern.by is not None else "nobody"


def _covering(texts: list[str], shown: dict[str, frozenset[str]]) -> list[str]:
    """Those that together show everything, each the one that adds most; then the same of those that are left.

    Of several that add as much it is the one that comes first.
    """
    found: list[str] = []
    left = list(texts)
    while left and len(found) < A_TOOL:
        wanted = frozenset[str]().union(*(shown[text] for text in left))
        while wanted and len(found) < A_TOOL:
            best = max(left, key=lambda text: len(shown[text] & wanted))
            found.append(best)
            left.remove(best)
            wanted -= shown[best]
    return found
