"""What an accepted write does to the documents of its workspace."""

from collections.abc import Mapping

from conformance.contracts.tasks.documents import Cell, Clash, Documents, Key, Place, same
from conformance.contracts.tasks.forms import operations
from conformance.contracts.tasks.thoughts import RELATIONS, card_of, places_of
from conformance.model.events import Json
from conformance.model.exchange import Exchange

NODE_FIELDS = ("type", "title", "text", "status", "tags", "meta")
NOTE_FIELDS = ("title", "format", "meta")
JOINING = ("branchmind_graph_merge", "branchmind_graph_conflict_resolve")
PAGED = ("limit", "offset", "cursor", "max_chars")
"""Arguments by which a merge goes through a part of what there is."""


def node(identifier: str) -> Key:
    """The key of a node, by its canonical id."""
    return ("node", identifier.strip())


def edge(source: str, rel: str, target: str) -> Key:
    """The key of an edge."""
    return ("edge", source.strip(), rel.strip(), target.strip())


def key_of(op: Mapping[str, Json]) -> Key | None:
    """The key that an operation is about; None where it names none."""
    of_edge = str(op.get("op")).startswith("edge")
    names = named(*(op.get(name) for name in (("from", "rel", "to") if of_edge else ("id",))))
    if not names:
        return None
    return edge(*names) if of_edge else node(*names)


def named(*names: Json) -> tuple[str, ...]:
    """These names; none where one of them is no text."""
    return names if all(isinstance(name, str) for name in names) else ()


def place_of(call: Exchange, doc: str = "doc") -> Place | None:
    """The branch and document that a call is about, as its answer names them, else its arguments.

    A name that was asked for and comes back in another case, or cut, is the one that was asked for.
    """
    branch, name = (_place_name(call, each) for each in ("branch", doc))
    return (branch, name) if isinstance(branch, str) and isinstance(name, str) else None


def _place_name(call: Exchange, argument: str) -> Json:
    asked = call.argument(argument)
    told = call.given.get(argument, asked)
    if not isinstance(asked, str) or not isinstance(told, str):
        return told
    spoilt = told.casefold() == asked.casefold() or asked.startswith(told)
    return asked if spoilt else told


def write(documents: Documents, call: Exchange, *, sure: bool) -> None:
    """Takes an accepted call. `sure`: no other write overlaps it."""
    match call.tool:
        case "branchmind_notes_commit":
            _note(documents, call, sure=sure)
        case "branchmind_graph_apply":
            _apply(documents, call, sure=sure)
        case "branchmind_think_card":
            _card(documents, call, sure=sure)
        case "branchmind_merge" | "branchmind_graph_merge":
            if call.argument("dry_run") is not True:
                _merge(documents, call, sure=sure)
        case "branchmind_graph_conflict_resolve":
            _resolve(documents, call, sure=sure)


def noted(call: Exchange) -> Place | None:
    """Where a note was written, as the entry in the answer says, else the arguments."""
    entry = call.given.get("entry")
    shown = entry if isinstance(entry, dict) else {}
    branch, doc = (shown.get(name, call.argument(name)) for name in ("branch", "doc"))
    return (branch, doc) if isinstance(branch, str) and isinstance(doc, str) else None


def of_item(name: str) -> Place:
    """Stands for the notes of a plan or task, in whichever branch and document they are."""
    return f"@{name}", "notes"


def _note(documents: Documents, call: Exchange, *, sure: bool) -> None:
    target, content = call.argument("target"), call.argument("content")
    for place in (noted(call), of_item(target) if isinstance(target, str) else None):
        if place is not None and isinstance(content, str):
            _enter(documents, place, call, content, sure=sure)


def _enter(documents: Documents, place: Place, call: Exchange, content: str, *, sure: bool) -> None:
    key: Key = ("note", content)
    fields = {name: call.argument(name) for name in NOTE_FIELDS if call.argument(name) is not None}
    # of two notes of one content nobody knows which is shown with which title
    twice = documents.cell(place, key) is not None
    documents.put(place, key, Cell(call, {} if twice else fields, sure=sure))


def _apply(documents: Documents, call: Exchange, *, sure: bool) -> None:
    place = place_of(call)
    if place is None:
        documents.doubt_branch(_place_name(call, "branch"))
        return
    for op in operations(call):
        key, kind = key_of(op), op.get("op")
        if key is None:
            documents.doubt(place)
        elif kind == "node_upsert":
            documents.put(place, key, Cell(call, _given(op), sure=sure))
        elif kind == "edge_upsert":
            documents.put(place, key, Cell(call, {n: v for n, v in op.items() if n == "meta"}, sure=sure))
        else:
            documents.put(place, key, Cell(call, None, sure=sure))
            for other, cell in list(documents.page(place).items()) if kind == "node_delete" else ():
                # whether a node takes its edges with it is the server's
                if other[0] == "edge" and key[1] in (other[1], other[3]) and cell.fields is not None:
                    documents.put(place, other, Cell(call, None, sure=False))


def _given(op: Mapping[str, Json]) -> dict[str, Json]:
    """The fields of a node that an operation or a card gives, in canonical form."""
    given = {name: op[name] for name in NODE_FIELDS if op.get(name) is not None}
    if isinstance(given.get("type"), str):
        given["type"] = given["type"].strip()
    return given


def _card(documents: Documents, call: Exchange, *, sure: bool) -> None:
    named, card = places_of(call), card_of(call)
    if "branch" not in named or "graph_doc" not in named:
        documents.doubt_branch(named.get("branch"))
        return
    place = named["branch"], named["graph_doc"]
    if card is None:
        documents.doubt(place)
        return
    key, there = node(str(card["id"])), documents.cell(place, node(str(card["id"])))
    if there is None or there.fields is None or not there.sure:
        documents.put(place, key, Cell(call, _given(card), sure=sure and (there is None or there.sure)))
    for rel in RELATIONS:
        others = call.argument(rel)
        for other in others if isinstance(others, list) else ():
            if isinstance(other, str):
                documents.put(place, edge(key[1], rel, other), Cell(call, {}, sure=sure))


def _merge(documents: Documents, call: Exchange, *, sure: bool) -> None:
    """Goes through what the source wrote since it was made: what its base left alone since is merged."""
    kind = "note" if call.tool == "branchmind_merge" else "graph"
    names = named(call.argument("from"), call.argument("into"), call.given.get("doc", call.argument("doc")))
    if not names:
        documents.doubt_branch(call.argument("into"))
        return
    source, into, doc = names
    shared, place = documents.shared(source, doc), (into, doc)
    began = documents.began.get(source)
    whole = not call.gives(PAGED) and call.given.get("truncated") is not True
    foggy = (source, doc) in documents.fogged or place in documents.fogged
    if began is None or began.base != into or shared is None or not whole or foggy or not sure:
        documents.doubt(place)
        return
    again = (source, into, doc) in documents.merged
    theirs = [(key, cell) for key, cell in documents.page((source, doc)).items() if cell.own]
    clashes = []
    for key, cell in theirs:
        if (key[0] == "note") != (kind == "note"):
            continue
        side = Clash(place, key, cell, documents.cell(place, key), shared.get(key))
        clash = _merged(documents, call, side, again=again)
        clashes += [clash] if clash is not None else []
    if kind == "graph":
        documents.merged.add((source, into, doc))
        _name(documents, call, clashes)


def _merged(documents: Documents, call: Exchange, side: Clash, *, again: bool) -> Clash | None:
    """Merges one key; what is given back clashes."""
    place, key, theirs, ours, base = side
    if key[0] == "note":
        if ours is None:
            documents.put(place, key, Cell(call, theirs.fields, sure=theirs.sure, joined=True))
        return None
    untouched = ours is base or (ours is not None and base is not None and ours.call is base.call)
    settled, agreed, kept = same(theirs, base), same(theirs, ours), untouched or same(ours, base)
    if settled is True or agreed is True:
        return None
    # what an earlier merge or a resolution wrote may be what both sides are held against from then on
    joined = again and ours is not None and ours.call.tool in JOINING
    if settled is None or agreed is None or kept is None or joined or (again and kept and not untouched):
        documents.doubt(place, key)
        return None
    if not kept:
        return side
    loose = key[0] == "edge" and not all(documents.holds(place, node(key[end])) for end in (1, 3))
    fields = theirs.fields
    if fields is None and key[0] == "node":
        touching = [k for k in documents.page(place) if k[0] == "edge" and key[1] in (k[1], k[3])]
        if touching:
            documents.doubt(place, *touching)
    # a server may add to the meta where it came from, and may leave out an edge whose ends are gone
    sure = theirs.sure and not loose and not _held_back(call)
    documents.put(place, key, Cell(call, fields, sure=sure, joined=True))
    return None


def _held_back(call: Exchange) -> bool:
    """Whether a merge that met a conflict may have left the rest as it was: it does not say that it merged anything."""
    return bool(call.given.get("conflict_ids")) and not call.given.get("merged")


def _name(documents: Documents, call: Exchange, clashes: list[Clash]) -> None:
    """Joins clashes to the ids of their conflicts: at once where there is one of each."""
    ids = call.given.get("conflict_ids")
    named = [each for each in ids if isinstance(each, str)] if isinstance(ids, list) else []
    if len(clashes) == 1 and len(named) == 1:
        documents.clashes[named[0]] = clashes[0]
    else:
        documents.waiting += clashes


def _resolve(documents: Documents, call: Exchange, *, sure: bool) -> None:
    clash = documents.clashes.get(str(call.argument("conflict_id")))
    if call.argument("resolution") != "use_from":
        return
    if clash is None:
        for each in documents.waiting:
            documents.doubt(each.place, each.key)
        return
    cell = Cell(call, clash.theirs.fields, sure=sure and clash.theirs.sure, joined=True)
    documents.put(clash.place, clash.key, cell)
