"""The three layers: who imports whom, what a function is given, and that nothing is kept or closed."""

import ast
import dataclasses
import inspect
from pathlib import Path

import pytest

import reference_server.tuitbot as package
from reference_server.tuitbot.autopilot.adapters import GatedSender, StoredSchedule
from reference_server.tuitbot.autopilot.ports import Candidate, Due
from reference_server.tuitbot.autopilot.wiring import autopilot
from reference_server.tuitbot.conditions import Conditions
from reference_server.tuitbot.session import session
from reference_server.tuitbot.toolkit import engage, lists, lookups, moderation, reads, writes
from reference_server.tuitbot.workflow.context import WorkflowContext
from reference_server.tuitbot.x.protocol import XClient

from .bot import UNGATED, Bot

ROOT = Path(package.__file__).parent
NAME = package.__name__
ABOVE = {"toolkit": ("workflow", "autopilot", "tools"), "workflow": ("autopilot", "tools"), "autopilot": ("tools",)}


def imported(path):
    tree = ast.parse(path.read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def modules(layer):
    return sorted((ROOT / layer).rglob("*.py"))


@pytest.mark.parametrize(("layer", "forbidden"), [(layer, above) for layer, all_ in ABOVE.items() for above in all_])
def test_no_layer_imports_one_above(layer, forbidden):
    wrong = [path.name for path in modules(layer) for name in imported(path) if name.startswith(f"{NAME}.{forbidden}")]
    assert wrong == []


@pytest.mark.parametrize("foreign", ["store", "session", "config", "policy", "llm"])
def test_the_toolkit_knows_no_state(foreign):
    wrong = [
        path.name for path in modules("toolkit") for name in imported(path) if name.startswith(f"{NAME}.{foreign}")
    ]
    assert wrong == []


def test_autopilot_does_not_import_the_x_client():
    wrong = [
        path.name
        for path in modules("autopilot")
        for name in imported(path)
        if name.startswith((f"{NAME}.x", f"{NAME}.toolkit"))
    ]
    assert wrong == []


@pytest.mark.parametrize(
    "module", [reads, writes, engage, lists, lookups, moderation], ids=lambda module: module.__name__
)
def test_a_toolkit_function_takes_the_client_first(module):
    functions = [
        each for name, each in inspect.getmembers(module, inspect.isfunction) if each.__module__ == module.__name__
    ]
    first = {
        next(iter(inspect.signature(each).parameters.values())).annotation
        for each in functions
        if not each.__name__.startswith(("check_", "_"))
    }
    assert first == {XClient}


def test_the_context_bundles_what_it_borrows():
    assert [field.name for field in dataclasses.fields(WorkflowContext)] == ["db", "config", "x_client", "llm", "clock"]
    assert not any(hasattr(WorkflowContext, name) for name in ("close", "__exit__", "__aexit__", "__del__"))


def context(bot, **conditions):
    tuitbot = bot.tuitbot
    given = Conditions.of(conditions)
    return session(tuitbot.config, tuitbot.clock, tuitbot.world, tuitbot.store, given).ctx


def loops(bot):
    return autopilot(context(bot), bot.tuitbot.pipeline.gate, bot.tuitbot.pipeline.safety).loops


def test_the_discovery_loop_answers_what_is_worth_it_and_stops_at_the_limits():
    bot = Bot(UNGATED, scoring={"threshold": 20.0})
    before = len(bot.tuitbot.world.tweets)
    discovery, _ = loops(bot)
    fates = discovery.turn()
    assert fates["done"] == len(bot.tuitbot.world.tweets) - before == len(bot.tuitbot.store.activity.replies) > 0
    assert fates["held_back"] > 0
    assert discovery.turn()["done"] == 0


def test_autopilot_asks_the_gate_that_the_tools_ask():
    bot = Bot(policy={"blocked_tools": ["x_reply_to_tweet"]})
    sender = GatedSender(context(bot), bot.tuitbot.pipeline.gate)
    assert sender.send(Candidate(bot.tweet(), "ada", "text", 90.0), "reply") == "denied"
    assert bot.code("x_reply_to_tweet", text="reply", in_reply_to_id=bot.tweet()) == "policy_denied_blocked"
    routing = Bot()
    assert GatedSender(context(routing), routing.tuitbot.pipeline.gate).post(Due(1, ("text",))) == "routed"
    assert routing.data("get_pending_count") == {"pending_count": 1}
    dry = Bot(policy={"dry_run_mutations": True})
    assert GatedSender(context(dry), dry.tuitbot.pipeline.gate).post(Due(1, ("text",))) == "dry_run"


def test_the_posting_loop_posts_what_is_due_once():
    bot = Bot(UNGATED)
    bot.data("compose_tweet", content="later", scheduled_for="2033-05-18T13:00:00Z")
    bot.data("compose_tweet", content="one\n---\ntwo", content_type="thread", scheduled_for="2033-05-18T13:00:00+00:00")
    _, posting = loops(bot)
    assert posting.turn() == {}
    bot.tuitbot.clock.advance(3600)
    assert posting.turn() == {"done": 2}
    assert StoredSchedule(context(bot)).due() == []
    assert [tweet.text for tweet in bot.tuitbot.world.tweets.values()][-3:] == ["later", "one", "two"]


def test_autopilot_rests_in_composer_mode():
    assert loops(Bot(mode="composer")) == ()


@pytest.mark.parametrize("scheduled_for", ["tomorrow", "2033-05-18T11:59:00Z"])
def test_a_schedule_needs_a_time_to_come(scheduled_for):
    assert Bot(UNGATED).code("compose_tweet", content="a", scheduled_for=scheduled_for) == "invalid_input"
