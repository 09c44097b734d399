"""The published OpenAPI document against what /v1 really does, with inputs that Schemathesis derives from it."""

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

from .conftest import bearer

HOST = Host("threads", test_conditions=True, trust=Trust.for_tests())
DOCUMENT = document(HOST.instance({}).application.tools, "/v1")
METHODS = [path for path, item in DOCUMENT["paths"].items() if "post" in item]


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=["valid", "invalid"])
@pytest.mark.parametrize("path", METHODS)
def test_answers_conform_to_the_document(path: str, mode: GenerationMode) -> None:
    operation = schemathesis.openapi.from_dict(DOCUMENT)[path]["POST"]
    app = PlainHttp(HOST).app()
    client = asgi.get_client(app)
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
    def each(case: schemathesis.Case) -> None:
        case.headers = {"authorization": bearer()}
        response = case.call(base_url="http://127.0.0.1", app=app, session=client)
        assert response.status_code < 500
        assert str(response.status_code) in responses
        assert response.headers["content-type"] == ["application/json"]
        success = response.status_code == 200
        schema = responses["200"]["content"]["application/json"]["schema"] if success else failure
        jsonschema_rs.validate(schema, response.json())
        if success:
            assert jsonschema_rs.is_valid(body_schema, case.body)

    each()
