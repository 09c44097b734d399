"""Histories of invocations by hand.

desk = Desk()
desk.ok("echo", {"text": "x"}, {"text": "x", "version": "2.0.0"})
desk.no("echo", {"text": 5}, "SchemaInvalid")
assert desk.judged("IR-INV-03").verdict == "pass"
"""

from collections.abc import Sequence
from typing import Any

from conformance.contract.catalogue import load
from conformance.contracts.invocation.kit import kit, taxonomy
from conformance.model.events import Json, Message
from tests.laws.histories import Story

CLASSES = {code: kind for kind, codes in taxonomy().classes.items() for code in codes}
RETRYABLE = ("Timeout", "RateLimited", "CircuitOpen", "ConcurrencyLimited", "DownstreamFailed")
FULL = ("kit.write", "records")
PAST, FAR = "2020-01-01T00:00:00Z", "2040-01-01T00:00:00Z"
AT = "2026-01-01T00:00:00Z"
SECRET = "«private:planted one»"


def name_of(tool: str) -> str:
    """The whole name of a tool of the kit; another is left as it is."""
    return next((name for name in (f"local::kit.{tool}", tool) if name in kit()), tool)


class Desk(Story):
    """A story in which tools are invoked and records are read."""

    def __init__(self, **settings: Json) -> None:
        super().__init__("invocation", settings=settings)
        self.credential("full", "caller", scopes=list(FULL))
        self.credential("weak", "caller", scopes=[])
        self.credential("nobody", "caller", defect="missing")
        self.credential("bad", "caller", defect="expired", scopes=list(FULL))

    def answered(
        self, tool: str, given: Json, result: dict[str, Json], *, took: int = 0, by: str = "full", tenant: str = "t",
        without: Sequence[str] = (), meta: dict[str, Json] | None = None, ahead: int = 0, **fields: Json,
    ) -> int:  # fmt: skip
        """An invocation with this Result; `took` milliseconds pass before it comes. The calendar is so many s ahead."""
        name = name_of(tool)
        arguments: dict[str, Json] = {
            "toolName": name,
            "input": given,
            "correlationId": f"c-{self.calls + 1}",
            "headers": {"tenant": tenant},
        }
        known = kit().get(name)
        if known is not None and known.effect == "IdempotentWrite":
            arguments["idempotencyKey"] = f"k-{self.calls + 1}"
        arguments = {field: value for field, value in {**arguments, **fields}.items() if field not in without}
        whole = {
            "durationMs": took, "attempts": 1, "resolvedVersion": known.versions[-1] if known else "unresolved",
            "policySnapshot": snapshot(name), "correlationId": arguments.get("correlationId") or f"made-{self.calls}",
            "origin": known.origin if known is not None else "local", **result,
        }  # fmt: skip
        if known is not None and name.endswith("kit.echo") and "resolvedVersion" not in result:
            whole["resolvedVersion"] = "2.0.0"
        failed = whole.get("status") != "Ok"
        answer = {"content": [], "structuredContent": whole, "isError": failed, "resultType": "complete"}
        params: dict[str, Json] = {"name": "invoke", "arguments": arguments, **({"_meta": meta} if meta else {})}
        if self._late is not None:
            return self.result("tools/call", params, answer, by=by)
        self.together()
        call = self.result("tools/call", params, answer, by=by, conditions={"clock": ahead} if ahead else {})
        self.t += took * 1000
        self.settle()
        return call

    def ok(self, tool: str, given: Json, output: Json, *, result: dict[str, Json] | None = None, **more: Any) -> int:
        """An invocation that is served."""
        return self.answered(tool, given, {"status": "Ok", "output": output, **(result or {})}, **more)

    def no(
        self, tool: str, given: Json, code: str, *, error: dict[str, Json] | None = None,
        result: dict[str, Json] | None = None, **more: Any,
    ) -> int:  # fmt: skip
        """An invocation that is refused with a code."""
        known = kit().get(name_of(tool))
        again = code in RETRYABLE
        if code in ("Timeout", "DownstreamFailed") and known is not None and not known.repeatable:
            again = "deadline" in more
        whole = {"class": CLASSES.get(code, "ExecutionError"), "code": code, "message": "It did not work.",
                 "isRetryable": again, "origin": "local", **(error or {})}  # fmt: skip
        status = "Retryable" if whole["isRetryable"] is True else "Error"
        return self.answered(tool, given, {"status": status, "error": whole, **(result or {})}, **more)

    def shown(self, kind: str, call: int, *entries: dict[str, Json], tool: str = "echo", bare: bool = False) -> int:
        """A reading of what was recorded of a call; each entry is of that tool, unless it says otherwise."""
        common = {"kind": kind, "tool": name_of(tool), "correlationId": f"c-{call}"}
        records = [
            {"id": f"{kind}-{call}-{number}", "sequence": number, "at": AT, **(entry if bare else {**common, **entry})}
            for number, entry in enumerate(entries)
        ]
        given = {"kind": kind, "correlationId": f"c-{call}"}
        return self.call("read_records", given, {"records": records}, by="full")

    def frame(self, call: int, **data: Json) -> None:
        """A logging notification that comes beside the answer to a call, before it where that is still to come."""
        payload = {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": data}}
        params = {"progressToken": call, "progress": data.get("sequence")}
        for each in (payload, {"jsonrpc": "2.0", "method": "notifications/progress", "params": params}):
            self.events.append(Message(connection="c1", direction="in", call=call, payload=each, t=self.now()))


def snapshot(name: str) -> dict[str, Json]:
    """The policySnapshot of a tool."""
    known = kit().get(name)
    if known is None:
        return {"timeoutMs": 5000, "retry": {"maxAttempts": 1}, "rateLimitIds": [], "circuitState": "closed"}
    policies = known.policies
    return {
        "timeoutMs": policies.timeoutMs, "retry": {"maxAttempts": policies.retry.maxAttempts},
        "rateLimitIds": list(policies.rateLimitIds), "circuitState": policies.circuitState,
    }  # fmt: skip


def echo(text: str = "x", version: str = "2.0.0") -> dict[str, Json]:
    """What the echo tool gives."""
    return {"text": text, "version": version}


def requirements() -> list[str]:
    """The ids of the contract's requirements."""
    return list(load("invocation").requirements)
