"""The contract's data says what the tools are."""

import tomllib
from pathlib import Path

import jsonschema_rs

from reference_server.tasks.published import published, text
from reference_server.tasks.refusal import CODES
from reference_server.tasks.tools import SPECS

SCHEMAS = Path(__file__).parents[3] / "schemas" / "tasks"


def test_the_tools_are_published_as_they_are():
    assert (SCHEMAS / "tools.json").read_text("utf-8") == text()


def test_there_are_36_tools_with_closed_schemas():
    assert len({spec.name for spec in SPECS}) == 36
    for spec in SPECS:
        jsonschema_rs.meta.validate(spec.input_schema)
        assert spec.input_schema["additionalProperties"] is False


def test_the_catalogue_holds_the_codes():
    errors = tomllib.loads((SCHEMAS / "errors.toml").read_text("utf-8"))["error"]
    assert [error["code"] for error in errors] == list(CODES)


def test_marks_name_tools_and_knobs_that_there_are():
    names = {tool["name"] for tool in published()}
    reads = {tool["name"] for tool in published() if tool["annotations"]["readOnlyHint"]}
    for tool in published():
        assert ("writes" in tool) is (tool["name"] not in reads)
        assert set(tool.get("writes", {}).get("shown_by", ())) <= reads <= names
        assert set(tool.get("budgets", ())) <= set(tool["inputSchema"]["properties"])
        if tool["name"] in reads - {"storage"}:
            assert "max_chars" in tool["budgets"]
