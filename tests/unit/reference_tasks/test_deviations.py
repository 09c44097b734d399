"""Each requirement that laws judge has a deviation, and each deviation changes what a caller sees."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from reference_server.deviations.registry import all_deviations, find
from reference_server.tasks import open_tasks

from .desk import Desk
from .test_budgets import WIDE

REQUIREMENTS = tomllib.loads(
    (Path(__file__).parents[3] / "schemas" / "tasks" / "requirements.toml").read_text("utf-8")
)["requirement"]
JUDGED = sorted(row["id"] for row in REQUIREMENTS if row["seen"] != "reference")
IN_MEMORY = [name for name in JUDGED if not find(name).store]
"""What acts on a store on disk is tested beside that."""
SIDE = {"from": "side", "into": "main"}
YES = {"confirmed": True}
TASK = {"task": "TASK-001"}
STEP = {**TASK, "path": "s:0"}


class Tour:
    """Answers of one walk through the contract, each code and each kind of entity on its way."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.seen: list[Any] = [[tool.as_listed() for tool in desk.tasks.tools]]
        self.workspaces()
        self.steps()
        self.targets()
        self.graphs()
        self.budgets()

    def ask(self, tool: str, **arguments: Any) -> dict[str, Any]:
        answer = self.desk.answer(tool, {"workspace": "w", **arguments})
        self.seen.append((answer.failed, answer.envelope))
        return answer.envelope

    def workspaces(self) -> None:
        ask = self.ask
        ask("tasks_context")
        ask("branchmind_init", workspace=" w")
        ask("branchmind_init")
        ask("branchmind_init", workspace="v")
        ask("tasks_context", workspace="u")
        steps = [{"title": f"step {n}", "success_criteria": ["c"]} for n in range(2)]
        for workspace in ("w", "v"):
            ask("tasks_create", workspace=workspace, title=f"plan of {workspace}")
            ask("tasks_create", workspace=workspace, title=f"task of {workspace}", parent="PLAN-001", steps=steps)
        ask("tasks_create", title="second", parent="PLAN-001", steps=steps)
        ask("tasks_create", title="")
        ask("tasks_context")

    def steps(self) -> None:
        ask = self.ask
        ask("tasks_radar", task="TASK-1")
        ask("tasks_note", **TASK, step_id="STEP-1", note="n")
        ask("tasks_note", **TASK, path="0", note="n")
        ask("tasks_note", **STEP, note=WIDE)
        ask("tasks_edit", **TASK, title="t", expected_revision=9)
        ask("tasks_edit", **TASK, title="t", expected_version=9)
        revision = self.desk.ok("tasks_radar", **TASK)["target"]["revision"]
        ask("tasks_define", **STEP, title="t", expected_version=revision)
        ask("tasks_done", **STEP)
        ask("tasks_verify", **STEP, checkpoints={"criteria": YES})
        ask("tasks_done", **STEP)
        ask("tasks_define", **STEP, blockers=["a strike"])
        ask("tasks_verify", **TASK, path="s:1", checkpoints={"criteria": YES, "tests": YES})
        for _ in range(2):
            ask("tasks_done", **TASK, path="s:1")
        ask("tasks_patch", **STEP, title="patched")
        ask("tasks_context")

    def targets(self) -> None:
        ask = self.ask
        ask("tasks_edit", **TASK, title="t", expected_target_id="TASK-002")
        ask("tasks_focus_set", **TASK)
        ask("tasks_edit", title="t", expected_target_id="TASK-002")
        ask("tasks_edit", title="t", strict_targeting=True)

    def graphs(self) -> None:
        ask = self.ask
        upsert = {"op": "node_upsert", "id": "n", "type": "t"}
        ask("branchmind_graph_apply", ops=[upsert, {"op": "node_upsert", "id": " n ", "type": " t "}])
        ask("branchmind_graph_apply", ops=[upsert | {"id": "a|b"}])
        ask("branchmind_graph_apply", ops=[upsert | {"type": ""}])
        ask("branchmind_graph_apply", ops=[{"op": "edge_upsert", "from": "n", "rel": "a|b", "to": "n"}])
        ask("branchmind_graph_apply", ops=[upsert | {"id": "first"}, {"op": "node_delete", "id": "missing"}])
        ask("branchmind_graph_query")
        ask("branchmind_think_card", card={"id": "c", "type": "note", "title": "t", "text": "what was thought"})
        ask("branchmind_think_context")
        ask("branchmind_graph_validate")
        ask("branchmind_branch_create", name="side")
        ask("branchmind_branch_create", name="side")
        ask("branchmind_branch_create", name="no spaces")
        for branch in ("side", "main"):
            ask("branchmind_graph_apply", branch=branch, ops=[upsert | {"title": branch}])
        conflicts = [ask("branchmind_graph_merge", **SIDE)["result"]["conflict_ids"] for _ in range(2)]
        ask("branchmind_graph_conflict_resolve", conflict_id=conflicts[0][0], resolution="use_from")
        ask("branchmind_graph_query")

    def budgets(self) -> None:
        ask = self.ask
        for page in ({"offset": 0}, {"offset": 2}):
            ask("tasks_delta", limit=2, **page)
        ask("tasks_delta", limit=100)
        for _ in range(3):
            ask("branchmind_notes_commit", content=WIDE)
        ask("branchmind_notes_commit", content="c", expected_revision=99)
        notes = {"doc_kind": "notes"}
        ask("branchmind_show", **notes, max_bytes=2 * len(WIDE.encode()) - 1)
        for cap in range(0, 3000, 250):
            ask("branchmind_show", **notes, max_chars=cap)
        revision = self.desk.ok("tasks_radar", task="TASK-002")["target"]["revision"]
        guarded = {"task": "TASK-002", "title": "t", "expected_revision": revision}
        self.seen.append([answer.failed for answer in self.desk.together(*[("tasks_edit", guarded)] * 3)])


def toured(*requirements: str) -> list[Any]:
    tasks = open_tasks()
    for requirement in requirements:
        find(requirement).apply(tasks)
    desk = Desk(tasks)
    with desk.runner:
        return Tour(desk).seen


@pytest.fixture(scope="module")
def correct() -> list[Any]:
    return toured()


def test_every_judged_requirement_has_a_deviation():
    assert [each.requirement for each in all_deviations("tasks")] == JUDGED
    assert all(each.transport is None for each in all_deviations("tasks"))


def test_the_tour_is_deterministic(correct):
    assert toured() == correct


@pytest.mark.parametrize("requirement", IN_MEMORY)
def test_a_deviation_shows(correct, requirement):
    assert toured(requirement) != correct


def test_a_deviation_changes_no_other_instance(correct):
    for requirement in IN_MEMORY:
        find(requirement).apply(open_tasks())
    assert toured() == correct
