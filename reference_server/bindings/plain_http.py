"""The same tools over plain HTTP: POST /v1/mcp/{method} with a JSON body. Every body of an answer is JSON."""

import json
from collections.abc import Mapping
from typing import Final
from uuid import uuid4

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request as HttpRequest
from starlette.responses import Response
from starlette.routing import Mount, Route

from reference_server.application import Answer, Application, Json, Request, UnknownToolError
from reference_server.bindings.encoding import NotJsonError, decode, encode
from reference_server.bindings.openapi import document
from reference_server.bindings.protocol import CONDITIONS_KEY, INSTANCE_KEY, ProtocolError
from reference_server.host import Host

STATUS: Final = {
    "UNAUTHORIZED": 401,
    "FORBIDDEN": 403,
    "OUT_OF_SCOPE_WORKSPACE": 403,
    "CLAIM_MISMATCH": 403,
    "INSUFFICIENT_AUTHORITY": 403,
    "NOT_FOUND": 404,
    "UNKNOWN_METHOD": 404,
    "METHOD_NOT_ALLOWED": 405,
    "CONFLICT": 409,
    "IDEMPOTENCY_CONFLICT": 409,
    "HUMAN_INPUT_COLLISION": 409,
    "UNMANAGED_RUNTIME": 409,
    "PAYLOAD_TOO_LARGE": 413,
    "VALIDATION_ERROR": 422,
    "RATE_LIMITED": 429,
    "WAKE_FAILED": 502,
}
"""Status of a failure by its code; of any other code 500."""

CODE_OF_STATUS: Final = {404: "UNKNOWN_METHOD", 405: "METHOD_NOT_ALLOWED"}
LARGEST_BODY: Final = 1_048_576
LONGEST_REQUEST_ID: Final = 200


class PlainHttp:
    """The methods of one host under a version prefix. Every method may be replaced on one instance by a deviation."""

    prefix: str = "/v1"

    def __init__(self, host: Host) -> None:
        self.host = host

    def app(self) -> Starlette:
        """The ASGI application, all paths of it."""
        app = Starlette(
            routes=self.mounts(),
            exception_handlers={HTTPException: self.refused_by_router, Exception: self.fault},
        )
        app.router.redirect_slashes = False
        return app

    def mounts(self) -> list[Mount]:
        """What is served where."""
        return [Mount(self.prefix, app=self.version())]

    def version(self) -> Starlette:
        """One version of the endpoints, without its prefix."""
        app = Starlette(
            routes=[
                Route("/mcp/{method}", self.call, methods=["POST"]),
                Route("/openapi.json", self.openapi, methods=["GET"]),
                Route("/health", self.health, methods=["GET"]),
            ],
            exception_handlers={HTTPException: self.refused_by_router},
        )
        app.router.redirect_slashes = False
        return app

    async def call(self, request: HttpRequest) -> Response:
        """POST /v1/mcp/{method}."""
        request_id = request_id_of(request)
        method = request.path_params["method"]
        try:
            arguments, unread = await self.arguments(request)
            meta = meta_of(request)
            application, conditions = self.host.instance(meta).application, self.host.conditions(meta)
            asked = Request(method, arguments, request.headers.get("authorization"), conditions, request_id)
            answer = await self.serve(asked, application)
            if unread and answer.failed and answer.envelope["error"]["code"] == "VALIDATION_ERROR":
                answer = failure("VALIDATION_ERROR", unread, request_id)
        except UnknownToolError:
            answer = failure("UNKNOWN_METHOD", f"no method {method}", request_id)
        except BodyTooLargeError as error:
            answer = failure("PAYLOAD_TOO_LARGE", str(error), request_id)
        except (NotJsonError, ProtocolError) as error:
            answer = failure("VALIDATION_ERROR", str(error), request_id)
        return self.respond(answer, request_id)

    async def arguments(self, request: HttpRequest) -> tuple[Json, str]:
        """The body, and why it could not be read. It is then None, so that the domain refuses it in its own order."""
        body = bytearray()
        async for chunk in request.stream():
            body += chunk
            if len(body) > LARGEST_BODY:
                raise BodyTooLargeError
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            return None, f"the content-type is {kind or 'missing'}, not application/json"
        try:
            return decode(bytes(body)), ""
        except NotJsonError as error:
            return None, f"the body is no JSON: {error}"

    async def serve(self, asked: Request, application: Application) -> Answer:
        """One call of a method, free of HTTP. UnknownToolError: no such method."""
        return await application.call(asked)

    def respond(self, answer: Answer, request_id: str) -> Response:
        """An answer as an HTTP response."""
        headers = {"x-request-id": request_id}
        if answer.effects and self.host.test_conditions:
            headers["x-conformance-effects"] = json.dumps(answer.effects, separators=(",", ":"))
        return self.render(encode(answer.envelope), status_of(answer), headers)

    def render(self, body: bytes, status: int, headers: dict[str, str]) -> Response:
        """The response itself."""
        return Response(body, status, headers, media_type="application/json")

    async def refused_by_router(self, request: HttpRequest, error: Exception) -> Response:
        """An unknown path, or a path with another method."""
        if not isinstance(error, HTTPException):
            raise error
        request_id = request_id_of(request)
        code = CODE_OF_STATUS.get(error.status_code, "INTERNAL_ERROR")
        response = self.respond(failure(code, error.detail, request_id), request_id)
        response.headers.update(error.headers or {})
        return response

    async def fault(self, request: HttpRequest, _error: Exception) -> Response:
        """A fault of our own, which the server's log has and the caller is not shown."""
        request_id = request_id_of(request)
        return self.respond(failure("INTERNAL_ERROR", "the server failed", request_id), request_id)

    async def openapi(self, request: HttpRequest) -> Response:
        """GET /v1/openapi.json."""
        tools = self.host.instance({}).application.tools
        return self.render(encode(document(tools, self.prefix)), 200, {"x-request-id": request_id_of(request)})

    async def health(self, request: HttpRequest) -> Response:
        """GET /v1/health."""
        return self.render(encode({"status": "ok"}), 200, {"x-request-id": request_id_of(request)})


class BodyTooLargeError(Exception):
    """A body of more than LARGEST_BODY bytes."""

    def __init__(self) -> None:
        super().__init__(f"the body is larger than {LARGEST_BODY} bytes")


def failure(code: str, message: str, request_id: str) -> Answer:
    """A refusal by the binding itself, in the contract's envelope."""
    return Answer({"error": {"code": code, "message": message, "request_id": request_id}}, failed=True)


def status_of(answer: Answer) -> int:
    """The HTTP status of an answer."""
    return STATUS.get(answer.envelope["error"]["code"], 500) if answer.failed else 200


def request_id_of(request: HttpRequest) -> str:
    """The caller's x-request-id where it can be given back, else a new one."""
    given = request.headers.get("x-request-id", "")
    if 0 < len(given) <= LONGEST_REQUEST_ID and given.isascii() and given.isprintable():
        return given
    return f"req_{uuid4().hex}"


def meta_of(request: HttpRequest) -> Mapping[str, Json]:
    """What `_meta` says over MCP, from the headers that stand for it here. NotJsonError: malformed conditions."""
    meta: dict[str, Json] = {}
    if (instance := request.headers.get("x-conformance-instance")) is not None:
        meta[INSTANCE_KEY] = instance
    if (conditions := request.headers.get("x-conformance-conditions")) is not None:
        meta[CONDITIONS_KEY] = decode(conditions.encode("latin-1"))
    return meta
