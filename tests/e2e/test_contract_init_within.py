"""conformance contract init on a store of things in other things: what is drafted, and what it notices."""

import tomllib

import pytest

from tests.e2e.own.inside import Inside, judged, verdicts
from tests.e2e.own.papers import BREAKS, MOST, TEXT, Papers, tools
from tests.e2e.test_contract_init_named import draft


@pytest.fixture(scope="module")
def papers(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("papers") / "contract"
        return draft(patch, folder, Inside(tools(), Papers().answer))


def _promises(folder):
    rows = tomllib.loads((folder / "requirements.toml").read_text("utf-8"))["requirement"]
    return [row["promise"] for row in rows]


def test_what_is_made_in_something_is_listed_there(papers):
    folder, paper = tomllib.loads((papers / "contract.toml").read_text("utf-8"))["make"]
    assert paper["list"]["arguments"] == {"folder_id": "{{its.folder}}"}
    assert [state["name"] for state in paper["states"]] == ["trashed"]
    assert paper["states"][0]["leave"]["tool"] == "restore_paper"
    assert "change" not in folder, "move_paper changes no folder"


def test_arguments_that_may_be_null_have_their_bounds(papers):
    bounds = {(each["tool"], each["argument"]): each for each in _promises(papers) if each["law"] == "bounded"}
    assert bounds["create_paper", "@/text"]["most"] == TEXT
    capped = next(each for each in _promises(papers) if each["law"] == "capped")
    assert capped["most"] == MOST


def test_a_tool_that_is_named_for_reading_is_marked(papers):
    marked = tomllib.loads((papers / "contract.toml").read_text("utf-8"))["tool"]
    assert marked == [{"name": "search", "effect": "read"}]


def test_the_correct_server_keeps_the_draft(monkeypatch, papers):
    report = judged(monkeypatch, papers, Inside(tools(), Papers().answer), calls={"harmless": "all"})
    assert verdicts(report) == {}
    assert report.conformant


@pytest.mark.parametrize("broken", BREAKS)
def test_the_draft_notices_a_broken_one(monkeypatch, papers, broken):
    report = judged(monkeypatch, papers, Inside(tools(), Papers(broken).answer), calls={"harmless": "all"})
    rows = tomllib.loads((papers / "requirements.toml").read_text("utf-8"))["requirement"]
    laws = {row["id"]: row["promise"]["law"] for row in rows}
    assert BREAKS[broken] in {laws[each] for each in verdicts(report, "fail")}, verdicts(report)
