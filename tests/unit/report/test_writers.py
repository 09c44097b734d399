"""Each format tells the whole story, adds up, and lets nothing of a hostile server through."""

import io
import json
import re
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace
from rich.console import Console

from conformance.model.verdict import Finding, Verdict
from conformance.report import json as as_json
from conformance.report import junit, markdown, terminal
from conformance.report.model import FORMAT
from conformance.report.progress import Progress
from conformance.report.text import finding_text
from conformance.report.words import state, totals
from conformance.report.writers import FORMATS, SUFFIXES, UnknownFormatError, format_of, write

from .samples import HOSTILE, broken, failing, hostile, passing, report, result

INVISIBLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069\u2028\u2029\ufffe]")


def shown(given, width=80, **about):
    console = Console(file=io.StringIO(), width=width, **about)
    terminal.render(given, console)
    return console.file.getvalue()


def test_totals_add_up():
    told = totals(failing())
    whole, parts = told.split(" requirements = ")
    assert int(whole) == sum(int(part.split(" ", 1)[0]) for part in parts.split(" + ")) == len(failing().requirements)


@pytest.mark.parametrize("make", [passing, failing, hostile])
def test_json_is_read_back_as_it_was(make, tmp_path):
    path = tmp_path / "report.json"
    write(make(), "json", path)
    text = path.read_text("utf-8")
    assert text.endswith("}\n")
    assert as_json.render(as_json.load(path)) == text
    assert as_json.load(path).totals == make().totals


def test_a_large_report_is_not_indented_and_is_read_back(monkeypatch, tmp_path):
    path, indented = tmp_path / "report.json", as_json.render(failing())
    monkeypatch.setattr(as_json, "INDENTED", 1_000)
    write(failing(), "json", path)
    text = path.read_text("utf-8")
    assert len(text.splitlines()) == 1 < len(indented.splitlines())
    assert as_json.render(as_json.load(path)) == text
    assert json.loads(text) == json.loads(indented)


@pytest.mark.parametrize("text", ["", "{}", "[" * 5_000, '{"format": 1}', "\ufeff{}"])
def test_what_is_no_report_is_refused_with_its_path(text, tmp_path):
    path = tmp_path / "report.json"
    path.write_text(text, "utf-8")
    with pytest.raises(as_json.UnreadableReportError, match=r"report\.json"):
        as_json.load(path)


def test_a_later_form_is_refused(tmp_path):
    path = tmp_path / "report.json"
    write(replace(passing(), format=FORMAT + 1), "json", path)
    with pytest.raises(as_json.UnreadableReportError, match="use a later suite"):
        as_json.load(path)


REPRODUCE = (
    "conformance run --target reference:threads --seed 7 --only TH-IDEM-01 "
    "--stimulus threads.the_same_message_is_posted_twice"
)


@pytest.mark.parametrize("make", [passing, failing, hostile])
def test_junit_parses_and_its_totals_add_up(make):
    root = ET.fromstring(junit.render(make()))
    for counted in (root, *root.findall("testsuite")):
        cases = list(counted.iter("testcase"))
        assert int(counted.get("tests")) == len(cases) > 0
        for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert int(counted.get(attribute)) == sum(case.find(tag) is not None for case in cases)
    assert [suite.get("name") for suite in root] == ["threads", "mcp"]
    names = [case.get("name") for case in root[0].findall("testcase")]
    assert names == [*(result.id for result in make().requirements), "claim"]


def test_junit_tells_each_verdict_in_its_own_way():
    cases = {case.get("name").split()[0]: case for case in ET.fromstring(junit.render(failing())).iter("testcase")}
    tags = {name: [child.tag for child in case if child.tag != "properties"] for name, case in cases.items()}
    assert tags["TH-IDEM-01"] == ["failure"]
    assert tags["TH-IDEM-02"] == ["failure"]
    assert tags["TH-SES-01"] == ["failure"]
    assert tags["TH-SUM-01"] == ["error"]
    assert tags["TH-RET-01"] == tags["TH-VER-01"] == tags["TH-TRIG-05"] == ["skipped"]
    assert tags["TH-VER-04"] == tags["TH-MSG-02"] == ["system-out"]
    assert tags["TH-IDEM-03"] == []
    assert cases["TH-IDEM-02"].find("failure").get("message") == "blocked by TH-IDEM-01"
    assert cases["TH-IDEM-01"].get("classname") == "threads.Threads protocol, 3.2, 7"
    failure = cases["TH-IDEM-01"].find("failure")
    assert failure.get("message") == "fail: seq is 7, the first answer had 4"
    assert "-> #7 post_message(" in failure.text
    assert f"reproduce: {REPRODUCE}" in failure.text
    assert tags["claim"] == ["failure"]


def test_junit_tells_that_a_run_is_inconclusive():
    """No single requirement does: what was not tested is skipped."""
    untested = result("TH-RET-01", Verdict.NOT_OBSERVED, subjects=0, reason="no clock")
    root = ET.fromstring(junit.render(report(untested, claim="Inconclusive: 1 of 89 MUSTs were not tested.")))
    assert root.get("failures") == "1"
    assert root.find(".//failure").get("message") == "Inconclusive: 1 of 89 MUSTs were not tested."


def test_a_should_that_is_blocked_fails_no_build():
    blocked = result("TH-VER-04", Verdict.BLOCKED, blocked_by="TH-THR-01")
    root = ET.fromstring(junit.render(report(blocked)))
    assert root.get("failures") == "0"
    assert root.find(".//skipped").get("message") == "blocked by TH-THR-01"


def test_markdown_tells_the_finding_and_how_to_reproduce_it():
    text = markdown.render(failing())
    for part in (
        "TH-IDEM-01",
        "seq is 7, the first answer had 4",
        '"seq": 7,   ◀',
        "/has_more: expected true, got false",
    ):
        assert part in text
    assert f"```sh\n{REPRODUCE}\n```" in text
    assert f"All {len(failing().requirements) + len(failing().foundation)} requirements" in text
    assert text.count("<details>") == text.count("</details>") == 1
    assert markdown.render(passing()).startswith("## ✅ Conforms to threads")


def test_markdown_of_a_hostile_server_holds_no_markup_of_its():
    outside = []
    fence = None
    for line in markdown.render(hostile()).splitlines():
        opened = re.match(r"(`{3,})(text|sh)$", line)
        if fence is None and opened:
            fence = opened[1]
        elif line == fence:
            fence = None
        elif fence is None:
            outside.append(re.sub(r"(?<![`\\])(`+)(?!`).*?(?<!`)\1(?!`)", "CODE", line))
    assert fence is None, "a fence was left open"
    text = "\n".join(outside)
    assert not re.search(r"(?<!\\)<(?!!-- -->|/?details>|/?summary>)", text)
    assert not re.search(r"@(?=\w)|#(?=\d)|www\.|https?:", text)
    assert not re.search(r"(?<!\\)\*\*md", text)
    rows = [re.sub(r"\\\|", "", line) for line in outside if line.startswith("| ") and line.count("|") > 5]
    assert {row.count("|") for row in rows} == {8}


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("- no list", r"\- no list"),
        ("1. no list", r"\1. no list"),
        ("a|b", r"a\|b"),
        ("<b>", r"\<b\>"),
        ("@who", "@<!-- -->who"),
        ("www.x", "www<!-- -->.x"),
        ("plain, (text) - 1.2", "plain, (text) - 1.2"),
    ],
)
def test_markdown_text_is_shown_as_it_is(text, safe):
    assert markdown.escaped(text) == safe.replace(r"\1.", "1\\.")


@pytest.mark.parametrize("text", ["a`b", "``", "`", " x ", "a|b", ""])
def test_a_code_span_ends_where_it_is_meant_to(text):
    span = markdown.code(text)
    if not text:
        assert span == ""
        return
    fence = re.match(r"`+", span)[0]
    assert span.endswith(fence)
    assert fence not in re.findall(r"`+", span[len(fence) : -len(fence)])


def test_the_terminal_tells_roots_then_totals_then_the_claim_then_what_to_do():
    text = shown(failing())
    places = [
        text.index(part)
        for part in (
            "✗ TH-IDEM-01",
            "seen       seq is 7, the first answer had 4",
            '▶   "seq": 7,',
            f"reproduce  {REPRODUCE}",
            "✗ TH-READ-01",
            "▲ TH-VER-04",
            "97 requirements = 2 fail",
            "Does not conform to threads",
            "conformance explain TH-IDEM-01",
            "--format html --output report.html",
        )
    ]
    assert places == sorted(places)


@pytest.mark.parametrize("make", [passing, failing, hostile])
@pytest.mark.parametrize("width", [40, 80, 200])
def test_the_terminal_keeps_to_its_width_and_shows_nothing_invisible(make, width):
    text = shown(make(), width)
    assert not INVISIBLE.search(text)
    commands = ("reproduce", "explain", "report")
    assert all(len(line) <= width for line in text.splitlines() if not line.strip().startswith(commands))


def test_no_style_of_a_hostile_server_reaches_the_terminal(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    text = shown(hostile(), force_terminal=True, color_system="standard")
    assert "\x1b[31mred" not in text
    assert "\x1b]8" not in text
    assert "[bold]" in text
    assert "\x1b[" in text, "our own style is there"


def test_no_color_is_honoured(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    text = shown(failing(), force_terminal=True, color_system="standard")
    assert not re.search(r"\x1b\[[0-9;]*3[0-7]m", text)


def test_a_terminal_without_unicode_is_written_to_all_the_same():
    raw = io.TextIOWrapper(io.BytesIO(), "ascii", write_through=True)
    terminal.render(failing(), Console(file=raw, width=80))
    text = raw.buffer.getvalue().decode("ascii")
    assert "x TH-IDEM-01" in text
    assert '-> post_message(thread_id: "th_1"' in text
    assert "\\u" not in text


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (passing(), Verdict.PASS),
        (failing(), Verdict.ERROR),
        (hostile(), Verdict.FAIL),
        (report(conformant=False), Verdict.NOT_OBSERVED),
        (report(broken=True), Verdict.FAIL),
    ],
)
def test_the_state_of_a_run(made, expected):
    assert state(made) is expected


def test_the_text_of_a_finding_for_pytest():
    text = finding_text(failing(), next(row for row in failing().requirements if row.id == "TH-READ-01"))
    assert "saw: the page lacks next_seq" in text
    assert "  at /next_seq of the last answer" in text
    assert INVISIBLE.search(HOSTILE)
    assert not INVISIBLE.search(
        finding_text(hostile(), next(r for r in hostile().requirements if r.id == "TH-IDEM-01"))
    )


@pytest.mark.parametrize("name", ["terminal", *FORMATS])
def test_every_format_is_written_to_a_file_and_to_standard_output(name, tmp_path, capfdbinary):
    path = tmp_path / "made" / "on the way" / "report.out"
    write(failing(), name, path)
    write(failing(), name)
    printed = capfdbinary.readouterr().out.decode()
    assert ("threads 004" if name in ("badge", "shields") else "TH-IDEM-01") in printed
    if name != "terminal":
        assert printed == path.read_text("utf-8")


@pytest.mark.parametrize(("suffix", "name"), SUFFIXES.items())
def test_the_suffix_names_the_format(suffix, name, tmp_path):
    assert format_of(tmp_path / f"report{suffix.upper()}") == name
    write(passing(), None, tmp_path / f"report{suffix}")
    assert (tmp_path / f"report{suffix}").stat().st_size > 0


def test_a_format_that_nobody_knows_is_refused(tmp_path):
    with pytest.raises(UnknownFormatError, match=r"no suffix that names a format; end the name .*: terminal, json"):
        write(passing(), None, tmp_path / "report.pdf")
    with pytest.raises(UnknownFormatError, match="no format is named 'yaml'"):
        write(passing(), "yaml", tmp_path / "report.yaml")
    assert list(tmp_path.iterdir()) == []


def test_progress_is_one_line_that_goes_away_and_nothing_where_nobody_watches():
    seen, unseen = io.StringIO(), io.StringIO()
    for file, watched in ((seen, True), (unseen, False)):
        with Progress(Console(file=file, force_terminal=watched, width=100), calls=lambda: 1_234) as progress:
            progress.advance("threads.the_same_\x1b[31mmessage_is_posted_twice", 3, 7)
    assert unseen.getvalue() == ""
    assert "3/7 stimuli · 1,234 calls · the same" in seen.getvalue()
    assert "\x1b[31m" not in seen.getvalue()


def test_what_a_server_floods_with_is_not_passed_on():
    written = {
        name: len(render(hostile())) for name, render in (("junit", junit.render), ("markdown", markdown.render))
    }
    assert max(written.values()) < 100_000
    assert len(json.dumps(hostile().evidence[1].answer)) > 400_000


@pytest.mark.parametrize("name", ["terminal", "junit", "markdown", "html", "sarif", "json"])
@pytest.mark.parametrize(("about", "said"), [({"expected": None, "got": 5}, True), ({"got": 5}, False)])
def test_null_that_was_expected_is_told_and_what_nobody_expected_is_not(name, about, said, tmp_path):
    given = report(broken(Finding(requirement="TH-IDEM-01", saw="reply_to is 5", calls=(2,), **about)))
    write(given, name, tmp_path / "report")
    told = re.sub(r"<[^>]*>", "", (tmp_path / "report").read_text("utf-8"))
    assert bool(re.search(r"expected\W{1,20}null", told)) is said
    assert re.search(r"got\W{1,20}5", told)
