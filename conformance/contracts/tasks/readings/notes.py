"""Entries of documents: those that were written are shown, with what was written; those of another branch are not."""

from collections import Counter
from collections.abc import Iterator, Mapping

from conformance.contracts.tasks.documents import OF_ITEM, Cell, Documents, Key, Place, live
from conformance.contracts.tasks.lists import cut, listed, whole
from conformance.contracts.tasks.state import State
from conformance.contracts.tasks.writing import named, of_item, place_of
from conformance.judge.judgements import breach, holds
from conformance.judge.kinds import alike
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.verdict import HELD, Judgement

TELLING = 12
"""Characters of an entry that is nowhere by chance."""
USUAL = 20
"""Entries that an export surely has room for, where nobody says how many it has."""


def of_show(read: Exchange, state: State) -> Iterator[Judgement]:
    """Those of a document in a branch, or of a plan's or task's notes."""
    place, target = place_of(read), read.argument("target")
    places = [place] if place is not None else []
    if isinstance(target, str) and read.argument("doc_kind") == "notes":
        places.append(of_item(target))
    shown = _by_content(read.given, "entries") if not cut(read) else {}
    for each in places:
        yield from _held(read, state, each, shown, all_there=whole(read))
    yield from _once(read, state)
    cards, entries = state.cards[place] if place is not None else 0, read.given.get("entries")
    if cards and whole(read) and isinstance(entries, list):
        saw = f"{read.tool} shows {len(entries)} entries where {cards} cards left their trace"
        yield holds(len(entries) >= cards, saw, read, pointer="/result/entries", expected=cards, got=len(entries))
    if place is not None:
        yield from foreign(read, state.documents, place, [("note", content) for content in shown], "/result/entries")
        yield from _of_other_documents(read, state.documents, place, shown)


def _of_other_documents(
    read: Exchange, documents: Documents, place: Place, shown: Mapping[str, Json]
) -> Iterator[Judgement]:
    """No entry is shown in a document that only another document of the branch was written.

    A short one may have been there before the run.
    """
    if place in documents.fogged or OF_ITEM.search(place[1]) is not None:
        return
    for content in shown:
        key = ("note", content)
        other = documents.beside(place, key) if len(content) >= TELLING else None
        if other is not None and documents.cell(place, key) is None:
            doc, cell = other
            saw = f"{read.tool} shows in {place[1]} an entry that was written to {doc} alone"
            yield breach(saw, cell.call, read, pointer="/result/entries", got=content)


def _once(read: Exchange, state: State) -> Iterator[Judgement]:
    """No entry is shown more often than it was written: a merge copies what its target does not hold."""
    texts = (entry.get("content") for entry in listed(read.given, "entries") if isinstance(entry, dict))
    for content, times in Counter(text for text in texts if isinstance(text, str)).items():
        written = state.notes[content]
        if written:
            often = "once" if written == 1 else f"{written} times"
            saw = f"{read.tool} shows an entry {times} times that was written {often}"
            yield holds(times <= written, saw, read, pointer="/result/entries", expected=written, got=content)


def of_export(read: Exchange, state: State) -> Iterator[Judgement]:
    """The notes of a plan or task."""
    target = read.argument("target")
    shown = _by_content(read.given, "notes")
    if isinstance(target, str) and not cut(read):
        most = read.argument("notes_limit")
        room = most if isinstance(most, int) else USUAL
        yield from _held(read, state, of_item(target), shown, all_there=len(shown) < room)


def of_diff(read: Exchange, state: State) -> Iterator[Judgement]:
    """What one branch holds and another does not."""
    names = named(read.argument("from"), read.argument("to"), read.given.get("doc", read.argument("doc")))
    if not names:
        return
    source, target, doc = names
    documents, shown = state.documents, _by_content(read.given, "entries")
    for key, cell, _ in live(documents.pages.get((target, doc), {})):
        other = documents.cell((source, doc), key)
        if key[0] != "note":
            continue
        if other is not None and other.call is cell.call:
            saw = f"{read.tool} shows an entry that both branches hold"
            yield _fits(key[1] not in shown, saw, cell, read, key[1])
        elif documents.holds((source, doc), key) is False and whole(read):
            saw = f"{read.tool} leaves out an entry that {target} holds and {source} does not"
            yield _fits(key[1] in shown, saw, cell, read, key[1])


def _fits(ok: object, saw: str, cell: Cell, read: Exchange, content: Json) -> Judgement:
    return HELD if ok else breach(saw, cell.call, read, pointer="/result/entries", expected=content)


def _by_content(result: Mapping[str, Json], name: str) -> dict[str, dict[str, Json]]:
    entries = [each for each in listed(dict(result), name) if isinstance(each, dict)]
    return {each["content"]: each for each in entries if isinstance(each.get("content"), str)}


def _held(
    read: Exchange, state: State, place: Place, shown: Mapping[str, Mapping[str, Json]], *, all_there: bool
) -> Iterator[Judgement]:
    """Each entry that was written is among those shown, with the fields that it was given."""
    names = state.shapes.get((read.tool or "", "note"), frozenset())
    for key, cell, fields in live(state.documents.pages.get(place, {})):
        entry = shown.get(key[1]) if key[0] == "note" else None
        if key[0] == "note" and entry is None and all_there:
            saw = f"{read.tool} does not show an entry that {cell.call.tool} wrote"
            yield breach(saw, cell.call, read, pointer="/result/entries", expected=key[1])
        if entry is None:
            continue
        given = ((name, value) for name, value in fields.items() if name in names)
        wrong = next((name for name, value in given if not _as_given(name, value, entry, cell)), None)
        if wrong is None:
            yield HELD
        else:
            saw = f"{read.tool} shows {wrong} of an entry otherwise than {cell.call.tool} wrote it"
            expected, got = fields[wrong], entry.get(wrong)
            yield breach(saw, cell.call, read, pointer="/result/entries", expected=expected, got=got)


def foreign(read: Exchange, documents: Documents, place: Place, keys: list[Key], pointer: str) -> Iterator[Judgement]:
    """Nothing is shown in a branch that only another branch was written."""
    if not documents.clear(place):
        return
    for key in keys:
        writer = documents.elsewhere(place, key) if documents.cell(place, key) is None else None
        if writer is not None:
            where = next(branch for (branch, doc), page in documents.pages.items() if page.get(key) is writer)
            saw = f"{read.tool} shows in {place[0]} what was written to {where} alone"
            yield breach(saw, writer.call, read, pointer=pointer, got=key[-1])


def _as_given(name: str, value: Json, entry: Mapping[str, Json], cell: Cell) -> bool:
    """Whether an entry has a field as it was written; a merge may add to its meta where it came from."""
    shown = entry.get(name)
    if name == "meta" and cell.joined and isinstance(shown, dict) and isinstance(value, dict):
        shown = {inner: each for inner, each in shown.items() if inner in value}
    return alike(value, shown) is not False
