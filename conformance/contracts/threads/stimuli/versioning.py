"""Sections 1.2 and 9: versions, unknown fields, and the same calls over every binding."""

from conformance.contracts.threads.bench import ThreadsBench
from conformance.contracts.threads.stimuli.examples import examples
from conformance.drive.stimulus import stimulus

VERSIONS = (2, 0, True, None)
"""A text is left to the section on malformed payloads."""


@stimulus("threads", exercises=("TH-VER-02", "TH-ERR-VALIDATION_ERROR"))
async def messages_have_other_versions(bench: ThreadsBench) -> None:
    """A message of version 1, then of others, and of none."""
    thread = await bench.thread()
    await thread.post("of version 1")
    for version in VERSIONS:
        await thread.post("of another", schema_version=version)
    await thread.call("post_message", kind="chat", body="of none")
    await thread.read()


@stimulus("threads", exercises=("TH-VER-03",))
async def requests_have_unknown_fields(bench: ThreadsBench) -> None:
    """Every method with fields that it does not know, and without them."""
    thread = await bench.thread()
    for example in examples(thread):
        await example.call(x_trace_hint="7f3a", x_later_addition={"nested": [1, 2, 3]})
        await example.call()


@stimulus("threads", exercises=("TH-VER-04",))
async def an_event_has_a_version(bench: ThreadsBench) -> None:
    """Events with versions in their metadata, read back by the other participant too."""
    thread = await bench.thread()
    await thread.event("finding_reported", "null fallback", event_version=2, severity="high", task_id="TASK-7")
    await thread.event("fix_pushed", "guarded", event_version="1.1", task_id="TASK-7")
    await thread.read()
    await thread.read(by=bench.worker("b"))


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
    for example in examples(thread):
        if example.tool in ("ack_read", "summarize_thread", "heartbeat_session", "update_thread_status"):
            await example.call(label=example.tool)
    await thread.get(label="get again")
    await thread.call("post_message", schema_version=1, kind="shout", body="hello", label="malformed")
    await thread.get(by=bench.worker("outsider"), label="forbidden")
    await thread.get(by=bench.worker("a", defect="expired"), label="expired token")
    await bench.call("get_thread", {"thread_id": bench.unique("th")}, label="unknown")


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
    await bench.call("get_thread", {"thread_id": bench.unique("th")})
    await thread.call("post_message", schema_version=1, kind="shout", body="hello")
    await bench.call("get_thread", ["no", "object"])
