"""TK-SRV-02, TK-ID-11: conflicts are listed by their document, are there once merged, and have an id of their own."""

import pytest

from conformance.model.events import Json
from tests.laws.tasks.room import Room
from tests.laws.tasks.test_errors import begun

ONE, OTHER = (f"CONFLICT-{digit * 32}" for digit in "1b")
SIDES: dict[str, Json] = {"from": "leaf", "into": "main"}


def listed(room: Room, doc: str, *names: str) -> str:
    conflicts = [{"conflict_id": name, "revision": 0, "status": "open"} for name in names]
    room.ok("branchmind_graph_conflicts", {"into": "main", "doc": doc, "conflicts": conflicts}, into="main", doc=doc)
    return room.judged("TK-SRV-02").verdict


@pytest.mark.parametrize(("names", "verdict"), [([], "pass"), ([ONE], "fail")])
def test_no_document_lists_another_ones_conflicts(names: list[str], verdict: str) -> None:
    room = begun()
    room.ok("branchmind_graph_merge", {"conflict_ids": [ONE]}, doc="first", **SIDES)
    assert listed(room, "second", *names) == verdict


@pytest.mark.parametrize(
    ("merges", "names", "verdict"),
    [
        ([True], [], "pass"),
        ([True], [ONE], "fail"),
        # one was merged as well: what it left is its own
        ([True, False], [ONE], "pass"),
        ([False], [ONE], "pass"),
    ],
)
def test_a_merge_that_is_only_tried_leaves_no_conflict(merges: list[bool], names: list[str], verdict: str) -> None:
    room = begun()
    for dry_run in merges:
        ids = [] if dry_run else [ONE]
        room.ok("branchmind_graph_merge", {"conflict_ids": ids}, doc="first", dry_run=dry_run, **SIDES)
    assert listed(room, "first", *names) == verdict


@pytest.mark.parametrize(
    ("again", "doc", "verdict"), [(OTHER, "second", "pass"), (ONE, "first", "pass"), (ONE, "second", "fail")]
)
def test_conflicts_of_two_documents_are_two(again: str, doc: str, verdict: str) -> None:
    room = begun()
    for name, place in ((ONE, "first"), (again, doc)):
        room.ok("branchmind_graph_merge", {"conflict_ids": [name]}, doc=place, **SIDES)
    assert room.judged("TK-ID-11").verdict == verdict


def upsert(room: Room, branch: str, op: dict[str, Json]) -> None:
    room.ok("branchmind_graph_apply", {}, ops=[op], branch=branch, doc="graph")


def clashed(op: dict[str, Json], field: str, values: tuple[Json, Json, Json]) -> Room:
    """A base and both sides write a node or an edge; it is merged and clashes."""
    room = begun()
    ends = [{"op": "node_upsert", "id": name, "type": "t"} for name in ("x", "y")]
    room.ok("branchmind_graph_apply", {}, ops=ends, branch="main", doc="graph")
    base, theirs, ours = values
    upsert(room, "main", {**op, field: base})
    room.ok("branchmind_branch_create", {"branch": {"name": "leaf"}}, **{"name": "leaf", "from": "main"})
    upsert(room, "leaf", {**op, field: theirs})
    upsert(room, "main", {**op, field: ours})
    room.ok("branchmind_graph_merge", {"conflict_ids": [ONE]}, doc="graph", **SIDES)
    return room


@pytest.mark.parametrize(("base", "verdict"), [("was", "pass"), ("ours", "fail"), (None, "fail")])
def test_a_conflict_shows_what_was_in_common(base: Json, verdict: str) -> None:
    room = clashed({"op": "node_upsert", "id": "a", "type": "t"}, "title", ("was", "theirs", "ours"))
    sides = {"base": {"id": "a", "title": base}, "theirs": {"title": "theirs"}, "ours": {"title": "ours"}}
    room.ok("branchmind_graph_conflict_show", {"conflict": {"conflict_id": ONE, **sides}}, conflict_id=ONE)
    assert room.judged("TK-SRV-02").verdict == verdict


@pytest.mark.parametrize(("name", "breaches"), [(ONE, 0), (OTHER, 1), (7, 0)])
def test_the_conflict_that_was_asked_for_is_shown(name: Json, breaches: int) -> None:
    room = clashed({"op": "node_upsert", "id": "a", "type": "t"}, "title", ("was", "theirs", "ours"))
    sides = {"theirs": {"title": "theirs"}, "ours": {"title": "ours"}}
    room.ok("branchmind_graph_conflict_show", {"conflict": {"conflict_id": name, **sides}}, conflict_id=ONE)
    assert room.judged("TK-SRV-02").breaches == breaches


@pytest.mark.parametrize(
    ("resolution", "meta", "verdict"),
    [
        ("use_from", {"by": "theirs"}, "pass"),
        ("use_from", {"by": "theirs", "_merge": {"from": "leaf"}}, "pass"),
        ("use_from", {"by": "ours"}, "fail"),
        ("use_into", {"by": "ours"}, "pass"),
        ("use_into", {"by": "theirs"}, "fail"),
    ],
)
def test_an_edge_is_resolved(resolution: str, meta: Json, verdict: str) -> None:
    ends: dict[str, Json] = {"from": "x", "rel": "has", "to": "y"}
    room = clashed({"op": "edge_upsert", **ends}, "meta", ({"by": "was"}, {"by": "theirs"}, {"by": "ours"}))
    room.ok("branchmind_graph_conflict_resolve", {"conflict_id": ONE}, conflict_id=ONE, resolution=resolution)
    nodes = [{"id": name, "type": "t"} for name in ("x", "y")]
    result = {"nodes": nodes, "edges": [{**ends, "meta": meta}]}
    room.ok("branchmind_graph_query", result, branch="main", doc="graph")
    assert room.judged("TK-SRV-02").verdict == verdict
