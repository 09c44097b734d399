"""TK-SRV-02: reads of a graph show what was written, as it was written, and nothing that was taken away."""

import pytest

from conformance.model.events import Json
from tests.laws.tasks.room import Room
from tests.laws.tasks.test_errors import PLACE, begun

MAIN: dict[str, Json] = {"branch": "main", "doc": "g"}

NODE: dict[str, Json] = {"op": "node_upsert", "id": "a", "type": "t", "title": "A", "text": "text", "tags": ["x"]}

SHOWN: dict[str, Json] = {"id": "a", "type": "t", "title": "A", "text": "text", "tags": ["x"]}

INTO: dict[str, Json] = {"into": "main", "doc": "g"}

META: Json = {"n": 1}

CONFLICT = f"CONFLICT-{'a' * 32}"


def apply(room: Room, *ops: Json, **place: Json) -> None:
    room.ok("branchmind_graph_apply", {}, ops=list(ops), **MAIN | place)


def query(room: Room, *nodes: Json, edges: Json = (), more: Json = None, **arguments: Json) -> str:
    result = {"nodes": list(nodes), "edges": list(edges), **(more or {})}
    room.ok("branchmind_graph_query", result, **MAIN | arguments)
    return room.judged("TK-SRV-02").verdict


@pytest.mark.parametrize(
    ("shown", "verdict"),
    [
        ([SHOWN], "pass"),
        ([{**SHOWN, "tags": ["X "]}], "pass"),
        ([{**SHOWN, "title": "B"}], "fail"),
        ([{**SHOWN, "text": None}], "fail"),
        ([{**SHOWN, "deleted": True}], "fail"),
        ([], "fail"),
        ([{**SHOWN, "title": " A"}], "pass"),
        ([{**SHOWN, "text": " text"}], "fail"),
        ([{"id": "a", "type": "t"}], "pass"),
        ([{"id": "a", "type": "t"}, {"id": "b", "text": "of another"}], "fail"),
    ],
)
def test_a_node_is_shown_as_it_was_written(shown: list[Json], verdict: str) -> None:
    room = begun()
    apply(room, NODE)
    assert query(room, *shown) == verdict


@pytest.mark.parametrize(
    ("shown", "verdict"), [([], "pass"), ([{**SHOWN, "deleted": True}], "pass"), ([SHOWN], "fail")]
)
def test_what_was_deleted_is_shown_as_deleted_or_not_at_all(shown: list[Json], verdict: str) -> None:
    room = begun()
    apply(room, NODE)
    apply(room, {"op": "node_delete", "id": "a"})
    assert query(room, *shown) == verdict


@pytest.mark.parametrize(
    ("more", "arguments"),
    [
        ({"truncated": True}, {}),
        ({"budget": {"truncated": True}}, {}),
        ({}, {"max_chars": 90}),
        ({"pagination": {"has_more": True}}, {}),
    ],
)
def test_what_was_cut_or_is_on_another_page_leaves_out_what_it_likes(more: Json, arguments: dict[str, Json]) -> None:
    room = begun()
    apply(room, NODE)
    assert query(room, more=more, **arguments) == "not_observed"


@pytest.mark.parametrize(
    ("filters", "shown", "verdict"),
    [
        ({"ids": ["a"]}, [SHOWN], "pass"),
        ({"ids": ["a"]}, [], "fail"),
        ({"ids": ["b"]}, [SHOWN], "fail"),
        ({"ids": []}, [SHOWN], "pass"),
        ({"types": []}, [], "not_observed"),
        ({"tags_any": ["y"]}, [SHOWN], "fail"),
        ({"tags_any": []}, [SHOWN], "pass"),
        ({"text": "tex"}, [], "fail"),
    ],
)
def test_a_filter_shows_what_it_asks_for(filters: dict[str, Json], shown: list[Json], verdict: str) -> None:
    room = begun()
    apply(room, NODE)
    assert query(room, *shown, **filters) == verdict


@pytest.mark.parametrize(
    ("meta", "verdict"),
    [
        (META, "pass"),
        ({"card_id": "c", **META}, "pass"),
        ({"card_id": "c", "meta": META}, "pass"),
        ({"card_id": "c"}, "fail"),
        ({"n": 2}, "fail"),
        (None, "fail"),
    ],
)
def test_the_meta_of_a_card_may_stand_within_what_the_server_adds(meta: Json, verdict: str) -> None:
    room = begun()
    card: Json = {"id": "c", "type": "note", "title": "t", "meta": META}
    room.ok("branchmind_think_card", {"inserted": True}, card=card, **PLACE)
    assert query(room, {"id": "c", "type": "note", "title": "t", "meta": meta}) == verdict


@pytest.mark.parametrize(
    ("written", "shown", "verdict"), [(1, 1, "pass"), (1, 2, "fail"), (2, 2, "pass"), (2, 1, "pass"), (0, 2, "pass")]
)
def test_an_entry_is_shown_as_often_as_it_was_written(written: int, shown: int, verdict: str) -> None:
    room = begun()
    place: dict[str, Json] = {"branch": "main", "doc": "notes"}
    for content in ["other"] + ["twice"] * written:
        room.ok("branchmind_notes_commit", {"entry": {**place, "content": content}}, content=content, **place)
    entries = [{"content": content} for content in ["other"] + ["twice"] * shown]
    room.ok("branchmind_show", {"entries": entries, **place}, **place)
    assert room.judged("TK-SRV-02").verdict == verdict


EDGE: dict[str, Json] = {"op": "edge_upsert", "from": "a", "rel": "r", "to": "b"}

NODES: tuple[Json, ...] = (NODE, {**NODE, "id": "b"})

NAMES: Json = {"from": "a", "rel": "r", "to": "b"}


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ([{"kind": "edge", "key": "a|r|b", "to": NAMES}], "pass"),
        ([{"kind": "edge", "key": NAMES, "to": NAMES}], "pass"),
        ([], "fail"),
        ([{"kind": "edge", "key": "a|r|b", "to": NAMES}, {"kind": "node", "id": "a", "to": SHOWN}], "fail"),
    ],
)
def test_what_differs_between_branches_is_compared(changes: list[Json], verdict: str) -> None:
    room = begun()
    apply(room, *NODES)
    room.ok("branchmind_branch_create", {"branch": {"name": "inner"}}, **{"name": "inner", "from": "main"})
    apply(room, EDGE, branch="inner")
    room.ok("branchmind_graph_diff", {"changes": changes, "doc": "g"}, **{"from": "main", "to": "inner", "doc": "g"})
    assert room.judged("TK-SRV-02").verdict == verdict


@pytest.mark.parametrize(
    ("change", "verdict"),
    [
        ({"to": None}, "pass"),
        ({"to": {"id": "a", "deleted": True}}, "pass"),
        ({"to": {**SHOWN, "deleted": True}}, "pass"),
        ({"to": SHOWN, "change": "removed"}, "pass"),
        ({"to": {"id": "a"}}, "pass"),
        ({"to": SHOWN}, "fail"),
        ({"to": {**SHOWN, "deleted": False}}, "fail"),
    ],
)
def test_what_a_branch_deleted_is_no_difference_that_is_there(change: dict[str, Json], verdict: str) -> None:
    room = begun()
    apply(room, NODE)
    room.ok("branchmind_branch_create", {"branch": {"name": "inner"}}, **{"name": "inner", "from": "main"})
    apply(room, {"op": "node_delete", "id": "a"}, branch="inner")
    changes: Json = [{"kind": "node", "id": "a", **change}]
    room.ok("branchmind_graph_diff", {"changes": changes, "doc": "g"}, **{"from": "main", "to": "inner", "doc": "g"})
    assert room.judged("TK-SRV-02").verdict == verdict


def test_what_a_merge_adds_to_its_meta_is_a_difference_as_well() -> None:
    room = begun()
    room.ok("branchmind_branch_create", {"branch": {"name": "inner"}}, **{"name": "inner", "from": "main"})
    apply(room, NODE, branch="inner")
    room.ok("branchmind_graph_merge", {"conflict_ids": []}, **{"from": "inner", "into": "main", "doc": "g"})
    changes: Json = [{"kind": "node", "id": "a", "to": SHOWN}]
    room.ok("branchmind_graph_diff", {"changes": changes, "doc": "g"}, **{"from": "main", "to": "inner", "doc": "g"})
    assert room.judged("TK-SRV-02").subjects == 0


@pytest.mark.parametrize(
    ("told", "number", "verdict"),
    [
        ({"graph_doc": "g"}, 2, "pass"),
        ({"graph_doc": "g"}, 1, "fail"),
        ({}, 1, "not_observed"),
        ({}, 2, "not_observed"),
    ],
)
def test_a_card_may_be_in_any_document_of_its_branch_that_nobody_named(told: Json, number: int, verdict: str) -> None:
    room = begun()
    apply(room, NODE)
    card = {"id": "c", "type": "note", "title": "C"}
    room.ok("branchmind_think_card", {"branch": "main", **dict(told)}, branch="main", card=card)
    room.ok("branchmind_graph_validate", {"stats": {"nodes": number, "edges": 0}}, **MAIN)
    assert room.judged("TK-SRV-02").verdict == verdict


ENDS: tuple[Json, ...] = (NODE, {**NODE, "id": "b"}, {"op": "edge_upsert", "from": "a", "rel": "needs", "to": "b"})

ENDLESS: dict[str, Json] = {"code": "EDGE_ENDPOINT_MISSING", "kind": "edge", "key": "a|needs|b"}


@pytest.mark.parametrize(
    ("errors", "verdict"),
    [([], "pass"), ([ENDLESS], "fail"), ([{**ENDLESS, "code": "NODE_WITHOUT_TEXT"}], "pass")],
)
def test_an_edge_whose_ends_are_there_lacks_none(errors: list[Json], verdict: str) -> None:
    room = begun()
    apply(room, *ENDS)
    room.ok("branchmind_graph_validate", {"errors": errors}, **MAIN)
    outcome = room.judged("TK-SRV-02")
    assert (outcome.verdict, outcome.subjects) == (verdict, 1)


@pytest.mark.parametrize("doc", ["another", "PLAN-001"])
def test_of_a_graph_that_nobody_knows_the_ends_tell_nothing(doc: str) -> None:
    room = begun()
    apply(room, *ENDS, doc="PLAN-001")
    room.ok("branchmind_graph_validate", {"errors": [ENDLESS]}, branch="main", doc=doc)
    assert room.judged("TK-SRV-02").subjects == 0


def test_a_merge_may_leave_an_edge_without_its_end() -> None:
    room = begun()
    apply(room, *ENDS[:2])
    room.ok("branchmind_branch_create", {"branch": {"name": "late"}}, **{"name": "late", "from": "main"})
    apply(room, ENDS[2], branch="late")
    apply(room, {"op": "node_delete", "id": "b"})
    room.ok("branchmind_graph_merge", {"conflict_ids": []}, **{"from": "late", "into": "main", "doc": "g"})
    room.ok("branchmind_graph_validate", {"errors": [ENDLESS]}, **MAIN)
    assert room.judged("TK-SRV-02").verdict != "fail"


@pytest.mark.parametrize(
    ("asked", "shown", "verdict"),
    [
        ({"into": "side"}, 0, "pass"),
        ({"into": "side"}, 1, "fail"),
        ({"into": "side", "status": "open"}, 1, "fail"),
        ({"into": "main"}, 1, "pass"),
        ({"into": "main", "status": "open"}, 1, "pass"),
        ({"into": "main", "status": "open"}, 0, "fail"),
        ({"into": "main", "status": "resolved"}, 1, "fail"),
        ({"into": "main", "status": "resolved"}, 0, "pass"),
    ],
    ids=str,
)
def test_a_conflict_is_among_those_of_its_branch_and_status(asked: dict[str, Json], shown: int, verdict: str) -> None:
    room = begun()
    merged: dict[str, Json] = {"conflict_ids": [CONFLICT], "doc": "g"}
    room.ok("branchmind_graph_merge", merged, **{"from": "side", "into": "main", "doc": "g"})
    room.ok("branchmind_graph_conflicts", {"conflicts": [{"conflict_id": CONFLICT}] * shown}, **asked, doc="g")
    assert room.judged("TK-SRV-02").breaches == (verdict == "fail")


@pytest.mark.parametrize(
    ("asked", "status", "verdict"),
    [({}, "resolved", "pass"), ({}, "open", "fail"), ({"status": "open"}, "resolved", "fail")],
)
def test_a_list_that_nobody_filtered_may_hold_what_is_resolved(
    asked: dict[str, Json], status: str, verdict: str
) -> None:
    room = begun()
    room.ok("branchmind_graph_merge", {"conflict_ids": [CONFLICT], "doc": "g"}, **{"from": "side", **INTO})
    room.ok("branchmind_graph_conflict_resolve", {}, conflict_id=CONFLICT, resolution="use_into")
    shown: Json = [{"conflict_id": CONFLICT, "status": status}]
    room.ok("branchmind_graph_conflicts", {"conflicts": shown}, **INTO, **asked)
    assert room.judged("TK-SRV-02").verdict == verdict


@pytest.mark.parametrize(
    ("told", "shown", "verdict"),
    [
        ({"merged": 1, "conflict_ids": [CONFLICT]}, True, "pass"),
        ({"merged": 1, "conflict_ids": [CONFLICT]}, False, "fail"),
        ({"merged": 1}, False, "fail"),
        # whether what does not clash is merged beside a conflict is the server's
        ({"merged": 0, "conflict_ids": [CONFLICT]}, False, "pass"),
    ],
)
def test_a_merge_beside_a_conflict(told: dict[str, Json], shown: bool, verdict: str) -> None:
    room = begun()
    apply(room, NODE, doc="graph")
    room.ok("branchmind_branch_create", {"branch": {"name": "leaf"}}, **{"name": "leaf", "from": "main"})
    apply(room, {**NODE, "title": "theirs"}, {**NODE, "id": "b"}, branch="leaf", doc="graph")
    if "conflict_ids" in told:
        apply(room, {**NODE, "title": "ours"}, doc="graph")
    room.ok("branchmind_graph_merge", told, **{"from": "leaf", "into": "main", "doc": "graph"})
    kept = {**SHOWN, "title": "ours" if "conflict_ids" in told else "theirs"}
    assert query(room, kept, *([{**SHOWN, "id": "b"}] if shown else []), doc="graph") == verdict


@pytest.mark.parametrize(
    ("card", "made", "verdict"),
    [
        ("id: c\ntype: note\ntitle: C", "c", "fail"),
        ("id: c\ntype: note\ntitle: C", "CARD-1", "not_observed"),
        ('{"id": "c", "type": "note", "title": "C"}', "CARD-1", "not_observed"),
        ({"id": "c", "type": "note", "title": "C"}, "CARD-1", "fail"),
    ],
)
def test_how_a_server_reads_the_text_of_a_card_is_its_own(card: Json, made: str, verdict: str) -> None:
    room = begun()
    room.ok("branchmind_think_card", {"card_id": made, "inserted": True}, card=card, **PLACE)
    assert query(room, {"id": made, "type": "note", "title": "id: c"}) == verdict
