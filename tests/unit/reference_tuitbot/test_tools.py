"""Every tool of both profiles: listed, answering in the envelope, honest about what it needs."""

import json
import tomllib
from pathlib import Path

import pytest

from reference_server.application import UnknownToolError
from reference_server.tuitbot import manifest
from reference_server.tuitbot.errors import ErrorCode
from reference_server.tuitbot.tools.catalogue import SESSION_05, described
from reference_server.tuitbot.tools.definition import ToolDefinition

from .bot import UNGATED, Bot, working

SCHEMAS = Path(__file__).parents[3] / "schemas" / "tuitbot"
WORKFLOW = [name for name, tool in SESSION_05.items() if "workflow" in tool.profiles]
API = [name for name, tool in SESSION_05.items() if "api" in tool.profiles]
META = {"tool_version", "elapsed_ms"}


def keys_of_meta(bot: Bot, tool: str, arguments: object) -> set[str]:
    return set(bot.call(tool, arguments).envelope["meta"])


def test_profiles_serve_the_numbers_of_session_05():
    assert [tool.name for tool in Bot().tuitbot.tools] == WORKFLOW
    assert [tool.name for tool in Bot(profile="api").tuitbot.tools] == API
    assert (len(WORKFLOW), len(API), len(SESSION_05)) == (64, 34, 65)


@pytest.mark.parametrize(("document", "generated"), [("manifest-session-05.json", manifest()), ("tools.json", None)])
def test_published_documents_are_those_of_the_source(document, generated):
    published = json.loads((SCHEMAS / document).read_text("utf-8"))
    assert published == (generated or [described(tool) for tool in SESSION_05.values()])


def test_the_catalogue_of_errors_is_the_enum():
    rows = tomllib.loads((SCHEMAS / "errors.toml").read_text("utf-8"))["error"]
    edition = {row["code"]: row["retryable"] for row in rows if "session-05" in row["editions"]}
    assert edition == {code.value: code.retryable for code in ErrorCode}
    assert len(edition) == 27
    assert sum(edition.values()) == 7


@pytest.mark.parametrize("tool", WORKFLOW)
def test_every_workflow_answer_tells_mode_and_approval(tool, tmp_path):
    bot = Bot(UNGATED)
    assert bot.data(tool, **working(bot, tool, tmp_path)) is not None
    both = META | {"mode", "approval_mode"}
    assert keys_of_meta(bot, tool, working(bot, tool, tmp_path)) == both
    assert keys_of_meta(bot, tool, {"surplus": 1}) == both


@pytest.mark.parametrize("tool", API)
def test_no_api_answer_tells_mode_or_approval(tool, tmp_path):
    bot = Bot(profile="api")
    assert bot.call(tool, working(bot, tool, tmp_path)).envelope["success"] is True
    assert keys_of_meta(bot, tool, working(bot, tool, tmp_path)) == META
    assert keys_of_meta(bot, tool, {"surplus": 1}) == META


@pytest.mark.parametrize("tool", WORKFLOW)
@pytest.mark.parametrize(
    ("condition", "flag", "codes"),
    [
        ({"x_client": False}, "requires_x_client", {"x_not_configured"}),
        ({"llm": False}, "requires_llm", {"llm_not_configured"}),
        ({"database": "failing"}, "requires_db", {"db_error", "policy_error"}),
    ],
)
def test_exactly_what_declares_a_dependency_is_refused_without_it(tool, condition, flag, codes, tmp_path):
    bot = Bot(UNGATED)
    answer = bot.call(tool, working(bot, tool, tmp_path), under=condition)
    assert answer.failed is getattr(SESSION_05[tool], flag)
    assert not answer.failed or answer.envelope["error"]["code"] in codes


@pytest.mark.parametrize("definition", SESSION_05.values(), ids=lambda definition: definition.name)
def test_only_announced_codes_are_answered(definition: ToolDefinition, tmp_path):
    announced = {code.value for code in definition.possible_error_codes}
    bot = Bot(UNGATED, profile=definition.profiles[0])
    failures = ({"x": "forbidden"}, {"database": "failing"}, {"llm": "failing"}, {"policy": "failing"})
    others = ({"topic_analysis": "failing"}, {"serialization": "failing"}, {"media_upload": "failing"}, {})
    for condition in (*failures, *others):
        for arguments in (working(bot, definition.name, tmp_path), {"surplus": 1}, None, "text"):
            answer = bot.call(definition.name, arguments, under=condition)
            assert not answer.failed or answer.envelope["error"]["code"] in announced


@pytest.mark.parametrize("definition", SESSION_05.values(), ids=lambda definition: definition.name)
def test_annotations_are_true_to_the_flags(definition: ToolDefinition):
    assert definition.tool.annotations["readOnlyHint"] is not definition.mutation
    assert definition.input_schema["additionalProperties"] is False
    assert set(definition.shown_by) <= {name for name, tool in SESSION_05.items() if not tool.mutation}


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
