"""MCP without a transport: both eras, the list and its pages, calls, and what is refused before a domain is asked."""

import json
from typing import Any

import pytest

from reference_server import target
from reference_server.bindings.jsonrpc import open_dispatcher
from reference_server.bindings.surface import Surface
from reference_server.contracts import UnknownContractError
from reference_server.host import Host
from reference_server.tokens import Trust

from .conftest import CLAIMS, MODERN, Caller, Run, bearer, request


async def legacy(server: target.InProcess, method: str, **params: Any) -> Any:
    return await server.handle({"jsonrpc": "2.0", "id": "a", "method": method, "params": params})


def test_discovery_names_versions_and_capabilities(caller: Caller, run: Run) -> None:
    result = run(caller.ask("server/discover"))["result"]
    assert result["supportedVersions"] == ["2026-07-28"]
    assert "tools" in result["capabilities"]
    assert result["resultType"] == "complete"
    assert result["ttlMs"] >= 0
    assert result["cacheScope"] in {"public", "private"}


def test_every_result_is_complete_and_names_the_server(caller: Caller, run: Run) -> None:
    asked = (caller.ask("tools/list"), caller.ask("tools/call", name="get_thread", arguments={}))
    for result in (run(each)["result"] for each in asked):
        assert result["resultType"] == "complete"
        assert result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"]


@pytest.mark.parametrize("missing", sorted(MODERN))
def test_a_request_without_what_meta_needs_is_refused(caller: Caller, run: Run, missing: str) -> None:
    message = request("tools/list")
    del message["params"]["_meta"][missing]
    assert run(caller.server.handle(message))["error"]["code"] == -32602


def test_an_unknown_version_is_refused_with_those_supported(caller: Caller, run: Run) -> None:
    error = run(caller.ask("tools/list", {"io.modelcontextprotocol/protocolVersion": "1999-01-01"}))["error"]
    assert error["code"] == -32022
    assert error["data"] == {"supported": ["2026-07-28"], "requested": "1999-01-01"}


@pytest.mark.parametrize("method", ["nope/x", "ping2", "resources/list"])
def test_an_unknown_method_is_not_found(caller: Caller, run: Run, method: str) -> None:
    assert run(caller.ask(method))["error"]["code"] == -32601


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ([], -32600),
        ({"id": 1, "method": "ping"}, -32600),
        ({"jsonrpc": "2.0", "id": None, "method": "ping"}, -32600),
        ({"jsonrpc": "2.0", "id": True, "method": "ping"}, -32600),
        ({"jsonrpc": "2.0", "id": 1, "method": 7}, -32600),
        ({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []}, -32602),
    ],
)
def test_what_is_no_request_is_refused(caller: Caller, run: Run, message: Any, code: int) -> None:
    assert run(caller.server.handle(message))["error"]["code"] == code


def test_notifications_and_answers_get_no_answer(caller: Caller, run: Run) -> None:
    assert run(caller.server.handle({"jsonrpc": "2.0", "method": "notifications/initialized"})) is None
    assert run(caller.server.handle({"jsonrpc": "2.0", "id": 1, "result": {}})) is None


@pytest.mark.parametrize(
    ("asked", "agreed"),
    [("2024-11-05", "2024-11-05"), ("2025-11-25", "2025-11-25"), ("2026-07-28", "2025-11-25"), ("x", "2025-11-25")],
)
def test_the_handshake_agrees_on_a_version_that_is_served(caller: Caller, run: Run, asked: str, agreed: str) -> None:
    result = run(legacy(caller.server, "initialize", protocolVersion=asked, capabilities={}, clientInfo={}))["result"]
    assert result["protocolVersion"] == agreed
    assert result["serverInfo"]["name"]


def test_after_the_handshake_requests_need_no_version(caller: Caller, run: Run) -> None:
    assert run(legacy(caller.server, "tools/list"))["error"]["code"] == -32602
    run(legacy(caller.server, "initialize", protocolVersion="2025-06-18"))
    listed = run(legacy(caller.server, "tools/list"))["result"]
    assert not {"resultType", "ttlMs", "cacheScope", "_meta"} & listed.keys()
    called = run(legacy(caller.server, "tools/call", name="get_thread", arguments={"thread_id": "x"}))["result"]
    assert called["isError"] is True
    assert run(legacy(caller.server, "ping"))["result"] == {}


def test_pages_give_every_tool_once_in_order(run: Run) -> None:
    async def walk(caller: Caller) -> list[str]:
        names: list[str] = []
        cursor = None
        while True:
            result = (await caller.ask("tools/list", **({"cursor": cursor} if cursor else {})))["result"]
            names += [tool["name"] for tool in result["tools"]]
            cursor = result.get("nextCursor")
            if cursor is None:
                return names

    whole = run(walk(Caller(target.open("threads"))))
    assert len(whole) == 9
    for size in (1, 2, 3, 8, 9, 10):
        assert run(walk(Caller(target.open("threads", settings={"page_size": size})))) == whole


@pytest.mark.parametrize("cursor", ["zz", "dG9vbHM6MA==", "dG9vbHM6MQ==", "dG9vbHM6OTk=", 3, "é"])
def test_a_cursor_that_was_not_given_out_is_refused(run: Run, cursor: Any) -> None:
    paged = Caller(target.open("threads", settings={"page_size": 2}))
    assert run(paged.ask("tools/list", cursor=cursor))["error"]["code"] == -32602


def test_a_result_carries_its_envelope_twice(caller: Caller, run: Run) -> None:
    made = run(
        caller.call(
            "create_thread", workspace_id=CLAIMS["workspace_id"], title="t", type="incident", participants=["a"]
        )
    )["result"]
    assert [json.loads(block["text"]) for block in made["content"]] == [made["structuredContent"]]


def test_an_unknown_tool_is_a_protocol_error(caller: Caller, run: Run) -> None:
    assert run(caller.call("nope"))["error"]["code"] == -32602


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"name": 7},
        {"name": "get_thread", "arguments": [1]},
        {"name": "get_thread", "arguments": {"thread_id": "\ud800"}},
        {"name": "get_thread", "arguments": {"thread_id": float("nan")}},
    ],
)
def test_params_that_are_no_call_are_refused(caller: Caller, run: Run, params: dict[str, Any]) -> None:
    assert run(caller.ask("tools/call", **params))["error"]["code"] == -32602


def test_large_integers_come_back_as_they_went(caller: Caller, run: Run) -> None:
    async def there_and_back() -> Any:
        thread = await caller.thread()
        metadata = {"n": 10**40}
        await caller.done("post_message", thread_id=thread, schema_version=1, kind="chat", body="b", metadata=metadata)
        return (await caller.done("read_messages", thread_id=thread))["messages"][0]["metadata"]

    assert run(there_and_back()) == {"n": 10**40}


def test_listing_needs_no_token_and_calling_does(caller: Caller, run: Run) -> None:
    assert run(caller.ask("tools/list"))["result"]["tools"]
    refused = run(caller.ask("tools/call", name="get_thread", arguments={"thread_id": "x"}))["result"]
    assert refused["isError"] is True
    assert refused["structuredContent"]["error"]["code"] == "UNAUTHORIZED"


def test_instances_share_nothing(caller: Caller, run: Run) -> None:
    async def seen_elsewhere() -> Any:
        thread = await caller.thread({"dev.conformance/instance": "one"})
        return await caller.call("get_thread", {"dev.conformance/instance": "two"}, thread_id=thread)

    assert run(seen_elsewhere())["result"]["structuredContent"]["error"]["code"] == "NOT_FOUND"


def test_settings_of_an_instance_come_with_its_first_request(caller: Caller, run: Run) -> None:
    async def post(times: int) -> list[bool]:
        meta = {"dev.conformance/instance": "q", "dev.conformance/conditions": {"settings": {"quota_per_minute": 1}}}
        thread = await caller.thread(meta)
        post = {"thread_id": thread, "schema_version": 1, "kind": "chat", "body": "b"}
        named = {"dev.conformance/instance": "q"}
        return [(await caller.call("post_message", named, **post))["result"]["isError"] for _ in range(times)]

    assert run(post(2)) == [False, True]


@pytest.mark.parametrize(
    "meta",
    [
        {"dev.conformance/instance": 3},
        {"dev.conformance/conditions": []},
        {"dev.conformance/instance": "s", "dev.conformance/conditions": {"settings": 3}},
        {"dev.conformance/instance": "s", "dev.conformance/conditions": {"settings": {"page_size": 0}}},
    ],
)
def test_malformed_conditions_are_refused(caller: Caller, run: Run, meta: dict[str, Any]) -> None:
    assert run(caller.call("get_thread", meta, thread_id="x"))["error"]["code"] == -32602


def test_outside_test_mode_instances_and_conditions_are_ignored(run: Run) -> None:
    server = open_dispatcher(Surface(Host("threads", trust=Trust.for_tests())))
    token = {"dev.conformance/authorization": bearer()}
    ahead = {"dev.conformance/instance": "x", "dev.conformance/conditions": {"clock": 10**9}}

    async def created(meta: dict[str, Any]) -> dict[str, Any]:
        arguments = {"workspace_id": CLAIMS["workspace_id"], "title": "t", "type": "workflow", "participants": ["a"]}
        answer = await server.handle(
            request("tools/call", {**token, **meta}, name="create_thread", arguments=arguments)
        )
        assert answer is not None
        made: dict[str, Any] = answer["result"]["structuredContent"]
        seen = await server.handle(
            request("tools/call", token, name="get_thread", arguments={"thread_id": made["thread_id"]})
        )
        assert seen is not None
        assert seen["result"]["isError"] is False
        return made

    assert run(created(ahead))["created_at"][:3] == run(created({}))["created_at"][:3] == "202"


def test_examples_work_in_order(caller: Caller, run: Run) -> None:
    async def all_of_them() -> set[str]:
        answers: dict[str, dict[str, Any]] = {"claims": CLAIMS}

        def filled(value: Any) -> Any:
            if isinstance(value, dict):
                return {key: filled(each) for key, each in value.items()}
            if isinstance(value, list):
                return [filled(each) for each in value]
            if isinstance(value, str) and value.startswith("{{"):
                tool, _, key = value.strip("{}").partition(".")
                return answers[tool][key]
            return value

        for example in target.statement("mcp")["calls"]["examples"]:
            answers[example["tool"]] = await caller.done(example["tool"], **filled(example["arguments"]))
        return answers.keys() - {"claims"}

    listed = run(caller.ask("tools/list"))["result"]["tools"]
    assert run(all_of_them()) == {tool["name"] for tool in listed}


def test_statements_say_how_to_reach_the_server() -> None:
    assert target.statement("threads")["endpoint"] == [{"transport": "in-process", "target": "reference:threads"}]
    deviated = target.statement("mcp", transport="stdio", deviations=["MC-RPC-07"])["endpoint"][0]["command"]
    assert deviated[-2:] == ["--deviate", "MC-RPC-07"]
    assert [one["url"] for one in target.statement("threads", transport="http")["endpoint"]] == [
        "{listening}/mcp",
        "{listening}/v1",
    ]
    with pytest.raises(ValueError, match="no transport"):
        target.statement("threads", transport="pigeon")


def test_what_cannot_be_opened_is_said() -> None:
    with pytest.raises(UnknownContractError):
        target.open("none")
    with pytest.raises(UnknownContractError):
        target.statement("none")
    with pytest.raises(KeyError, match="nearest"):
        target.open("threads", deviations=["MC-RPC-99"])
    with pytest.raises(ValueError, match="over stdio only"):
        target.open("threads", deviations=["MC-RPC-07"])
