"""The site: pages that stand on their own, links that lead somewhere, strangers' words that stay words."""

import re
from pathlib import Path
from urllib.parse import urldefrag

import pytest
from msgspec.structs import replace

from conformance.contract.catalogue import load, names
from conformance.report import explained as module
from conformance.report import json
from conformance.report.html.frame import POLICY
from conformance.report.site.writing import write
from tests.unit.report.samples import HOSTILE, failing, hostile, passing
from tests.unit.report.test_html import Reader, read


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, Reader]:
    """Every page of a site with a good, a broken and a hostile report."""
    folder = tmp_path_factory.mktemp("site")
    return {path: read(path.read_text("utf-8")) for path in write(folder, [passing(), failing(), hostile()])}


def test_every_link_leads_to_a_place_on_a_page_of_the_site(site):
    for path, page in site.items():
        for link in page.links:
            name, anchor = urldefrag(link)
            there = (path.parent / name).resolve() if name else path
            assert there in site, f"{path.name}: {link}"
            assert not anchor or anchor in site[there].ids, f"{path.name}: {link}"


def test_no_page_loads_or_runs_anything(site):
    for path, page in site.items():
        assert f'content="{POLICY}"' in path.read_text("utf-8").replace("&#x27;", "'")
        assert not page.tags & {"script", "link", "img", "iframe", "object", "form", "base", "svg"}
        assert not {name for name in page.attributes if name.startswith("on")}
        assert len(page.ids) == len(set(page.ids))


def test_what_a_report_says_becomes_no_element_and_no_path(site):
    for path in site:
        text = path.read_text("utf-8")
        assert "<img" not in text
        assert not re.search(r"[\x00-\x08\x0b-\x1f\u202a-\u202e\u2028]", text)
    assert {path.parent.name for path in site} == {site_root(site).name, "contracts", "reports"}
    assert all(re.fullmatch(r"[a-z0-9-]+\.html", path.name) for path in site)


def site_root(site: dict[Path, Reader]) -> Path:
    return next(iter(site)).parent


def test_a_report_on_a_contract_that_nobody_knows_has_its_page_all_the_same(tmp_path):
    strange = replace(failing(), contract="../../elsewhere", edition=HOSTILE)
    written = write(tmp_path / "site", [strange, strange])
    assert [path.name for path in written[-2:]] == [
        "elsewhere-reference-threads.html",
        "elsewhere-reference-threads-2.html",
    ]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["site"]


@pytest.mark.parametrize("name", names())
def test_a_contract_page_tells_of_each_requirement_all_that_explain_tells(site, name):
    page = next(page for path, page in site.items() if path.parts[-2:] == ("contracts", f"{name}.html"))
    told = " ".join("".join(page.text).split())
    for about in load(name).requirements.values():
        found = module.explained(about)
        assert about.id in page.ids
        # a page begins a sentence with a capital where explain's data does not
        assert all(" ".join(said.split())[1:] in told for _, said in found.parts())
        assert found.deviation is not None or about.seen == "reference", f"nothing proves {about.id}"
        assert found.deviation is None or found.deviation.command(about.id) in told


def test_a_contract_is_explained_where_the_reference_is_not_installed(monkeypatch, tmp_path):
    monkeypatch.setattr(module, "REFERENCE", "nowhere")
    module._deviations.cache_clear()
    try:
        write(tmp_path, [])
    finally:
        module._deviations.cache_clear()
    text = (tmp_path / "contracts" / "threads.html").read_text("utf-8")
    assert "How it is judged" in text
    assert "A server that breaks it" not in text


def test_the_index_tells_who_conforms_to_what_and_when(site):
    told = " ".join("".join(site[site_root(site) / "index.html"].text).split())
    assert "✓ conforms" in told
    assert "✗ does not conform" in told
    assert "89 of 89" in told
    assert "2026-01-01 00:00 UTC" in told


def test_a_selection_is_never_shown_as_conforming(tmp_path):
    write(tmp_path, [replace(passing(), selected=3)])
    text = (tmp_path / "index.html").read_text("utf-8")
    assert "only a selection" in text
    assert "✓" not in text


def test_a_report_without_a_site_leads_nowhere_else(site):
    page = read((site_root(site) / "reports" / "threads-reference-threads.html").read_text("utf-8"))
    assert any(link.startswith("../contracts/threads.html#") for link in page.links)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (json.render(replace(failing(), requirements=(), foundation=())), "and no result of it"),
        (json.render(failing()).replace('"duration_ms": 1234', f'"duration_ms": {10**300}'), "beyond all measure"),
    ],
)
def test_a_report_that_no_run_writes_is_refused(text, why, tmp_path):
    path = tmp_path / "report.json"
    path.write_text(text, "utf-8")
    with pytest.raises(json.UnreadableReportError, match=why):
        json.load(path)
