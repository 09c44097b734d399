"""Caps are hard, in their units, at and around the boundary, over text of many bytes."""

import pytest

from reference_server.tasks.tools import SPECS

from .desk import size

WIDE = "ä€😀\n" * 12
CAPPED = [spec.name for spec in SPECS if "max_chars" in spec.properties]
LISTS = {
    "branchmind_branch_list": "branches",
    "branchmind_show": "entries",
    "branchmind_diff": "entries",
    "branchmind_graph_query": "nodes",
    "branchmind_graph_validate": "errors",
    "branchmind_graph_diff": "changes",
    "branchmind_graph_conflicts": "conflicts",
    "branchmind_think_context": "cards",
    "tasks_delta": "events",
}
SIDES = {"from": "side", "to": "main"}
MERGE = {"from": "side", "into": "main", "dry_run": True}


@pytest.fixture
def full(desk):
    """A workspace in which every list has several entries of wide text."""
    task = desk.task(steps=3)
    for n in range(3):
        desk.task()
        desk.ok("tasks_note", task=task, path=f"s:{n}", note=WIDE)
        desk.ok("tasks_define", task=task, path=f"s:{n}", blockers=[WIDE])
        desk.ok("branchmind_think_card", card={"id": f"card {n}", "type": "note", "title": "t", "text": WIDE})
    desk.ok("tasks_edit", task=task, description=WIDE)
    desk.ok("tasks_focus_set", task=task)
    desk.nodes("ä1", "ä2", "ä3", "gone 1", "gone 2")
    desk.ok("branchmind_branch_create", name="side")
    for n in range(3):
        desk.ok("branchmind_notes_commit", content=WIDE, title=f"n{n}")
        desk.ok("branchmind_notes_commit", content=WIDE, title=f"s{n}", branch="side")
    for branch in ("side", "main"):
        ops = [{"op": "node_upsert", "id": f"ä{n}", "type": "t", "title": branch + WIDE} for n in (1, 2, 3)]
        desk.ok("branchmind_graph_apply", ops=ops, branch=branch)
    edges = [{"op": "edge_upsert", "from": "ä1", "rel": f"r{n}", "to": f"gone {n}"} for n in (1, 2)]
    desk.ok("branchmind_graph_apply", ops=edges, branch="side")
    gone = [{"op": "node_delete", "id": f"gone {n}"} for n in (1, 2)]
    desk.ok("branchmind_graph_apply", ops=gone)
    desk.ok("branchmind_graph_merge", **{"from": "side", "into": "main"})
    return desk


def arguments(desk, tool):
    first = {"conflict_id": desk.ok("branchmind_graph_conflicts", into="main", limit=1)["conflicts"][0]["conflict_id"]}
    return {
        "branchmind_show": {"doc_kind": "notes"},
        "branchmind_diff": SIDES,
        "branchmind_merge": MERGE,
        "branchmind_export": {"target": "TASK-001"},
        "branchmind_graph_diff": SIDES,
        "branchmind_graph_merge": MERGE,
        "branchmind_graph_conflicts": {"into": "main"},
        "branchmind_graph_conflict_show": first,
        "branchmind_think_template": {"type": "note"},
    }.get(tool, {})


def given(result):
    """How much an answer shows, budget and truncation aside."""
    return size({name: value for name, value in result.items() if name not in ("budget", "truncated", "pagination")})


@pytest.mark.parametrize("tool", CAPPED)
def test_max_chars_is_a_hard_cap_in_bytes(full, tool):
    call = arguments(full, tool)
    whole = full.ok(tool, **call)
    assert whole["truncated"] is False
    assert "budget" not in whole
    exact = size(whole)
    assert full.ok(tool, **call, max_chars=exact) == whole
    before, largest = full.state(), exact
    steps = sorted({exact - 1, *range(0, exact, max(1, exact // 40))}, reverse=True)
    for cap in steps:
        envelope = full.ask(tool, **call, max_chars=cap)
        if not envelope["success"]:
            assert envelope["error"]["code"] == "BUDGET_EXCEEDED"
            assert envelope["result"] == {}
            continue
        result = envelope["result"]
        assert size(result) <= cap
        assert result["truncated"] is True
        assert result["budget"] == {"used": size(result), "limit": cap, "unit": "bytes"}
        assert given(result) <= largest
        largest = given(result)
    assert not full.ask(tool, **call, max_chars=0)["success"]
    assert full.state() == before


@pytest.mark.parametrize("tool", CAPPED)
def test_what_is_suggested_for_an_exceeded_budget_fits(full, tool):
    call = arguments(full, tool)
    (suggestion,) = full.ask(tool, **call, max_chars=1)["suggestions"]
    result = full.ok(suggestion["target"], **suggestion["params"])
    assert size(result) <= suggestion["params"]["max_chars"]


@pytest.mark.parametrize("tool", LISTS)
@pytest.mark.parametrize("cap", [None, 1500])
def test_pages_joined_are_the_whole(full, tool, cap):
    call, key = arguments(full, tool), LISTS[tool]
    whole = full.ok(tool, **call)[key]
    assert len(whole) > 1
    joined, offset = [], 0
    while offset is not None:
        budget = {} if cap is None else {"max_chars": cap}
        page = full.ok(tool, **call, limit=2, offset=offset, **budget)
        assert 1 <= len(page[key]) <= 2
        joined += page[key]
        pagination = page["pagination"]
        assert pagination["count"] == len(page[key])
        assert page["truncated"] is pagination["has_more"]
        if cap is None and page["truncated"]:
            assert page["budget"] == {"used": 2, "limit": 2, "unit": "entries"}
        offset = pagination["next_offset"]
    assert joined == whole


def test_context_pages_plans_then_tasks(full):
    whole = full.ok("tasks_context")
    joined, offset = [], 0
    while offset is not None:
        page = full.ok("tasks_context", limit=3, offset=offset)
        joined += page["plans"] + page["tasks"]
        offset = page["pagination"]["next_offset"]
    assert joined == whole["plans"] + whole["tasks"]
    assert len(joined) == 8


def test_edges_come_with_the_page_of_the_node_that_they_leave(desk):
    desk.nodes(*"abcd")
    ends = [("a", "b"), ("a", "d"), ("c", "a"), ("d", "d")]
    desk.ok("branchmind_graph_apply", ops=[{"op": "edge_upsert", "from": f, "rel": "r", "to": t} for f, t in ends])
    edges = []
    for offset in range(4):
        edges += desk.ok("branchmind_graph_query", limit=1, offset=offset)["edges"]
    assert [(edge["from"], edge["to"]) for edge in edges] == ends
    cut = desk.ok("branchmind_graph_query", edges_limit=1)
    assert (len(cut["edges"]), cut["truncated"], cut["budget"]["unit"]) == (1, True, "edges")
    assert desk.ok("branchmind_graph_query", include_edges=False)["edges"] == []


@pytest.mark.parametrize(("tool", "knob"), [("branchmind_show", "max_bytes"), ("branchmind_diff", "max_lines")])
def test_caps_on_contents(full, tool, knob):
    call = arguments(full, tool)
    entries = full.ok(tool, **call)["entries"]

    def weight(some):
        return sum(len(e["content"].encode()) if knob == "max_bytes" else e["content"].count("\n") + 1 for e in some)

    least, two = weight(entries[:1]), weight(entries[:2])
    for cap, count in ((least, 1), (two - 1, 1), (two, 2), (weight(entries), len(entries))):
        page = full.ok(tool, **call, **{knob: cap})
        assert len(page["entries"]) == count
        if count < len(entries):
            assert page["budget"] == {"used": weight(page["entries"]), "limit": cap, "unit": knob.removeprefix("max_")}
    envelope = full.ask(tool, **call, **{knob: least - 1})
    assert envelope["error"]["code"] == "BUDGET_EXCEEDED"
    (suggestion,) = envelope["suggestions"]
    assert suggestion["params"][knob] == least
    full.ok(tool, **suggestion["params"])


def test_an_event_is_a_line(full):
    page = full.ok("tasks_delta", max_lines=3)
    assert (len(page["events"]), page["budget"]) == (3, {"used": 3, "limit": 3, "unit": "lines"})
    assert full.code("tasks_delta", max_lines=0) == "BUDGET_EXCEEDED"


def test_an_export_keeps_the_newest(full):
    whole = full.ok("branchmind_export", target="TASK-001")
    cut = full.ok("branchmind_export", target="TASK-001", notes_limit=2, trace_limit=1)
    assert cut["notes"]["entries"] == whole["notes"]["entries"][-2:]
    assert cut["trace"]["entries"] == whole["trace"]["entries"][-1:]
    assert cut["budget"] == {"used": 2, "limit": 2, "unit": "entries"}
    contents = len(WIDE.encode())
    small = full.ok("branchmind_export", target="TASK-001", max_bytes=contents + 60)
    assert [len(small[name]["entries"]) >= 1 for name in ("notes", "trace")] == [True, True]
    assert small["budget"]["unit"] == "bytes"
    assert full.code("branchmind_export", target="TASK-001", max_bytes=contents) == "BUDGET_EXCEEDED"


def test_named_limits_cut_as_well(full):
    cards = full.ok("branchmind_think_context", limit_cards=1)
    assert (len(cards["cards"]), cards["stats"]["cards"], cards["truncated"]) == (1, 3, True)
    errors = full.ok("branchmind_graph_validate", max_errors=1)
    assert (len(errors["errors"]), errors["budget"]["limit"], errors["ok"]) == (1, 1, False)


def test_a_merge_works_on_its_page_and_tells_what_it_left(full):
    first = full.ok("branchmind_merge", **{"from": "side", "into": "main"}, limit=2)
    assert (first["merged"], first["truncated"], first["pagination"]["next_offset"]) == (2, True, 2)
    rest = full.ok("branchmind_merge", **{"from": "side", "into": "main"}, limit=2, offset=2)
    assert (rest["merged"], rest["truncated"]) == (1, False)
    titles = [entry["title"] for entry in full.ok("branchmind_show", doc_kind="notes")["entries"]]
    assert titles == ["n0", "n1", "n2", "s0", "s1", "s2"]


def test_a_merge_whose_answer_does_not_fit_does_nothing(full):
    before = full.state()
    assert full.code("branchmind_merge", **{"from": "side", "into": "main"}, max_chars=20) == "BUDGET_EXCEEDED"
    assert full.state() == before


def test_an_empty_list_is_an_empty_page(desk):
    page = desk.ok("tasks_context")
    assert (page["plans"], page["pagination"]["has_more"], page["truncated"]) == ([], False, False)


def test_budgets_that_count_their_own_digits(desk):
    budgets = desk.tasks.parts.budgets
    for length in range(60, 140):
        told = budgets.in_bytes({"text": "x" * length}, 10_000)
        assert told["budget"]["used"] == size(told)
