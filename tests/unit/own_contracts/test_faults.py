"""What is wrong with a contract is said with its place and a remedy."""

import json
import shutil
from pathlib import Path

import pytest
from msgspec import structs

from conformance.certify import contract_of
from conformance.cli.main import main
from conformance.contract import promises as p
from conformance.contract.asked import asked_as, nullable
from conformance.contract.schema import satisfied
from conformance.drive.errors import UsageError
from conformance.drive.promised.unproved import lacks
from conformance.judge.promised.library import laws_of
from conformance.propose.contract.drafted import Draft
from conformance.propose.contract.envelope import told
from tests.e2e.own.albums import FOLDER as ALBUMS
from tests.laws.histories import Story


def spoilt(folder: Path, file: str, old: str, new: str) -> str:
    """What is said of a folder in which a file was changed."""
    path = folder / file
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(UsageError) as error:
        contract_of(str(folder))
    return str(error.value)


TEXTS = """[[envelope.text]]
tools = ["get_note"]
fields = { id = "ID: (.*)" }
numbers = ["id"]
entries = "^- "
"""


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("contract.toml", "[envelope]", "[envelope]\nmirrored = true", "mirrored is not written here"),
        ("requirements.toml", 'law = "mirrored"', 'law = "mirored"', "line 6: NOTE-FLAG"),
        ("requirements.toml", 'law = "mirrored"', 'law = "mirored"', "did you mean mirrored?"),
        ("requirements.toml", ', promise = { law = "mirrored" }', "", "line 6: NOTE-FLAG has no law"),
        ("requirements.toml", 'id = "NOTE-FLAG"', 'id = "NOTE-CODES"', "a second requirement is named NOTE-CODES"),
        ("requirements.toml", 'id = "NOTE-FLAG"', 'id = "MC-LIST-01"', "MC-LIST-01 is a requirement of mcp"),
        ("requirements.toml", 'tool = "save_note", key', 'tool = "save", key', "tools.json has no tool save"),
        ("requirements.toml", 'key = "@/request_key"', 'key = "@/request_kex"', "did you mean request_key?"),
        ("requirements.toml", 'key = "@/request_key"', 'key = "/request_key"', "write it as @/request_key"),
        ("requirements.toml", 'key = "@/request_key"', 'key = "request_key"', "request_key is no place"),
        ("requirements.toml", 'key = "@/request_key"', 'kye = "@/request_key"', "line 8: NOTE-KEY"),
        ("requirements.toml", 'key = "@/request_key"', 'kye = "@/request_key"', "did you mean key?"),
        (
            "requirements.toml",
            'cause = "missing"',
            'cause = "mising"',
            "cause: 'mising' is not known here; did you mean mis",
        ),
        (
            "requirements.toml",
            'type = "integer"',
            'type = "integr"',
            "line 7: NOTE-SHAPE: schema: it is no JSON Schema",
        ),
        ("requirements.toml", '["KEY_REUSED"]', '["KEY_USED"]', "did you mean KEY_REUSED?"),
        ("requirements.toml", 'entity = "note", at = "/id"', 'entity = "nota", at = "/id"', "did you mean note?"),
        ("requirements.toml", 'cause = "missing", argument = "@/body"', 'cause = "missing"', "cause missing needs it"),
        ("requirements.toml", "requirement = [", "requirement = = [", "line 1: it is no TOML"),
        (
            "requirements.toml",
            '"@/expected_revision"',
            '"@/expected/*/revision"',
            "one place is meant, and * stands for",
        ),
        ("requirements.toml", 'at = "/id"', 'at = "/ids/*"', "at: /ids/*: one place is meant"),
        (
            "requirements.toml",
            'cause = "missing", argument = "@/body"',
            'cause = "missing", argument = "@/body/*"',
            "no entries",
        ),
        ("requirements.toml", "fields = { title = ", "fields = { titel = ", "did you mean title?"),
        ("requirements.toml", 'body = "/body" } } },', 'body = "body" } } },', "body is no place"),
        ("contract.toml", 'id = "/id"', 'id = "/*/id"', "id: /*/id: one place is meant"),
        ("contract.toml", 'name = "notes"', 'nmae = "notes"', "there is no field nmae; did you mean name?"),
        ("contract.toml", 'name = "notes"', 'name = "../notes"', "line 1: name: '../notes' is no name of a contract"),
        ("contract.toml", "expected_revision", "expected_revison", "update_note takes no argument expected_revison"),
        ("contract.toml", 'tool = "get_note"', 'tool = "get"', "tools.json has no tool get"),
        ("contract.toml", "{{fresh.title}}", "{{frsh.title}}", "{{frsh}} stands for nothing; did you mean fresh?"),
        ("contract.toml", "{{fresh.title}}", "{{id}}", "{{id}} stands for nothing, as the call is about no entity"),
        ("contract.toml", "{{fresh.title}}", "{{fresh.the title}}", "{{fresh.the title}} is no placeholder"),
        ("contract.toml", 'entity = "note"', 'entity = "a note"', "'a note' is not one word"),
        (
            "contract.toml",
            "{{fresh.title}}",
            "{{made.nota}}",
            "no [[make]] says how a nota is made; did you mean note?",
        ),
        (
            "contract.toml",
            'arguments = { note_id = "{{id}}" }, at',
            'arguments = { note_id = "{{its.shelf}}" }, at',
            "{{its.shelf}} stands for nothing, as make has no {{made.shelf}}",
        ),
        ("contract.toml", "{{fresh.title}}", "{{made.note}}", "a note is made with one that is made before it"),
        (
            "contract.toml",
            "[[make]]",
            "[[make]]\nentity = ''\nid = ''\nmake.tool = 'get_note'\n[[make]]",
            "has no name",
        ),
        ("requirements.toml", "least = 1, most = 200", "least = 9, most = 2", "9 is more than the most, 2"),
        ("requirements.toml", "least = 1, most = 200", "least = nan", "nan is no bound"),
        ("requirements.toml", "least = 1, most = 200", "most = 2.5", "no value has 2.5 characters"),
        ("requirements.toml", 'tool = "save_note", key', 'tool = "", key', "tool: none is named"),
        ("tools.json", '"name": "get_note"', '"name": "save_note"', "save_note stands there 2 times"),
        ("contract.toml", "{ tool", "{ tol", "line 11: make.make: there is no field tol; did you mean tool?"),
        (
            "contract.toml",
            "failure_key",
            "failure_kye",
            "line 5: envelope: there is no field failure_kye; did you mean",
        ),
        ("contract.toml", "failure_key", "x", "known here: failure_key, failure_value, success_values, payload_key"),
        ("contract.toml", 'failure_key = "error"', 'success_values = ["ok"]', "no key is named that has them"),
        ("contract.toml", 'failure_key = "error"', 'failure_value = "false"', "no key is named that is false"),
        ("contract.toml", '"error"', '"error"\nfailure_value = "isError"', "line 6: envelope: failure_value: isError"),
        (
            "contract.toml",
            '"error"',
            '"error"\ncode_pattern = "^([A-Z]+"',
            "code_pattern: it is no regular expression",
        ),
        ("contract.toml", '"error"', '"error"\ncode_pattern = "^[A-Z]+"', "code_pattern: it has no group"),
        (
            "contract.toml",
            "[[make]]",
            TEXTS.replace("get_note", "gte_note") + "[[make]]",
            "tools.json has no tool gte_note; did you mean get_note?",
        ),
        (
            "contract.toml",
            "[[make]]",
            TEXTS.replace("(", "[") + "[[make]]",
            "envelope.text: fields: id: it is no regular expression",
        ),
        (
            "contract.toml",
            "[[make]]",
            TEXTS.replace("(", "").replace(")", "") + "[[make]]",
            "envelope.text: fields: id: it has no group, which would be the value",
        ),
        (
            "contract.toml",
            "[[make]]",
            TEXTS.replace('"id"', '"di"') + "[[make]]",
            "envelope.text: numbers: di is no field; known here: id",
        ),
        (
            "contract.toml",
            "[[make]]",
            TEXTS.replace("{ id", "{ entries") + "[[make]]",
            "entries is the text itself, or the list of its entries",
        ),
        (
            "contract.toml",
            "[[make]]",
            TEXTS.replace("^- ", "^(- ") + "[[make]]",
            "envelope.text: entries: it is no regular expression",
        ),
        ("contract.toml", '"error"', '"error"\nfailure_pattern = "("', "failure_pattern: it is no regular expression"),
        ("contract.toml", '"error"', '"error"\nfailure_pattern = "no"', "failure_key tells failure besides"),
        ("errors.toml", "retryable = false", 'retryable = "no"', "errors.toml, line 2"),
        ("tools.json", '"name": "save_note",', '"name": "save_note"', "tools.json, line 4: it is no JSON"),
        ("tools.json", '"name": "get_note"', '"name": 7', "str is expected, and it is int"),
    ],
)
def test_what_is_wrong_is_said_with_its_line_and_remedy(folder, file, old, new, said):
    assert said in spoilt(folder, file, old, new)


def test_what_refers_to_a_faulty_row_is_no_fault(folder):
    assert spoilt(folder, "contract.toml", "{ tool", "{ tol").count("\n") == 1


def test_the_schema_of_an_argument_goes_with_what_it_refers_to(folder):
    path = folder / "tools.json"
    tools = json.loads(path.read_text("utf-8"))
    listing = next(tool for tool in tools if tool["name"] == "list_notes")["inputSchema"]
    listing["$defs"] = {"Size": {**listing["properties"]["limit"], "$comment": "as a generator writes it"}}
    listing["properties"] |= {
        "limit": {"$ref": "#/$defs/Size", "title": "Limit"},
        "either": {"anyOf": [{"$ref": "#/$defs/Size"}, {"type": "null"}]},
        "page": {"type": "object", "properties": {"limit": {"$ref": "#/$defs/Size"}}},
        "itself": {"$ref": "#/properties/itself"},
        "all": {"items": {"$ref": "#"}},
        "nowhere": {"$ref": "#/$defs/No"},
        "unsound": {"type": "integr"},
    }
    path.write_text(json.dumps(tools), "utf-8")
    about = contract_of(str(folder))
    assert not any("limit" in lack.what for lack in lacks(about)), "a value is known that limit does not take"
    assert any("the inputSchema of list_notes is no JSON Schema" in lack.what for lack in lacks(about))
    for place in ("@/limit", "@/page/limit", "@/either"):
        schema = asked_as(about, "list_notes", place)
        assert [satisfied(schema, value) for value in (1, 50, 51, "7")] == [True, True, False, False]
    for place in ("@/itself", "@/all", "@/nowhere", "@/unsound", "@/none"):
        assert asked_as(about, "list_notes", place) is None


@pytest.mark.parametrize(
    ("schema", "found"),
    [
        (
            {"anyOf": [{"type": "string", "maxLength": 5}, {"type": "null"}], "default": None, "title": "Name"},
            {"type": ["string", "null"], "maxLength": 5, "default": None, "title": "Name"},
        ),
        ({"oneOf": [{"type": "null"}, {"type": "integer"}]}, {"type": ["integer", "null"]}),
    ],
)
def test_the_bounds_of_an_argument_that_may_be_null_are_its_own(schema, found):
    assert nullable(schema) == found
    assert all(satisfied(found, value) is satisfied(schema, value) for value in (None, "x", "longer", 7, [], {}))


@pytest.mark.parametrize(
    "schema",
    [
        {"anyOf": [{"type": "string"}, {"type": "integer"}]},
        {"anyOf": [{"enum": ["a"], "type": "string"}, {"type": "null"}]},
        {"anyOf": [{"$ref": "#/$defs/X"}, {"type": "null"}]},
        {"anyOf": [{"type": "string"}, {"type": "null"}], "type": "string"},
        {"anyOf": [{"type": "string"}]},
        {"anyOf": "none"},
        {"type": "string"},
    ],
)
def test_any_other_schema_stays_as_it_is(schema):
    assert nullable(schema) is schema


@pytest.mark.parametrize(("part", "odd"), [("properties", None), ("properties", []), ("required", True), ("type", 7)])
def test_check_says_which_schema_is_none(folder, capsys, part, odd):
    """And what a run does with it is no error of its own."""
    path = folder / "tools.json"
    tools = json.loads(path.read_text("utf-8"))
    tools[0]["inputSchema"][part] = odd
    path.write_text(json.dumps(tools, indent=1), "utf-8")
    assert main(["contract", "check", str(folder), "--quiet"]) == 1
    assert "tools.json, line 3: the inputSchema of save_note is no JSON Schema" in capsys.readouterr().out
    about = contract_of(str(folder))
    story, (law,) = Story(about.name), laws_of("NOTE-ARGUMENTS", about)
    story.accepted("save_note", {"title": "a", "body": "b", "request_key": "c"}, {})
    assert law.over_history is not None
    assert all(each.ok for each in law.over_history(story.history(), about))


def test_what_a_server_lists_as_null_it_does_not_say(folder):
    path = folder / "tools.json"
    tools = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps([{**tool, "annotations": None, "outputSchema": None} for tool in tools]), "utf-8")
    assert contract_of(str(folder)).tools["get_note"].annotations == {}


def test_a_draft_of_a_server_can_be_read_whatever_it_lists(tmp_path):
    listed = [
        {"name": "a", "description": None, "inputSchema": None, "annotations": None, "title": "A"},
        {"name": "b", "description": 7, "inputSchema": [], "outputSchema": "none", "annotations": [1]},
    ]
    draft = Draft(name="odd", server="", tools=listed, examples=[], reads=[], found=[], told=told([]), promises=[])
    for name, content in draft.files().items():
        (tmp_path / name).write_text(content, "utf-8")
    assert list(contract_of(str(tmp_path)).tools) == ["a", "b"]
    assert json.loads((tmp_path / "tools.json").read_text("utf-8"))[0] == {"name": "a", "title": "A"}


def test_rows_that_are_none(folder):
    (folder / "requirements.toml").write_text('requirement = "x"\n', "utf-8")
    (folder / "tools.json").write_text('{"tool": []}', "utf-8")
    with pytest.raises(UsageError) as error:
        contract_of(str(folder))
    assert "requirement is no list of tables" in str(error.value)
    assert "it is no list of tools" in str(error.value)


def test_what_is_no_contract_ends_with_2_and_no_traceback(tmp_path, capsys):
    (tmp_path / "empty").mkdir()
    (tmp_path / "binary").mkdir()
    (tmp_path / "binary" / "contract.toml").write_bytes(b"\xff\xfe")
    for name in ("nothing", "empty", "binary"):
        assert main(["contract", "check", str(tmp_path / name)]) == 2
        assert "Traceback" not in capsys.readouterr().err


def test_check_says_what_nothing_can_prove(folder, capsys):
    assert main(["contract", "check", str(folder)]) == 0
    path = folder / "contract.toml"
    path.write_text(path.read_text("utf-8").replace("list = {", "# list = {"), "utf-8")
    assert main(["contract", "check", str(folder)]) == 1
    said = capsys.readouterr().out
    assert "requirements.toml, line 8: NOTE-KEY: that no second note is made is not seen; add list" in said
    assert "NOTE-PAGES: nothing can bring it about" in said


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("{{fresh.title}}", "{{fresh.a_title_that_is_rather_long}}" * 8, "title as it is written there is refused"),
        ('note_id = "{{id}}" }, at', "note_id = 7 }, at", "note_id as it is written there is refused"),
    ],
)
def test_check_says_which_call_breaks_its_own_schema(folder, capsys, old, new, said):
    path = folder / "contract.toml"
    path.write_text(path.read_text("utf-8").replace(old, new, 1), "utf-8")
    assert main(["contract", "check", str(folder), "--quiet"]) == 1
    told = capsys.readouterr().out
    assert said in told
    assert "contract.toml, line" in told


def test_check_says_where_a_promise_on_keys_says_nothing(folder, capsys):
    path = folder / "requirements.toml"
    path.write_text(path.read_text("utf-8").replace('schema = { type = "object", ', "schema = { "), "utf-8")
    assert main(["contract", "check", str(folder), "--quiet"]) == 1
    assert 'NOTE-SHAPE: it says nothing where note is no object, such as a text or null; add type = "object"' in (
        capsys.readouterr().out
    )


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('name = "archived"', 'name = "shelved"', "the [[make]] of note has no state archived: did you mean"),
        ('remove = { tool = "delete_note"', 'remove = { state = "gone", tool = "delete_note"', "has no state gone"),
        ('enter = { tool = "archive_note"', 'enter = { state = "archived", tool = "archive_note"', "from itself"),
        ('name = "archived"', 'name = ""', "states: one has no name"),
        (
            "states = [{",
            "states = [{ name = 'archived', enter = { tool = 'archive_note' } }, {",
            "two are named archived",
        ),
        ('archive_note", arguments = { note_id = "{{id}}" }', 'archive_note"', "does not say which note is meant"),
    ],
)
def test_states_that_lead_nowhere_are_wrong(folder, old, new, said):
    assert said.split(": did")[0] in spoilt(folder, "contract.toml", old, new)


def test_what_callers_give_is_not_shared():
    """Of a name nobody can be told that two have it: what has it is one."""
    folder = Path(__file__).parents[2] / "e2e" / "own" / "graph_contract"
    contract = contract_of(str(folder))
    promises = {**contract.promises, "G-LIFE": p.Unique(entity="node", at="/name")}
    told = [each.what for each in lacks(structs.replace(contract, promises=promises))]
    assert told == ["G-LIFE: callers give name, so no answer shows it of two"]


def test_a_call_with_another_album_than_the_photo_is_in(tmp_path):
    shutil.copytree(ALBUMS, tmp_path / "albums")
    head = tmp_path / "albums" / "contract.toml"
    head.write_text(head.read_text("utf-8").replace("{{its.album}}", "{{made.album}}"), "utf-8")
    found = [lack.what for lack in lacks(contract_of(str(head.parent)))]
    assert "remove_photo is called with another album than the one that the photo was made in" in found
    assert not any("another album" in lack.what for lack in lacks(contract_of(str(ALBUMS))))


def test_a_contract_without_tools_proves_nothing_of_all_tools(folder):
    assert not any("tools.json is missing" in lack.what for lack in lacks(contract_of(str(folder))))
    (folder / "tools.json").unlink()
    assert any("tools.json is missing" in lack.what for lack in lacks(contract_of(str(folder))))


def test_what_one_tool_makes_and_changes_is_named_by_its_caller(folder):
    contract = contract_of(str(folder))
    make = contract.makes["note"]
    change = structs.replace(make.change, tool="save_note")
    contract = structs.replace(contract, makes={"note": structs.replace(make, change=change)})
    [found] = [lack for lack in lacks(contract) if "makes and changes" in lack.what]
    assert (found.about, found.todo) == ("save_note", 'write id = "@/note_id", where its caller names it')
