"""Lists in pages that name no next one: the caller counts, and each entry is shown once all the same."""

import tomllib

import pytest

from conformance.cli.main import main
from tests.e2e.own.counted import BREAKS, Counted
from tests.e2e.own.inside import Inside, judged, verdicts
from tests.e2e.test_contract_init_named import draft

BY = ("entries", "pages", "pages-from-0")


@pytest.mark.parametrize("by", BY)
def test_a_correct_server_is_accused_of_nothing(monkeypatch, tmp_path, by):
    store = Counted(by)
    report = judged(monkeypatch, store.folder(tmp_path / "contract"), Inside(store.tools(), store.answer))
    assert verdicts(report) == {}
    assert report.conformant


@pytest.mark.parametrize("broken", BREAKS)
@pytest.mark.parametrize("by", BY)
def test_what_is_left_out_or_shown_twice_is_found(monkeypatch, tmp_path, by, broken):
    store = Counted(by, broken)
    report = judged(monkeypatch, store.folder(tmp_path / "contract"), Inside(store.tools(), store.answer))
    if broken == "refuses-the-second":
        assert list(verdicts(report)) == ["CO-PAGES"]
        assert not report.conformant
    else:
        assert list(verdicts(report, "fail")) == ["CO-PAGES"], verdicts(report)


@pytest.mark.parametrize("by", BY)
def test_they_are_drafted_from_a_live_server(monkeypatch, tmp_path, by):
    store = Counted(by)
    folder = draft(monkeypatch, tmp_path / "contract", Inside(store.tools(), store.answer))
    rows = tomllib.loads((folder / "requirements.toml").read_text("utf-8"))["requirement"]
    paged = next(row["promise"] for row in rows if row["promise"]["law"] == "paged")
    assert (paged["cursor"], paged["size"]) == (f"@/{store.cursor}", f"@/{store.size}")
    assert (paged["counts"], paged.get("begins", 1 if by == "pages" else 0)) == (by.split("-")[0], store.first)


@pytest.mark.parametrize(
    ("how", "wrong"), [("begins = 1", "neither next nor counts"), ('next = "/n", counts = "pages"', "both")]
)
def test_a_list_is_read_on_in_one_way(tmp_path, capsys, how, wrong):
    folder = Counted("pages").folder(tmp_path / "contract")
    path = folder / "requirements.toml"
    path.write_text(path.read_text("utf-8").replace('counts = "pages"', how), "utf-8")
    assert main(["contract", "check", str(folder)]) == 2
    assert wrong in capsys.readouterr().err
