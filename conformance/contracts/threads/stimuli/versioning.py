"""Sections 1.2 and 9: versions, unknown fields, and the same calls over every binding."""

from conformance.contracts.threads.bench import Thread, ThreadsBench
from conformance.contracts.threads.payloads import FIELDS
from conformance.contracts.threads.stimuli.examples import Example, apart, examples
from conformance.drive.bench import in_turn, side_by_side
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json
from conformance.model.listed import tools_of

VERSIONS = (2, 0, -1, True, None, "1")
EVENT_VERSIONS: dict[str, Json] = {"integer": 2, "number": 2, "string": "1.1"}
"""By the type that a server lists for it."""
OTHERS: dict[str, Json] = {
    "workspace_id": "ws-of-nobody",
    "agent_id": "nobody",
    "created_by": "nobody",
    "session_id": "session-of-nobody",
    "sender_agent_id": "nobody",
    "thread_id": "th_of_nothing",
    "status": "shouted",
    "kind": "shout",
    "type": "none",
    "limit": -1,
    "schema_version": 7,
    "metadata": "no object",
    "participants": "nobody",
    "idempotency_key": ["no", "text"],
}
"""Fields that one method knows, with values that would be wrong there: in another they are unknown."""


@stimulus("threads", exercises=("TH-VER-02", "TH-ERR-VALIDATION_ERROR"))
async def messages_have_other_versions(bench: ThreadsBench) -> None:
    """A message of version 1, then the same of others, and of none."""
    thread = await bench.thread()
    await thread.post("of some version")
    await thread.read()
    for version in VERSIONS:
        await thread.post("of some version", schema_version=version)
    await thread.call("post_message", kind="chat", body="of some version")
    await thread.read()
    await thread.post("of some version")
    await thread.read()


@stimulus("threads", exercises=("TH-VER-03",))
async def requests_have_unknown_fields(bench: ThreadsBench) -> None:
    """Every method with fields that nobody knows, with fields that other methods know, and without them."""
    await side_by_side(*map(_with_more, await apart(bench)))


async def _with_more(example: Example) -> None:
    await example.call()
    own = {*FIELDS[example.tool], *({"schema_version"} if example.tool == "post_message" else ())}
    others = {name: value for name, value in OTHERS.items() if name not in own}
    for more in ({"x_trace_hint": "7f3a", "x_later_addition": {"nested": [1, 2, 3]}}, others):
        new = await example.anew()
        await new.call(**more)
        await new.call()


@stimulus("threads", exercises=("TH-VER-04",))
async def an_event_has_a_version(bench: ThreadsBench) -> None:
    """Events with versions in their metadata, of a type that the server lists or of several, and the same without."""
    thread = await bench.thread()
    for event_type in ("finding_reported", "fix_pushed"):
        for version in _versions(bench):
            await thread.event(event_type, "versioned", event_version=version, severity="high", task_id="TASK-7")
        await thread.event(event_type, "versioned", severity="high", task_id="TASK-7")
    await thread.read()
    await thread.read(by=bench.worker("b"))


def _versions(bench: ThreadsBench) -> list[Json]:
    """What may be tried as a version: of the type that the server lists for it; of each where it lists none."""
    for listing in bench.session.recorder.history.listings:
        for tool in tools_of(listing):
            at: Json = tool.input_schema if tool.name == "post_message" else None
            for name in ("metadata", "event_version"):
                known = at.get("properties") if isinstance(at, dict) else None
                at = known.get(name) if isinstance(known, dict) else None
            kind = at.get("type") if isinstance(at, dict) else None
            if isinstance(kind, str) and kind in EVENT_VERSIONS:
                return [EVENT_VERSIONS[kind]]
    return list(dict.fromkeys(EVENT_VERSIONS.values()))


@stimulus("threads", exercises=("TH-VER-05",), every_endpoint=True)
async def the_same_calls_are_made_everywhere(bench: ThreadsBench) -> None:
    """Each method, and failures, with one label over each endpoint."""
    thread = await bench.thread(label="create")
    await thread.post("hello", key="k-1", label="post")
    await thread.post("hello", key="k-1", label="replay")
    await thread.post("another", key="k-1", label="reused key")
    await thread.event("finding_reported", "null fallback", severity="high", task_id="TASK-7")
    await thread.get(label="get")
    await thread.read(limit=1, label="first page")
    await thread.read(since_seq=1, label="second page")
    await in_turn(*(example.call(label=example.tool) for example in examples(thread) if example.tool in COMPARED))
    await thread.get(label="get again")
    await _failures(thread)


COMPARED = ("ack_read", "summarize_thread", "heartbeat_session", "update_thread_status", "trigger_participant")


async def _failures(thread: Thread) -> None:
    bench = thread.bench
    await thread.call("post_message", schema_version=1, kind="shout", body="hello", label="malformed")
    await thread.call("post_message", schema_version=2, kind="chat", body="hello", label="of another version")
    await thread.get(by=bench.worker("outsider"), label="forbidden")
    for defect in ("expired", "missing", "signature", "missing:jti"):
        await thread.get(by=bench.worker("a", defect=defect), label=f"token {defect}")
    await thread.call("get_thread", thread_id=bench.unique("th"), label="unknown")
    await thread.call("ack_read", last_read_seq=1_000, label="ack beyond the end")
    await thread.call("read_messages", agent_id="nobody", label="in another's name")


@stimulus("threads", exercises=("TH-VER-01", "TH-VER-06"), bindings=("http",))
async def paths_are_tried(bench: ThreadsBench) -> None:
    """A method at its path, at that path without a version and with another, and the OpenAPI document."""
    thread = await bench.thread()
    got = await thread.get()
    path = (got.asked.path if got.asked is not None else None) or ""
    base = path.partition("/v1/")[0]
    await bench.fetch("GET", f"{base}/v1/openapi.json")
    for place in (f"{base}/mcp/get_thread", f"{base}/v2/mcp/get_thread"):
        await bench.fetch("POST", place, {"thread_id": thread.id}, credential=thread.members[0])


@stimulus("threads", exercises=("TH-VER-06", "TH-ENV-01"), bindings=("http",))
async def plain_http_fails(bench: ThreadsBench) -> None:
    """Failures of several statuses: expired token, forbidden, unknown, malformed."""
    thread = await bench.thread()
    await thread.get(by=bench.worker("a", defect="expired"))
    await thread.get(by=bench.worker("outsider"))
    await thread.call("get_thread", thread_id=bench.unique("th"))
    await thread.call("post_message", schema_version=1, kind="shout", body="hello")
    await bench.call("get_thread", ["no", "object"])
