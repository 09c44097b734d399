"""Tasks in pages of which the caller counts what came before: how many tasks, or which page.

It is correct, and may be broken in how it reads on.
"""

import json
from pathlib import Path
from typing import Any

BREAKS = ("leaves-one-out", "begins-too-early", "newest-first", "refuses-the-second")
PAGE = 5
CONTRACT = """name = "counted"
[envelope]
failure_key = "error"
[[make]]
entity = "task"
id = "/id"
make = {{ tool = "add_task", arguments = {{ title = "{{{{fresh.title}}}}" }}, at = "/task" }}
read = {{ tool = "get_task", arguments = {{ id = "{{{{id}}}}" }}, at = "/task" }}
list = {{ tool = "list_tasks", at = "/tasks" }}
"""
PROMISES = """[[requirement]]
id = "CO-SERVED"
promise = {{ law = "served" }}
[[requirement]]
id = "CO-PAGES"
promise = {{ law = "paged", entity = "task", tool = "list_tasks", cursor = "@/{cursor}", {how}, size = "@/{size}" }}
"""
ERRORS = """[[error]]
code = "BAD"
meaning = "an argument is not as it should be"
"""


class Counted:
    """The store. `by`: entries, or pages that begin with 1 or with 0."""

    def __init__(self, by: str, broken: str = "") -> None:
        self.by, self.broken = by, broken
        self.cursor, self.size = ("offset", "limit") if by == "entries" else ("page", "per_page")
        self.first = 1 if by == "pages" else 0
        self.tasks: list[dict[str, Any]] = []

    def tools(self) -> list[dict[str, Any]]:
        paging = {
            self.cursor: {"type": "integer", "minimum": self.first},
            self.size: {"type": "integer", "minimum": 1, "maximum": 50},
        }
        made = {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}
        listed = {"type": "object", "properties": paging}
        asked = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}
        reads = {"annotations": {"readOnlyHint": True}}
        return [
            {"name": "add_task", "description": "Adds a task.", "inputSchema": made},
            {"name": "get_task", "description": "Shows a task.", "inputSchema": asked, **reads},
            {"name": "list_tasks", "description": "Lists tasks.", "inputSchema": listed, **reads},
        ]

    def folder(self, place: Path) -> Path:
        """Its contract, written to a folder."""
        counts = "entries" if self.by == "entries" else "pages"
        how = f'counts = "{counts}"' + (", begins = 0" if self.by == "pages-from-0" else "")
        files = {
            "contract.toml": CONTRACT.format(),
            "requirements.toml": PROMISES.format(cursor=self.cursor, size=self.size, how=how),
            "errors.toml": ERRORS,
            "tools.json": json.dumps(self.tools()),
        }
        place.mkdir()
        for name, text in files.items():
            (place / name).write_text(text, "utf-8")
        return place

    def answer(self, name: str, arguments: dict[str, Any]) -> tuple[dict[str, Any], bool]:
        if name == "add_task":
            if not isinstance(arguments.get("title"), str):
                return {"error": {"code": "BAD", "message": "no"}}, True
            task = {"id": len(self.tasks) + 1, "title": arguments["title"]}
            self.tasks.append(task)
            return {"task": task}, False
        if name == "get_task":
            found = next((task for task in self.tasks if task["id"] == arguments.get("id")), None)
            return ({"task": found}, False) if found else ({"error": {"code": "BAD", "message": "no"}}, True)
        size, asked = arguments.get(self.size, PAGE), arguments.get(self.cursor, self.first)
        numbers = all(isinstance(each, int) and not isinstance(each, bool) for each in (size, asked))
        if not numbers or not 1 <= size <= 50 or asked < self.first:
            return {"error": {"code": "BAD", "message": "no"}}, True
        begin = asked if self.by == "entries" else (asked - self.first) * size
        if self.broken == "refuses-the-second" and begin:
            return {"error": {"code": "BAD", "message": "no"}}, True
        begin += {"leaves-one-out": 1, "begins-too-early": -1}.get(self.broken, 0) if begin else 0
        tasks = self.tasks[::-1] if self.broken == "newest-first" and begin else self.tasks
        return {"tasks": tasks[begin : begin + size], "total": len(tasks)}, False
