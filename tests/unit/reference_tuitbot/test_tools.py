"""Every tool of every profile: listed, answering in the envelope, honest about what it needs."""

import json
import tomllib
from pathlib import Path

import pytest

from reference_server.application import UnknownToolError
from reference_server.tuitbot import manifest
from reference_server.tuitbot.editions import CONVERGENCE, EDITIONS, SESSION_05
from reference_server.tuitbot.errors import ErrorCode
from reference_server.tuitbot.tools.catalogue import catalogue, described
from reference_server.tuitbot.tools.definition import ToolDefinition

from .bot import UNGATED, Bot, working

SCHEMAS = Path(__file__).parents[3] / "schemas" / "tuitbot"
SESSION, LATER = catalogue(SESSION_05), catalogue(CONVERGENCE)
WORKFLOW = [name for name, tool in SESSION.items() if "workflow" in tool.profiles]
API = [name for name, tool in SESSION.items() if "api" in tool.profiles]
SIZES = {"workflow": 64, "api": 34, "readonly": 14, "api-readonly": 40, "write": 104, "admin": 108}
TELLING = ("workflow", "write", "admin")
SERVED = [
    (edition.name, profile, tool.name)
    for edition in EDITIONS.values()
    for tool in catalogue(edition).values()
    for profile in tool.profiles
]
"""Every tool of every profile."""
ONCE = [("session-05", definition) for definition in SESSION.values()] + [
    ("convergence", definition) for definition in LATER.values()
]
META = {"tool_version", "elapsed_ms"}


def keys_of_meta(bot: Bot, tool: str, arguments: object) -> set[str]:
    return set(bot.call(tool, arguments).envelope["meta"])


@pytest.mark.parametrize(("profile", "size"), SIZES.items())
def test_profiles_serve_their_numbers_of_tools(profile, size):
    [edition] = [each for each in EDITIONS.values() if profile in each.profiles]
    tools = [tool.name for tool in Bot(edition=edition.name, profile=profile).tuitbot.tools]
    assert tools == [name for name, tool in catalogue(edition).items() if profile in tool.profiles]
    assert len(tools) == size


def test_editions_have_their_numbers_of_tools():
    assert (len(SESSION), len(LATER)) == (65, 109)
    assert set(SESSION) <= set(LATER)


def test_wider_profiles_hold_the_narrower_and_readers_mutate_nothing():
    of = {
        profile: {name for name, tool in LATER.items() if profile in tool.profiles} for profile in CONVERGENCE.profiles
    }
    assert of["readonly"] < of["api-readonly"]
    assert of["admin"] - of["write"] == {"x_get", "x_post", "x_put", "x_delete"}
    assert of["api-readonly"] - of["write"] == {"x_get_me"}
    assert not [name for name in of["api-readonly"] if LATER[name].mutation]


@pytest.mark.parametrize("edition", EDITIONS)
def test_published_documents_are_those_of_the_source(edition):
    tools = "tools.json" if edition == "session-05" else f"tools-{edition}.json"
    assert json.loads((SCHEMAS / f"manifest-{edition}.json").read_text("utf-8")) == manifest(edition)
    generated = [described(tool) for tool in catalogue(EDITIONS[edition]).values()]
    assert json.loads((SCHEMAS / tools).read_text("utf-8")) == generated


@pytest.mark.parametrize(("edition", "codes"), [(SESSION_05, 27), (CONVERGENCE, 28)], ids=lambda each: str(each)[:4])
def test_the_catalogue_of_errors_is_the_enum(edition, codes):
    rows = tomllib.loads((SCHEMAS / "errors.toml").read_text("utf-8"))["error"]
    published = {row["code"]: row["retryable"] for row in rows if edition.name in row["editions"]}
    assert published == {code.value: code.retryable for code in ErrorCode if code not in edition.left_out}
    assert len(published) == codes
    assert sum(published.values()) == 7


@pytest.mark.parametrize(("edition", "profile", "tool"), SERVED)
def test_mode_and_approval_are_told_where_the_profile_has_a_gate_and_nowhere_else(edition, profile, tool, tmp_path):
    bot = Bot(UNGATED if profile in TELLING else None, edition, profile=profile)
    keys = META | ({"mode", "approval_mode"} if profile in TELLING else set())
    answer = bot.call(tool, working(bot, tool, tmp_path))
    assert answer.envelope["success"] is True, answer.envelope
    assert set(answer.envelope["meta"]) == keys
    assert keys_of_meta(bot, tool, {"surplus": 1}) == keys


@pytest.mark.parametrize(
    ("edition", "tool"), [(edition, each.name) for edition, each in ONCE if set(each.profiles) & set(TELLING)]
)
@pytest.mark.parametrize(
    ("condition", "flag", "codes"),
    [
        ({"x_client": False}, "requires_x_client", {"x_not_configured"}),
        ({"llm": False}, "requires_llm", {"llm_not_configured"}),
        ({"database": "failing"}, "requires_db", {"db_error", "policy_error"}),
    ],
)
def test_exactly_what_declares_a_dependency_is_refused_without_it(edition, tool, condition, flag, codes, tmp_path):
    profile = "workflow" if edition == "session-05" else "admin"
    bot = Bot(UNGATED, edition, profile=profile)
    answer = bot.call(tool, working(bot, tool, tmp_path), under=condition)
    assert answer.failed is getattr(catalogue(EDITIONS[edition])[tool], flag)
    assert not answer.failed or answer.envelope["error"]["code"] in codes


@pytest.mark.parametrize(("edition", "definition"), ONCE, ids=lambda each: getattr(each, "name", each))
def test_only_announced_codes_are_answered(edition: str, definition: ToolDefinition, tmp_path):
    announced = {code.value for code in definition.possible_error_codes}
    bot = Bot(UNGATED, edition, profile=definition.profiles[0])
    failures = ({"x": "forbidden"}, {"database": "failing"}, {"llm": "failing"}, {"policy": "failing"})
    others = ({"topic_analysis": "failing"}, {"serialization": "failing"}, {"media_upload": "failing"}, {})
    for condition in (*failures, *others):
        for arguments in (working(bot, definition.name, tmp_path), {"surplus": 1}, None, "text"):
            answer = bot.call(definition.name, arguments, under=condition)
            assert not answer.failed or answer.envelope["error"]["code"] in announced


@pytest.mark.parametrize(("edition", "definition"), ONCE, ids=lambda each: getattr(each, "name", each))
def test_annotations_are_true_to_the_flags(edition: str, definition: ToolDefinition):
    assert definition.tool.annotations["readOnlyHint"] is not definition.mutation
    assert definition.input_schema["additionalProperties"] is False
    assert set(definition.shown_by) <= {
        name for name, tool in catalogue(EDITIONS[edition]).items() if not tool.mutation
    }


@pytest.mark.parametrize(("profile", "tool"), [("api", "approve_all"), ("workflow", "x_get_me"), ("api", "nonsense")])
def test_a_tool_outside_the_profile_is_unknown(profile, tool):
    with pytest.raises(UnknownToolError):
        Bot(profile=profile).call(tool)


@pytest.mark.parametrize(
    "settings",
    [{"surplus": 1}, {"profile": "admin"}, {"policy": {"rules": [{"id": "r"}]}}, {"approval_mode": "yes"}],
)
def test_settings_that_do_not_fit_are_refused(settings):
    with pytest.raises(ValueError, match=r"\w"):
        Bot(settings)


@pytest.mark.parametrize(
    "arguments", [{"text": "\ud800"}, {"text": 1}, {}, [], "null", {"text": "a", "media_ids": [1]}]
)
def test_arguments_that_break_the_schema_are_refused_and_nothing_runs(arguments):
    bot = Bot(UNGATED)
    before = dict(bot.tuitbot.world.tweets)
    assert bot.call("x_post_tweet", arguments).envelope["error"]["code"] == "validation_error"
    assert bot.tuitbot.world.tweets == before


@pytest.mark.parametrize("state", [True, False])
def test_health_is_told_whatever_is_away(state):
    bot = Bot(UNGATED, x_client=state, llm=state)
    health = bot.data("health_check")
    assert {health["x_client"]["status"], health["llm"]["status"]} == {"ok" if state else "not_configured"}


def test_malformed_conditions_are_a_failed_call():
    assert Bot().code("get_mode", under={"x": "on fire"}) == "validation_error"


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        ("approve_item", {"id": 2**64}, "validation_error"),
        ("approve_item", {"id": 2**62}, "not_found"),
        ("compose_tweet", {"content": "a", "scheduled_for": "9999-12-31T23:59:59-23:59"}, "invalid_input"),
        ("compose_tweet", {"content": "a", "scheduled_for": "0001-01-01T00:00:00+23:59"}, "invalid_input"),
        ("find_reply_opportunities", {"min_score": float("nan")}, "validation_error"),
        ("get_action_log", {"since_hours": 10**400}, "validation_error"),
        ("x_get_bookmarks", {"pagination_token": "after.7"}, "invalid_input"),
        ("x_get_users_by_ids", {"user_ids": []}, "invalid_input"),
        ("x_get_users_by_ids", {"user_ids": ["1"] * 101}, "invalid_input"),
    ],
)
def test_strange_values_are_refused(tool, arguments, code):
    assert Bot(UNGATED).call(tool, arguments).envelope["error"]["code"] == code


def test_a_refusal_of_arguments_does_not_repeat_them():
    assert "canary" not in Bot().error("get_stats", days="canary")["message"]
