"""One instance of the invocation runtime behind the seam: the three MCP tools over one pipeline."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import jsonschema_rs

from reference_server.application import Answer, Json, Request, Tool, UnknownToolError
from reference_server.conditions import Clock
from reference_server.invocation.course import Caller
from reference_server.invocation.definition import LOCAL
from reference_server.invocation.failure import Failure
from reference_server.invocation.ledger import Ledger
from reference_server.invocation.pipeline import Pipeline
from reference_server.invocation.schemas import DESCRIBE_TOOLS, INVOKE, READ_RECORDS, TOOLS

RECORDS_SCOPE: Final = "records"
_VALIDATORS: Final = {tool.name: jsonschema_rs.Draft202012Validator(tool.input_schema) for tool in TOOLS}


Read = Callable[[Request], dict[str, Json]]


class Invocations:
    """An application."""

    def __init__(self, pipeline: Pipeline, ledger: Ledger, clock: Clock) -> None:
        self.tools: Sequence[Tool] = TOOLS
        self.pipeline = pipeline
        self.ledger = ledger
        self.clock = clock

    @property
    def behind(self) -> Sequence[str]:
        """The tools that are invoked through `invoke`."""
        return tuple(self.pipeline.registry.definitions)

    async def call(self, request: Request) -> Answer:
        """Answers in the contract's own forms; raises only `UnknownToolError`. Honours the condition `clock`."""
        ahead = request.conditions.get("clock")
        if isinstance(ahead, int | float):
            self.clock.advance(ahead)
        if request.tool == INVOKE:
            return await self.invoke(request)
        if request.tool == DESCRIBE_TOOLS:
            return self.answered(request, self.described)
        if request.tool == READ_RECORDS:
            return self.answered(request, self.records)
        raise UnknownToolError(request.tool)

    async def invoke(self, request: Request) -> Answer:
        """The Result."""
        given = request.arguments if isinstance(request.arguments, dict) else {}
        result = await self.pipeline.invoke(given, Caller(request.authorization, request.stream))
        return Answer(result, failed=result["status"] != "Ok")

    def described(self, _: Request) -> dict[str, Json]:
        """The tools of the registry."""
        circuits = self.pipeline.admission.circuits
        return {
            "tools": [
                one.described(circuits.state((one.name, ""), one.policies.circuit))
                for one in self.pipeline.registry.definitions.values()
            ]
        }

    def records(self, request: Request) -> dict[str, Json]:
        """What was recorded. Raises Unauthenticated or Forbidden."""
        self.pipeline.authorisation.check(request.authorization, (RECORDS_SCOPE,))
        asked: Mapping[str, Json] = request.arguments
        return {"records": self.ledger.read(asked["kind"], asked.get("correlationId"), asked.get("tool"))}

    def answered(self, request: Request, read: Read) -> Answer:
        """The answer of a tool that is no invocation."""
        try:
            if not _VALIDATORS[request.tool].is_valid(request.arguments):
                raise Failure("SchemaInvalid", f"the arguments break the inputSchema of {request.tool}")
            return Answer(read(request))
        except Failure as failure:
            error = {
                "class": failure.error_class,
                "code": failure.code,
                "message": failure.message,
                "isRetryable": False,
                "origin": LOCAL,
            }
            return Answer({"status": "Error", "error": error}, failed=True)

    async def close(self) -> None:
        """Ends what the providers started."""
        for provider in self.pipeline.executing.providers.values():
            await provider.close()
