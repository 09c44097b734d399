"""Branches see snapshots; merges are deterministic; conflicts are decided once."""

import re

import pytest

from reference_server.tasks import open_tasks

from .desk import Desk

SIDE = {"from": "side", "into": "main"}


def upsert(node, title, **more):
    return {"op": "node_upsert", "id": node, "type": "t", "title": title, **more}


def put(desk, branch, *ops):
    return desk.ok("branchmind_graph_apply", branch=branch, ops=list(ops))


def titles(desk, branch="main"):
    return {node["id"]: node["title"] for node in desk.ok("branchmind_graph_query", branch=branch)["nodes"]}


def contents(desk, branch):
    return [entry["content"] for entry in desk.ok("branchmind_show", branch=branch, doc="notes")["entries"]]


def test_a_branch_sees_its_base_as_it_was(desk):
    desk.nodes("a")
    desk.ok("branchmind_notes_commit", content="before")
    made = desk.ok("branchmind_branch_create", name="side")["branch"]
    assert (made["revision"], made["base_branch"], made["base_seq"]) == (0, "main", 2)
    desk.nodes("b")
    desk.ok("branchmind_notes_commit", content="after")
    desk.ok("branchmind_notes_commit", content="own", branch="side")
    assert contents(desk, "side") == ["before", "own"]
    assert contents(desk, "main") == ["before", "after"]
    assert titles(desk, "side") == {"a": "a"}
    assert desk.ok("branchmind_show", branch="side", doc="notes")["revision"] == 1
    desk.ok("branchmind_branch_create", name="leaf", **{"from": "side"})
    put(desk, "side", upsert("c", "c"))
    assert titles(desk, "leaf") == {"a": "a"}


def test_checking_out_redirects_tools_that_name_no_branch(desk):
    desk.ok("branchmind_branch_create", name="side")
    assert desk.ok("branchmind_checkout", ref="side")["previous"] == "main"
    assert desk.ok("branchmind_notes_commit", content="c")["document"]["branch"] == "side"
    assert desk.ok("branchmind_status")["checkout"] == "side"


def test_branches_have_a_deepest_level(desk):
    for n in range(31):
        desk.ok("branchmind_branch_create", name=f"b{n}")
        desk.ok("branchmind_checkout", ref=f"b{n}")
    assert desk.code("branchmind_branch_create", name="too-deep") == "INVALID_INPUT"


def test_notes_merge_once_and_keep_their_origin(desk):
    desk.ok("branchmind_branch_create", name="side")
    desk.ok("branchmind_notes_commit", content="one", branch="side", title="t", format="md", meta={"k": 1})
    before = desk.state()
    assert desk.ok("branchmind_merge", **SIDE, dry_run=True)["merged"] == 1
    assert desk.state() == before
    merged = desk.ok("branchmind_merge", **SIDE)
    assert (merged["merged"], merged["skipped"], merged["document"]["revision"]) == (1, 0, 1)
    (entry,) = desk.ok("branchmind_show", doc="notes")["entries"]
    assert (entry["content"], entry["title"], entry["meta"]) == ("one", "t", {"k": 1})
    assert entry["merged_from"] == {"branch": "side", "seq": 1}
    again = desk.ok("branchmind_merge", **SIDE)
    assert (again["merged"], again["skipped"], again["document"]["revision"]) == (0, 1, 1)
    for sides in ({"from": "side", "to": "main"}, {"from": "main", "to": "side"}):
        assert desk.ok("branchmind_diff", **sides)["entries"] == []


def test_a_merge_elsewhere_suggests_the_base(desk):
    desk.ok("branchmind_branch_create", name="side")
    desk.ok("branchmind_branch_create", name="other")
    for tool in ("branchmind_merge", "branchmind_graph_merge"):
        envelope = desk.ask(tool, **{"from": "side", "into": "other"})
        assert envelope["error"]["code"] == "INVALID_INPUT"
        (suggestion,) = envelope["suggestions"]
        desk.ok(suggestion["target"], **suggestion["params"])


def test_what_one_side_changed_is_merged(desk):
    desk.nodes("kept", "edited", "deleted", "ours")
    desk.ok("branchmind_branch_create", name="side")
    edge = {"op": "edge_upsert", "from": "kept", "rel": "r", "to": "new"}
    put(desk, "side", upsert("edited", "theirs"), {"op": "node_delete", "id": "deleted"}, upsert("new", "new"), edge)
    put(desk, "side", upsert("kept", "changed"), upsert("kept", "kept"))
    put(desk, "main", upsert("ours", "ours 2"))
    changes = desk.ok("branchmind_graph_diff", **{"from": "main", "to": "side"})["changes"]
    assert [each.get("id", each.get("key")) for each in changes] == ["deleted", "edited", "new", "ours", "kept|r|new"]
    assert changes[0]["to"] == {"id": "deleted", "deleted": True, "revision": 1}
    result = desk.ok("branchmind_graph_merge", **SIDE)
    assert (result["merged"], result["skipped"], result["conflicts_created"]) == (4, 1, 0)
    assert titles(desk) == {"kept": "kept", "edited": "theirs", "new": "new", "ours": "ours 2"}
    assert [each["rel"] for each in desk.ok("branchmind_graph_query")["edges"]] == ["r"]


def test_a_merge_after_a_merge_starts_from_what_was_agreed(desk):
    desk.nodes("n")
    desk.ok("branchmind_branch_create", name="side")
    put(desk, "side", upsert("n", "theirs"))
    desk.ok("branchmind_graph_merge", **SIDE)
    put(desk, "main", upsert("n", "ours on top"))
    again = desk.ok("branchmind_graph_merge", **SIDE)
    assert (again["skipped"], again["conflict_ids"]) == (1, [])
    assert titles(desk) == {"n": "ours on top"}
    put(desk, "side", upsert("n", "theirs anew"))
    assert len(desk.ok("branchmind_graph_merge", **SIDE)["conflict_ids"]) == 1


def test_both_sides_alike_is_no_conflict_and_true_is_not_one(desk):
    desk.nodes("same", "meta")
    desk.ok("branchmind_branch_create", name="side")
    for branch, value in (("side", 1), ("main", True)):
        put(desk, branch, upsert("same", "new"), upsert("meta", "m", meta={"k": value}))
    result = desk.ok("branchmind_graph_merge", **SIDE)
    assert (result["skipped"], len(result["conflict_ids"])) == (1, 1)


@pytest.mark.parametrize(
    ("resolution", "title", "applied"), [("use_from", "theirs", True), ("use_into", "ours", False)]
)
def test_a_conflict_is_an_entity_that_resolving_decides(desk, resolution, title, applied):
    conflict_id = desk.clash()
    assert re.fullmatch("CONFLICT-[0-9a-f]{32}", conflict_id)
    assert titles(desk) == {"n": "ours"}
    shown = desk.ok("branchmind_graph_conflict_show", conflict_id=conflict_id)["conflict"]
    assert [shown[side]["title"] for side in ("base", "theirs", "ours")] == ["n", "theirs", "ours"]
    assert (shown["revision"], shown["status"], shown["kind"], shown["key"]) == (0, "open", "node", "n")
    result = desk.ok("branchmind_graph_conflict_resolve", conflict_id=conflict_id, resolution=resolution)
    assert (result["revision"], result["status"], result["applied"]) == (1, "resolved", applied)
    assert titles(desk) == {"n": title}
    assert desk.ok("branchmind_graph_conflicts", into="main")["conflicts"] == []
    (listed,) = desk.ok("branchmind_graph_conflicts", into="main", status="resolved")["conflicts"]
    assert (listed["conflict_id"], listed["revision"]) == (conflict_id, 1)
    again = desk.ok("branchmind_graph_merge", **SIDE)
    assert (again["merged"], again["conflicts_created"], again["conflict_ids"]) == (0, 0, [])


def test_the_same_conflict_has_the_same_id_and_another_has_another(desk):
    conflict_id = desk.clash()
    again = desk.ok("branchmind_graph_merge", **SIDE)
    assert (again["conflict_ids"], again["conflicts_created"]) == ([conflict_id], 0)
    put(desk, "main", upsert("n", "ours again"))
    other = desk.ok("branchmind_graph_merge", **SIDE)["conflict_ids"]
    assert other != [conflict_id]
    dry = desk.ok("branchmind_graph_merge", **SIDE, dry_run=True)
    assert (dry["conflicts_created"], dry["conflict_ids"]) == (0, [])


def test_conflict_ids_do_not_depend_on_the_instance(desk):
    twin = Desk(open_tasks())
    with twin.runner:
        twin.ok("branchmind_init")
        twin.ok("branchmind_notes_commit", content="something before")
        assert twin.clash() == desk.clash()


def test_deletion_against_change_is_a_conflict_and_edges_may_dangle(desk):
    desk.nodes("n", "m")
    desk.ok("branchmind_branch_create", name="side")
    put(desk, "side", {"op": "node_delete", "id": "n"}, {"op": "node_delete", "id": "m"})
    put(desk, "main", upsert("n", "changed"), {"op": "edge_upsert", "from": "n", "rel": "r", "to": "m"})
    result = desk.ok("branchmind_graph_merge", **SIDE)
    assert (result["merged"], len(result["conflict_ids"])) == (1, 1)
    report = desk.ok("branchmind_graph_validate")
    assert (report["ok"], report["stats"]) == (False, {"nodes": 1, "edges": 1})
    assert [(error["code"], error["key"]) for error in report["errors"]] == [("EDGE_ENDPOINT_MISSING", "n|r|m")]
    shown = desk.ok("branchmind_graph_conflict_show", conflict_id=result["conflict_ids"][0])["conflict"]
    assert shown["theirs"]["deleted"] is True
    desk.ok("branchmind_graph_conflict_resolve", conflict_id=shown["conflict_id"], resolution="use_from")
    assert titles(desk) == {}


def test_operations_are_applied_together_or_not_at_all(desk):
    desk.nodes("a", "b")
    before = desk.state()
    ops = [
        upsert("c", "c"),
        {"op": "node_delete", "id": "a"},
        {"op": "edge_upsert", "from": "a", "rel": "r", "to": "b"},
    ]
    assert desk.code("branchmind_graph_apply", ops=ops) == "UNKNOWN_ID"
    assert desk.state() == before


def test_deleting_a_node_deletes_its_edges(desk):
    desk.nodes("a", "b")
    for source, target in (("a", "b"), ("b", "a"), ("b", "b")):
        put(desk, "main", {"op": "edge_upsert", "from": source, "rel": "r", "to": target})
    applied = put(desk, "main", {"op": "node_delete", "id": "a"})["applied"]
    assert applied == {"nodes_upserted": 0, "nodes_deleted": 1, "edges_upserted": 0, "edges_deleted": 2}
    assert desk.ok("branchmind_graph_validate")["ok"] is True
