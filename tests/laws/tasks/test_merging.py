"""TK-ID-09, TK-ID-10, TK-FLOW-03: conflicts of merges."""

from collections.abc import Mapping

import pytest

from conformance.model.events import Json
from tests.laws.driven import driven
from tests.laws.tasks.room import Room

IDS = ["TK-ID-09", "TK-ID-10", "TK-FLOW-03"]
ONE, OTHER = (f"CONFLICT-{digit * 32}" for digit in "1a")
SIDES: dict[str, Json] = {"from": "side", "into": "main", "doc": "graph"}


@pytest.mark.parametrize("identifier", IDS)
def test_the_reference(identifier: str) -> None:
    outcome = driven("tasks", "conflicts").outcome(identifier)
    assert outcome is not None
    assert (outcome.verdict, outcome.subjects > 0) == ("pass", True)


@pytest.mark.parametrize("deviation", IDS)
def test_a_deviation_fails_alone(deviation: str) -> None:
    outcomes = driven("tasks", "conflicts", deviation=deviation).outcomes
    assert {o.id for o in outcomes if o.id in IDS and o.verdict == "fail"} == {deviation}


def merge(room: Room, *ids: Json, **more: Json) -> None:
    room.ok("branchmind_graph_merge", {"conflict_ids": list(ids)}, **SIDES, **more)


@pytest.mark.parametrize(
    ("name", "verdict"), [(ONE, "pass"), (OTHER, "pass"), (OTHER.upper(), "fail"), (f"{ONE}0", "fail"), (7, "fail")]
)
def test_form(name: Json, verdict: str) -> None:
    room = Room()
    merge(room, name)
    assert room.judged("TK-ID-09").verdict == verdict
    room = Room()
    room.ok("branchmind_graph_conflict_show", {"conflict": {"conflict_id": name}}, conflict_id=ONE)
    assert room.judged("TK-ID-09").verdict == (verdict if isinstance(name, str) else "not_observed")


def test_a_conflict_keeps_its_id() -> None:
    room = Room()
    merge(room, ONE, OTHER)
    merge(room, OTHER, ONE)
    assert (room.judged("TK-ID-10").verdict, room.judged("TK-ID-10").subjects) == ("pass", 1)


@pytest.mark.parametrize("again", [[OTHER], [], [ONE, OTHER]])
def test_a_merge_repeated_names_the_same_conflicts(again: list[str]) -> None:
    room = Room()
    merge(room, ONE)
    merge(room, *again)
    assert room.judged("TK-ID-10").verdict == "fail"


@pytest.mark.parametrize(("again", "verdict"), [([], "pass"), ([ONE], "pass"), ([OTHER], "fail")])
def test_a_conflict_that_is_resolved_is_not_opened_under_another_id(again: list[str], verdict: str) -> None:
    room = Room()
    merge(room, ONE)
    room.ok("branchmind_graph_conflict_resolve", {}, conflict_id=ONE, resolution="use_into")
    merge(room, *again)
    assert room.judged("TK-ID-10").verdict == verdict


def test_another_conflict_has_another_id() -> None:
    room = Room()
    retitle(room, "theirs", "side")
    merge(room, ONE)
    retitle(room, "another title", "main")
    merge(room, OTHER)
    merge(room, ONE, limit=1)
    merge(room, dry_run=True)
    assert room.judged("TK-ID-10").subjects == 0


def retitle(room: Room, title: str, branch: str) -> None:
    op = {"op": "node_upsert", "id": "a", "type": "t", "title": title}
    room.ok("branchmind_graph_apply", {}, branch=branch, doc="graph", ops=[op])


def look(room: Room, title: Json, **more: Json) -> None:
    room.ok("branchmind_graph_query", {"nodes": [{"id": "a", "title": title}]}, branch="main", doc="graph", **more)


def clash(
    *ids: Json, theirs: str = "theirs", base: str = "base", said: Mapping[str, Json] | None = None, **more: Json
) -> Room:
    room = Room()
    retitle(room, base, "main")
    room.ok("branchmind_branch_create", {"branch": {"name": "side"}}, **{"name": "side", "from": "main"})
    retitle(room, theirs, "side")
    retitle(room, "ours", "main")
    room.ok("branchmind_graph_merge", {"conflict_ids": list(ids), **(said or {})}, **SIDES, **more)
    return room


def test_a_conflict_is_reported() -> None:
    assert clash(ONE).judged("TK-FLOW-03").verdict == "pass"
    assert clash().judged("TK-FLOW-03").verdict == "fail"
    assert clash(theirs="ours").judged("TK-FLOW-03").subjects == 0
    assert clash(theirs="base").judged("TK-FLOW-03").subjects == 0


PART: dict[str, Json] = {"truncated": True, "budget": {"used": 1, "limit": 1}}


@pytest.mark.parametrize("said", [PART, {"pagination": {"has_more": True}}], ids=str)
def test_a_merge_in_parts_may_name_a_conflict_later(said: dict[str, Json]) -> None:
    room = clash(said=said)
    assert room.judged("TK-FLOW-03").subjects == 0
    look(room, "theirs")
    assert room.judged("TK-FLOW-03").verdict == "fail"


@pytest.mark.parametrize(("later", "subjects"), [({"offset": 7}, 0), ({"cursor": "next"}, 0), ({"offset": 0}, 1)])
def test_a_later_page_of_a_merge_may_have_no_conflicts(later: dict[str, Json], subjects: int) -> None:
    assert clash(**later).judged("TK-FLOW-03").subjects == subjects


@pytest.mark.parametrize("said", [PART, {"pagination": {"has_more": True}}], ids=str)
def test_a_merge_in_parts_may_name_other_conflicts_next(said: dict[str, Json]) -> None:
    room = Room()
    room.ok("branchmind_graph_merge", {"conflict_ids": [ONE], **said}, **SIDES)
    room.ok("branchmind_graph_merge", {"conflict_ids": [OTHER], **said}, **SIDES)
    assert room.judged("TK-ID-10").subjects == 0


@pytest.mark.parametrize(("title", "verdict"), [("ours", "pass"), ("theirs", "fail"), (None, "fail")])
def test_the_key_stays_as_it_is(title: Json, verdict: str) -> None:
    room = clash(ONE)
    look(room, title)
    assert room.judged("TK-FLOW-03").verdict == verdict


@pytest.mark.parametrize(
    ("resolution", "title", "verdict"),
    [
        ("use_from", "theirs", "pass"),
        ("use_from", "ours", "fail"),
        ("use_into", "ours", "pass"),
        ("use_into", "theirs", "fail"),
    ],
)
def test_the_resolution_decides(resolution: str, title: str, verdict: str) -> None:
    room = clash(ONE)
    room.ok("branchmind_graph_conflict_resolve", {}, conflict_id=ONE, resolution=resolution)
    look(room, title)
    assert room.judged("TK-FLOW-03").verdict == verdict


def test_what_was_written_since_or_left_out_tells_nothing() -> None:
    room = clash(ONE)
    look(room, "theirs", limit=1)
    retitle(room, "newest", "main")
    look(room, "newest")
    room.ok("branchmind_graph_conflict_resolve", {}, conflict_id=ONE, resolution="use_from")
    look(room, "newest")
    outcome = room.judged("TK-FLOW-03")
    assert (outcome.verdict, outcome.subjects) == ("pass", 1)


@pytest.mark.parametrize("field", ["text", "type", "status", "tags", "meta"])
def test_any_field_may_clash(field: str) -> None:
    values: dict[str, Json] = {
        name: {"meta": {"n": name}, "tags": [name]}.get(field, name) for name in ("base", "theirs", "ours")
    }
    for ids, shown, verdict in (([ONE], "ours", "pass"), ([], "ours", "fail"), ([ONE], "theirs", "fail")):
        room = Room()
        rewrite(room, "main", **{field: values["base"]})
        room.ok("branchmind_branch_create", {"branch": {"name": "side"}}, **{"name": "side", "from": "main"})
        rewrite(room, "side", **{field: values["theirs"]})
        rewrite(room, "main", **{field: values["ours"]})
        merge(room, *ids)
        node = {"id": "a", "type": "part", field: values[shown]}
        room.ok("branchmind_graph_query", {"nodes": [node], "edges": []}, branch="main", doc="graph")
        assert room.judged("TK-FLOW-03").verdict == verdict


def rewrite(room: Room, branch: str, **fields: Json) -> None:
    op = {"op": "node_upsert", "id": "a", "type": "part", **fields}
    room.ok("branchmind_graph_apply", {}, branch=branch, doc="graph", ops=[op])


def test_meta_may_tell_of_the_merge_as_well() -> None:
    for number, verdict in ((1, "pass"), (2, "fail")):
        room = Room()
        rewrite(room, "main", meta={"n": 0})
        room.ok("branchmind_branch_create", {"branch": {"name": "side"}}, **{"name": "side", "from": "main"})
        rewrite(room, "side", meta={"n": 2})
        rewrite(room, "main", meta={"n": 1})
        merge(room, ONE)
        node = {"id": "a", "type": "part", "meta": {"n": number, "_merge": {"from": "side"}}}
        room.ok("branchmind_graph_query", {"nodes": [node], "edges": []}, branch="main", doc="graph")
        assert room.judged("TK-FLOW-03").verdict == verdict


OTHER_DOC: dict[str, Json] = {"from": "side", "into": "main", "doc": "other"}
OF_ITEM: dict[str, Json] = {"target": "TASK-001", "graph_doc": "other", "card": {"id": "a"}}


@pytest.mark.parametrize(
    ("tool", "arguments", "subjects"),
    [
        ("branchmind_graph_merge", OTHER_DOC, 1),
        ("branchmind_graph_merge", {**OTHER_DOC, "doc": None}, 0),
        ("branchmind_graph_merge", {**OTHER_DOC, "from": "third", "doc": "graph"}, 0),
        ("branchmind_think_card", {"branch": "main", "graph_doc": "other", "card": {"id": "a"}}, 1),
        ("branchmind_think_card", {"branch": "main", "card": {"id": "a"}}, 0),
        ("branchmind_think_card", OF_ITEM, 0),
        ("branchmind_graph_conflict_resolve", {"conflict_id": OTHER, "resolution": "use_into", "doc": "other"}, 0),
    ],
)
def test_what_was_merged_in_another_document_changes_nothing(
    tool: str, arguments: dict[str, Json], subjects: int
) -> None:
    for ids, verdict in (((ONE,), "pass"), ((), "fail")):
        room = Room()
        retitle(room, "base", "main")
        room.ok("branchmind_branch_create", {"branch": {"name": "side"}}, **{"name": "side", "from": "main"})
        room.ok(tool, {"conflict_ids": []}, **arguments)
        retitle(room, "theirs", "side")
        retitle(room, "ours", "main")
        merge(room, *ids)
        outcome = room.judged("TK-FLOW-03")
        assert (outcome.verdict, outcome.subjects) == ((verdict, 1) if subjects else ("not_observed", 0))
