"""The HTML report in a real browser: what it shows, that it runs nothing, that it fits, in light, dark and print."""

import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from conformance.contract.catalogue import load
from conformance.report.html.page import render
from conformance.report.site import contract, index
from conformance.report.site.target import Told
from tests.unit.report.samples import failing, hostile

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
DARK = "--blink-settings=preferredColorScheme=0"
LIMIT_S = 120

pytestmark = pytest.mark.skipif(
    BROWSER is None,
    reason="NO CHROMIUM: THE HTML REPORT WAS NOT LOOKED AT. `apt-get install chromium`, or `make browser` as root",
)


@pytest.fixture
def look(tmp_path: Path):
    """Opens a page in a new browser; gives what it printed."""

    def browse(text: str, *flags: str) -> str:
        page = tmp_path / "report.html"
        page.write_text(text, "utf-8")
        command = [BROWSER, *FLAGS, f"--user-data-dir={tmp_path / 'profile'}", *flags, page.as_uri()]
        return subprocess.run(command, capture_output=True, timeout=LIMIT_S, check=True, cwd=tmp_path).stdout.decode()

    return browse


def asked(text: str, question: str) -> str:
    """The page with its policy off and a script that puts the answer to a question of ours into the title."""
    free = text.replace('http-equiv="Content-Security-Policy"', 'name="policy-off-to-measure"')
    assert free != text
    return free.replace("</body>", f"<script>document.title = {question}</script></body>")


def title(dom: str) -> str:
    return re.search(r"<title>(.*?)</title>", dom, re.DOTALL)[1]


def test_the_browser_reads_the_page_as_it_was_written(look):
    dom = look(render(failing()), "--dump-dom")
    told = re.sub(r"<[^>]+>", "", dom)
    assert "Does not conform to threads: 2 requirements broken." in told
    assert f"{len(failing().requirements)} requirements = 2 fail" in told
    assert dom.count("<article") == len(failing().roots)
    assert dom.count("<tr ") == render(failing()).count("<tr ")


def test_nothing_that_a_server_sent_becomes_an_element(look):
    dom = look(render(hostile()), "--dump-dom")
    assert "<script" not in dom
    assert "<img" not in dom
    assert title(dom).startswith("✗")


def test_the_page_forbids_every_script(look):
    ran = "'it ran'"
    assert title(look(asked(render(failing()), ran), "--dump-dom")) == "it ran", "it does where nothing forbids it"
    forced = render(failing()).replace("</body>", f"<script>document.title = {ran}</script></body>")
    assert title(look(forced, "--dump-dom")).endswith("2 requirements broken.")


def test_choosing_shows_what_was_chosen(look):
    seen = """['all', 'rest', 'fail', 'pass', 'blocked', 'must'].map(id => {
      document.getElementById('show-' + id).checked = true;
      return [...document.querySelectorAll('#requirements .row')].filter(row => row.offsetParent).length }).join(' ')"""
    rows = failing().requirements
    verdicts = Counter(str(row.verdict) for row in rows)
    rest = len(rows) - verdicts["pass"]
    must = sum(row.level == "MUST" for row in rows)
    chosen = [len(rows), rest, verdicts["fail"], verdicts["pass"], verdicts["blocked"], must]
    assert title(look(asked(render(failing()), seen), "--dump-dom")) == " ".join(map(str, chosen))
    assert verdicts["fail"] == 2
    assert verdicts["pass"] > 0


def contracts_page(report):
    return contract.page(load("threads"), [Told(report, "reports/one.html")])


def index_page(report):
    return index.page({"contracts/mcp.html": load("mcp")}, [Told(report, "reports/one.html")])


@pytest.mark.parametrize("make", [failing, hostile])
@pytest.mark.parametrize("page", [render, contracts_page, index_page])
def test_on_a_narrow_screen_nothing_is_wider_than_the_window(look, make, page):
    wide = "document.documentElement.scrollWidth + ' of ' + innerWidth"
    there, window = title(look(asked(page(make()), wide), "--dump-dom", "--window-size=500,900")).split(" of ")
    assert int(there) <= int(window)


@pytest.mark.parametrize(("flags", "colour"), [((), "rgb(250, 249, 246)"), ((DARK,), "rgb(20, 22, 24)")])
def test_light_and_dark_as_the_reader_has_it(look, flags, colour):
    behind = "getComputedStyle(document.body).backgroundColor"
    assert title(look(asked(render(failing()), behind), "--dump-dom", *flags)) == colour


def test_a_print_holds_what_is_folded_on_the_screen(look, tmp_path):
    text, sizes = render(failing()), []
    for page in (text, text.replace("details::details-content", "details::nothing")):
        paper = tmp_path / "report.pdf"
        look(page, f"--print-to-pdf={paper}")
        assert paper.read_bytes().startswith(b"%PDF")
        sizes.append(paper.stat().st_size)
    assert sizes[0] > sizes[1]
