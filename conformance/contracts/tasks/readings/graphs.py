"""Graphs and think cards: what was written is shown as it was written, what was deleted is not, filters hold."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from conformance.contracts.tasks.documents import Began, Cell, Key, live, same, settled
from conformance.contracts.tasks.lists import cut, present, whole
from conformance.contracts.tasks.readings.notes import foreign
from conformance.contracts.tasks.state import State
from conformance.contracts.tasks.thoughts import TYPES
from conformance.contracts.tasks.writing import JOINING, edge, named, node, place_of
from conformance.judge.characters import ONE_LINE, heading
from conformance.judge.judgements import breach, holds
from conformance.judge.kinds import alike, integer
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.verdict import HELD, Judgement

Parts = Mapping[Key, Mapping[str, Json]]
FILTERS = ("ids", "types", "status", "tags_any", "tags_all", "text", "include_edges")
CARD = "branchmind_think_card"
GONE = re.compile(r"delet|remov|gone|drop|tomb", re.IGNORECASE)
"""How a server may say that something is there no longer."""
ENDLESS = "EDGE_ENDPOINT_MISSING"
"""What branchmind_graph_validate calls an edge without one of its nodes."""


def of_query(read: Exchange, state: State) -> Iterator[Judgement]:
    """Nodes that match, and the edges between them."""
    place = place_of(read)
    if place is None or cut(read):
        return
    nodes, edges = _nodes(read, "nodes"), _edges(read)
    page = state.documents.pages.get(place, {})
    everything = whole(read, *FILTERS)
    for key, cell in page.items():
        if key[0] == "node" and cell.sure:
            wanted = _matches(cell, key, read)
            yield from _shown(read, (key, _told(read, state, key, cell)), nodes, wanted=wanted, everything=everything)
        elif key[0] == "edge" and cell.sure:
            # an edge of which one end is left out goes with the other, or not at all: that is the server's
            ends = all(node(key[end]) in nodes for end in (1, 3)) or None
            wanted = False if read.argument("include_edges") is False else ends
            complete = everything and read.argument("edges_limit") is None
            yield from _shown(read, (key, _told(read, state, key, cell)), edges, wanted=wanted, everything=complete)
    yield from foreign(read, state.documents, place, list(nodes), "/result/nodes")


def of_cards(read: Exchange, state: State) -> Iterator[Judgement]:
    """The cards of a graph."""
    place = place_of(read, "graph_doc")
    if place is None or cut(read):
        return
    cards, page = _nodes(read, "cards"), state.documents.pages.get(place, {})
    most = integer(read.argument("limit_cards"))
    everything = whole(read) and (most is None or len(cards) < most)
    for key, cell in page.items():
        if key[0] == "node" and cell.sure:
            kind = cell.fields.get("type") if cell.fields is not None else None
            # a node of a card's type that no card made may count as one
            wanted = None if kind in TYPES and cell.call.tool != CARD else kind in TYPES
            yield from _shown(read, (key, _told(read, state, key, cell)), cards, wanted=wanted, everything=everything)


def _told(read: Exchange, state: State, key: Key, cell: Cell) -> Cell:
    """What was written, as far as the tool shows such fields at all."""
    names = state.shapes.get((read.tool or "", key[0]), frozenset())
    if cell.fields is None or cell.fields.keys() <= names:
        return cell
    return replace(cell, fields={name: value for name, value in cell.fields.items() if name in names})


def _shown(
    read: Exchange, held: tuple[Key, Cell], parts: Parts, *, wanted: bool | None, everything: bool
) -> Iterator[Judgement]:
    """One node or edge: it is there where it is wanted, gone where it was deleted, and as it was written."""
    key, cell = held
    what, shown = f"{key[0]} {'|'.join(key[1:])}", parts.get(key)
    pointer = f"/result/{'edges' if key[0] == 'edge' else 'nodes'}"
    if cell.fields is None or wanted is False:
        gone = "was deleted" if cell.fields is None else "is not asked for"
        if shown is not None or everything:
            saw = f"{read.tool} shows the {what}, which {gone}"
            yield holds(shown is None, saw, cell.call, read, pointer=pointer, got=shown)
    elif shown is None:
        if wanted and everything:
            saw = f"{read.tool} does not show the {what} that {cell.call.tool} wrote"
            yield breach(saw, cell.call, read, pointer=pointer, expected=what)
    else:
        yield from _as_written(read, what, cell, shown, pointer)


def _as_written(read: Exchange, what: str, cell: Cell, shown: Mapping[str, Json], pointer: str) -> Iterator[Judgement]:
    for name, value in (cell.fields or {}).items():
        if not shown_as(name, value, shown.get(name), wrapped=cell.joined or cell.call.tool == CARD):
            saw = f"{read.tool} shows {name} of the {what} otherwise than {cell.call.tool} wrote it"
            yield breach(saw, cell.call, read, pointer=pointer, expected=value, got=shown.get(name))
            return
    yield HELD


def shown_as(name: str, written: Json, shown: Json, *, wrapped: bool = False) -> bool:
    """Whether a field is shown as it was written. `wrapped`: its meta may stand within what the server adds to it."""
    if name == "tags":
        return _tags(written) == _tags(shown)
    if name == "meta" and wrapped and isinstance(shown, dict) and isinstance(written, dict):
        own = {inner: value for inner, value in shown.items() if inner in written}
        return any(alike(written, each) is not False for each in (own, *shown.values()))
    if name == ONE_LINE and heading(written, shown):
        return True
    return alike(written, shown) is not False


def _tags(value: Json) -> set[str]:
    """Tags, whatever a server makes of their case and of white space around them."""
    return {str(each).strip().lower() for each in value} if isinstance(value, list) else set()


def _nodes(read: Exchange, name: str) -> dict[Key, dict[str, Json]]:
    return {node(each["id"]): each for each in present(read.given, name) if isinstance(each.get("id"), str)}


def _edges(read: Exchange) -> dict[Key, dict[str, Json]]:
    ends = ((_ends(each), each) for each in present(read.given, "edges"))
    return {edge(*names): each for names, each in ends if names}


def _ends(shown: Mapping[str, Json]) -> tuple[str, ...]:
    """What names an edge; nothing where a part of it is missing."""
    return named(*(shown.get(name) for name in ("from", "rel", "to")))


def _matches(cell: Cell, key: Key, read: Exchange) -> bool | None:
    """Whether a node passes the filters of a query; None where that is the server's to say."""
    if cell.fields is None:
        return False
    fields, verdicts = cell.fields, list[bool | None]()
    ids, types = read.argument("ids"), read.argument("types")
    if isinstance(ids, list):
        verdicts.append(_named(key[1], ids))
    if isinstance(types, list):
        verdicts.append(_named(fields["type"], types) if "type" in fields else None)
    if isinstance(status := read.argument("status"), str):
        verdicts.append(fields["status"] == status if "status" in fields else None)
    for name, passes in (("tags_any", any), ("tags_all", all)):
        if isinstance(wanted := read.argument(name), list):
            verdicts.append(_tagged(wanted, fields["tags"], passes) if isinstance(fields.get("tags"), list) else None)
    if isinstance(text := read.argument("text"), str):
        words = [str(fields[name]) for name in ("title", "text") if name in fields]
        found = any(text in each for each in words)
        unlike = "title" in fields and "text" in fields and not any(text.lower() in each.lower() for each in words)
        verdicts.append(True if found else False if unlike else None)
    return False if False in verdicts else None if None in verdicts else True


def _named(name: Json, asked: list[Json]) -> bool | None:
    """Whether a filter names it; None where it does so in another spelling, or names nothing at all."""
    if not asked:
        return None
    return name in asked or (None if name in [str(each).strip() for each in asked] else False)


def _tagged(wanted: list[Json], held: list[Json], passes: Callable[[Iterable[bool]], bool]) -> bool | None:
    """Whether tags are held; None where none are asked for, or where it depends on their case or on blanks."""
    if not wanted:
        return None
    plainly = passes(each in held for each in wanted)
    alike = passes(str(each).strip().lower() in _tags(held) for each in wanted)
    return plainly if plainly == alike else None


def of_validation(read: Exchange, state: State) -> Iterator[Judgement]:
    """How many nodes and edges there are, and that no edge lacks an end which is there.

    What else a server finds wrong with a graph is its own to say.
    """
    place, stats = place_of(read), read.given.get("stats")
    page = state.documents.pages.get(place, {}) if place is not None else {}
    if place is None or not state.documents.clear(place) or not settled(page):
        return
    there = list(live(page))
    for name, kind in (("nodes", "node"), ("edges", "edge")):
        number = sum(key[0] == kind for key, _, _ in there)
        if isinstance(stats, dict) and integer(stats.get(name)) is not None:
            saw = f"{read.tool} counts {stats[name]} {name}, {number} were written and not deleted"
            writers = [cell.call for cell in page.values()][-1:]
            yield holds(stats[name] == number, saw, *writers, read, pointer=f"/result/stats/{name}", expected=number)
    held = {key: cell.call for key, cell, _ in there}
    edges = [key for key in held if key[0] == "edge"]
    if edges and all(node(key[end]) in held for key in edges for end in (1, 3)):
        lost = [each for each in present(read.given, "errors") if each.get("code") == ENDLESS]
        saw = f"{read.tool} misses an end of an edge, and every edge that was written has both of its ends"
        yield holds(not lost, saw, held[edges[0]], read, pointer="/result/errors", expected=[], got=lost)


def of_comparison(read: Exchange, state: State) -> Iterator[Judgement]:
    """Nodes and edges that one branch wrote since it was made of the other."""
    names = named(read.argument("from"), read.argument("to"), read.given.get("doc", read.argument("doc")))
    if not names or cut(read):
        return
    source, target, doc = names
    entries, documents = _changes(read), state.documents
    changes = {key: entry.get("to") for key, entry in entries.items()}
    for key, cell in documents.pages.get((target, doc), {}).items():
        other = documents.cell((source, doc), key)
        equal = same(other, cell) if other is not None or documents.clear((source, doc)) else None
        if key[0] == "note" or not cell.sure:
            continue
        what = f"{key[0]} {'|'.join(key[1:])}"
        if equal is True and not _joined(other, cell):
            saw = f"{read.tool} shows the {what}, in which the branches are equal"
            yield holds(key not in changes, saw, cell.call, read, pointer="/result/changes", got=changes.get(key))
        elif equal is False and cell.own and _since(documents.began.get(target), source, doc, key, other):
            if key not in changes:
                if whole(read):
                    yield breach(f"{read.tool} does not show the {what}", cell.call, read, pointer="/result/changes")
            elif cell.fields is not None and isinstance(shown := changes[key], dict):
                yield from _as_written(read, what, _told(read, state, key, cell), shown, "/result/changes")
            elif cell.fields is None and other is not None:
                saw = f"{read.tool} shows the {what}, which was deleted, as it was before"
                live = _live(entries[key], other.fields or {})
                yield holds(not live, saw, other.call, cell.call, read, pointer="/result/changes", got=changes[key])


def _joined(*cells: Cell | None) -> bool:
    """Whether one is as a merge left it: what a server adds to its meta is a difference as well."""
    return any(cell is not None and cell.call.tool in JOINING for cell in cells)


def _since(began: Began | None, source: Json, doc: str, key: Key, other: Cell | None) -> bool:
    """Whether a branch was made of the other, and that one still has a key as it was then."""
    if began is None or began.base != source:
        return False
    then = began.held.get(doc, {}).get(key)
    return then is other or (then is not None and other is not None and then.call is other.call)


def _live(entry: Mapping[str, Json], before: Mapping[str, Json]) -> bool:
    """Whether a difference shows what was there before, and says nowhere that it is gone."""
    shown = entry.get("to")
    if not before or not isinstance(shown, dict):
        return False
    marked = any(value and GONE.search(name) for each in (entry, shown) for name, value in each.items())
    if marked or any(isinstance(value, str) and GONE.search(value) for value in entry.values()):
        return False
    return all(name in shown and alike(value, shown[name]) is True for name, value in before.items())


def _changes(read: Exchange) -> dict[Key, dict[str, Json]]:
    """Differences by what they are about."""
    listed, found = read.given.get("changes"), dict[Key, dict[str, Json]]()
    for each in listed if isinstance(listed, list) else ():
        shown = each if isinstance(each, dict) else {}
        key = shown.get("key")
        parts = key.split("|") if isinstance(key, str) else _ends(key) if isinstance(key, dict) else ()
        if isinstance(shown.get("id"), str):
            found[node(shown["id"])] = shown
        elif len(parts) == 3:  # noqa: PLR2004 -- from, rel and to
            found[edge(*parts)] = shown
    return found
