"""Workspaces: what one of them holds no other shows."""

from collections import defaultdict
from collections.abc import Hashable, Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.tasks.laws.identifiers import scope_of
from conformance.judge.judgements import breach
from conformance.judge.law import law
from conformance.judge.texts import texts
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import HELD, Judgement

CONTENT = (
    "title", "description", "contract", "content", "note", "text", "success_criteria", "tests", "blockers"
)  # fmt: skip
"""Arguments, and fields of them and of answers, that hold what a caller writes."""
OF_CALLERS = (None, "plan", "task", "note")
"""Kinds of what callers write; an event, or an entry of one, may hold words of the server's own."""
Writers = dict[str, dict[Hashable, Exchange]]
"""By text, without white space around it, and workspace: the first call of an instance that sent it."""
TELLING = 12
"""Characters of a text that is not written twice by chance, wherever it is shown."""


@law("TK-ID-12")
def a_workspace_shows_its_own(history: History, contract: Contract) -> Iterator[Judgement]:
    """An answer in one workspace holds no text that only calls in other workspaces of the instance had sent.

    A short text counts only where a field for callers' texts shows it.
    """
    writers: dict[str, Writers] = defaultdict(lambda: defaultdict(dict))
    workspaces: dict[str, set[Hashable]] = defaultdict(set)
    writing = contract.writes()
    for call in history.calls():
        scope = scope_of(call)
        for text in set(_written(call.arguments)):
            writers[call.instance][text.strip()].setdefault(scope, call)
            if call.tool in writing and call.accepted:
                workspaces[call.instance].add(scope)
    for read in history.accepted(*contract.reads()):
        scope = scope_of(read)
        if workspaces[read.instance] - {scope} and isinstance(read.argument("workspace"), str):
            yield _own(read, scope, writers[read.instance])


def _own(read: Exchange, scope: Hashable, writers: Writers) -> Judgement:
    foreign = {text for text in texts(read.payload) if scope not in writers.get(text.strip(), {scope})}
    for text in _shown(read.payload) if foreign else ():
        if text in foreign:
            known = writers[text.strip()]
            writer = next((call for call in known.values() if call.sent < (read.received or 0)), None)
            if writer is not None:
                saw = f"{read.tool} shows {text!r}, which was written to another workspace alone"
                return breach(saw, writer, read, got=text)
    return HELD


def _written(value: Json) -> Iterator[str]:
    """The texts that a call's arguments hold, wherever in them."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            for name, inner in each.items():
                if name in CONTENT:
                    yield from _texts(inner)
                else:
                    waiting.append(inner)
        elif isinstance(each, list):
            waiting.extend(each)


def _shown(value: Json) -> Iterator[str]:
    """The texts of an answer that tell where they come from; keys are none."""
    yield from (text for text in _texts(value) if len(text) >= TELLING)
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict) and each.get("kind") in OF_CALLERS and "event_id" not in each:
            yield from (text for name in CONTENT for text in _texts(each.get(name)) if text.strip())
        if isinstance(each, dict | list):
            waiting.extend(each.values() if isinstance(each, dict) else each)


def _texts(*values: Json) -> Iterator[str]:
    """The strings in a value, at whatever depth."""
    waiting = list(values)
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)
