"""MC-CALL-14: what an answer asks the client for, and a refusal for what the client did not declare."""

import pytest

from conformance.model.events import Json

from .offers import CAPABILITIES, seen, story

FORM: dict[str, Json] = {"message": "Which?", "requestedSchema": {"type": "object", "properties": {}}}
BY_URL: dict[str, Json] = {"mode": "url", "message": "Sign in", "url": "https://example.org/in"}
FORMS: list[tuple[Json, str]] = [
    (FORM, "pass"),
    ({**FORM, "mode": "form"}, "pass"),
    ({**FORM, "mode": "letter"}, "fail"),
    ({**FORM, "message": None}, "fail"),
    ({"message": "Which?"}, "fail"),
    ({**FORM, "requestedSchema": {"type": "array", "properties": {}}}, "fail"),
    ({**FORM, "requestedSchema": {"type": "object"}}, "fail"),
    (None, "fail"),
]


def asked(method: str, params: Json) -> dict[str, Json]:
    return {"inputRequests": {"a": {"method": method, **({} if params is None else {"params": params})}}}


@pytest.mark.parametrize(
    ("method", "declared", "result", "verdict"),
    [
        ("tools/call", {}, {"requestState": "x"}, "pass"),
        ("tools/call", {}, {}, "fail"),
        ("tools/list", {}, {"requestState": "x"}, "fail"),
        ("prompts/get", {"roots": {}}, {"inputRequests": {"a": {"method": "roots/list"}}}, "pass"),
        ("prompts/get", {"sampling": {}}, {"inputRequests": {"a": {"method": "roots/list"}}}, "fail"),
        ("resources/read", {"roots": {}}, {"inputRequests": {"a": {"method": "ping"}}}, "fail"),
        ("resources/read", {}, {"inputRequests": []}, "fail"),
        ("resources/read", {}, {"requestState": 5}, "fail"),
        ("prompts/get", {}, {"inputRequests": {}}, "fail"),
        ("prompts/get", {}, {"inputRequests": {}, "requestState": "x"}, "pass"),
        *(
            ("prompts/get", {"elicitation": {}}, asked("elicitation/create", params), verdict)
            for params, verdict in FORMS
        ),
        ("tools/call", {"elicitation": {}}, asked("elicitation/create", BY_URL), "fail"),
        ("tools/call", {"elicitation": {"form": {}}}, asked("elicitation/create", BY_URL), "fail"),
        ("tools/call", {"elicitation": {"url": {}}}, asked("elicitation/create", BY_URL), "pass"),
        ("tools/call", {"elicitation": {"url": {}}}, asked("elicitation/create", {**BY_URL, "url": None}), "fail"),
        ("tools/call", {"sampling": {}}, asked("sampling/createMessage", {"messages": [], "maxTokens": 9}), "pass"),
        ("tools/call", {"sampling": {}}, asked("sampling/createMessage", {"messages": []}), "fail"),
        ("tools/call", {"sampling": {}}, asked("sampling/createMessage", None), "fail"),
    ],
)
def test_answers_that_need_input(method: str, declared: Json, result: dict[str, Json], verdict: str) -> None:
    told = story()
    told.result(method, {"_meta": {CAPABILITIES: declared}}, {"resultType": "input_required", **result})
    assert seen(told, "MC-CALL-14") == verdict


@pytest.mark.parametrize(
    ("data", "status", "verdict"),
    [
        ({"requiredCapabilities": {"elicitation": {}}}, None, "pass"),
        ({"requiredCapabilities": {"elicitation": {}}}, 400, "pass"),
        ({"requiredCapabilities": {"elicitation": {}}}, 200, "fail"),
        ({"requiredCapabilities": ["elicitation"]}, None, "fail"),
        ({}, None, "fail"),
        (None, None, "fail"),
    ],
)
def test_a_refusal_for_a_capability_names_it(data: Json, status: int | None, verdict: str) -> None:
    told = story(transport="http" if status else "stdio")
    error: Json = {"code": -32021, "message": "no", **({} if data is None else {"data": data})}
    told.request("tools/call", {"name": "get"}, {"jsonrpc": "2.0", "id": ..., "error": error}, status=status)
    assert seen(told, "MC-CALL-14") == verdict


@pytest.mark.parametrize(
    ("required", "declared", "verdict"),
    [
        ({"elicitation": {}}, {}, "pass"),
        ({"elicitation": {}, "sampling": {}}, {"elicitation": {}}, "pass"),
        ({"elicitation": {"url": {}}}, {"elicitation": {"form": {}}}, "pass"),
        ({"elicitation": {}}, {"elicitation": {"form": {}}}, "fail"),
        ({"elicitation": {"form": {}}}, {"elicitation": {"form": {}, "url": {}}}, "fail"),
        ({}, {}, "fail"),
    ],
)
def test_a_refusal_for_a_capability_names_what_is_missing(
    required: dict[str, Json], declared: dict[str, Json], verdict: str
) -> None:
    told = story()
    error: Json = {"code": -32021, "message": "no", "data": {"requiredCapabilities": required}}
    asked: dict[str, Json] = {"name": "get", "_meta": {CAPABILITIES: declared}}
    told.request("tools/call", asked, {"jsonrpc": "2.0", "id": ..., "error": error})
    assert seen(told, "MC-CALL-14") == verdict
