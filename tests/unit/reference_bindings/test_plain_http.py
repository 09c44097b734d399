"""POST /v1/mcp/{method}: statuses, envelopes and headers, in process through ASGI; and what deviates there."""

from collections.abc import Sequence
from typing import Any

import httpx2
import jsonschema_rs
import pytest

from reference_server.application import Answer
from reference_server.bindings.plain_http import STATUS, PlainHttp, status_of
from reference_server.deviations.registry import find
from reference_server.host import Host
from reference_server.tokens import Trust

from .conftest import CLAIMS, Run, bearer

CREATE = {"workspace_id": CLAIMS["workspace_id"], "title": "t", "type": "workflow", "participants": ["a"]}


def client(deviations: Sequence[str] = (), *, test_conditions: bool = True) -> httpx2.AsyncClient:
    plain = PlainHttp(Host("threads", test_conditions=test_conditions, trust=Trust.for_tests()))
    for requirement in deviations:
        find(requirement).apply(plain)
    return httpx2.AsyncClient(transport=httpx2.ASGITransport(plain.app()), base_url="http://127.0.0.1")


async def post(http: httpx2.AsyncClient, method: str, body: Any, **headers: str) -> httpx2.Response:
    return await http.post(f"/v1/mcp/{method}", json=body, headers={"authorization": bearer(), **headers})


def is_failure(answer: httpx2.Response, status: int, code: str) -> bool:
    error = answer.json()["error"]
    return (
        answer.status_code == status
        and answer.headers["content-type"] == "application/json"
        and error["code"] == code
        and bool(error["message"])
        and error["request_id"] == answer.headers["x-request-id"]
    )


def test_a_success_is_the_bare_output(run: Run) -> None:
    async def session() -> None:
        async with client() as http:
            made = await post(http, "create_thread", CREATE, **{"x-request-id": "r-1"})
            assert made.status_code == 200
            assert made.headers["content-type"] == "application/json"
            assert made.headers["x-request-id"] == "r-1"
            assert made.json()["status"] == "active"

    run(session())


def test_refusals_have_their_status_and_the_envelope(run: Run) -> None:
    async def session() -> None:
        async with client() as http:
            assert is_failure(await http.post("/v1/mcp/get_thread", json={"thread_id": "x"}), 401, "UNAUTHORIZED")
            assert is_failure(await post(http, "get_thread", {"thread_id": "x"}), 404, "NOT_FOUND")
            assert is_failure(await post(http, "get_thread", [1]), 422, "VALIDATION_ERROR")
            assert is_failure(await post(http, "nope", {}), 404, "UNKNOWN_METHOD")
            other = {**CREATE, "workspace_id": "wk_other"}
            assert is_failure(await post(http, "create_thread", other), 403, "OUT_OF_SCOPE_WORKSPACE")
            worker = {"authorization": bearer(role="worker")}
            assert is_failure(await post(http, "create_thread", CREATE, **worker), 403, "FORBIDDEN")

    run(session())


def test_what_is_no_json_is_refused_after_the_token(run: Run) -> None:
    async def session() -> None:
        async with client() as http:
            token, json_type = {"authorization": bearer()}, {"content-type": "application/json"}
            for body, kind in ((b"{", json_type), (b'{"a": NaN}', json_type), (b'"\\ud800"', json_type), (b"{}", {})):
                path = "/v1/mcp/get_thread"
                assert is_failure(
                    await http.post(path, content=body, headers={**token, **kind}), 422, "VALIDATION_ERROR"
                )
                assert is_failure(await http.post(path, content=body, headers=kind), 401, "UNAUTHORIZED")
            large = await http.post("/v1/mcp/get_thread", content=b" " * 1_048_577, headers={**token, **json_type})
            assert is_failure(large, 413, "PAYLOAD_TOO_LARGE")

    run(session())


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/v1/mcp/get_thread", 405, "METHOD_NOT_ALLOWED"),
        ("POST", "/v1/health", 405, "METHOD_NOT_ALLOWED"),
        ("GET", "/v1/nowhere", 404, "UNKNOWN_METHOD"),
        ("GET", "/v1", 404, "UNKNOWN_METHOD"),
        ("GET", "/", 404, "UNKNOWN_METHOD"),
        ("POST", "/v2/mcp/get_thread", 404, "UNKNOWN_METHOD"),
        ("POST", "/mcp/get_thread", 404, "UNKNOWN_METHOD"),
    ],
)
def test_other_paths_and_methods_answer_json_too(run: Run, method: str, path: str, status: int, code: str) -> None:
    async def session() -> httpx2.Response:
        async with client() as http:
            return await http.request(method, path)

    assert is_failure(run(session()), status, code)


def test_every_code_of_the_contract_has_a_status() -> None:
    for code, status in STATUS.items():
        assert status_of(Answer({"error": {"code": code}}, failed=True)) == status
    assert status_of(Answer({"error": {"code": "UNHEARD_OF"}}, failed=True)) == 500
    assert status_of(Answer({})) == 200


def test_conditions_come_in_headers_and_only_in_test_mode(run: Run) -> None:
    async def session(*, test_conditions: bool) -> tuple[int, str]:
        async with client(test_conditions=test_conditions) as http:
            elsewhere = {"x-conformance-instance": "one", "x-conformance-conditions": '{"clock": 1000000000}'}
            made = (await post(http, "create_thread", CREATE, **elsewhere)).json()
            seen = await post(http, "get_thread", {"thread_id": made["thread_id"]})
            return seen.status_code, made["created_at"][:4]

    here = run(session(test_conditions=False))
    assert here[0] == 200
    there = run(session(test_conditions=True))
    assert there[0] == 404
    assert int(there[1]) - int(here[1]) in {31, 32}


def test_malformed_conditions_are_refused(run: Run) -> None:
    async def session(conditions: str) -> httpx2.Response:
        async with client() as http:
            return await post(http, "get_thread", {"thread_id": "x"}, **{"x-conformance-conditions": conditions})

    assert is_failure(run(session("{")), 422, "VALIDATION_ERROR")
    assert is_failure(run(session("[]")), 422, "VALIDATION_ERROR")


def test_effects_go_out_in_a_header(run: Run) -> None:
    async def session() -> str:
        async with client() as http:
            thread = (await post(http, "create_thread", CREATE)).json()["thread_id"]
            wake = {"thread_id": thread, "target_agent_id": "a", "reason": "r", "trigger_prompt": "p"}
            return (await post(http, "trigger_participant", wake)).headers["x-conformance-effects"]

    assert '"kind":"wake"' in run(session())


def test_the_document_describes_every_method(run: Run) -> None:
    async def session() -> Any:
        async with client() as http:
            assert (await http.get("/v1/health")).json() == {"status": "ok"}
            return (await http.get("/v1/openapi.json")).json()

    document = run(session())
    operations = [path for path, item in document["paths"].items() if "post" in item]
    assert len(operations) == 9
    for path in operations:
        operation = document["paths"][path]["post"]
        assert path == f"/v1/mcp/{operation['operationId']}"
        assert jsonschema_rs.meta.is_valid(operation["requestBody"]["content"]["application/json"]["schema"])
        assert {"200", "401", "403", "404", "409", "422", "429", "502"} <= operation["responses"].keys()


def test_unversioned_endpoints_deviate(run: Run) -> None:
    async def session() -> tuple[list[str], int, int]:
        async with client(["TH-VER-01"]) as http:
            document = (await http.get("/openapi.json")).json()
            answers = [await http.post(f"{prefix}/mcp/get_thread", json={}) for prefix in ("", "/v1")]
            return list(document["paths"]), answers[0].status_code, answers[1].status_code

    paths, unversioned, versioned = run(session())
    assert not [path for path in paths if path.startswith("/v1")]
    assert unversioned == versioned == 401


def test_a_missing_field_deviates(run: Run) -> None:
    async def fields(*deviations: str) -> set[str]:
        async with client(deviations) as http:
            thread = (await post(http, "create_thread", CREATE)).json()["thread_id"]
            return set((await post(http, "get_thread", {"thread_id": thread})).json())

    assert run(fields()) - run(fields("TH-VER-05")) == {"updated_at"}


def test_plain_text_failures_deviate(run: Run) -> None:
    async def kinds(*deviations: str) -> list[str]:
        async with client(deviations) as http:
            answers = [await http.get("/v1/health"), await http.get("/v1/nowhere"), await post(http, "get_thread", {})]
            return [answer.headers["content-type"].partition(";")[0] for answer in answers]

    assert run(kinds()) == ["application/json"] * 3
    assert run(kinds("TH-VER-06")) == ["application/json", "text/plain", "text/plain"]
