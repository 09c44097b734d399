"""Faults of operations on a graph and of think cards, against what the graph holds."""

from collections.abc import Iterator, Mapping

from conformance.contracts.tasks.causes import OPEN
from conformance.contracts.tasks.documents import Documents, Key, Place
from conformance.contracts.tasks.forms import FIELDS, NODE, operations
from conformance.contracts.tasks.state import State
from conformance.contracts.tasks.thoughts import RELATIONS, card_of
from conformance.contracts.tasks.writing import key_of, node
from conformance.model.events import Json
from conformance.model.exchange import Exchange


def of_graph(call: Exchange, state: State) -> Iterator[str]:
    """Those of branchmind_graph_apply and branchmind_think_card."""
    if call.tool == "branchmind_graph_apply":
        yield from _of_operations(call, state.documents)
    elif call.tool == "branchmind_think_card":
        yield from _of_card(call, state)


def _place(call: Exchange, doc: str) -> Place | None:
    """Where a call goes by its arguments alone."""
    branch, name = call.argument("branch"), call.argument(doc)
    return (branch, name) if isinstance(branch, str) and isinstance(name, str) else None


def _of_operations(call: Exchange, documents: Documents) -> Iterator[str]:
    place, now = _place(call, "doc"), dict[Key, bool]()
    ops, given = operations(call), call.argument("ops")
    if not ops or not isinstance(given, list) or len(ops) != len(given):
        yield OPEN
    for op in ops:
        key = key_of(op)
        if key is None:
            yield OPEN
            continue
        # whether a call may write to one thing twice, or an edge lead back, is the server's
        if call.code in ("INVALID_INPUT", "CONFLICT") and (key in now or (key[0] == "edge" and key[1] == key[3])):
            yield OPEN
        # an identifier that is malformed names nothing: it is at fault by itself
        yield from _there(documents, place, [] if _ill(op) else _wanted(op.get("op"), key), now)
        deleting = op.get("op") in ("node_delete", "edge_delete")
        now[key] = not deleting
        if deleting and key[0] == "node":
            edges = list(_touching(documents, place, key[1], now))
            # whether a node goes with its edges, or only after them, is the server's
            if any(_holds(documents, place, edge, now) is not False for edge in edges):
                yield OPEN
            now |= dict.fromkeys(edges, False)


def _ill(op: Mapping[str, Json]) -> bool:
    forms = FIELDS.get(str(op.get("op")), {})
    return any(isinstance(op.get(name), str) and form.broken(op[name]) for name, form in forms.items())


def _wanted(kind: Json, key: Key) -> list[Key]:
    """What an operation needs to be there."""
    if kind == "edge_upsert":
        return [node(key[1]), node(key[3])]
    return [key] if kind in ("node_delete", "edge_delete") else []


def _there(documents: Documents, place: Place | None, wanted: list[Key], now: dict[Key, bool]) -> Iterator[str]:
    for key in wanted:
        there = _holds(documents, place, key, now)
        if there is not True:
            yield OPEN if there is None else "UNKNOWN_ID"


def _holds(documents: Documents, place: Place | None, key: Key, now: dict[Key, bool]) -> bool | None:
    """Whether something is there after the earlier operations of the call; None where that is in doubt."""
    return now.get(key, documents.holds(place, key) if place is not None else None)


def _touching(documents: Documents, place: Place | None, name: str, now: dict[Key, bool]) -> Iterator[Key]:
    """The edges of a node, there or made by an earlier operation."""
    keys = [*now, *(documents.pages.get(place, {}) if place is not None else ())]
    return (key for key in keys if key[0] == "edge" and name in (key[1], key[3]))


def _of_card(call: Exchange, state: State) -> Iterator[str]:
    card, place, documents = card_of(call), _place(call, "graph_doc"), state.documents
    if card is None or (place is None and call.argument("target") is None):
        yield OPEN
        return
    key = node(str(card["id"]))
    cell = documents.cell(place, key) if place is not None else None
    if cell is not None and cell.fields is not None and cell.sure:
        told = {name: value for name, value in card.items() if name not in ("id", "status", "tags", "meta")}
        other = any(cell.fields.get(name) != value for name, value in told.items())
        given = ("card", *RELATIONS)
        same = cell.call.tool == call.tool and all(cell.call.argument(each) == call.argument(each) for each in given)
        if not same:
            yield "CONFLICT" if other else OPEN
    elif cell is not None or (place is None and documents.anywhere(key)):
        # whether the id of a card that was deleted is free again is the server's
        yield OPEN
    elif (str(call.argument("trace_doc")), str(card["id"])) in state.thought.get(str(call.argument("branch")), ()):
        # whether cards of several graphs that leave their traces in one document may have one id is the server's
        yield OPEN
    for rel in RELATIONS:
        others = call.argument(rel)
        named = [other for other in (others if isinstance(others, list) else ()) if isinstance(other, str)]
        # whether what no node can be called is malformed, or the id of none, is the server's
        if any(NODE.broken(other) for other in named):
            yield OPEN
        wanted = [node(other) for other in named if not NODE.broken(other)]
        yield from _there(documents, place, wanted, {})
        if key in wanted:
            yield OPEN
