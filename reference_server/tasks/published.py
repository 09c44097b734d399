"""Writes the contract's tools as data: `python -m reference_server.tasks.published > schemas/tasks/tools.json`."""

import json
import sys

from reference_server.application import Json
from reference_server.tasks.spec import Spec
from reference_server.tasks.tools import SPECS


def published() -> list[dict[str, Json]]:
    """Every tool as tools/list shows it, and its marks.

    `writes`: entity; guard (the entity whose revision `argument` and its `alias` are compared with, and the JSON
    pointer to that revision in the result), left out where the write takes none; shown_by. `budgets`: knob to unit.
    """
    return [{**spec.as_tool().as_listed(), **_marks(spec)} for spec in SPECS]


def _marks(spec: Spec) -> dict[str, Json]:
    marks: dict[str, Json] = {"budgets": spec.budgets} if spec.budgets else {}
    if spec.writes is None:
        return marks
    writes: dict[str, Json] = {"entity": spec.writes.entity}
    if spec.writes.guard is not None:
        writes["guard"] = {
            "entity": spec.writes.guard,
            "argument": "expected_revision",
            "alias": "expected_version",
            "revision": spec.writes.revision,
        }
    return {"writes": writes | {"shown_by": list(spec.writes.reads)}, **marks}


def text() -> str:
    """The file's content."""
    return json.dumps(published(), ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    sys.stdout.write(text())
