"""Two reports compared: what is worse, what is better, what is only different; and a run held against a baseline."""

import re
from xml.etree import ElementTree as ET

import msgspec
import pytest
from msgspec.structs import replace
from rich.console import Console

from conformance.contract.catalogue import load
from conformance.model.verdict import Finding, Verdict
from conformance.report import junit
from conformance.report.build import exit_code
from conformance.report.diff import markdown, terminal
from conformance.report.diff.baseline import against
from conformance.report.diff.compare import IncomparableError, compare
from conformance.report.diff.kinds import kind
from conformance.report.diff.model import Diff, Weight
from conformance.report.model import Report, RequirementResult, ToolUse
from conformance.report.text import claim_text
from tests.unit.report.samples import HOSTILE, broken, hostile, passing, report, result

MUST, SHOULD = "TH-IDEM-01", "TH-VER-04"
SAW = Finding(requirement=MUST, saw="seq is 7, the first answer had 4", pointer="/seq", calls=(4, 7))
LIKE_IT = Finding(requirement=MUST, saw="seq is 99, the first answer had 12", pointer="/seq", calls=(40, 71))
OTHER = Finding(requirement=MUST, saw="created_at moved", pointer="/created_at", calls=(4, 7))


def of(verdict: Verdict, identifier: str = MUST, **about: object) -> RequirementResult:
    findings = (Finding(requirement=identifier, saw="it broke"),) if verdict in FOUND else ()
    return result(identifier, verdict, **{"findings": findings, "breaches": len(findings), **about})


FOUND = (Verdict.FAIL, Verdict.WARN, Verdict.XFAIL, Verdict.FLAKY)


def only(diff: Diff) -> tuple[str, Weight]:
    """The one change that there is."""
    [change] = diff.changes
    return change.id, change.weight


def test_nothing_changed():
    diff = compare(passing(), passing())
    assert not diff.regressed
    assert diff.changes == ()
    assert diff.tools == ()
    assert diff.same == len(passing().requirements) + len(passing().foundation)


@pytest.mark.parametrize(
    ("old", "new", "weight"),
    [
        (Verdict.PASS, Verdict.FAIL, Weight.WORSE),
        (Verdict.PASS, Verdict.NOT_OBSERVED, Weight.WORSE),
        (Verdict.PASS, Verdict.NOT_APPLICABLE, Weight.WORSE),
        (Verdict.PASS, Verdict.BLOCKED, Weight.WORSE),
        (Verdict.PASS, Verdict.ERROR, Weight.WORSE),
        (Verdict.FAIL, Verdict.NOT_OBSERVED, Weight.WORSE),
        (Verdict.NOT_OBSERVED, Verdict.FAIL, Weight.WORSE),
        (Verdict.NOT_APPLICABLE, Verdict.FAIL, Weight.WORSE),
        (Verdict.NOT_APPLICABLE, Verdict.NOT_OBSERVED, Weight.WORSE),
        (Verdict.XPASS, Verdict.FAIL, Weight.WORSE),
        (Verdict.PASS, Verdict.XFAIL, Weight.EXCUSED),
        (Verdict.FAIL, Verdict.FLAKY, Weight.EXCUSED),
        (Verdict.FAIL, Verdict.PASS, Weight.BETTER),
        (Verdict.XFAIL, Verdict.PASS, Weight.BETTER),
        (Verdict.XFAIL, Verdict.XPASS, Weight.BETTER),
        (Verdict.NOT_OBSERVED, Verdict.PASS, Weight.BETTER),
        (Verdict.BLOCKED, Verdict.PASS, Weight.BETTER),
        (Verdict.XFAIL, Verdict.FAIL, Weight.WORSE),
        (Verdict.NOT_OBSERVED, Verdict.BLOCKED, Weight.OTHER),
        (Verdict.NOT_OBSERVED, Verdict.NOT_APPLICABLE, Weight.OTHER),
    ],
)
def test_what_a_change_of_verdict_means(old, new, weight):
    diff = compare(report(of(old)), report(of(new)))
    assert only(diff) == (MUST, weight)
    assert diff.regressed is (weight is Weight.WORSE)


@pytest.mark.parametrize("verdict", list(Verdict))
def test_the_same_verdict_again_is_no_change(verdict):
    assert compare(report(of(verdict)), report(of(verdict))).changes == ()


def test_what_is_not_tested_any_more_with_a_reason_in_the_statement_is_told_and_fails_nothing():
    diff = compare(passing(), report(of(Verdict.NOT_OBSERVED, excused="its clock is fixed"), conformant=True))
    assert only(diff) == (MUST, Weight.EXCUSED)
    assert "its clock is fixed" in diff.changes[0].what
    assert not diff.regressed


def test_a_should_fails_a_comparison_where_it_is_strict():
    old, new = passing(), report(of(Verdict.WARN, SHOULD))
    assert only(compare(old, new)) == (SHOULD, Weight.ADVISED)
    assert not compare(old, new).regressed
    assert compare(old, new, strict=True).regressed


def test_findings_that_differ_in_values_alone_are_the_same():
    assert not compare(report(broken(SAW)), report(broken(LIKE_IT))).regressed
    assert kind(replace(SAW, saw="summary is ['1 line']")) == kind(replace(SAW, saw="summary is ['a', 'b', 'c']"))
    assert kind(replace(SAW, pointer="/messages/3/seq")) == kind(replace(SAW, pointer="/messages/12/seq"))
    assert kind(SAW) != kind(OTHER)


def test_a_finding_of_a_new_kind_in_what_was_broken_before_is_worse():
    diff = compare(report(broken(SAW)), report(broken(SAW, OTHER)))
    assert only(diff) == (MUST, Weight.WORSE)
    assert diff.changes[0].fresh == (OTHER.saw,)
    back = compare(report(broken(SAW, OTHER)), report(broken(SAW)))
    assert only(back) == (MUST, Weight.BETTER)
    assert back.changes[0].gone == (OTHER.saw,)


def test_a_tool_that_breaks_what_another_one_broke_before_is_worse():
    """The report keeps the first findings of a kind only: the count of breaches by tool tells."""
    diff = compare(
        report(broken(SAW, tools={"post_message": 9})), report(broken(SAW, tools={"post_message": 9, "ack_read": 2}))
    )
    assert only(diff) == (MUST, Weight.WORSE)
    assert "ack_read" in diff.changes[0].fresh[0]


def test_a_requirement_that_the_old_report_has_not():
    new = passing()
    old = replace(new, suite="0.0.9", requirements=tuple(r for r in new.requirements if r.id != MUST))
    assert only(compare(old, new)) == (MUST, Weight.OTHER)
    assert only(compare(old, report(of(Verdict.FAIL)))) == (MUST, Weight.WORSE)
    assert any(fact.startswith("suite: 0.0.9") for fact in compare(old, new).facts)


def test_a_requirement_that_is_not_judged_any_more():
    old = passing()
    new = replace(old, requirements=tuple(r for r in old.requirements if r.id != MUST))
    assert only(compare(old, new)) == (MUST, Weight.WORSE)
    assert only(compare(old, replace(new, suite="0.2.0"))) == (MUST, Weight.OTHER)
    assert compare(old, replace(new, selected=len(new.requirements))).changes == ()


def test_what_a_selection_stands_on_is_not_said_to_be_lost():
    """Its own stimuli are not driven: of the protocol less is seen than in a whole run."""
    protocol = next(iter(load("threads").foundation))
    unseen = report(of(Verdict.NOT_OBSERVED, protocol), selected=2)
    assert compare(passing(), unseen).changes == ()
    assert compare(unseen, passing()).changes == ()
    assert only(compare(passing(), report(of(Verdict.FAIL, protocol), selected=2))) == (protocol, Weight.WORSE)


def test_tools_that_are_exercised_no_longer():
    def using(**about: object) -> Report:
        fields = {"listed": True, "allowed": True, "called": 9, "accepted": 4, "swept": 0, "refusals": (), "todo": ""}
        return report(tools=(ToolUse(name="post_message", **{**fields, **about}),))

    refusing, idle = compare(using(), using(accepted=0)), compare(using(), using(called=0, accepted=0, allowed=False))
    assert refusing.tools[0].weight is Weight.WORSE
    assert refusing.tools[0].what == "accepted 4 of 9 calls before; now it accepted none of 9 calls"
    assert "this run may not call it" in idle.tools[0].what
    assert idle.regressed
    assert not compare(using(), using(listed=False, called=0, accepted=0)).regressed
    assert compare(using(accepted=0), using()).tools[0].weight is Weight.BETTER
    assert compare(using(), replace(using(accepted=0), selected=3)).tools == ()


def test_a_run_that_was_cut_short_is_worse():
    diff = compare(passing(), replace(passing(), complete=False, reason="interrupted"))
    assert diff.worse == ("the run was cut short: interrupted",)


def test_a_claim_that_is_lost_is_worse_whatever_took_it():
    diff = compare(passing(), replace(passing(), conformant=False, claim="Inconclusive: who knows."))
    assert diff.regressed
    assert "Inconclusive: who knows." in diff.worse[0]


def test_what_cannot_be_compared_is_refused():
    with pytest.raises(IncomparableError, match="tasks"):
        compare(passing(), replace(passing(), contract="tasks"))
    with pytest.raises(IncomparableError, match="line 3 was changed"):
        compare(replace(passing(), fault="line 3 was changed"), passing())


def test_the_claim_stays_honest_beside_a_baseline():
    old = report(broken(SAW))
    held = against(report(broken(LIKE_IT)), old)
    assert exit_code(held) == 0
    assert held.claim.startswith("Does not conform to threads")
    assert "nothing got worse (1 requirement broken or blocked, as before)" in held.claim
    assert "known from the baseline: 1" in claim_text(held)
    assert not held.conformant


def test_what_got_worse_fails_beside_a_baseline():
    held = against(report(broken(SAW), of(Verdict.NOT_OBSERVED, "TH-READ-01", reason="cut off")), report(broken(SAW)))
    assert exit_code(held) == 1
    assert "pass → not observed: it was tested before, and is not now: cut off: TH-READ-01" in claim_text(held)


def test_beside_a_baseline_a_run_that_was_cut_short_is_inconclusive_and_an_error_stays_one():
    cut = replace(passing(), complete=False, conformant=False, reason="interrupted")
    assert exit_code(against(cut, cut)) == 3
    faulty = report(of(Verdict.ERROR))
    assert exit_code(against(faulty, faulty)) == 2
    assert exit_code(against(replace(passing(), fault="the disk is full"), passing())) == 2


def test_junit_fails_no_build_for_what_is_known_from_a_baseline():
    known, fresh = report(broken(SAW)), report(broken(SAW), of(Verdict.FAIL, "TH-READ-01"))
    quiet = ET.fromstring(junit.render(against(known, known)))
    assert quiet.get("failures") == "0"
    assert "known from the baseline" in quiet.find(f".//testcase[@name='{MUST}']/skipped").get("message")
    assert "Does not conform" in quiet.find(".//testcase[@name='claim']/system-out").text
    loud = ET.fromstring(junit.render(against(fresh, known)))
    failing = [case.get("name") for case in loud.iter("testcase") if case.find("failure") is not None]
    assert failing == ["TH-READ-01", "claim"]


def test_a_report_with_a_baseline_is_read_back_as_it_was():
    held = against(report(broken(SAW)), passing())
    assert msgspec.json.decode(msgspec.json.encode(held), type=Report) == held


def test_what_a_server_says_is_text_in_every_form():
    diff = compare(replace(passing(), tools=()), hostile())
    text = re.sub(r"(?<![`\\])(`+)(?!`).*?(?<!`)\1(?!`)", "CODE", markdown.render(diff))
    assert not re.search(r"(?<!\\)<(?!!-- -->)", text)
    for markup in ("@someone", "www.evil", "\x1b", "\u202e", "##["):
        assert markup not in text, markup
    console = Console(width=100, record=True, file=open("/dev/null", "w"))  # noqa: SIM115, PTH123 -- nobody reads it
    terminal.render(diff, console)
    shown = console.export_text()
    assert HOSTILE[:20] in shown.replace("\n", "")
    assert all(character.isprintable() or character == "\n" for character in shown)
    console.file.close()


def test_every_requirement_of_a_contract_can_be_compared():
    everything = load("threads").requirements
    old = report(*(of(Verdict.FAIL, name) for name in everything if everything[name].seen != "reference"))
    assert len(compare(old, passing()).changes) == len(passing().requirements)
