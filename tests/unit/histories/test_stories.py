"""Random histories tell parts of a run anew: a call with those that it rests on, under names of their own."""

from conformance.certify import Options, contract_of, driven
from conformance.contracts.tasks.bench import TasksBench
from conformance.drive.loading import checked
from conformance.drive.stimulus import StimulusPlan
from conformance.drive.target import entry
from conformance.histories.corpus import Corpus
from conformance.histories.improvising import Improvisation
from conformance.histories.stories import MOST
from conformance.histories.twists import ALONE, ANEW, DRAWN, ONWARD, TWISTS, WAYS, Turn
from conformance.model.exchange import Exchange
from tests.laws.histories import Story

CONTRACT = contract_of("tasks")
MERGE = "branchmind_graph_merge"


def node(title: str) -> list[object]:
    return [{"op": "node_upsert", "id": "wheel", "type": "part", "title": title}]


def branched(workspace: str) -> Story:
    """A branch is made and merged; much else is written beside it."""
    told = Story("tasks")
    place = {"workspace": workspace}
    told.accepted("branchmind_init", place, {"workspace": workspace})
    told.accepted("branchmind_branch_create", {**place, "name": "side"}, {"branch": {"name": "side"}})
    for number in range(MOST):
        told.accepted("tasks_create", {**place, "kind": "plan", "title": f"Plan {number}"}, {"id": f"PLAN-{number:03}"})
    for title in ("round", "square"):
        told.accepted("branchmind_graph_apply", {**place, "branch": "side", "ops": node(title)}, {})
    told.accepted("branchmind_graph_query", {**place, "branch": "side"}, {"revision": 7})
    told.accepted(MERGE, {**place, "from": "side", "into": "main", "expected_revision": 7}, {})
    return told


def test_a_call_rests_on_what_made_what_it_names_and_on_what_it_took() -> None:
    corpus = Corpus(branched("w").history(), CONTRACT)
    merge = next(each for each in corpus.patterns if each.tool == MERGE)
    assert [each.tool for each in corpus.before(merge)] == [
        "branchmind_init",
        "branchmind_branch_create",
        "branchmind_graph_apply",
        "branchmind_graph_apply",
        "branchmind_graph_query",
    ]


def test_an_id_is_from_the_place_that_a_call_is_about() -> None:
    told = Story("tasks")
    for workspace in ("first", "second"):
        told.accepted("branchmind_init", {"workspace": workspace}, {"workspace": workspace})
        made = {"workspace": workspace, "kind": "plan", "title": "A plan"}
        told.accepted("tasks_create", made, {"id": "PLAN-001"})
    edit = {"workspace": "second", "task": "PLAN-001", "title": "Another"}
    told.accepted("tasks_edit", edit, {"id": "PLAN-001"})
    corpus = Corpus(told.history(), CONTRACT)
    pattern = next(each for each in corpus.patterns if each.tool == "tasks_edit")
    maker = [each for each in told.history().exchanges if each.tool == "tasks_create"][1]
    assert [hole.call for hole in pattern.holes] == [maker.call]
    assert [each.call for each in corpus.before(pattern)] == [maker.call - 1, maker.call]


def test_a_merge_of_branches_that_differ_is_made_again_and_meets_a_conflict() -> None:
    told: list[Exchange] = []
    before: list[object] = []

    async def run(bench: TasksBench) -> None:
        here = await bench.fresh()
        room = await here.workspace()
        await room.call("branchmind_branch_create", name="side")
        for branch, title in (("main", "round"), ("side", "square")):
            await room.call("branchmind_graph_apply", branch=branch, doc="graph", ops=node(title))
        await room.call(MERGE, **{"from": "side", "into": "main", "doc": "graph"})
        corpus = Corpus(bench.session.recorder.history, CONTRACT)
        there = await bench.fresh()
        tools = sorted({each.tool for each in corpus.patterns})
        # reads are drawn half as often as writes
        drawn = [tool for tool in tools for _ in range(1 if tool in CONTRACT.reads() else 2)]
        turn = Turn(drawn.index(MERGE), TWISTS.index("plain"), 0, 0, 0, WAYS.index(ANEW))
        await Improvisation(corpus, there, {}, []).play([turn])
        made = bench.session.recorder.history.exchanges
        told.extend(each for each in made if each.instance == there.instance)
        before.extend(each.argument("workspace") for each in made if each.instance == here.instance)

    about = entry("reference").statement("tasks", transport="in-process", deviations=())
    plan = StimulusPlan("tasks.trial", "tasks", run, ())
    driven(checked(dict(about), "a test"), CONTRACT, [plan], Options(seed=1))
    merges = [each for each in told if each.tool == MERGE]
    assert [len(each.given["conflict_ids"]) for each in merges] == [1]
    assert all(each.accepted for each in told)
    assert not {each.argument("workspace") for each in told} & set(before)


def test_a_drawn_number_stands_for_each_turn() -> None:
    turns = {Turn.of(number) for number in (0, 1, 64, DRAWN - 1)}
    assert turns == {
        Turn(0, 0, 0, 0, 0), Turn(1, 0, 0, 0, 0), Turn(0, 1, 0, 0, 0), Turn(63, 63, 63, 63, 63, 63),
    }  # fmt: skip
    assert {WAYS[number % len(WAYS)] for number in range(64)} == {ALONE, ONWARD, ANEW}
