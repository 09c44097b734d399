"""Every mutable entity has a revision, every write on one can be guarded by it."""

import itertools

import pytest

from reference_server.tasks.tools import SPECS

GUARDED = [spec.name for spec in SPECS if spec.writes is not None and spec.writes.guard is not None]
STEPS = [{"title": "t", "success_criteria": ["c"]}]
BOTH = {"criteria": {"confirmed": True}, "tests": {"confirmed": True}}


class Write:
    """One guarded write, and how to read the revision that it is guarded by."""

    def __init__(self, desk):
        self.desk = desk
        self.task = desk.task()
        self.numbers = itertools.count()

    def arguments(self, tool):
        n = next(self.numbers)
        task, step = {"task": self.task}, {"task": self.task, "path": "s:0"}
        graph_op = {"op": "node_upsert", "id": "n", "type": "t", "title": f"title {n}"}
        made = {
            "branchmind_notes_commit": {"content": f"note {n}"},
            "branchmind_graph_apply": {"ops": [graph_op]},
            "branchmind_think_card": {"card": {"id": f"card {n}", "type": "note", "title": "t"}},
            "tasks_decompose": task | {"steps": STEPS},
            "tasks_define": step | {"title": f"title {n}"},
            "tasks_note": step | {"note": f"note {n}"},
            "tasks_verify": step | {"checkpoints": {"criteria": {"confirmed": not n % 2}}},
            "tasks_edit": task | {"title": f"title {n}"},
            "tasks_patch": task | {"title": f"title {n}"},
            "tasks_focus_set": task,
            "tasks_focus_clear": {},
        }
        return made.get(tool) or getattr(self, tool, dict)()

    def tasks_done(self):
        added = self.desk.ok("tasks_decompose", task=self.task, steps=STEPS)["steps"][0]["step_id"]
        self.desk.ok("tasks_verify", task=self.task, step_id=added, checkpoints=BOTH)
        return {"task": self.task, "step_id": added}

    def _branch(self):
        name = f"b{next(self.numbers)}"
        self.desk.ok("branchmind_branch_create", name=name, **{"from": "main"})
        return name

    def branchmind_merge(self):
        branch = self._branch()
        self.desk.ok("branchmind_notes_commit", branch=branch, content="c")
        return {"from": branch, "into": "main"}

    def branchmind_graph_merge(self):
        branch = self._branch()
        self.desk.nodes(f"only in {branch}", branch=branch)
        return {"from": branch, "into": "main"}

    def branchmind_graph_conflict_resolve(self):
        node, branch = f"node {next(self.numbers)}", self._branch()
        for where in (branch, "main"):
            op = {"op": "node_upsert", "id": node, "type": "t", "title": where}
            self.desk.ok("branchmind_graph_apply", branch=where, ops=[op])
        ids = self.desk.ok("branchmind_graph_merge", **{"from": branch, "into": "main"})["conflict_ids"]
        return {"conflict_id": ids[0], "resolution": "use_from"}

    def revision(self, tool, arguments):
        desk = self.desk
        if tool == "branchmind_graph_conflict_resolve":
            return desk.ok("branchmind_graph_conflict_show", conflict_id=arguments["conflict_id"])["conflict"][
                "revision"
            ]
        if tool.startswith("tasks_focus"):
            return desk.ok("tasks_focus_get")["revision"]
        if tool.startswith("tasks_"):
            return desk.ok("tasks_radar", task=self.task)["target"]["revision"]
        doc = {"branchmind_notes_commit": "notes", "branchmind_merge": "notes", "branchmind_think_card": "trace"}
        return desk.ok("branchmind_show", branch="main", doc=doc.get(tool, "graph"))["revision"]


def pointed(result, pointer):
    for part in pointer.split("/")[1:]:
        result = result[int(part)] if isinstance(result, list) else result[part]
    return result


def test_the_guarded_writes():
    assert len(GUARDED) == 15
    for spec in SPECS:
        guarded = spec.name in GUARDED
        assert ("expected_revision" in spec.properties) is guarded
        assert ("expected_version" in spec.properties) is guarded


@pytest.mark.parametrize("tool", GUARDED)
@pytest.mark.parametrize("argument", ["expected_revision", "expected_version"])
def test_a_write_is_guarded_by_either_name(desk, tool, argument):
    write = Write(desk)
    spec = next(spec for spec in SPECS if spec.name == tool)
    for _ in range(2):
        arguments = write.arguments(tool)
        current = write.revision(tool, arguments)
        before = desk.state()
        for other in (current + 1, current + 5, *([current - 1] if current else [])):
            envelope = desk.ask(tool, **arguments, **{argument: other})
            assert envelope["error"]["code"] == "REVISION_MISMATCH"
            assert envelope["result"]["current_revision"] == current
            assert desk.state() == before
        result = desk.ok(tool, **arguments, **{argument: current})
        assert pointed(result, spec.writes.revision) == current + 1
        assert write.revision(tool, arguments) == current + 1


@pytest.mark.parametrize("tool", GUARDED)
def test_a_mismatch_suggests_a_read_that_shows_the_revision(desk, tool):
    write = Write(desk)
    arguments = write.arguments(tool)
    envelope = desk.ask(tool, **arguments, expected_revision=99)
    current = envelope["result"]["current_revision"]
    shown = [desk.ok(each["target"], **each["params"]) for each in envelope["suggestions"]]
    assert current in set(revisions(shown[0]))
    desk.ok(tool, **arguments, expected_revision=current)


def revisions(value):
    if isinstance(value, dict):
        if "revision" in value:
            yield value["revision"]
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from revisions(each)


def test_both_names_may_agree(desk):
    task = desk.task()
    assert desk.ok("tasks_edit", task=task, title="t", expected_revision=0, expected_version=0)["revision"] == 1


def test_of_concurrent_writes_one_is_accepted(desk):
    task = desk.task()
    calls = [("tasks_edit", {"task": task, "title": f"t{n}", "expected_revision": 0}) for n in range(8)]
    assert sum(not answer.failed for answer in desk.together(*calls)) == 1


def test_a_step_raises_its_task_and_its_documents_and_their_branch_once(desk):
    task = desk.task()

    def seen():
        listed = desk.ok("tasks_context")["tasks"][0]
        branches = {each["name"]: each["revision"] for each in desk.ok("branchmind_branch_list")["branches"]}
        docs = [desk.ok("branchmind_show", target=task, doc_kind=kind)["revision"] for kind in ("notes", "trace")]
        return [listed["revision"], *(step["revision"] for step in listed["steps"]), branches[f"task/{task}"], *docs]

    before = seen()
    desk.ok("tasks_note", task=task, path="s:0", note="n")
    assert [after - b for after, b in zip(seen(), before, strict=True)] == [1, 1, 0, 1, 1, 1]


def test_nodes_and_edges_have_revisions_that_outlive_deletion(desk):
    desk.nodes("a", "b")
    edge = {"op": "edge_upsert", "from": "a", "rel": "r", "to": "b"}
    desk.ok("branchmind_graph_apply", ops=[edge])
    desk.nodes("a")

    def seen():
        graph = desk.ok("branchmind_graph_query")
        return {each.get("id", "edge"): each["revision"] for each in graph["nodes"] + graph["edges"]}

    assert seen() == {"a": 1, "b": 0, "edge": 0}
    desk.ok("branchmind_graph_apply", ops=[{"op": "node_delete", "id": "a"}])
    assert seen() == {"b": 0}
    desk.nodes("a")
    desk.ok("branchmind_graph_apply", ops=[edge])
    assert seen() == {"a": 3, "b": 0, "edge": 2}


def test_what_changes_nothing_raises_nothing(desk):
    task = desk.task()
    card = {"id": "c", "type": "note", "title": "t"}
    desk.ok("branchmind_think_card", card=card)
    desk.ok("tasks_verify", task=task, path="s:0", checkpoints=BOTH)
    conflict = desk.clash()
    side = {"from": "side", "into": "main"}
    before = desk.state()
    assert desk.ok("branchmind_think_card", card=card)["inserted"] is False
    again = desk.ask("tasks_verify", task=task, path="s:0", checkpoints=BOTH)
    assert (again["result"]["event"], again["warnings"][0]["code"]) == (None, "NO_EFFECT")
    desk.ok("tasks_patch", task=task, path="s:0", checkpoints=BOTH)
    assert desk.ok("branchmind_graph_merge", **side)["conflict_ids"] == [conflict]
    desk.ok("branchmind_graph_merge", **side, dry_run=True)
    desk.ok("branchmind_merge", **side)
    desk.ok("branchmind_checkout", ref="main")
    assert desk.state() == before


def test_reads_change_nothing(desk):
    task = desk.task()
    desk.ok("tasks_focus_set", task=task)
    conflict = desk.clash()
    extra = {
        "branchmind_diff": {"from": "side", "to": "main"},
        "branchmind_graph_diff": {"from": "side", "to": "main"},
        "branchmind_export": {"target": task},
        "branchmind_graph_conflicts": {"into": "main"},
        "branchmind_graph_conflict_show": {"conflict_id": conflict},
        "branchmind_think_template": {"type": "note"},
    }
    before = desk.state()
    for spec in SPECS:
        if spec.writes is None:
            desk.ok(spec.name, **extra.get(spec.name, {}))
    assert desk.state() == before
