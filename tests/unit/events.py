"""Events of a small run, for tests of the parts that read them."""

from conformance.model.events import (
    Agreed,
    Credential,
    Event,
    Footer,
    Header,
    Http,
    Instance,
    Json,
    Limits,
    Message,
    Opened,
    Step,
)


def header(contract: str = "threads", **more: object) -> Header:
    about = {
        "suite": "0",
        "contract": contract,
        "target": "t",
        "statement": {},
        "started_at": "2026-01-01T00:00:00.000Z",
    }
    return Header(limits=Limits(1000, 10_000), **{**about, **more})  # type: ignore[arg-type]


def opening(transport: str = "in-process", binding: str = "mcp", connection: str = "c1") -> list[Event]:
    return [
        Instance(id="main"),
        Opened(connection=connection, transport=transport, binding=binding, instance="main", t=0),
        *([Agreed(connection=connection, revision="2026-07-28", t=0)] if binding == "mcp" else []),
    ]


def worker(name: str = "w", defect: str | None = None) -> Credential:
    return Credential(name=name, role="worker", claims={"agent_id": name}, defect=defect)


def asked(call: int, tool: str, arguments: Json, t: int, credential: str | None = "w", **step: object) -> list[Event]:
    payload = {"jsonrpc": "2.0", "id": call, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
    about = {"connection": "c1", "instance": "main", "stimulus": "s", "credential": credential, **step}
    return [
        Step(call=call, **about),  # type: ignore[arg-type]
        Message(connection=str(about["connection"]), direction="out", call=call, payload=payload, t=t),
    ]


def answered(call: int, envelope: Json, t: int, connection: str = "c1") -> Message:
    result = {
        "content": [],
        "structuredContent": envelope,
        "isError": isinstance(envelope, dict) and "error" in envelope,
    }
    return Message(
        connection=connection, direction="in", call=call, payload={"jsonrpc": "2.0", "id": call, "result": result}, t=t
    )


def called(call: int, tool: str, arguments: Json, envelope: Json, t: int, **step: object) -> list[Event]:
    return [*asked(call, tool, arguments, t, **step), answered(call, envelope, t + 5)]  # type: ignore[arg-type]


def plain(call: int, method: str, body: Json, answer: Json, status: int, t: int) -> list[Event]:
    return [
        Step(call=call, connection="c1", instance="main", stimulus="s"),
        Message(
            connection="c1",
            direction="out",
            call=call,
            payload=body,
            http=Http(method="POST", path=f"/v1/mcp/{method}"),
            t=t,
        ),
        Message(connection="c1", direction="in", call=call, payload=answer, http=Http(status=status), t=t + 5),
    ]


def footer(complete: bool = True) -> Footer:
    return Footer(complete=complete, events=0, calls=0, t=100)


def refusal(code: str) -> dict[str, Json]:
    return {"error": {"code": code, "message": "no", "request_id": "r"}}
