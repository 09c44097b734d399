"""MC-PROMPT: prompts that are listed, given and asked for wrongly."""

import pytest

from conformance.model.events import Json
from tests.laws.histories import Story

from .offers import BOTH, COMPLETE, listed, seen, story

PLAIN = {"name": "plain"}
ASKING = {"name": "asking", "arguments": [{"name": "a", "required": True}, {"name": "b"}]}
MESSAGES = {"messages": [{"role": "user", "content": {"type": "text", "text": "x"}}], **COMPLETE}


def prompts() -> Story:
    told = story(capabilities=BOTH)
    listed(told, "prompts/list", "prompts", [PLAIN, ASKING])
    return told


def test_prompts_are_listed() -> None:
    assert seen(prompts(), "MC-PROMPT-01") == "pass"
    told = story(capabilities=BOTH)
    listed(told, "prompts/list", "prompts", [PLAIN, PLAIN])
    assert seen(told, "MC-PROMPT-01") == "fail"


@pytest.mark.parametrize(
    ("messages", "verdict"),
    [
        (MESSAGES["messages"], "pass"),
        ([], "none"),
        ([{"role": "system", "content": {"type": "text", "text": "x"}}], "fail"),
        ([{"role": "user", "content": "x"}], "fail"),
        ([{"role": "user", "content": {"type": "text"}}], "fail"),
        ("x", "fail"),
    ],
)
def test_a_prompt_gives_messages(messages: Json, verdict: str) -> None:
    told = prompts()
    told.result("prompts/get", {"name": "plain"}, {"messages": messages, **COMPLETE})
    assert seen(told, "MC-PROMPT-02") == verdict


@pytest.mark.parametrize(
    ("arguments", "verdict"),
    [
        (None, "pass"),
        ([{"name": "a"}], "pass"),
        ([{"description": "of nothing"}], "fail"),
        ([{"name": 1}], "fail"),
        (["a"], "fail"),
    ],
)
def test_each_argument_of_a_prompt_has_a_name(arguments: Json, verdict: str) -> None:
    told = story(capabilities=BOTH)
    listed(told, "prompts/list", "prompts", [{"name": "plain", "arguments": arguments}])
    assert seen(told, "MC-PROMPT-01") == verdict


@pytest.mark.parametrize(("name", "arguments"), [("plain", {}), ("asking", {"a": "1"})])
def test_prompts_are_listed_and_there_is_no_method_to_ask_for_them(name: str, arguments: Json) -> None:
    told = prompts()
    told.error("prompts/get", {"name": name, "arguments": arguments}, -32601)
    assert seen(told, "MC-PROMPT-02") == "fail"


def test_a_listed_prompt_is_refused() -> None:
    """Of a prompt that takes arguments nobody knows which values are good."""
    told = prompts()
    told.error("prompts/get", {"name": "plain"}, -32602)
    assert seen(told, "MC-PROMPT-02") == "fail"
    # the same prompt is given where the empty arguments are there
    told.result("prompts/get", {"name": "plain", "arguments": {}}, MESSAGES)
    assert seen(told, "MC-PROMPT-02") == "fail"
    assert "without `arguments`" in told.judged("MC-PROMPT-02").findings[0].saw
    told = prompts()
    told.error("prompts/get", {"name": "asking", "arguments": {"a": "1"}}, -32602)
    assert seen(told, "MC-PROMPT-02") == "none"


@pytest.mark.parametrize(
    ("params", "code", "verdict"),
    [
        ({"name": "nobody"}, -32602, "pass"),
        ({"name": "nobody"}, 0, "warn"),
        ({"name": "nobody"}, None, "warn"),
        ({"name": "asking", "arguments": {}}, -32602, "pass"),
        ({"name": "asking", "arguments": {"b": "1"}}, -32603, "warn"),
        ({"name": "asking", "arguments": {}}, None, "warn"),
        ({"name": "asking", "arguments": {"a": "1"}}, -32603, "none"),
    ],
)
def test_a_prompt_that_is_asked_for_wrongly(params: Json, code: int | None, verdict: str) -> None:
    told = prompts()
    told.result("prompts/get", {"name": "asking", "arguments": {"a": "1"}}, MESSAGES)
    if code is None:
        told.result("prompts/get", params, MESSAGES)
    else:
        told.error("prompts/get", params, code)
    assert seen(told, "MC-PROMPT-03") == verdict


def test_a_refused_prompt_is_judged_beside_one_that_is_given() -> None:
    told = prompts()
    told.error("prompts/get", {"name": "asking", "arguments": {"a": "1"}}, -32602)
    told.error("prompts/get", {"name": "asking", "arguments": {}}, -32602)
    told.error("prompts/get", {"name": "nobody"}, -32602)
    assert seen(told, "MC-PROMPT-03") == "none"
