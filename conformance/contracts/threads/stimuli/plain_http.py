"""The plain HTTP binding: requests that no method can make anything of, each between good ones."""

from conformance.contracts.threads.bench import METHODS, ThreadsBench
from conformance.drive.bench import in_turn
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json

NO_JSON = (
    b"{",
    b'{"thread_id": ',
    b"not json",
    b"",
    b"{'thread_id': 'x'}",
    b'{"a": NaN}',
    b"\xff\xfe{}",
    b'{"a": "\x00"}',
)
NO_OBJECT: tuple[Json, ...] = ([], ["no", "object"], "text", 7, True)
MEDIA_TYPES = ("text/plain", "application/x-www-form-urlencoded", "application/xml")
HOLDING_NUL: tuple[dict[str, Json], ...] = (
    {"key": "before\0after"},
    {"other\0key": 1},
    {"list": ["one", "before\0after"]},
    {"deep": {"in": [{"other\0key": None}]}},
)
"""Metadata, each with U+0000 in one place alone."""
NO_METHODS = ("constructor", "__proto__", "toString", "no_such_method", "get_thread%00")


@stimulus("threads", exercises=("TH-SRV-04",), bindings=("http",))
async def requests_are_unreadable(bench: ThreadsBench) -> None:
    """Bodies that are no JSON, are no object, have another media type or hold U+0000; paths that are no method."""
    thread = await bench.thread()
    by, about = thread.members[0], {"thread_id": thread.id}
    got = await thread.get()
    base = ((got.asked.path if got.asked is not None else None) or "").rpartition("/")[0]
    for tool in METHODS:
        await in_turn(*(bench.fetch("POST", f"{base}/{tool}", body, credential=by) for body in NO_JSON))
        await thread.get()
        await in_turn(*(bench.fetch("POST", f"{base}/{tool}", body, credential=by) for body in NO_OBJECT))
        await thread.get()
    for media_type in MEDIA_TYPES:
        await bench.fetch("POST", f"{base}/get_thread", about, credential=by, media_type=media_type)
        await thread.get()
    for name in NO_METHODS:
        await bench.fetch("POST", f"{base}/{name}", about, credential=by)
        await thread.get()
    await thread.post("before\0after")
    for holding in HOLDING_NUL:
        await thread.post("metadata", metadata=holding)
        await thread.get()
    for status in ("blocked", "active"):
        await thread.status(status, reason="for\0nothing")
        await thread.status(status)
    await thread.get()
