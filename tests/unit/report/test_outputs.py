"""Annotations, SARIF and badges: what they say, and that nothing a server says becomes more than text in them."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from conformance.model.verdict import Finding, Verdict
from conformance.report import badge, github, junit, sarif, shields
from conformance.report.diff.baseline import against
from conformance.report.model import Excused
from conformance.report.story import everything
from conformance.report.writers import format_of
from tests.unit.report.samples import HOSTILE, broken, failing, hostile, passing, report, result

COMMAND = re.compile(r"::(error|warning|notice) title=([^:,]*)::(.*)")
EVIL = Finding(
    requirement="TH-IDEM-01",
    saw="50% off\r\n::error::pwned\n##[error]pwned\n::set-output name=a::b [click](https://evil.example) {0} \x1b[31m",
)


def annotations(text: str) -> list[tuple[str, str, str]]:
    """Kind, title and message of each line, as GitHub reads them."""
    found = []
    for line in text.splitlines():
        parsed = COMMAND.fullmatch(line)
        assert parsed, line
        found.append((parsed[1], unescaped(parsed[2]), unescaped(parsed[3])))
    return found


def unescaped(text: str) -> str:
    for escape, character in (("%3A", ":"), ("%2C", ","), ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
        text = text.replace(escape, character)
    return text


def test_a_finding_is_an_error_and_what_is_only_recommended_a_warning():
    told = annotations(github.render(failing()))
    assert [(kind, title) for kind, title, _ in told] == [
        ("error", "conformance: threads 004: error"),
        ("error", "TH-IDEM-01 (MUST)"),
        ("error", "TH-READ-01 (MUST)"),
        ("warning", "TH-VER-04 (SHOULD)"),
    ]
    message = told[1][2].splitlines()
    assert message[0] == "seq is 7, the first answer had 4"
    assert message[1].startswith("2 of 12 checks failed. The requirement: ")
    assert message[-1].startswith("Reproduce: conformance run ")


def test_a_run_that_conforms_is_a_notice():
    assert annotations(github.render(passing())) == [
        (
            "notice",
            "conformance: threads 004: pass",
            "Conforms to threads: all 89 MUSTs that apply were tested and hold.",
        )
    ]


def test_what_is_known_from_a_baseline_is_a_notice():
    known = report(broken(EVIL))
    told = annotations(github.render(against(known, known)))
    assert [kind for kind, _, _ in told] == ["warning", "notice"]
    told = annotations(github.render(against(known, passing())))
    assert [kind for kind, _, _ in told] == ["error", "error"]


def test_no_more_annotations_than_github_shows_and_none_is_lost():
    names = [row.id for row in passing().requirements if row.level == "MUST"][:30]
    many = report(*(broken(Finding(requirement=name, saw="it broke")) for name in names))
    told = annotations(github.render(many))
    assert len(told) == 10
    assert all(any(name in f"{title} {message}" for _, title, message in told) for name in names)


@pytest.mark.parametrize("make", [hostile, lambda: report(broken(EVIL))])
def test_a_hostile_server_adds_no_annotation(make):
    text = github.render(make())
    assert len(annotations(text)) == 2
    for _, _, message in annotations(text):
        assert not re.search(r"(?m)^::", message)
        assert "##[" not in message
        assert all(character.isprintable() or character == "\n" for character in message)


def test_the_percent_sign_of_a_message_stays_one():
    [_, (_, _, message)] = annotations(github.render(report(broken(EVIL))))
    assert message.startswith("50% off")


def log_of(made: object) -> dict:
    """The one run of a log, its outline checked against what SARIF 2.1.0 requires."""
    log = json.loads(sarif.render(made))
    assert log["version"] == "2.1.0"
    assert set(log) == {"$schema", "version", "runs"}
    [run] = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    for rule in rules:
        assert set(rule) <= {"id", "shortDescription", "help", "helpUri", "defaultConfiguration", "properties"}
        assert rule["shortDescription"]["text"]
    for one in run["results"]:
        assert rules[one["ruleIndex"]]["id"] == one["ruleId"]
        assert one["level"] in ("none", "note", "warning", "error")
        assert one["message"]["text"]
        assert one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "conformance.toml"
        assert set(one.get("suppressions", [{}])[0]) <= {"kind", "justification"}
    for invocation in run["invocations"]:
        assert isinstance(invocation["executionSuccessful"], bool)
    return run


def test_sarif_has_a_rule_for_each_requirement_and_a_result_for_each_kind_of_finding():
    run = log_of(failing())
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == [row.id for row in everything(failing())]
    assert sorted((one["ruleId"], one["level"]) for one in run["results"]) == [
        ("TH-IDEM-01", "error"),
        ("TH-IDEM-01", "error"),
        ("TH-READ-01", "error"),
        ("TH-VER-04", "warning"),
    ]
    assert run["invocations"][0]["executionSuccessful"] is False, "the suite itself failed at a requirement"


def test_sarif_of_a_run_that_conforms_has_no_result():
    run = log_of(passing())
    assert run["results"] == []
    assert run["invocations"][0] == {
        "executionSuccessful": True,
        "exitCode": 0,
        "commandLine": "conformance run --target reference:threads",
    }


def test_what_the_statement_lists_as_failing_is_suppressed_with_its_reason():
    listed = result(
        "TH-IDEM-01",
        Verdict.XFAIL,
        breaches=1,
        findings=(Finding(requirement="TH-IDEM-01", saw="seq differs"),),
        excused="ticket 9",
    )
    [one] = log_of(report(listed))["results"]
    assert one["suppressions"] == [{"kind": "external", "justification": "ticket 9"}]


def test_a_finding_has_the_same_fingerprint_in_the_next_run():
    first = Finding(requirement="TH-IDEM-01", saw="seq is 7, the first answer had 4", pointer="/seq")
    later = replace(first, saw="seq is 70, the first answer had 40")
    other = replace(first, saw="created_at moved")
    prints = [
        log_of(report(broken(each)))["results"][0]["partialFingerprints"]["findingKind/v1"]
        for each in (first, later, other)
    ]
    assert prints[0] == prints[1] != prints[2]


def test_sarif_says_what_is_new_beside_a_baseline():
    known = report(broken(EVIL))
    assert [one["baselineState"] for one in log_of(against(known, known))["results"]] == ["unchanged"]
    assert [one["baselineState"] for one in log_of(against(known, passing()))["results"]] == ["new"]


@pytest.mark.parametrize("make", [hostile, lambda: report(broken(EVIL))])
def test_what_a_hostile_server_says_is_text_in_sarif(make):
    run = log_of(make())
    texts = [one["message"]["text"] for one in run["results"]]
    assert texts
    for text in texts:
        assert "](" not in text, "a link"
        assert not re.search(r"\{\d+\}", text), "a placeholder"
        assert all(character.isprintable() or character == "\n" for character in text)
    assert "##[" not in sarif.render(make())


@pytest.mark.parametrize(
    ("made", "message", "colour"),
    [
        (passing(), "conforms", badge.GREEN),
        (
            replace(passing(), excused=(Excused(id="TH-RET-01", kind="unobservable", reason="its clock"),)),
            "conforms, 1 exception",
            badge.GREEN,
        ),
        (report(broken(EVIL)), "does not conform", badge.RED),
        (report(result("TH-RET-01", Verdict.NOT_OBSERVED)), "inconclusive", badge.YELLOW),
        (failing(), "no verdict", badge.GREY),
        (replace(passing(), fault="line 3 was changed"), "no verdict", badge.GREY),
        (replace(passing(), selected=4), "4 of its requirements: held", badge.GREY),
        (report(broken(EVIL), selected=1), "1 of its requirements: broken", badge.RED),
    ],
)
def test_a_badge_says_no_more_than_the_claim(made, message, colour):
    assert badge.badge(made) == ("threads 004", message, colour)
    assert json.loads(shields.render(made)) == {
        "schemaVersion": 1,
        "label": "threads 004",
        "message": message,
        "color": colour,
    }
    picture = ET.fromstring(badge.render(made))
    assert picture.get("aria-label") == f"threads 004: {message}"


def test_a_baseline_makes_no_badge_greener():
    known = report(broken(EVIL))
    assert badge.badge(against(known, known)).message == "does not conform"


def test_a_badge_of_a_hostile_transcript_holds_text_alone():
    picture = badge.render(replace(hostile(), edition=HOSTILE))
    assert {element.tag.rpartition("}")[2] for element in ET.fromstring(picture).iter()} == {
        "svg",
        "title",
        "rect",
        "g",
        "text",
    }
    assert "\x1b" not in picture


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("badge.svg", "badge"),
        ("docs/threads-badge.svg", "badge"),
        ("threads.badge.JSON", "shields"),
        ("report.svg", "terminal"),
        ("report.json", "json"),
        ("report.sarif", "sarif"),
    ],
)
def test_the_name_of_a_file_says_whether_it_is_a_badge(name, form):
    assert format_of(Path(name)) == form


@pytest.mark.parametrize("make", [passing, failing, hostile])
def test_the_names_of_junit_are_the_ids(make):
    names = [case.get("name") for case in ET.fromstring(junit.render(make())).iter("testcase")]
    assert sorted(names) == sorted([*(row.id for row in everything(make())), "claim"])
