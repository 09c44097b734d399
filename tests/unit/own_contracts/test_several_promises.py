"""A requirement with several promises is one statement: broken by any of them, kept where each was seen to hold."""

import shutil

import pytest

from conformance.certify import contract_of
from conformance.cli.main import main
from conformance.drive.errors import UsageError
from conformance.drive.library import import_stimuli
from conformance.judge.judge import judge
from conformance.model.events import Stimulus
from conformance.report.explained import explained
from tests.laws.promised.desk import FOLDER, Desk, note

FIRST = '{ law = "replayed", tool = "save_note", key = "@/request_key", gives = ["/note/id"] }'
SECOND = '{ law = "conflicting", tool = "save_note", key = "@/request_key", codes = ["KEY_REUSED"] }'
TWO = f'requirement = [\n{{ id = "TWO", promise = [\n    {FIRST},\n    {SECOND},\n] }}]\n'
TABLES = f"""[[requirement]]
id = "A"
promise = {FIRST}
[[requirement]]
id = "TWO"
[[requirement.promise]]
law = "mirrored"
[[requirement.promise]]
law = "steady"
tools = ["nowhere"]
"""
ROUND = f"""requirement = [
{{ id = "A", requires = ["B"], promise = {FIRST} }},
{{ id = "B", requires = ["A"], promise = {SECOND} }}
]"""


@pytest.fixture
def own(tmp_path):
    """A contract that promises both in one requirement."""

    def make(requirements=TWO):
        folder = tmp_path / "contract"
        shutil.copytree(FOLDER, folder, dirs_exist_ok=True)
        (folder / "requirements.toml").write_text(requirements, "utf-8")
        return str(folder)

    return make


def outcome(folder, tell, *, tried=("TWO/1", "TWO/2")):
    """What is said of the requirement where the calls were these, and stimuli for these promises came to their end."""
    contract, desk = contract_of(folder), Desk()
    tell(desk)
    stimuli = [Stimulus(name=f"x.{name}", exercises=("TWO", name), state="done", t=0) for name in tried]
    found = judge([*desk.events, *stimuli], contract).outcome("TWO")
    return found.verdict, found.subjects, found.reason


def repeated(desk):
    desk.save(1)
    desk.save(1)


def refused(desk):
    desk.save(2, key="key-1", code="KEY_REUSED")
    desk.save(3)


def taken(desk):
    desk.save(2, {"note": note(1)}, key="key-1")
    desk.save(3)


def test_both_hold(own):
    def tell(desk):
        repeated(desk)
        refused(desk)

    verdict, subjects, reason = outcome(own(), tell)
    assert (verdict, reason) == ("pass", "")
    assert subjects >= 2


def test_one_alone_is_not_enough(own):
    verdict, subjects, reason = outcome(own(), repeated)
    assert verdict == "not_observed"
    assert subjects
    assert reason.startswith("TWO/2: ")


def test_neither(own):
    verdict, subjects, reason = outcome(own(), lambda desk: desk.save(1))
    assert (verdict, subjects) == ("not_observed", 0)
    assert reason == "the calls that were made show neither that it holds nor that it is broken"


def test_what_came_by_chance_proves_neither_where_its_own_stimulus_broke_off(own):
    contract, desk = contract_of(own()), Desk()
    repeated(desk)
    refused(desk)
    stimuli = [
        Stimulus(name="x.first", exercises=("TWO", "TWO/1"), state="done", t=0),
        Stimulus(name="x.second", exercises=("TWO", "TWO/2"), state="stuck", why="it was refused", t=0),
    ]
    found = judge([*desk.events, *stimuli], contract).outcome("TWO")
    assert found.verdict == "not_observed"
    assert found.reason.startswith("TWO/2: ")
    assert "it was refused" in found.reason


@pytest.mark.parametrize(
    "tell",
    [
        lambda desk: (desk.save(1), desk.save(1, {"note": note(2)}), refused(desk)),
        lambda desk: (repeated(desk), taken(desk)),
        lambda desk: (desk.save(1), taken(desk)),
    ],
)
def test_either_breaks_it(own, tell):
    assert outcome(own(), tell)[0] == "fail"


def test_each_has_a_stimulus_of_its_own(own):
    plans = import_stimuli(contract_of(own()))
    assert [plan.exercises for plan in plans if "TWO" in plan.exercises] == [("TWO", "TWO/1"), ("TWO", "TWO/2")]


def test_it_is_told_with_numbers(own, capsys):
    contract = contract_of(own())
    about = contract.requirements["TWO"]
    assert about.statement.startswith("(1) save_note called again")
    assert "(2) save_note with a request_key that was used" in about.statement
    assert about.seen == "scenario"
    assert explained(about).judged == about.statement
    assert contract.promised("TWO").keys() == {"TWO/1", "TWO/2"}
    main(["contract", "check", contract.named])
    assert "TWO/2                save_note with a request_key" in capsys.readouterr().out


def test_its_own_statement_is_kept(own):
    said = TWO.replace('id = "TWO",', 'id = "TWO", statement = "Saving twice is saving once.",')
    about = contract_of(own(said)).requirements["TWO"]
    assert about.statement == "Saving twice is saving once."
    assert explained(about).judged.startswith("(1) ")


@pytest.mark.parametrize(
    ("requirements", "said"),
    [
        (TWO.replace("KEY_REUSED", "KEY_USED"), "line 4: TWO/2: codes: errors.toml has no code KEY_USED"),
        (TWO.replace("conflicting", "conflicted"), "line 4: TWO: requirement.promise"),
        (TWO.replace(SECOND, '{ law = "served" }'), "TWO/2: law: served stands in a requirement by itself"),
        ('requirement = [{ id = "TWO", promise = [] }]', "line 1: TWO: promise: it names no law"),
        ('requirement = [{ id = "TWO", promise = "served" }]', "line 1: TWO"),
        (f"{TWO[:-2]},\n{{ id = 'TWO/2', promise = {FIRST} }}]", "a second requirement is named TWO/2"),
        (TABLES, "line 8: TWO/2: tool: tools.json has no tool nowhere"),
        (TWO.replace('"TWO",', '"TWO", requires = ["ONE"],'), "TWO: requires: there is no requirement ONE"),
        (ROUND, "line 3: B: requires: B would rest on itself"),
    ],
)
def test_what_is_wrong_with_it_is_said_with_its_line(own, requirements, said):
    with pytest.raises(UsageError) as error:
        contract_of(own(requirements))
    assert said in str(error.value)


def test_two_with_several_promises_do_not_rest_on_each_other(own):
    first = '{ law = "revised", entity = "note" }, { law = "steady" }'
    second = '{ law = "guarded", entity = "note", tool = "update_note", expected = "@/expected_revision" }'
    contract = contract_of(
        own(f'requirement = [{{ id = "A", promise = [{first}] }}, {{ id = "B", promise = {second} }}]')
    )
    assert ("B" in contract.requirements["A"].requires) != ("A" in contract.requirements["B"].requires)


def test_answers_are_counted_for_the_promise_that_they_are_about(own):
    """Promises on an answer are checked in one, and each has subjects of its own."""
    about = '{{ law = "answer", outcome = "success", tools = ["{}"], at = "{}", schema = {{ type = "object" }} }}'
    places = [about.format("get_note", "/note"), about.format("save_note", "/note"), about.format("save_note", "/gone")]
    folder = own(f'requirement = [{{ id = "TWO", promise = [{", ".join(places[:2])}] }}]')

    def tell(desk):
        desk.save(1)

    assert outcome(folder, lambda desk: (desk.save(1), desk.get(1)))[:2] == ("pass", 2)
    verdict, subjects, reason = outcome(folder, tell)
    assert (verdict, subjects, reason.partition(":")[0]) == ("not_observed", 1, "TWO/1")
    assert outcome(own(f'requirement = [{{ id = "TWO", promise = [{", ".join(places)}] }}]'), tell)[0] == "fail"


def test_a_requirement_is_explained_from_the_contract_that_is_named(own, capsys):
    """Another contract that is known here may have one of the same id."""
    folder = own(f'requirement = [{{ id = "TH-IDEM-01", statement = "The desk says so.", promise = {FIRST} }}]')
    assert main(["explain", "TH-IDEM-01", "--contract", folder]) == 0
    assert "The desk says so." in capsys.readouterr().out
    assert main(["explain", "MC-RPC-01", "--contract", folder]) == 0, "the protocol is judged beside it"
