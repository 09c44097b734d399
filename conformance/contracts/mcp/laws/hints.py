"""MC-HINT-02 to -04: whether a tool behaves as its annotations say, as far as the server's own reads show it."""

from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.judge.alike import alike, prose, removed, shown
from conformance.judge.judgements import holds, told
from conformance.judge.law import law
from conformance.judge.served import Served, served
from conformance.judge.windows import Window, alone, key_of, sequences, windows
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement


def _seen(history: History, listed: Served) -> Iterator[Window]:
    """Calls between two reads of the same, reads being the tools that say so of themselves."""

    def is_read(call: Exchange) -> bool:
        tool = listed.tool(call)
        return tool is not None and tool.reads_only

    return windows(history, is_read)


@law("MC-HINT-02")
def a_read_changes_nothing(history: History, contract: Contract) -> Iterator[Judgement]:
    """A call of a tool with readOnlyHint leaves every other read as it was."""
    listed = served(history, contract)
    for before, call, after in _seen(history, listed):
        tool = listed.tool(call)
        if tool is not None and tool.reads_only and call.received is not None:
            saw = f"{after.tool} shows another answer after {call.tool}, which says readOnlyHint"
            yield holds(alike(before, after), saw, before, call, after, pointer="/result")


@law("MC-HINT-03")
def repeating_changes_nothing_more(history: History, contract: Contract) -> Iterator[Judgement]:
    """A tool with idempotentHint, called again alike, answers alike and leaves every read as the first call left it."""
    listed = served(history, contract)
    for calls in sequences(history):
        for place, first in enumerate(calls):
            tool = listed.tool(first)
            if tool is None or tool.reads_only or tool.hint("idempotentHint") is not True or not first.accepted:
                continue
            again = _repeated(calls, place, listed)
            if again is not None and alone(calls, place, again):
                repeat = calls[again]
                said = told(repeat) if repeat.refused else "another answer"
                saw = f"{first.tool}, called again with the same arguments: {said}"
                yield holds(
                    repeat.accepted and (alike(first, repeat) or prose(first, repeat)),
                    saw,
                    first,
                    repeat,
                    pointer="/result",
                )
    for before, call, after in _seen(history, listed):
        tool = listed.tool(call)
        if (
            tool is not None
            and not tool.reads_only
            and tool.hint("idempotentHint") is True
            and _is_repeat(history, before, call)
        ):
            saw = f"{after.tool} shows another answer after {call.tool} was repeated"
            yield holds(alike(before, after), saw, before, call, after, pointer="/result")


def _repeated(calls: list[Exchange], place: int, listed: Served) -> int | None:
    """Where the same call comes again with nothing but reads between."""
    key = key_of(calls[place])
    for later in range(place + 1, len(calls)):
        if key_of(calls[later]) == key:
            return later if calls[later].received is not None else None
        tool = listed.tool(calls[later])
        if tool is None or not tool.reads_only:
            return None
    return None


def _is_repeat(history: History, before: Exchange, call: Exchange) -> bool:
    """Whether the call just before the first read was the same one, and accepted."""
    earlier = [other for other in history.calls() if other.instance == call.instance and other.sent < before.sent]
    return bool(earlier) and earlier[-1].accepted and key_of(earlier[-1]) == key_of(call)


@law("MC-HINT-04")
def what_does_not_destroy_removes_nothing(history: History, contract: Contract) -> Iterator[Judgement]:
    """A call of a tool with destructiveHint false takes no key and no entry of a list from what the reads show."""
    listed = served(history, contract)
    for before, call, after in _seen(history, listed):
        tool = listed.tool(call)
        if tool is None or tool.reads_only or tool.hint("destructiveHint") is not False or call.received is None:
            continue
        gone = removed(shown(before), shown(after))
        saw = f"{call.tool} says destructiveHint false, and {after.tool} no longer shows all that it showed"
        yield holds(not gone, saw, before, call, after, pointer=gone)
