"""conformance contract init on a server that answers in plain texts: what it reads from them, and what that notices."""

import tomllib

import pytest

from tests.e2e.own.inside import Inside, judged, verdicts
from tests.e2e.own.memos import BREAKS, Memos, tools
from tests.e2e.own.pets import BREAKS as PET_BREAKS
from tests.e2e.own.pets import Pets
from tests.e2e.own.pets import tools as pet_tools
from tests.e2e.test_contract_init_named import draft

WAYS = {
    "texts alone": {},
    "texts in structuredContent": {"structured": True},
    "failures without isError": {"flagged": False},
}


def served(broken: str = "", *, structured: bool = False, flagged: bool = True, style: str = "lines") -> Inside:
    answer = Memos(broken, flagged=flagged, style=style).answer
    return Inside(tools(style), answer, structured=structured, prose=True)


@pytest.fixture(scope="module", params=WAYS.values(), ids=WAYS)
def way(request):
    return request.param


@pytest.fixture(scope="module")
def memos(tmp_path_factory, way):
    with pytest.MonkeyPatch.context() as patch:
        return draft(patch, tmp_path_factory.mktemp("memos") / "contract", served(**way))


def test_the_draft_says_what_stands_where(memos):
    data = tomllib.loads((memos / "contract.toml").read_text("utf-8"))
    texts = {row["tools"][0]: row for row in data["envelope"]["text"]}
    assert set(texts) == {"create_memo", "get_memo", "retitle_memo", "list_memos"}
    assert set(texts["get_memo"]["fields"]) == {"memo_id", "title", "body", "stars", "version"}
    assert texts["get_memo"]["numbers"] == ["memo_id", "stars", "version"]
    codes = tomllib.loads((memos / "errors.toml").read_text("utf-8"))["error"]
    assert {each["code"] for each in codes} == {"NOT_FOUND", "STALE", "KEY_USED", "BAD_ARGUMENTS"}
    (make,) = data["make"]
    assert make["list"] == {"tool": "list_memos", "at": "/entries"}
    assert make["revision"] == "/version"


def test_the_correct_server_keeps_the_draft(monkeypatch, memos, way):
    report = judged(monkeypatch, memos, served(**way), calls={"harmless": "all"})
    assert verdicts(report) == {}
    assert report.conformant


@pytest.mark.parametrize("broken", BREAKS)
def test_the_draft_notices_a_broken_one(monkeypatch, memos, way, broken):
    report = judged(monkeypatch, memos, served(broken, **way), calls={"harmless": "all"})
    rows = tomllib.loads((memos / "requirements.toml").read_text("utf-8"))["requirement"]
    laws = {row["id"]: row["promise"]["law"] for row in rows}
    assert BREAKS[broken] in {laws[each] for each in verdicts(report, "fail")}, verdicts(report)


@pytest.mark.parametrize("style", ["table", "blocks"])
def test_a_list_may_be_a_table_or_blocks_of_lines(monkeypatch, tmp_path, style):
    folder = draft(monkeypatch, tmp_path / "contract", served(style=style))
    data = tomllib.loads((folder / "contract.toml").read_text("utf-8"))
    (make,) = data["make"]
    assert make["list"] == {"tool": "list_memos", "at": "/entries"}
    assert verdicts(judged(monkeypatch, folder, served(style=style), calls={"harmless": "all"})) == {}
    for broken in ("leaves-one-out", "one-more"):
        report = judged(monkeypatch, folder, served(broken, style=style), calls={"harmless": "all"})
        assert verdicts(report, "fail"), broken


def test_a_text_may_tell_where_the_next_page_begins(monkeypatch, tmp_path):
    folder = draft(monkeypatch, tmp_path / "contract", served(style="cursors"))
    rows = tomllib.loads((folder / "requirements.toml").read_text("utf-8"))["requirement"]
    (paged,) = [row["promise"] for row in rows if row["promise"]["law"] == "paged"]
    assert (paged["cursor"], paged["next"]) == ("@/cursor", "/next_cursor")
    assert verdicts(judged(monkeypatch, folder, served(style="cursors"), calls={"harmless": "all"})) == {}
    report = judged(monkeypatch, folder, served("leaves-one-out", style="cursors"), calls={"harmless": "all"})
    assert verdicts(report, "fail")


def housed(broken: str = "") -> Inside:
    return Inside(pet_tools(), Pets(broken).answer, prose=True)


@pytest.fixture(scope="module")
def pets(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        return draft(patch, tmp_path_factory.mktemp("pets") / "contract", housed())


def test_an_id_may_be_all_that_is_answered(pets):
    person, pet = tomllib.loads((pets / "contract.toml").read_text("utf-8"))["make"]
    assert (person["entity"], person["id"]) == ("person", "/id")
    assert person["list"] == {"tool": "list_persons", "at": "/persons"}
    assert (pet["entity"], pet["read"]["tool"]) == ("pet", "get_pet")
    assert "list" not in pet, "persons have their ids under the same key, and are no pets"


@pytest.mark.parametrize("broken", ["", *PET_BREAKS])
def test_what_is_drafted_of_such_ids_is_kept_or_broken(monkeypatch, pets, broken):
    report = judged(monkeypatch, pets, housed(broken), calls={"harmless": "all"})
    rows = tomllib.loads((pets / "requirements.toml").read_text("utf-8"))["requirement"]
    laws = {row["id"]: row["promise"]["law"] for row in rows}
    failed = {laws[each] for each in verdicts(report, "fail")}
    assert failed >= {PET_BREAKS[broken]} if broken else verdicts(report) == {}, verdicts(report)
