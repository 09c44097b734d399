"""Entities that callers name: paths and slugs. Correct servers are accused of nothing, each broken promise is found."""

import shutil

import pytest

from conformance.certify import contract_of
from conformance.drive.errors import UsageError
from tests.e2e.own.inside import Inside, judged, verdicts
from tests.e2e.own.named import BREAKS, FOLDER, Named, tools

BROKEN = {
    "cuts": "N-WRITTEN",
    "keeps": "N-WRITTEN",
    "finds": "N-NO-FILE",
    "stays": "N-FILE",
    "lists": "N-FILE",
    "hides": "N-LISTED",
    "blurs": "N-WRITTEN",
    "boundless": "N-SLUG",
    "narrow": "N-SLUG",
    "clobbers": "N-TAKEN",
    "excuses": "N-NO-PAGE",
    "lax": "N-GUARD",
    "still": "N-ETAG",
}


def served(broken: str = "", **more: bool) -> Inside:
    return Inside(tools(), Named(broken).answer, structured=False, **more)


@pytest.mark.parametrize("prose", [True, False])
def test_it_keeps_its_contract(monkeypatch, prose):
    report = judged(monkeypatch, FOLDER, served(prose=prose))
    assert verdicts(report) == {}
    assert report.conformant


@pytest.mark.parametrize("broken", BROKEN)
def test_a_broken_promise_is_found(monkeypatch, broken):
    report = judged(monkeypatch, FOLDER, served(broken, prose=True))
    assert BROKEN[broken] in verdicts(report, "fail")


def test_every_break_is_tried():
    assert set(BROKEN) == set(BREAKS)


TAKEN = 'tool = "create_page", cause = "taken", argument = "@/slug", entity = "page"'
WRONG = {
    "an argument that there is not": (
        'id = "@/path"',
        'id = "@/name"',
        "make file: argument: the tool takes no argument name",
    ),
    "an argument that make leaves out": (
        'path = "notes/{{fresh.path}}.txt", ',
        "",
        'make file: id: write_file is called without path; write path = "{{fresh.path}}" in its arguments',
    ),
    "one name for all": (
        "notes/{{fresh.path}}.txt",
        "a.txt",
        "make file: id: each file would be made with the same path",
    ),
    "the server's own id that is shown": (
        'id = "@/slug"',
        'id = "/slug"',
        "make page: shown: it is for ids that callers give",
    ),
    "what is made is never unknown": (
        'tool = "read_file", cause = "unknown"',
        'tool = "write_file", cause = "unknown"',
        "write_file makes the file that @/path names",
    ),
    "what is written over is not taken": (
        TAKEN,
        'tool = "write_file", cause = "taken", argument = "@/path", entity = "file"',
        "write_file writes over a file that is there",
    ),
    "a name that nothing is made with": (
        TAKEN,
        TAKEN.replace("@/slug", "@/text").replace('"create_page"', '"update_page"').replace("@/text", "@/if_match"),
        "a page is made without if_match",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_said(tmp_path, case):
    old, new, said = WRONG[case]
    folder = tmp_path / "contract"
    shutil.copytree(FOLDER, folder)
    path = next(each for each in folder.glob("*.toml") if old in each.read_text("utf-8"))
    path.write_text(path.read_text("utf-8").replace(old, new, 1), "utf-8")
    with pytest.raises(UsageError) as error:
        contract_of(str(folder))
    assert said in str(error.value)


def test_a_bound_that_no_text_is_known_for_says_why(monkeypatch, tmp_path):
    folder = tmp_path / "contract"
    shutil.copytree(FOLDER, folder)
    path = folder / "tools.json"
    path.write_text(path.read_text("utf-8").replace("^[a-z]+$", "^ab[a-z]+yz$"), "utf-8")
    said = verdicts(judged(monkeypatch, folder, served(prose=True), only=("N-SLUG",)))
    assert "no text is known that has such a length and fits the pattern ^ab[a-z]+yz$ of @/slug" in said["N-SLUG"]
