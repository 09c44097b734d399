"""Random histories meet each kind of argument that a run saw accepted, and make first what a call builds on."""

from collections.abc import Iterable
from random import Random

from conformance.certify import Options, contract_of, driven
from conformance.contracts.tasks.bench import TasksBench
from conformance.drive.loading import checked
from conformance.drive.stimulus import StimulusPlan
from conformance.drive.target import entry
from conformance.histories.corpus import A_TOOL, Corpus
from conformance.histories.features import features
from conformance.histories.improvising import Improvisation
from conformance.histories.twists import Turn
from conformance.histories.varying import varied
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from tests.laws.histories import Story

CONTRACT = contract_of("tasks")
SCHEMA: dict[str, Json] = {
    "properties": {
        "kind": {"enum": ["chat", "event"], "type": "string"},
        "limit": {"type": "integer", "minimum": 1, "maximum": 200},
        "thread_id": {"type": "string", "minLength": 1},
    }
}
KNOWN: dict[str, Json] = {"$known": ["create_thread /thread_id", "th_1"]}


def test_arguments_are_told_apart_by_what_they_hold() -> None:
    plain = features({"kind": "chat", "thread_id": KNOWN}, SCHEMA)
    assert features({"kind": "event", "thread_id": KNOWN}, SCHEMA) - plain == {"kind is event"}
    assert features({"kind": "chat", "thread_id": KNOWN, "limit": 7}, SCHEMA) - plain == {"limit", "limit is 2"}
    assert features({"kind": "chat", "thread_id": KNOWN, "x_hint": "of nobody"}, SCHEMA) == plain
    others: list[Json] = [[], ["a"], ["a", "b"]]
    assert len({features({"tags": each}, {}) for each in others}) == len(others)
    assert features({"tags": ["a", "b"]}, {}) == features({"tags": ["a", "b", "b"]}, {})


def test_one_argument_is_changed_within_and_beyond_its_bounds_and_to_what_was_said() -> None:
    good: dict[str, Json] = {"kind": "chat", "thread_id": "th_1"}
    found = [varied(SCHEMA, good, {"thread_id": ["th_2"]}, pick) for pick in range(600)]
    for each in found:
        assert len([name for name in {*good, *each} if good.get(name) != each.get(name)]) <= 1
    assert {"event", "no-such-value", 7} <= {each["kind"] for each in found}
    assert {0, 1, 200, 201} <= {each["limit"] for each in found if isinstance(each.get("limit"), int)}
    assert "th_2" in {each["thread_id"] for each in found}
    assert varied({}, good, {}, 5) == good


def test_what_a_call_builds_on_is_made_first() -> None:
    told: list[Exchange] = []

    async def run(bench: TasksBench) -> None:
        here = await bench.fresh()
        room = await here.workspace("of-the-run")
        other = await here.workspace()
        for workspace in (room, other):
            plan = (await workspace.call("tasks_create", kind="plan", title="a plan")).given["id"]
            await workspace.call("tasks_create", kind="task", parent=plan, title="a task")
            await workspace.call("tasks_edit", task=plan, title="another")
        corpus = Corpus(bench.session.recorder.history, CONTRACT)
        assert max(sum(one.tool == each.tool for one in corpus.patterns) for each in corpus.patterns) <= A_TOOL
        drawn = Random(1)
        for _ in range(5):
            there = await bench.fresh()
            turns = [Turn(drawn.randrange(64), 0, *(drawn.randrange(64) for _ in range(3))) for _ in range(20)]
            await Improvisation(corpus, there, {}, []).play(turns)
            told.extend(each for each in bench.session.recorder.history.exchanges if each.instance == there.instance)

    about = entry("reference").statement("tasks", transport="in-process", deviations=())
    plan = StimulusPlan("tasks.trial", "tasks", run, ())
    driven(checked(dict(about), "a test"), CONTRACT, [plan], Options(seed=1))
    made = [each for each in told if each.tool in ("tasks_create", "tasks_edit")]
    # a name that nobody introduced is tried now and then
    served = sum(each.accepted for each in made)
    assert served > 0.7 * len(made)
    assert len(made) > 50
    assert {each.code for each in made if not each.accepted} <= {"UNKNOWN_WORKSPACE", "NOT_INITIALIZED"}
    # a plan is edited as a plan was in the run, though tasks are made by the same tool
    edited = [str(each.argument("task")) for each in made if each.tool == "tasks_edit" and each.accepted]
    assert edited
    assert all(name.startswith("PLAN-") for name in edited)


def test_the_order_in_which_calls_came_chooses_no_patterns() -> None:
    limits = range(1, 3 * A_TOOL)

    def chosen(order: Iterable[int]) -> list[str]:
        story = Story("tasks")
        for limit in order:
            story.accepted("tasks_context", {"workspace": "w", "limit": limit}, {"plans": [], "tasks": []})
        return [each.spelled for each in Corpus(story.history(), CONTRACT).patterns]

    patterns = chosen(limits)
    assert len(patterns) == A_TOOL
    assert chosen(reversed(limits)) == patterns
