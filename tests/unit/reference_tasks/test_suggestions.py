"""Suggestions are executed as they are."""

import jsonschema_rs
import pytest

from .test_errors import PROVOKED
from .test_revisions import GUARDED, Write

FAILURES = {
    **PROVOKED,
    "no selector": ("tasks_note", {"note": "n"}),
    "unknown step": ("tasks_note", {"path": "s:9", "note": "n"}),
    "unknown node": ("branchmind_graph_apply", {"ops": [{"op": "node_delete", "id": "n"}]}),
    "unknown branch": ("branchmind_show", {"branch": "nowhere"}),
    "unknown conflict": ("branchmind_graph_conflict_show", {"conflict_id": "CONFLICT-" + "0" * 32}),
    "no plan": ("tasks_create", {"title": "t", "kind": "task"}),
    "no card": ("branchmind_think_card", {"card": "nothing"}),
    "merge without a base": ("branchmind_merge", {"from": "main", "into": "main"}),
    "blank": ("branchmind_notes_commit", {"content": " "}),
}


def follow(desk, envelope):
    """Executes every suggestion; none fails its target's validation."""
    listed = {tool.name: tool for tool in desk.tasks.tools}
    for suggestion in envelope["suggestions"]:
        assert set(suggestion) == {"action", "target", "reason", "priority", "validated", "params"}
        assert (suggestion["action"], suggestion["validated"]) == ("call_tool", True)
        assert suggestion["priority"] in ("high", "medium", "low")
        schema = listed[suggestion["target"]].input_schema
        assert jsonschema_rs.Draft202012Validator(schema).is_valid(suggestion["params"])
        answer = desk.answer(suggestion["target"], suggestion["params"])
        assert not answer.failed, answer.envelope["error"]


@pytest.mark.parametrize("failure", FAILURES)
def test_suggestions_of_failures(desk, failure):
    desk.ok("tasks_focus_set", task=desk.task())
    tool, arguments = FAILURES[failure]
    follow(desk, desk.ask(tool, **arguments))


@pytest.mark.parametrize("tool", GUARDED)
def test_suggestions_of_mismatches(desk, tool):
    arguments = Write(desk).arguments(tool)
    envelope = desk.ask(tool, **arguments, expected_revision=99)
    assert envelope["suggestions"]
    follow(desk, envelope)


def test_suggestions_where_nothing_is_initialised(bare):
    follow(bare, bare.ask("tasks_context"))
    assert bare.ok("tasks_context")["plans"] == []
    follow(bare, bare.ask("tasks_context", workspace="other"))


def test_a_resolved_conflict_suggests_itself(desk):
    settled = {"conflict_id": desk.clash(), "resolution": "use_from"}
    desk.ok("branchmind_graph_conflict_resolve", **settled)
    follow(desk, desk.ask("branchmind_graph_conflict_resolve", **settled))


def test_a_taken_card_id_suggests_what_has_it(desk):
    desk.nodes("c")
    follow(desk, desk.ask("branchmind_think_card", card={"id": "c", "type": "note", "title": "t"}))
