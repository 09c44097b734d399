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


def test_a_server_without_tools_has_nothing_to_promise(monkeypatch, tmp_path, capsys):
    folder = draft(monkeypatch, tmp_path / "none", Inside([], Named().answer))
    assert main(["contract", "check", str(folder)]) == 1
    assert "nothing is promised; add one to requirements.toml" in capsys.readouterr().out
