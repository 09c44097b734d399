"""A tool that refuses every call, in its contract's own words."""

import dataclasses
from typing import TYPE_CHECKING, Final, NoReturn

from reference_server.application import Answer, Application, Json, Request
from reference_server.deviations.rewriting import instead

CODES: Final = {"threads": "FORBIDDEN", "tuitbot": "invalid_input", "tasks": "UNKNOWN_ID"}
"""By the domain's package: a code that many tools may plausibly answer."""
NO_ARGUMENTS: Final[Json] = []
"""What every tool refuses."""

if TYPE_CHECKING:
    from reference_server.invocation import Invocations
    from reference_server.invocation.course import Course


def muted(application: Application, tool: str) -> None:
    """Lets the tool refuse every call, in the instances that serve it."""
    domain = type(application).__module__.split(".")[1]
    if domain == "invocation":
        _muted_invocations(application, tool)  # type: ignore[arg-type]  # that domain's application
        return
    original = application.call
    code = CODES[domain]

    @instead(application, "call")
    async def call(request: Request) -> Answer:
        if request.tool != tool:
            return await original(request)
        answer = await original(dataclasses.replace(request, arguments=NO_ARGUMENTS))
        error = {**answer.envelope["error"], "code": code, "message": "this call is refused"}
        return dataclasses.replace(answer, envelope={**answer.envelope, "error": error})


def _muted_invocations(invocations: "Invocations", tool: str) -> None:
    """A tool that is served over MCP, or one of the registry, refuses every call as Forbidden."""
    from reference_server.invocation.failure import Failure  # noqa: PLC0415 -- the runtime takes a second to import
    from reference_server.invocation.schemas import DESCRIBE_TOOLS, INVOKE, READ_RECORDS  # noqa: PLC0415 -- as above

    def refuse(*_: object) -> NoReturn:
        raise Failure("Forbidden", "this call is refused")

    if tool in (DESCRIBE_TOOLS, READ_RECORDS):
        instead(invocations, {DESCRIBE_TOOLS: "described", READ_RECORDS: "records"}[tool])(refuse)
        return
    authorise = invocations.pipeline.authorise

    @instead(invocations.pipeline, "authorise")
    def authorised(course: "Course") -> None:
        if tool in (INVOKE, course.tool_name):
            refuse()
        authorise(course)
