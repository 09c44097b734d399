"""The page is well formed, escaped, self-contained and small."""

import re
from html.parser import HTMLParser

import pytest

from conformance.report.html.element import VOID, Html, el, joined
from conformance.report.html.frame import POLICY
from conformance.report.html.page import render
from conformance.report.html.style import STYLE

from .samples import failing, hostile, passing, report

VISIBLE_COLOURS = 4.5


class Reader(HTMLParser):
    """Collects what is in a page, and refuses one whose elements do not nest."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        for name, value in attrs:
            self.attributes.add(name)
            if name == "id":
                self.ids.append(value)
            if name == "href":
                self.links.append(value)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1:] != ["style"]:
            self.text.append(data)


def read(text):
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == []
    return reader


@pytest.mark.parametrize("make", [passing, failing, hostile])
def test_the_page_is_well_formed_and_every_link_leads_somewhere_in_it(make):
    page = read(render(make()))
    assert len(page.ids) == len(set(page.ids))
    assert all(link.startswith("#") and link[1:] in page.ids for link in page.links)
    assert {row.id for row in make().requirements} <= set(page.ids)


@pytest.mark.parametrize("make", [passing, failing, hostile])
def test_the_page_loads_nothing_and_runs_nothing(make):
    text = render(make())
    page = read(text)
    assert not page.tags & {"script", "link", "img", "iframe", "object", "embed", "form", "base", "svg", "video"}
    assert not {name for name in page.attributes if name.startswith("on")} | page.attributes & {
        "src",
        "srcset",
        "action",
    }
    assert f'content="{POLICY}"' in text.replace("&#x27;", "'")
    assert "url(" not in text
    assert "@import" not in STYLE


def test_a_hostile_server_changes_no_element_of_the_page():
    assert read(render(hostile())).tags <= read(render(failing())).tags
    text = render(hostile())
    assert "<script" not in text
    assert not re.search(r"[\x00-\x08\x0b-\x1f\u202a-\u202e\u2028]", text)


def test_the_page_tells_the_story():
    text = " ".join("".join(read(render(failing())).text).split())
    for part in (
        "Does not conform to threads: 2 requirements broken.",
        "97 requirements = 2 fail + 1 stale known failure",
        "introduced as reference-server 0.1.0",
        "seq is 7, the first answer had 4",
        "conformance run --target reference:threads --seed 7 --only TH-IDEM-01",
        "conformance judge FILE",
        "Blocks TH-IDEM-02",
        "The conversation that led here, 3 calls",
        "the target cannot move its clock",
        "1 further breach",
    ):
        assert part in text
    assert "The run is incomplete: the server went away." in "".join(
        read(render(report(complete=False, reason="the server went away"))).text
    )


def test_the_pointed_place_is_marked_once_a_finding():
    marks = [re.sub(r"<[^>]+>", "", mark) for mark in re.findall(r"<mark>(.*?)</mark>", render(failing()))]
    assert marks == ["&quot;seq&quot;: 7,", "&quot;next_seq&quot;: (absent)"]


def test_sizes():
    assert len(STYLE.encode()) <= 30_000
    assert len(render(passing()).encode()) <= 300_000
    assert len(render(hostile()).encode()) <= 150_000


def test_only_what_el_made_goes_in_unescaped():
    assert el("p", "<b>", el("i", "&"), class_='"x"') == '<p class="&quot;x&quot;">&lt;b&gt;<i>&amp;</i></p>'
    assert el("input", type="radio", checked=True, disabled=False, name=None) == '<input type="radio" checked>'
    assert joined("a<", None, ["b", el("br")], by=" & ") == "a&lt; &amp; b<br>"
    assert isinstance(el("p"), Html)
    assert el("p", str(el("b"))) == "<p>&lt;b&gt;&lt;/b&gt;</p>", "a str is text, whatever it was made from"


def luminance(colour):
    digits = colour.lstrip("#")
    digits = "".join(c * 2 for c in digits) if len(digits) == 3 else digits
    parts = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first, second):
    lighter, darker = sorted((luminance(first), luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def themes():
    for block in re.findall(r":root\{([^}]*)\}", STYLE):
        yield dict(re.findall(r"--(\w+):(#[0-9a-f]+)", block))


@pytest.mark.parametrize("theme", list(themes()), ids=["light", "dark", "print"])
def test_every_colour_of_text_can_be_read(theme):
    assert len(theme) > 10
    for name in ("ink", "soft", "link", "pass", "fail", "warn", "blocked", "error", "unseen", "none"):
        for behind in ("paper", "card"):
            assert contrast(theme[name], theme[behind]) >= VISIBLE_COLOURS, (name, behind)
    assert contrast(theme["ink"], theme["mark"]) >= VISIBLE_COLOURS
    assert contrast(theme["paper"], theme["ink"]) >= VISIBLE_COLOURS
