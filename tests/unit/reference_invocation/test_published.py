"""The contract's data says what the runtime is."""

import json
import tomllib
from pathlib import Path

import jsonschema_rs
import pytest

from reference_server.invocation.definition import Effect
from reference_server.invocation.kit.catalogue import KIT
from reference_server.invocation.published import published, text
from reference_server.invocation.schemas import INVOCATION
from reference_server.invocation.taxonomy import CLASS_OF, CLASSES, retryable

from .desk import Desk

SCHEMAS = Path(__file__).parents[3] / "schemas" / "invocation"
TAXONOMY = tomllib.loads((SCHEMAS / "taxonomy.toml").read_text("utf-8"))
ERRORS = tomllib.loads((SCHEMAS / "errors.toml").read_text("utf-8"))["error"]


@pytest.mark.parametrize("name", published())
def test_what_is_published_is_what_is_served(name: str) -> None:
    assert (SCHEMAS / name).read_text("utf-8") == text(published()[name])


def test_the_kit_is_described_as_it_is_published(desk: Desk) -> None:
    described = desk.run(desk.call("describe_tools", {})).envelope["tools"]
    kit = json.loads((SCHEMAS / "kit.json").read_text("utf-8"))
    assert described == [{name: value for name, value in tool.items() if name != "kit"} for tool in kit]
    assert desk.run(desk.call("describe_tools", {"all": True})).envelope["error"]["code"] == "SchemaInvalid"


def test_schemas_are_schemas_and_inputs_are_closed() -> None:
    for one in KIT:
        jsonschema_rs.meta.validate(one.input_schema)
        jsonschema_rs.meta.validate(one.output_schema)
        assert one.input_schema["additionalProperties"] is False
    assert INVOCATION["additionalProperties"] is False


def test_an_output_schema_requires_nothing_that_a_rule_names() -> None:
    for one in KIT:
        for rule in one.redaction_rules:
            place, _, field = rule.removeprefix("/").partition("/")
            assert place == "input" or field not in one.output_schema.get("required", ())


def test_every_local_tool_has_its_function(desk: Desk) -> None:
    provider = desk.app.pipeline.executing.providers["local"]
    assert set(provider.functions) == {one.name for one in KIT if one.origin == "local"}


def test_the_taxonomy_is_that_of_the_catalogue() -> None:
    assert {name: tuple(codes) for name, codes in TAXONOMY["classes"].items()} == dict(CLASSES)
    assert {row["code"]: row["category"] for row in ERRORS} == dict(CLASS_OF)


@pytest.mark.parametrize("code", CLASS_OF)
@pytest.mark.parametrize("effect", Effect)
def test_what_may_be_repeated_is_as_published(code: str, effect: Effect) -> None:
    said = TAXONOMY["retryable"].get(code, {}).get(effect.value, "no")
    if code in ("Timeout", "DownstreamFailed"):
        assert retryable(code, effect, ran=True) is (said == "yes")
    else:
        assert retryable(code, effect, ran=False) is (said == "yes")
    assert retryable("Timeout", effect, ran=False) is True
    row = next(row for row in ERRORS if row["code"] == code)
    assert row.get("retryable") in (None, said == "yes")
