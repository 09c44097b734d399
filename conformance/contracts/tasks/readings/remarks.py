"""Notes that are taken on steps: no document says which reads show them, only that some do."""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence

from conformance.contract.catalogue import Contract
from conformance.contracts.tasks.lists import entries, whole
from conformance.judge.epochs import epochs
from conformance.judge.judgements import holds
from conformance.judge.memo import of_each, once
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.pointer import scalars
from conformance.model.verdict import Judgement

NOTE = "tasks_note"
ENTERED = ("branchmind_show", "branchmind_export", "branchmind_diff")
"""Reads of entries."""
RADAR = "tasks_radar"
SHOWING = ("tasks_context", RADAR, "tasks_delta", "branchmind_export", "branchmind_show")
"""Reads of which one shows a note, in whatever form: what tools.json names for it."""
TELLING = 12
"""Characters of a note that is nowhere by chance."""


@once
def entered(history: History, contract: Contract) -> bool:
    """Whether a note on a step is an entry of a document as well, as any read shows."""
    del contract
    elsewhere = _texts(history, "branchmind_notes_commit", "content")
    taken = _texts(history, NOTE, "note") - elsewhere
    shown = (entry.get("content") for read in history.accepted(*ENTERED) for entry in entries(read.given))
    return any(isinstance(content, str) and content in taken for content in shown)


def _texts(history: History, tool: str, argument: str) -> set[str]:
    given = (call.argument(argument) for call in history.accepted(tool))
    return {text for text in given if isinstance(text, str)}


def of_remarks(history: History, contract: Contract) -> Iterator[Judgement]:
    """Each note of a server on which no note is an entry, beside the reads after it that may show it."""
    notes = [call for call in history.accepted(NOTE) if len(str(call.argument("note"))) >= TELLING]
    if not notes or entered(history, contract):
        return
    when, reads = epochs(history, contract), defaultdict[Hashable, list[Exchange]](list)
    for read in history.accepted(*SHOWING):
        if whole(read):
            reads[when.scope(read)].append(read)
    for note in notes:
        later = [read for read in reads[when.scope(note)] if note.before(read)]
        of_it = [read for read in later if _about(read) in (None, note.argument("task"))]
        if {read.tool for read in of_it} != set(SHOWING):
            continue
        text = str(note.argument("note"))
        found = any(text in value for read in later for value in _said(read))
        saw = f"no read shows the note that {NOTE} took: neither {', '.join(SHOWING[:-1])} nor {SHOWING[-1]}"
        yield holds(found, saw, note, *[next(r for r in of_it if r.tool == tool) for tool in SHOWING], expected=text)


def _about(read: Exchange) -> Json:
    """The plan or task that a read is of; None where it names none."""
    return read.argument("task" if read.tool == RADAR else "target")


@of_each
def _said(read: Exchange) -> Sequence[str]:
    """The texts of an answer in which a note may stand: several notes are looked for in each."""
    return [value for _, value in scalars(read.given) if isinstance(value, str) and len(value) >= TELLING]
