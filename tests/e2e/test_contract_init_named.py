"""conformance contract init on stores that callers name things in: what is drafted, and what it notices."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from conformance.certify import Options
from conformance.cli.main import main
from conformance.drive import target
from conformance.drive.loading import checked
from conformance.propose.contract.trial import drafted
from tests.e2e.own import graph, purses
from tests.e2e.own.inside import Inside, judged, verdicts
from tests.e2e.own.named import Named, WrongError, tools


def draft(monkeypatch: pytest.MonkeyPatch, folder: Path, server: Inside) -> Path:
    class Entry:
        @staticmethod
        def open(_contract: str, **_: object) -> Inside:
            return server

    monkeypatch.setattr(target, "entry", lambda _name: Entry)
    endpoint = [{"transport": "in-process", "target": "own:drafted"}]
    data: dict[str, Any] = {"contract": "mcp", "endpoint": endpoint, "calls": {"harmless": "all"}}
    found = drafted(checked({**data, "protocol": "2025-11-25"}, "the test"), Options(seed=1, protocol=False), "drafted")
    folder.mkdir()
    for name, text in found.files().items():
        (folder / name).write_text(text, "utf-8")
    return folder


def served(broken: str = "") -> Inside:
    return Inside(tools(), Named(broken).answer, structured=False, prose=True)


@pytest.fixture(scope="module")
def named(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        return draft(patch, tmp_path_factory.mktemp("named") / "contract", served())


def test_the_kinds_are_recognised(named):
    file, page = tomllib.loads((named / "contract.toml").read_text("utf-8"))["make"]
    assert (file["entity"], file["id"], page["entity"], page["id"]) == ("file", "@/path", "page", "@/slug")
    assert (file["make"]["tool"], file["change"]["tool"]) == ("write_file", "write_file")
    assert (file["remove"]["tool"], file["list"]) == ("remove_file", {"tool": "list_files", "at": "/paths"})
    assert page["make"]["arguments"]["slug"] == "{{word.slug}}"
    assert (page["shown"], page["revision"]) == ("/slug", "/etag")
    assert page["change"]["arguments"]["if_match"] == "{{revision}}"
    assert page["remove"]["tool"] == "drop_page"


def test_what_they_promise_is_drafted(named):
    rows = [row["promise"] for row in tomllib.loads((named / "requirements.toml").read_text("utf-8"))["requirement"]]
    shown = {row["tool"]: row["fields"] for row in rows if row["law"] == "shown"}
    assert shown == {"write_file": {"content": ""}, "create_page": {"text": "/text"}, "update_page": {"text": "/text"}}
    refused = {(row["tool"], row["cause"]): row["codes"] for row in rows if row["law"] == "refused"}
    assert refused["create_page", "taken"] == ["TAKEN"]
    assert refused["read_file", "unknown"] == ["NO_FILE"]
    assert ("write_file", "taken") not in refused
    assert ("write_file", "unknown") not in refused
    assert [row["entity"] for row in rows if row["law"] == "listed"] == ["file"]
    assert {row["law"] for row in rows} >= {"served", "lives", "guarded", "revised", "steady", "enforced"}


@pytest.mark.parametrize(
    "broken", ["", "cuts", "keeps", "finds", "stays", "lists", "hides", "clobbers", "excuses", "lax", "still"]
)
def test_the_draft_judges_the_server(monkeypatch, named, broken):
    report = judged(monkeypatch, named, served(broken))
    assert bool(verdicts(report, "fail")) == bool(broken)
    assert broken or report.conformant


class Moody(Named):
    """A page is changed once; a file is never read the same way twice."""

    def __init__(self) -> None:
        super().__init__()
        self.changed: set[str] = set()
        self.read = 0

    def update_page(self, slug: str, text: str, if_match: str) -> dict[str, Any]:
        if slug in self.changed:
            raise WrongError("CHANGED")
        page = super().update_page(slug, text, if_match)
        self.changed.add(slug)
        return page

    def list_files(self) -> dict[str, Any]:
        self.read += 1
        return {**super().list_files(), "read": self.read}


def test_what_is_doubtful_is_left_out_alone(monkeypatch, tmp_path):
    folder = draft(monkeypatch, tmp_path / "moody", Inside(tools(), Moody().answer, structured=False, prose=True))
    head, text = (folder / "contract.toml").read_text("utf-8"), (folder / "requirements.toml").read_text("utf-8")
    assert "# change: update_page was refused with CHANGED when it was tried as one" in head
    rows = [row["promise"] for row in tomllib.loads(text)["requirement"]]
    assert {"law": "served"} in rows
    assert [sorted(row["tools"]) for row in rows if row["law"] == "steady"] == [["get_page", "read_file"]]
    assert '# promise = { law = "steady", tools = ["list_files"] }' in text


class Prose(Named):
    """It tells of failures in words alone, moves what it never moves twice, and one tool takes anything."""

    def answer(self, name: str, arguments: dict[str, Any]) -> tuple[Any, bool]:
        if name == "note_down":
            fine = str(arguments.get("line", "")).isidentifier()
            return ("Noted." if fine else f"Database error: near {arguments.get('line')!r}"), False
        return super().answer(name, arguments)


def test_what_seems_to_succeed_and_what_cannot_be_called_is_doubtful(monkeypatch, tmp_path):
    line = {"type": "string", "examples": ["a_word"], "minLength": 3}
    schema = {"type": "object", "properties": {"line": line}, "required": ["line"]}
    more = {"name": "note_down", "description": "Notes a line down.", "inputSchema": schema}
    folder = draft(
        monkeypatch, tmp_path / "prose", Inside([*tools(), more], Prose().answer, structured=False, prose=True)
    )
    text = (folder / "requirements.toml").read_text("utf-8")
    rows = [row["promise"] for row in tomllib.loads(text)["requirement"]]
    enforced = [row for row in rows if row["law"] == "enforced"]
    assert all("note_down" not in row["tools"] for row in enforced)
    assert len(enforced) == 1
    assert "note_down: a call with one argument against its schema in tools.json is refused" in text
    assert main(["contract", "check", str(folder), "--quiet"]) in (0, 1)


def test_a_server_without_tools_has_nothing_to_promise(monkeypatch, tmp_path, capsys):
    folder = draft(monkeypatch, tmp_path / "none", Inside([], Named().answer))
    assert main(["contract", "check", str(folder)]) == 1
    assert "nothing is promised; add one to requirements.toml" in capsys.readouterr().out


@pytest.fixture(scope="module")
def listed(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        server = Inside(graph.tools(), graph.Graph().answer)
        return draft(patch, tmp_path_factory.mktemp("listed") / "contract", server)


def test_names_in_lists_are_recognised(listed):
    (node,) = tomllib.loads((listed / "contract.toml").read_text("utf-8"))["make"]
    assert (node["entity"], node["id"], node["shown"]) == ("node", "@/nodes/0/name", "/name")
    assert node["make"]["arguments"]["nodes"][0]["name"] == "{{fresh.name}}"
    assert node["read"] == {"tool": "open_nodes", "arguments": {"names": ["{{id}}"]}, "at": "/nodes/0"}
    assert node["remove"] == {"tool": "remove_nodes", "arguments": {"names": ["{{id}}"]}}
    rows = [row["promise"] for row in tomllib.loads((listed / "requirements.toml").read_text("utf-8"))["requirement"]]
    (shown,) = [row["fields"] for row in rows if row["law"] == "shown" and row["tool"] == "add_nodes"]
    assert shown["@/nodes/0/title"] == "/title"
    assert {"law": "lives", "entity": "node"} in rows


@pytest.mark.parametrize("broken", ["", "accepts", "lost", "kept", "titles"])
def test_the_draft_of_names_in_lists_judges_the_server(monkeypatch, listed, broken):
    report = judged(monkeypatch, listed, Inside(graph.tools(), graph.Graph(broken).answer))
    assert bool(verdicts(report, "fail")) == bool(broken), verdicts(report)
    assert broken or report.conformant


class Keeping(graph.Graph):
    """What is added under a name that is there is left as it is, and nobody is told."""

    def add_nodes(self, nodes: list[dict[str, Any]]) -> dict[str, Any]:
        return super().add_nodes([node for node in nodes if node["name"] not in self.nodes])


def test_what_is_answered_and_not_written_writes_over_nothing(monkeypatch, tmp_path):
    folder = draft(monkeypatch, tmp_path / "keeping", Inside(graph.tools(), Keeping().answer))
    (node,) = tomllib.loads((folder / "contract.toml").read_text("utf-8"))["make"]
    assert node.get("change", {}).get("tool") != "add_nodes"


def test_pages_are_recognised_though_the_first_call_showed_all_that_there_was(monkeypatch, tmp_path):
    folder = draft(monkeypatch, tmp_path / "contract", Inside(purses.tools(), purses.Purses().answer))
    rows = tomllib.loads((folder / "requirements.toml").read_text("utf-8"))["requirement"]
    paged = next(row["promise"] for row in rows if row["promise"]["law"] == "paged")
    assert (paged["cursor"], paged["next"]) == ("@/page_token", "/data/next_page_token")
