"""TH-VER-01, -05, -06: what only the plain HTTP endpoints show."""

from dataclasses import replace
from typing import TYPE_CHECKING

from reference_server.application import Answer, Application, Request
from reference_server.deviations.mcp.changing import replace_method
from reference_server.deviations.registry import deviation

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.routing import Mount

    from reference_server.bindings.plain_http import PlainHttp


@deviation("TH-VER-01", transport="v1")
def endpoints_have_no_version(plain: "PlainHttp") -> None:
    """The endpoints are served, and documented, without the version in their path; /v1 is left as an alias."""
    plain.prefix = ""

    def mounts() -> "list[Mount]":
        from starlette.routing import Mount  # noqa: PLC0415 -- in process none of it is needed

        unversioned = plain.version()
        return [Mount("/v1", app=unversioned), Mount("", app=unversioned)]

    replace_method(plain, "mounts", mounts)


@deviation("TH-VER-05", transport="v1")
def get_thread_lacks_updated_at(plain: "PlainHttp") -> None:
    """Over plain HTTP get_thread leaves out updated_at, which it answers over MCP."""
    original = plain.serve

    async def serve(asked: Request, application: Application) -> Answer:
        answer = await original(asked, application)
        if asked.tool != "get_thread" or answer.failed:
            return answer
        return replace(answer, envelope={key: value for key, value in answer.envelope.items() if key != "updated_at"})

    replace_method(plain, "serve", serve)


@deviation("TH-VER-06", transport="v1")
def failures_are_plain_text(plain: "PlainHttp") -> None:
    """The bodies of failures are sent as text/plain."""
    original = plain.render

    def render(body: bytes, status: int, headers: dict[str, str]) -> "Response":
        response = original(body, status, headers)
        if status >= 400:  # noqa: PLR2004 -- where HTTP's failures begin
            response.headers["content-type"] = "text/plain; charset=utf-8"
        return response

    replace_method(plain, "render", render)
