"""MC-HINT-02 to -04: whether a tool behaves as its annotations say, as far as the server's own reads show it."""

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from conformance.contract.catalogue import Contract, load
from conformance.contracts.mcp.hinted import additive, idempotent, loses
from conformance.contracts.mcp.laws.toolless import or_no_tools
from conformance.judge.alike import alike, nothing_new, prose, removed, shown
from conformance.judge.judgements import breach, holds, unjudged
from conformance.judge.law import Absence, law
from conformance.judge.served import Served, distinct, served
from conformance.judge.windows import Gone, Window, gone, in_a_row, key_of, sequences, windows
from conformance.model.ending import reason
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.listed import ListedTool, tools_of
from conformance.model.verdict import Judgement

NOT_THERE = re.compile(
    r"\bnot found|\bno such\b|\b(?:does not|doesn't|do not|don't|no longer) exists?\b|\bthere(?: is|'s) no\b"
    r"|\b(?:could not|couldn't|cannot|can't) find\b|\bnot[_-]found|NotFound"
    r"|\b(?:was|were|been|already) (?:deleted|removed)\b",
    re.IGNORECASE,
)
"""In what words a read says that what it is asked for is not there, rather than that it may not be asked for now."""
NONE_SUCH = (
    r"\b(?:no|unknown) (?!access|permission|rights?\b|error)[a-z-]+(?: (?:id|named|called|with id))?[ :=]*[\"'`(<]*"
)
"""The same where what it was asked for follows: no card 'c8', unknown note: 17."""


class _Reads:
    """The reads of a server: tools that say of themselves that they only read."""

    def __init__(self, history: History, listed: Served) -> None:
        self._listed = listed
        self._marks = load(history.header.contract, history.header.edition).marks if history.header is not None else {}

    def says(self, call: Exchange) -> bool:
        """Whether a call is of a tool that says readOnlyHint."""
        tool = self._listed.tool(call)
        return tool is not None and tool.reads_only

    def shows_state(self, call: Exchange) -> bool:
        """Whether a call is a read of what calls change, rather than of the calls; the run's contract may tell."""
        tool, mark = self._listed.tool(call), self._marks.get(call.tool or "")
        if tool is None or not tool.reads_only:
            return False
        return mark.state if mark is not None else not tool.shows_calls


class _Writes:
    """Which calls may have done what a read shows: those that were not refused, of tools that do not deny it."""

    def __init__(self, listed: Served, may: Callable[[ListedTool], bool]) -> None:
        self._listed = listed
        self._may = may

    def __call__(self, call: Exchange) -> bool:
        tool = self._listed.tool(call)
        return not call.refused and (tool is None or self._may(tool))


def _seen(history: History, contract: Contract) -> Iterator[tuple[Window, ListedTool]]:
    """Calls of listed tools that were accepted between two reads of the same."""
    listed = served(history, contract)
    for window in windows(history, contract, _Reads(history, listed).shows_state):
        tool = listed.tool(window.call)
        if tool is not None and window.call.accepted:
            yield window, tool


def _taken(history: History, contract: Contract) -> Iterator[tuple[Gone, ListedTool]]:
    """Accepted calls of listed tools after which a read says twice that what it showed before is not there."""
    listed = served(history, contract)
    for found in gone(history, contract, _Reads(history, listed).shows_state):
        tool = listed.tool(found.call)
        if tool is not None and found.rested and found.call.accepted and _not_there(found.after):
            yield found, tool


def _not_there(read: Exchange) -> bool:
    """Whether a refused read says that what it was asked for is not there."""
    said, asked = reason(read), read.arguments if isinstance(read.arguments, dict) else {}
    values = [str(value) for value in asked.values() if isinstance(value, str | int) and str(value)]
    named = (re.search(rf"{NONE_SUCH}{re.escape(value)}(?!\w)", said, re.IGNORECASE) for value in values)
    return NOT_THERE.search(said) is not None or any(named)


def _held(
    window: Window, ok: object, saw: str, pointer: str = "/result", may: Callable[[Exchange], bool] | None = None
) -> Judgement:
    """What two reads say of the call between them; nothing where they differ and calls before it may show late.

    `may`: which calls may have done what is seen; any, where nothing is said.
    """
    if not ok and not window.rested and (may is None or not window.rested_from(may)):
        return unjudged(f"{saw}; calls before it were over only just then, and may have shown late")
    before, after = (None, None) if ok else (shown(window.before), shown(window.after))
    calls = (window.before, window.call, window.after)
    return holds(bool(ok), saw, *calls, pointer=pointer, expected=before, got=after)


def _says(text: str, says: Callable[[ListedTool], bool]) -> Absence:
    """Where no tool of the lists says so, nothing on the target can be a subject."""

    def absent(history: History, _: Contract) -> str:
        tools = [tool for listing in distinct(history) for tool in tools_of(listing)]
        return f"no tool that is listed says {text}" if tools and not any(map(says, tools)) else ""

    return absent


@law("MC-HINT-02", absent=or_no_tools(_says("readOnlyHint", lambda tool: tool.reads_only)))
def a_read_changes_nothing(history: History, contract: Contract) -> Iterator[Judgement]:
    """An accepted call of a tool with readOnlyHint changes no other read, and removes nothing from its own answers.

    Some reads change by themselves and are not judged. Where a second read right after the first shows less and nothing
    new, the first read removed it.
    """
    listed = served(history, contract)
    may = _Writes(listed, lambda tool: not tool.reads_only)
    for window, tool in _seen(history, contract):
        if tool.reads_only:
            saw = f"{tool.name} says readOnlyHint, and {window.after.tool} shows after it something else than before"
            yield _held(window, alike(window.before, window.after), saw, may=may)
    for found, tool in _taken(history, contract):
        if tool.reads_only:
            saw = f"{tool.name} says readOnlyHint, and what {found.after.tool} showed is not there after it"
            yield breach(saw, *found.calls)
    for first, second in in_a_row(history, contract, _Reads(history, listed).says):
        if loses(first, second):
            saw = f"{second.tool}, which says readOnlyHint, no longer shows what it showed in the call before"
            yield breach(saw, first, second, pointer="/result")


@law("MC-HINT-03", absent=or_no_tools(_says("idempotentHint", idempotent)))
def repeating_changes_nothing_more(history: History, contract: Contract) -> Iterator[Judgement]:
    """A tool with idempotentHint that is accepted and called again with the same arguments adds nothing to any read.

    A repeat that is refused, or that says that nothing was left to do, adds nothing.
    """
    listed = served(history, contract)
    for calls in sequences(history, contract):
        for place, first in enumerate(calls):
            if not first.accepted or not idempotent(listed.tool(first)):
                continue
            again = _repeated(calls, place, listed)
            if again is not None and calls[again].accepted and calls.alone(place, again):
                repeat = calls[again]
                saw = f"{first.tool} says idempotentHint, and called again with the same arguments it answers otherwise"
                answers = shown(first), shown(repeat)
                same = nothing_new(*answers) or prose(first, repeat)
                yield holds(same, saw, first, repeat, pointer="/result", expected=answers[0], got=answers[1])
    yield from _repeats_seen(history, contract)


def _repeats_seen(history: History, contract: Contract) -> Iterator[Judgement]:
    """What the reads show of a repeat: the call before them was the same one, and accepted.

    A read that shows something else is mostly made once more, so that several may come between the two.
    """
    listed = served(history, contract)
    earlier: dict[int, Exchange] = {}
    for calls in sequences(history, contract):
        for call, read in pairwise(calls):
            same = call.accepted and key_of(call) == key_of(read)
            earlier[read.call] = earlier.get(call.call, call) if same else call
    for window in windows(history, contract, _Reads(history, listed).shows_state):
        call, previous = window.call, earlier.get(window.before.call)
        if previous is None or not previous.accepted or not idempotent(listed.tool(call)):
            continue
        if call.received is not None and key_of(previous) == key_of(call):
            saw = f"{call.tool} says idempotentHint, and {window.after.tool} shows something else once it was repeated"
            yield _held(window, alike(window.before, window.after), saw)


def _repeated(calls: list[Exchange], place: int, listed: Served) -> int | None:
    """Where the same call comes again with nothing but reads between."""
    key = key_of(calls[place])
    for later in range(place + 1, len(calls)):
        if calls[later].tool == calls[place].tool and key_of(calls[later]) == key:
            return later if calls[later].received is not None else None
        tool = listed.tool(calls[later])
        if tool is None or not tool.reads_only:
            return None
    return None


@law("MC-HINT-04", absent=or_no_tools(_says("destructiveHint false", additive)))
def what_does_not_destroy_removes_nothing(history: History, contract: Contract) -> Iterator[Judgement]:
    """An accepted call of a tool with destructiveHint false takes no key, no entry, nor all of what a read shows."""
    listed = served(history, contract)
    may = _Writes(listed, lambda tool: not (tool.reads_only or additive(tool)))
    for window, tool in _seen(history, contract):
        if additive(tool):
            where = removed(shown(window.before), shown(window.after))
            saw = f"{tool.name} says destructiveHint false, and {window.after.tool} no longer shows all that it showed"
            yield _held(window, not where, saw, where, may)
    for found, tool in _taken(history, contract):
        if additive(tool):
            saw = f"{tool.name} says destructiveHint false, and what {found.after.tool} showed is not there after it"
            yield breach(saw, *found.calls)
