"""Where the arguments of a tool name something, and which tools name the same."""

import pytest

from conformance.model.listed import ListedTool
from conformance.propose.contract.naming import about, alike, around, names, within
from conformance.propose.harm import look
from conformance.propose.looking import Seen

TEXT = {"type": "string"}


def tool(**arguments):
    schema = {"type": "object", "properties": arguments, "required": list(arguments)}
    schema["$defs"] = {"entity": {"type": "object", "properties": {"name": TEXT, "kind": TEXT}, "required": ["name"]}}
    listed = ListedTool("t", {"name": "t", "inputSchema": schema})
    return Seen(listed, look(listed), [], {}, accepted=True)


def listing(**keys):
    return {"type": "array", "items": {"type": "object", "properties": keys, "required": list(keys)}}


MAKER = tool(entities={"type": "array", "items": {"$ref": "#/$defs/entity"}})


@pytest.mark.parametrize(
    ("seen", "found"),
    [
        (tool(path=TEXT, mode={"enum": ["a"]}, count={"type": "integer"}, request_id=TEXT), ["/path"]),
        (MAKER, ["/entities/0/name"]),
        (tool(names={"type": "array", "items": TEXT}), ["/names/0"]),
        (tool(numbers={"type": "array", "items": {"type": "integer"}}), []),
        (tool(anything={"type": "array"}), []),
    ],
)
def test_free_texts_name_something(seen, found):
    assert list(names(seen)) == found


@pytest.mark.parametrize(
    ("seen", "found"),
    [
        (tool(names={"type": "array", "items": TEXT}), "/names/0"),
        (tool(entityNames={"type": "array", "items": TEXT}), "/entityNames/0"),
        (tool(observations=listing(entityName=TEXT, contents={"type": "array"})), "/observations/0/entityName"),
        (tool(name=TEXT), "/name"),
        (tool(relations=listing(relationType=TEXT)), ""),
        (tool(query=TEXT), ""),
    ],
)
def test_tools_name_alike(seen, found):
    assert alike("/entities/0/name", seen) == found


def test_arguments_around_a_name():
    assert around("/path", "a") == {"path": "a"}
    assert around("/names/0", "a") == {"names": ["a"]}
    assert around("/entities/0/name", "a") == {"entities": [{"name": "a"}]}
    given = {"entities": [{"name": "old", "kind": "x"}, {"name": "other"}], "dry": True}
    assert within(given, "/entities/0/name", "a") == {"entities": [{"name": "a", "kind": "x"}], "dry": True}
    assert given["entities"][0]["name"] == "old"
    assert within({"dry": True}, "/names/0", "a") == {"dry": True, "names": ["a"]}


def test_what_is_said_of_a_place():
    assert about(MAKER, "/entities/0/name") == TEXT
    assert about(MAKER, "/entities/0/gone") == {}
    assert about(MAKER, "/entities")["type"] == "array"
