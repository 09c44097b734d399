"""Arguments for a tool, attempt after attempt; what was answered earlier; the run's own folder."""

import sqlite3
import zipfile
from pathlib import Path
from typing import Any

import pytest

from conformance.contracts.mcp.reach.attempts import Attempts
from conformance.contracts.mcp.reach.eager import eager
from conformance.contracts.mcp.reach.known import MOST, Known, fields
from conformance.contracts.mcp.reach.slots import Slot, at, slots, with_at
from conformance.contracts.mcp.samples import Files, Fresh, Samples
from conformance.drive.files import MAKING
from conformance.drive.workspace import Workspace
from conformance.model.events import Json
from conformance.model.listed import ListedTool
from tests.unit.reach.tools import tool

ZONE = {"anyOf": [{"type": "string", "title": "Z"}, {"type": "null"}]}


def samples(**given: Any) -> Samples:
    return Samples(given={"fresh": Fresh(lambda name: f"{name}_1"), "files": Files(lambda kind: f"/w/{kind}"), **given})


def attempts(about: ListedTool, plain: dict[str, Json], known: Known | None = None, **more: Any) -> Attempts:
    return Attempts(about, plain, {**plain, **more.pop("full", {})}, known or Known(), samples(**more).filled)


def text(name: str, says: str = "") -> Slot:
    return Slot((name,), name, {"type": "string", "description": says}, required=True)


def test_the_first_attempt_takes_values_by_name_and_description() -> None:
    about = tool("show", timezone="", unit="such as 'parsec'", other="")
    first = attempts(about, {"timezone": "example", "unit": "example", "other": "example"}).first()
    assert first == {"timezone": "UTC", "unit": "parsec", "other": "example"}


def test_a_search_is_for_what_was_made() -> None:
    known = Known()
    known.take("add_book", "make", [(text("title"), "{{fresh.title}}")], {})
    assert attempts(tool("search_books", query=""), {"query": "example"}, known).first() == {"query": "{{fresh.title}}"}
    assert attempts(tool("search_books", query=""), {"query": "example"}).first() == {"query": "hello"}


def test_a_bound_that_a_refusal_names_is_kept_by_the_numbers() -> None:
    numbers = {"type": "integer"}
    found = attempts(tool("join", who="", years=numbers), {"who": "example", "years": 1})
    first = found.first()
    assert first["years"] == 1
    assert found.after("members must be at least 13 years old") == {**first, "years": 13}
    assert found.after("years: must be greater than 13") == {**first, "years": 14}


def test_a_value_that_the_schema_does_not_allow_is_never_sent() -> None:
    about = tool("show", timezone={"type": "string", "pattern": "^Mars/"})
    found = attempts(about, {"timezone": "Mars/North"})
    assert found.first() == {"timezone": "Mars/North"}
    assert found.after("timezone 'Mars/North' is unknown. Available: Venus") is None


def test_a_refusal_changes_the_argument_that_it_names() -> None:
    found = attempts(tool("show", city="", sheet=""), {"city": "example", "sheet": "example"})
    assert found.first() == {"city": "Berlin", "sheet": "Sheet1"}
    assert found.after("sheet 'Sheet1' not found. Available: 'Main'") == {"city": "Berlin", "sheet": "Main"}


def test_what_a_refusal_no_longer_speaks_of_stays() -> None:
    found = attempts(tool("show", city="", sheet=""), {"city": "example", "sheet": "example"})
    found.first()
    found.after("sheet 'Sheet1' not found. Available: 'Main'")
    for _ in range(3):
        again = found.after("no")
        assert again is None or again["sheet"] == "Main"


def test_what_another_tool_accepted_is_doubted_last() -> None:
    known = Known()
    known.take("show_all", "read", [(text("place"), "here")], {})
    found = attempts(tool("show", place="", city=""), {"place": "example", "city": "example"}, known)
    assert found.first() == {"place": "here", "city": "Berlin"}
    assert found.after("no") == {"place": "here", "city": "New York"}


def test_an_argument_that_is_asked_for_is_added() -> None:
    about = ListedTool("find", {"inputSchema": {"type": "object", "properties": {"code": {"type": "integer"}}}})
    found = attempts(about, {}, full={"code": 1})
    assert found.first() == {}
    assert found.after("either name or code is required") == {"code": 1}


def test_a_path_moves_into_the_folder_that_is_allowed() -> None:
    found = attempts(tool("read", path=""), {"path": "example"})
    assert found.first() == {"path": "{{files.text}}"}
    assert found.after("/w/text is outside the allowed folder /srv/data") == {"path": "/srv/data"}
    assert found.after("/srv/data is a folder") != {"path": "/srv/data"}


def test_attempts_end() -> None:
    found, count = attempts(tool("show", title=""), {"title": "example"}), 0
    found.first()
    while found.after("no") is not None:
        count += 1
    assert count < 13


@pytest.mark.parametrize(
    ("maker", "answer", "slot", "wanted"),
    [
        ("create_task", {"id": "t-1"}, text("task_id"), ["{{create_task.id}}"]),
        ("create_task", {"task": {"id": "t-1"}}, text("taskId"), ["{{create_task.task.id}}"]),
        ("list_tasks", {"tasks": [{"id": "t-1"}]}, text("task_id"), ["{{list_tasks.tasks.0.id}}"]),
        ("create_task", {"task_id": "t-1"}, text("task_id"), ["{{create_task.task_id}}"]),
        ("create_task", {"id": 7}, text("task_id"), []),
        ("create_task", {"id": "t-1"}, text("user_id"), []),
        ("begin", {"handle": "h"}, text("handle", "what begin returned"), ["{{begin.handle}}"]),
        ("create_task", "Created. **Task ID:** `t-1`", text("task_id"), ["{{create_task.task_id}}"]),
    ],
)
def test_an_answered_value_fits_by_name_type_and_tool(maker: str, answer: Json, slot: Slot, wanted: list[str]) -> None:
    known = Known()
    known.take(maker, "make", [], fields(answer))
    assert list(known.fitting(slot, "get_task")) == wanted


def test_an_accepted_argument_fits_one_of_the_same_name_that_of_the_nearer_tool_first() -> None:
    known = Known()
    known.take("write_file", "make", [(text("path"), "{{files.folder}}/a.txt")], {})
    known.take("create_directory", "make", [(text("path"), "{{files.folder}}/b")], {})
    assert next(known.fitting(text("path"), "list_directory")) == "{{files.folder}}/b"
    assert next(known.fitting(text("source"), "move_file")) == "{{files.folder}}/a.txt"
    assert list(known.fitting(text("city"), "move_file")) == []


def test_what_is_kept_of_answers_is_bounded() -> None:
    known = Known()
    inner = {f"inner{each}": {f"id{last}": "v" for last in range(40)} for each in range(100)}
    wide = {f"key{number}": inner for number in range(100)}
    for number in range(60):
        known.take(f"tool{number}", None, [(text("a"), "b")] * 60, fields(wide))
    assert len(known._leaves) <= MOST
    assert len(known._good) <= MOST


def test_slots_lie_behind_references_lists_and_branches() -> None:
    schema = {
        "type": "object",
        "properties": {"items": {"type": "array", "items": {"$ref": "#/$defs/item"}}, "zone": ZONE},
        "required": ["items"],
        "$defs": {"item": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}},
    }
    found = {slot.path: slot for slot in slots(schema, {"items": [{"name": "a"}], "zone": "b"})}
    assert set(found) == {("items",), ("zone",), ("items", 0, "name")}
    assert (found["zone",].says, found["zone",].required) == ("Z", False)
    assert found["items", 0, "name"].required
    assert with_at({"items": [{"name": "a"}]}, ("items", 0, "name"), "c") == {"items": [{"name": "c"}]}
    assert at({"items": []}, ("items", 0)) is None


def test_what_is_made_is_worth_calling_with() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "array"}, "b": {"type": "string"}}, "required": ["a"]}
    assert eager(schema)["properties"]["a"]["minItems"] == 1
    assert eager(schema, full=True)["required"] == ["a", "b"]
    assert schema["required"] == ["a"]


def test_placeholders_lead_into_answers() -> None:
    given = samples(**{"list.all": {"tasks": [{"id": "t"}], "a.b": 1}})
    assert given.filled("{{list.all.tasks.0.id}}") == "t"
    assert given.filled("{{list.all.a.b}}") == 1
    assert given.filled("{{files.text}}") == "/w/text"
    for unknown in ("{{list.all.tasks.1.id}}", "{{list.all.nothing}}", "{{nobody.id}}", "{{list.all.tasks.0.id.x}}"):
        with pytest.raises(LookupError):
            given.filled(unknown)


def test_the_folder_holds_files_of_each_kind_and_goes() -> None:
    workspace = Workspace()
    paths = {kind: Path(workspace.path(kind)) for kind in MAKING}
    assert all(path.exists() for path in paths.values())
    assert zipfile.ZipFile(paths["workbook"]).testzip() is None
    with sqlite3.connect(paths["database"]) as database:
        assert database.execute("SELECT name FROM example").fetchall() == [("a",)]
    assert (paths["repository"] / ".git").is_dir()
    with pytest.raises(LookupError):
        workspace.path("submarine")
    workspace.close()
    assert not paths["folder"].exists()


def test_a_folder_that_nobody_asks_for_is_not_made() -> None:
    workspace = Workspace()
    workspace.close()
    assert workspace._folder is None
