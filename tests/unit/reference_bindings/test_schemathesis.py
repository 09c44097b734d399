"""The published OpenAPI document against what /v1 really does, with inputs that Schemathesis derives from it."""

from typing import Any, cast

import jsonschema_rs
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.python import asgi

from reference_server.bindings.openapi import document
from reference_server.bindings.plain_http import PlainHttp
from reference_server.host import Host
from reference_server.tokens import Trust

from .conftest import CLAIMS, bearer

HOST = Host("threads", test_conditions=True, trust=Trust.for_tests())
DOCUMENT = document(HOST.instance({}).application.tools, "/v1")
CREATE = {"workspace_id": CLAIMS["workspace_id"], "title": "t", "type": "workflow", "participants": ["a"]}
HINTS = {
    "created_by": CLAIMS["agent_id"],
    "agent_id": CLAIMS["agent_id"],
    "sender_agent_id": CLAIMS["agent_id"],
    "target_agent_id": "a",
    "session_id": CLAIMS["session_id"],
    "sender_session_id": CLAIMS["session_id"],
}
METHODS = [path for path, item in DOCUMENT["paths"].items() if "post" in item]


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=["valid", "invalid"])
@pytest.mark.parametrize("path", METHODS)
def test_answers_conform_to_the_document(path: str, mode: GenerationMode) -> None:
    operation = schemathesis.openapi.from_dict(DOCUMENT)[path]["POST"]
    # made here: one made where the tests are collected is over before the last of them run
    headers = {"authorization": bearer()}
    app = PlainHttp(HOST).app()
    client = asgi.get_client(cast("Any", app))
    made = client.post("/v1/mcp/create_thread", json=CREATE, headers=headers)
    known = {"workspace_id": CREATE["workspace_id"], "thread_id": made.json()["thread_id"], **HINTS}
    succeeded = 0
    responses = DOCUMENT["paths"][path]["post"]["responses"]
    failure = DOCUMENT["components"]["schemas"]["Failure"]
    body_schema = DOCUMENT["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"]

    @settings(
        max_examples=15,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def each(case: Any) -> None:
        nonlocal succeeded
        if isinstance(case.body, dict):
            # a schema cannot know which thread there is, nor who asks
            case.body |= {name: value for name, value in known.items() if isinstance(case.body.get(name), str)}
        case.headers.update(headers)
        response = case.call(base_url="http://127.0.0.1", app=app, session=client)
        # 502 is a code of the contract: WAKE_FAILED
        assert response.status_code < 500 or response.status_code == 502
        assert str(response.status_code) in responses
        assert response.headers["content-type"] == ["application/json"]
        success = response.status_code == 200
        schema = responses["200"]["content"]["application/json"]["schema"] if success else failure
        jsonschema_rs.validate(schema, response.json())
        succeeded += success
        if success:
            assert jsonschema_rs.is_valid(body_schema, case.body)

    each()
    assert succeeded > 0 or mode is GenerationMode.NEGATIVE
