"""Arguments for strangers' schemas: quick for ordinary ones, within a budget for others, beside the run in any case."""

import asyncio
import threading
import time
from typing import Any

import pytest

from conformance.drive.vectors import making
from conformance.drive.vectors.budget import Budget, OverspentError
from conformance.drive.vectors.making import made
from conformance.drive.vectors.vector import Generated, generated
from conformance.model.events import Json
from conformance.model.measure import measured
from tests.unit.test_opinions import tower

SECONDS = 15.0
"""Of CPU: far beyond what the budget comes to."""


def asking(**properties: Json) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def within(levels: int) -> dict[str, Any]:
    schema: Json = {"type": "integer"}
    for _ in range(levels):
        schema = asking(a=schema)
    return schema


def arrays(levels: int, count: int) -> dict[str, Any]:
    schema: Json = {"type": "string"}
    for _ in range(levels):
        schema = {"type": "array", "items": schema, "minItems": count}
    return asking(a=schema)


FILTER = {"enum": ["and", "or"]}
EITHER = {"anyOf": [asking(left={"$ref": "#/$defs/e"}, right={"$ref": "#/$defs/e"}), {"type": "integer"}]}
ORDINARY: dict[str, Any] = {
    "a tree": {
        **asking(name={"type": "string"}),
        "properties": {"name": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#"}}},
    },
    "a filter": {"type": "object", "properties": {"op": FILTER, "left": {"$ref": "#"}, "right": {"$ref": "#"}}},
    "a choice that refers to itself first": {**asking(e={"$ref": "#/$defs/e"}), "$defs": {"e": EITHER}},
    "a definition that is JSON": {
        **asking(v={"$ref": "#/$defs/v"}),
        "$defs": {"v": {"anyOf": [{"type": "null"}, {"type": "array", "items": {"$ref": "#/$defs/v"}}]}},
    },
    "an anchor": {**asking(a={"$ref": "#here"}), "$defs": {"x": {"$anchor": "here", "type": "integer", "minimum": 5}}},
    "200 optional strings": {"type": "object", "properties": {f"p{n}": {"type": "string"} for n in range(200)}},
    "30 references to itself": {"type": "object", "properties": {f"p{n}": {"$ref": "#"} for n in range(30)}},
    "100 objects in one another": within(100),
    "a pattern that goes back": asking(a={"type": "string", "pattern": "^(a+)+$", "minLength": 40}),
    "a pattern without the usual letters": asking(a={"type": "string", "pattern": r"^[^ab1\-_.x]{3}$"}),
    "a pattern that looks ahead": asking(a={"type": "string", "pattern": r"^(?=.*[A-Z])(?=.*\d)[A-Za-z\d]{8,}$"}),
    "a pattern that is to be long": asking(a={"type": "string", "pattern": "^[A-Z]+-x$", "minLength": 30}),
    "counted groups in groups": asking(a={"type": "string", "pattern": "^((a{10}){10}){5}$"}),
    "references that multiply a little": {**asking(x={"$ref": "#/$defs/d0"}), "$defs": tower(8)["$defs"]},
    "a multiple of much": asking(a={"type": "integer", "multipleOf": 7, "minimum": 10**18}),
    "a long enumeration": asking(a={"enum": [f"v{n}" for n in range(10_000)]}),
    "longer than anybody wants": asking(a={"type": "string", "maxLength": 10**9}),
    "a tuple of an older draft": {
        "$schema": "http://json-schema.org/draft-07/schema#",
        **asking(a={"type": "array", "items": [{"type": "integer"}]}),
    },
}


@pytest.mark.parametrize("schema", ORDINARY.values(), ids=ORDINARY.keys())
def test_ordinary_schemas_have_good_vectors_at_once(schema: dict[str, Any]) -> None:
    began = time.process_time()
    found = generated(schema)
    assert time.process_time() - began < SECONDS
    assert found.why == ""
    assert found.vectors[0].valid
    assert len(found.vectors) > 3
    assert all(measured(vector.value).values < 6_000 for vector in found.vectors)


def test_a_tree_has_branches_and_each_keyword_of_it_is_broken() -> None:
    found = generated(ORDINARY["a tree"]).vectors
    assert any(vector.valid and vector.value.get("children") for vector in found)
    broken = {vector.pointer for vector in found if not vector.valid}
    assert {"/required", "/properties/name/type", "/properties/children/type"} <= broken
    assert any(pointer.startswith("/properties/children/items") for pointer in broken)


COSTLY: dict[str, tuple[Any, str]] = {
    "itself, without end": (asking(a={"$ref": "#"}), "'a' is a required property"),
    "arrays in arrays": (arrays(3, 100), "more than 5000 parts"),
    "arrays in arrays in arrays": (arrays(5, 2_000), "more than 5000 parts"),
    "more items than there are": (asking(a={"type": "array", "minItems": 10**9}), "is too short"),
    "more letters than there are": (
        asking(a={"type": "string", "minLength": 10**9}),
        "no value that was tried satisfies",
    ),
    "many long texts": (
        asking(**{f"p{n}": {"type": "string", "minLength": 10**5} for n in range(10)}),
        "400000 characters",
    ),
    "references that multiply": ({**asking(x={"$ref": "#/$defs/d0"}), "$defs": tower(40)["$defs"]}, ""),
    "a pattern that counts too far": (
        asking(a={"type": "string", "pattern": "^((a{100}){100}){100}$"}),
        "counts go too far",
    ),
    "300 objects in one another": (within(300), "nested deeper than 250"),
    "multiples of next to nothing": (asking(a={"type": "number", "multipleOf": 1e-320, "minimum": 1e308}), ""),
    "an integer beyond every float": (asking(a={"type": "number", "minimum": 10**400, "multipleOf": 0.1}), ""),
    "a reference to a file": (asking(a={"$ref": "file:///etc/hostname"}), "nothing is fetched"),
    "a reference that is no URL": (asking(a={"$ref": "http://[::1"}), "nothing is fetched"),
    "no object": ([1], "it is no object"),
    "an array": ({"type": "array"}, "is not of type 'array'"),
    "a type that there is not": (asking(a={"type": "dict"}), "it is not valid"),
    "nothing that fits": (asking(a={"type": "string", "enum": [1]}), "no value that was tried satisfies it"),
}


@pytest.mark.parametrize(("schema", "why"), COSTLY.values(), ids=COSTLY.keys())
def test_where_no_arguments_are_found_in_time_it_is_said_why(schema: Json, why: str) -> None:
    began = time.process_time()
    found = generated(schema)
    assert time.process_time() - began < SECONDS
    assert found.vectors == ()
    assert found.why
    assert why in found.why
    assert len(found.why) < 400


def test_what_is_cut_short_keeps_what_was_found() -> None:
    some, more = generated(ORDINARY["a tree"], budget=Budget(steps=600)), generated(ORDINARY["a tree"])
    assert 1 < len(some.vectors) < len(more.vectors)
    assert some.vectors[0] == more.vectors[0]


def test_an_example_is_used_even_where_nothing_can_be_made() -> None:
    schema = asking(a={"type": "string", "pattern": "^(?=.*q)[a-z]{5}$"})
    assert generated(schema).vectors == ()
    found = generated(schema, {"a": "xqxxx"})
    assert found.vectors[0].value == {"a": "xqxxx"}
    assert len(found.vectors) > 3


def test_a_budget_ends_by_steps_by_time_and_when_it_is_taken_away() -> None:
    with pytest.raises(OverspentError, match="too many steps"):
        Budget(steps=5).take(6)
    slow = Budget(steps=10_000, seconds=0)
    slow.take(1)
    time.sleep(0.001)
    with pytest.raises(OverspentError, match="longer than 0 s"):
        slow.take(1_000)
    taken = Budget()
    taken.stop()
    with pytest.raises(OverspentError, match="given up"):
        taken.take()


@pytest.fixture
def unmade(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is made yet."""
    monkeypatch.setattr(making, "_MADE", type(making._MADE)(making.KEPT))


def heavy() -> dict[str, Any]:
    """Takes as long as the budget lasts."""
    parts = {
        f"d{n}": asking(left={"$ref": f"#/$defs/d{n + 1}"}, right={"$ref": f"#/$defs/d{n + 1}"}) for n in range(60)
    }
    return {**asking(a={"$ref": "#/$defs/d0"}), "$defs": {**parts, "d60": {"type": "integer"}}}


@pytest.mark.usefixtures("unmade")
def test_the_loop_goes_on_while_arguments_are_made() -> None:
    async def run() -> int:
        task = asyncio.create_task(made(heavy()))
        turns = 0
        while not task.done():
            await asyncio.sleep(0.01)
            turns += 1
        assert task.result().vectors == ()
        return turns

    assert asyncio.run(run()) > 5


@pytest.mark.usefixtures("unmade")
def test_what_is_given_up_ends_at_once_and_leaves_no_thread() -> None:
    async def run() -> float:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await asyncio.gather(*(made({**heavy(), "title": str(n)}) for n in range(20)))
        return time.monotonic()

    before = {thread.ident for thread in threading.enumerate()}
    given_up = asyncio.run(run())
    assert time.monotonic() - given_up < 5
    assert not [t.name for t in threading.enumerate() if "asyncio" in t.name and t.ident not in before]


@pytest.mark.usefixtures("unmade")
def test_what_was_made_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Json] = []

    def counting(schema: Json, *rest: Any) -> Generated:
        asked.append(schema)
        return generated(schema, *rest)

    monkeypatch.setattr(making, "generated", counting)

    async def run() -> None:
        first, second = await asyncio.gather(made(ORDINARY["a tree"]), made(ORDINARY["a tree"]))
        assert first == second
        assert await made(dict(ORDINARY["a tree"])) == first
        assert await made(ORDINARY["a tree"], {"name": "x"}) != first

    asyncio.run(run())
    assert len(asked) == 2


def test_a_schema_that_cannot_be_written_is_told() -> None:
    deep: Json = {}
    for _ in range(3_000):
        deep = {"items": deep}
    assert asyncio.run(made(deep)).why == "it is nested too deep"
