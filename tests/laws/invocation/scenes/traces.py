"""What ties calls together: correlation, streams."""

from conformance.model.events import Json
from tests.laws.invocation.desk import echo
from tests.laws.invocation.scenes.scene import GIVEN, RUN, Scene, scene


@scene("IR-COR-01")
def generated(it: Scene) -> None:
    for number in range(2):
        made = "same" if it.broken else f"made-{number}"
        it.desk.ok("echo", GIVEN, echo(), without=("correlationId",), result={"correlationId": made})


@scene("IR-COR-02")
def propagated(it: Scene) -> None:
    call = it.desk.ok("echo", GIVEN, echo())
    it.desk.t += 2_000_000
    it.desk.shown("execution", call, RUN)
    it.desk.shown("event", call, {"name": "ToolInvoked"}, *([] if it.broken else [{"name": "ToolSucceeded"}]))
    call = it.desk.calls + 1
    it.desk.ok("mcp::kit::echo", GIVEN, {"text": "x", "correlationId": f"c-{call}"})


@scene("IR-COR-03")
def caused(it: Scene) -> None:
    inner = {"status": "Ok", "output": echo()}
    call = it.desk.ok("relay", {"tool": "local::kit.echo", "input": GIVEN}, {"result": inner})
    cause = {} if it.broken else {"causationId": "inv-1"}
    it.desk.shown("audit", call, {"tool": "local::kit.relay", "invocationId": "inv-1"},
                  {"invocationId": "inv-2", **cause})  # fmt: skip


@scene("IR-COR-04")
def linked(it: Scene) -> None:
    call = it.desk.ok("relay", {"tool": "local::kit.echo", "input": GIVEN}, {"result": {}})
    link = {} if it.broken else {"links": ["span-1"]}
    it.desk.shown("span", call, {"tool": "local::kit.relay", "spanId": "span-1"}, {"spanId": "span-2", **link})


ASKED = {"progressToken": 7, "io.modelcontextprotocol/logLevel": "debug"}


def streamed(it: Scene, *, frames: int, wrong: Json = None, given: Json = None, ends: str = "") -> int:
    """A stream whose frames come before its Result."""
    it.desk.together()
    entered = given or {"frames": frames}
    ask = it.desk.ok("stream", entered, {"frames": frames}, meta=ASKED) if not ends else it.desk.no(
        "stream", entered, ends, meta=ASKED)  # fmt: skip
    for number in range(1, frames + 1):
        sequence = wrong if wrong is not None and number == frames else number
        it.desk.frame(ask, correlationId=f"c-{ask}", sequence=sequence, event="partial", data={"n": number})
    it.desk.settle()
    return ask


@scene("IR-STR-01")
def partials(it: Scene) -> None:
    streamed(it, frames=3)
    if it.broken:
        it.desk.ok("stream", {"frames": 2}, {"frames": 2}, meta=ASKED)


@scene("IR-STR-02")
def numbered(it: Scene) -> None:
    streamed(it, frames=3, wrong=2 if it.broken else None)


@scene("IR-STR-03")
def failed_stream(it: Scene) -> None:
    given = {"frames": 5, "failAt": 3}
    it.like("stream", {"frames": 0}, {"frames": 0})
    if it.control:
        streamed(it, frames=2, given=given, ends="" if it.broken else "DownstreamFailed")
    else:
        it.desk.no("stream", given, "DownstreamFailed", meta=ASKED)
