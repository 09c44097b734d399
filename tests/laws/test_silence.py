"""Calls that got no answer in time: nothing is claimed of what they were to show, and nobody is accused."""

import pytest

from conformance.model.events import Json
from tests.laws.invocation.desk import Desk as Runtime
from tests.laws.mcp.reader import story
from tests.laws.promised.desk import Desk
from tests.laws.tasks.room import STEP, TASK, Room
from tests.laws.threads.scene import POST, SHOWN, TH, scene
from tests.laws.threads.talk import STATED, Talk
from tests.laws.tuitbot.bot import Bot

UNKNOWN = {"thread_id": "th_none"}


@pytest.mark.parametrize("requirement", ["TH-THR-07", "TH-ERR-NOT_FOUND"])
def test_a_tool_that_answers_no_call_of_a_kind(requirement: str) -> None:
    story = scene()
    story.accepted("get_thread", TH, SHOWN, by="a")
    story.accepted("post_message", POST, {"message_id": "m1", "seq": 1}, by="a")
    story.refused("post_message", {**POST, **UNKNOWN}, "NOT_FOUND", by="a")
    assert story.judged(requirement).verdict == "pass"
    lost = story.lost("get_thread", UNKNOWN, "time", by="a")
    outcome = story.judged(requirement)
    assert (outcome.verdict, outcome.subjects, outcome.breaches) == ("not_observed", 1, 0)
    assert outcome.reason == (
        "no answer came in time to get_thread on an unknown thread, nor to any call like it "
        f"(call {lost}); give slow calls more time with --timeout"
    )
    # what was late once was not late for what is asked
    story.refused("get_thread", UNKNOWN, "NOT_FOUND", by="a")
    assert story.judged(requirement).verdict == "pass"


@pytest.mark.parametrize("why", ["lost", "cancelled", "killed"])
def test_what_was_not_waited_for_tells_nothing(why: str) -> None:
    story = scene()
    story.accepted("get_thread", TH, SHOWN, by="a")
    story.accepted("post_message", POST, {"message_id": "m1", "seq": 1}, by="a")
    story.refused("post_message", {**POST, **UNKNOWN}, "NOT_FOUND", by="a")
    story.lost("get_thread", UNKNOWN, why, by="a")
    assert story.judged("TH-THR-07").verdict == "pass"


def test_a_breach_outweighs_silence() -> None:
    story = scene()
    story.accepted("get_thread", TH, SHOWN, by="a")
    story.lost("get_thread", UNKNOWN, "time", by="a")
    story.accepted("post_message", {**POST, **UNKNOWN}, {"message_id": "m1", "seq": 1}, by="a")
    assert story.judged("TH-THR-07").verdict == "fail"


def test_a_way_of_calling_that_is_never_answered() -> None:
    story = Talk(statement=STATED)
    story.accepted("read_messages", TH, {"messages": [], "next_seq": 0, "has_more": False}, by="a")
    assert story.judged("TH-SRV-01").verdict == "pass"
    story.lost("read_messages", {**TH, "limit": 5}, "time", by="a")
    outcome = story.judged("TH-SRV-01")
    assert (outcome.verdict, outcome.breaches) == ("not_observed", 0)
    assert outcome.reason.startswith("no answer came in time to read_messages with limit and thread_id, nor to any")
    story.accepted("read_messages", {**TH, "limit": 6}, {"messages": [], "next_seq": 0, "has_more": False}, by="a")
    assert story.judged("TH-SRV-01").verdict == "pass"


def test_a_tool_that_accepts_good_arguments_and_answers_no_bad_ones() -> None:
    told = story()
    told.call("read", {"limit": 5}, {"at": "noon"})
    told.call("say", {"limit": 5}, {})
    told.lost("read", {"limit": "much"}, "time")
    outcome = told.judged("MC-CALL-04")
    assert outcome.verdict == "not_observed"
    assert outcome.reason.startswith("no answer came in time to read with arguments that violate its inputSchema, nor")
    told.call("read", {"limit": 201}, {"error": "no"}, failed=True)
    assert told.judged("MC-CALL-04").verdict == "pass"


def test_a_fault_that_a_contract_of_one_s_own_names() -> None:
    desk = Desk()
    desk.save()
    desk.get(1)
    desk.get("987654321", code="NOT_FOUND")
    assert desk.verdict("D-UNKNOWN") == "pass"
    desk.lost("get_note", {"note_id": "n-123456789"}, "time")
    assert desk.verdict("D-UNKNOWN") == "pass"
    alone = Desk()
    alone.save()
    alone.get(1)
    alone.lost("get_note", {"note_id": "n-123456789"}, "time")
    assert alone.verdict("D-UNKNOWN") == "not_observed"


@pytest.mark.parametrize(("late", "verdict"), [("echo", "pass"), ("sum", "not_observed")])
def test_an_invocation_is_like_others_of_its_tool(late: str, verdict: str) -> None:
    """One that was late once, among others that were answered, withholds nothing."""
    runtime = Runtime()
    runtime.ok("echo", {"text": "x"}, {"text": "x", "version": "2.0.0"})
    runtime.ok("sum", {"a": 1, "b": 2}, {"sum": 3})
    runtime.no("echo", {"text": "x"}, "UnsupportedVersion", versionRange="9.9.9")
    good = {"echo": {"text": "x"}, "sum": {"a": 1, "b": 2}}[late]
    asked = {"toolName": f"local::kit.{late}", "input": good, "headers": {"tenant": "t"}, "versionRange": "8.8.8"}
    runtime.lost("invoke", {**asked, "correlationId": "c-late"}, "time", by="full")
    outcome = runtime.judged("IR-ERR-UnsupportedVersion")
    assert (outcome.verdict, outcome.breaches) == (verdict, 0)


def graph(identifier: str) -> dict[str, Json]:
    ops: Json = [{"op": "node_upsert", "id": identifier, "type": "t"}]
    return {"workspace": "w", "branch": "main", "doc": "graph", "ops": ops}


def test_faults_of_different_kinds_are_not_alike() -> None:
    """A server that refuses one kind of malformed identifier, and hangs at another, refuses one kind."""
    room = Room()
    room.ok("branchmind_init", {"workspace": "w"})
    room.accepted("branchmind_graph_apply", graph("good"), {})
    room.refused("branchmind_graph_apply", graph("a|b"), "INVALID_INPUT")
    assert room.judged("TK-ID-05").verdict == "pass"
    room.lost("branchmind_graph_apply", graph("a\x07b"), "time")
    outcome = room.judged("TK-ID-05")
    assert (outcome.verdict, outcome.breaches) == ("not_observed", 0)
    assert "which has a control character" in outcome.reason
    room.lost("branchmind_graph_apply", graph("a|c"), "time")
    room.refused("branchmind_graph_apply", graph("a\x08b"), "INVALID_INPUT")
    assert room.judged("TK-ID-05").verdict == "pass"


@pytest.mark.parametrize(
    ("requirement", "bad", "other"),
    [
        ("TK-ID-01", {"workspace": "-"}, {"workspace": "+"}),
        ("TK-ID-02", {"task": "TASK-1"}, {"task": "TASK-2"}),
        ("TK-ID-03", {"step_id": "STEP-1"}, {"step_id": "STEP-2"}),
        ("TK-BUD-07", {"max_chars": 0}, {"max_chars": 1}),
    ],
)
def test_malformed_arguments_of_tasks(requirement: str, bad: dict[str, Json], other: dict[str, Json]) -> None:
    tool = "tasks_delta" if requirement == "TK-BUD-07" else "tasks_note"
    good: dict[str, Json] = {"workspace": "w", **({"max_chars": 999} if tool == "tasks_delta" else {"note": "n"})}
    good |= {} if tool == "tasks_delta" else {"task": TASK, "step_id": STEP}
    room = Room()
    room.accepted("branchmind_init", {"workspace": "w"}, {"workspace": "w"})
    room.accepted(tool, good, {"events": []} if tool == "tasks_delta" else {})
    room.lost(tool, {**good, **bad}, "time")
    outcome = room.judged(requirement)
    assert (outcome.verdict, outcome.breaches) == ("not_observed", 0)
    assert outcome.reason.startswith(f"no answer came in time to {tool} ")
    room.refused(tool, {**good, **other}, "INVALID_INPUT")
    assert room.judged(requirement).verdict == "pass"


def test_texts_that_are_too_long_for_a_tweet() -> None:
    bot = Bot(listed=False)
    bot.good("x_post_tweet", {"text": "short"}, {})
    bot.lost("x_post_tweet", {"text": "x" * 281}, "time", instance=bot.name)
    assert bot.verdict("TB-SAFE-01") == "not_observed"
    bot.bad("x_post_tweet", "tweet_too_long", {"text": "x" * 300})
    assert bot.verdict("TB-SAFE-01") == "pass"
