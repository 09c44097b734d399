"""Sections 1.2 and 9: versions of paths, messages and events; what is added; one answer over every binding."""

from collections.abc import Iterator
from urllib.parse import urlsplit

from conformance.contract.catalogue import Contract
from conformance.contracts.threads.known import Known, known
from conformance.contracts.threads.payloads import FIELDS, SCHEMA_VERSION, misversioned
from conformance.judge.bindings import elsewhere
from conformance.judge.difference import difference
from conformance.judge.judgements import MISSING, breach, holds, told
from conformance.judge.law import exchange_law, law
from conformance.judge.likeness import having
from conformance.model.events import Json
from conformance.model.exchange import INVALID_PARAMS, UNAUTHORIZED_STATUS, Exchange
from conformance.model.history import History
from conformance.model.verdict import HELD, Judgement

PREFIX = "/v1/"
DOCUMENT = "openapi.json"
NO_SUCH_PATH = 404
MALFORMED = "VALIDATION_ERROR"
SPECIFIED = frozenset({"schema_version", "force", "audit", "allow_defer", "allow_fallback"})
"""Fields beside those of the payloads that some server may know."""


@exchange_law("TH-VER-01")
def endpoints_are_versioned(call: Exchange, contract: Contract) -> Iterator[Judgement]:
    """Over plain HTTP a method is served, and documented, at a path that has /v1 before it, and at no other."""
    if call.connection.binding != "http":
        return
    path = (call.asked.path if call.asked is not None else None) or ""
    if call.tool in FIELDS:
        if call.accepted:
            yield holds(PREFIX in path, f"{call.tool} is served at {path}", call, expected=f"{PREFIX}…", got=path)
        elif PREFIX in path and call.status == NO_SUCH_PATH and call.code not in contract.errors:
            yield breach(f"{call.tool} is not served at {path}", call, got=call.status)
    elif call.accepted and path.endswith(DOCUMENT) and call.response is not None:
        for place in _documented(call.response):
            yield holds(PREFIX in place, f"a method is documented at {place}", call, pointer="/paths", got=place)


def _documented(document: dict[str, Json]) -> Iterator[str]:
    """The paths of the contract's methods, each behind that of the server it is on."""
    servers, paths = document.get("servers"), document.get("paths")
    urls = [server.get("url") for server in servers if isinstance(server, dict)] if isinstance(servers, list) else []
    bases = [_path(url) for url in urls if isinstance(url, str)] or [""]
    for place in paths if isinstance(paths, dict) else ():
        if place.rpartition("/")[2] in FIELDS:
            yield from (f"{base}{place}" for base in bases)


def _path(url: str) -> str:
    try:
        return urlsplit(url).path.rstrip("/")
    except ValueError:
        return ""


@law("TH-VER-02")
def messages_are_of_version_one(history: History, contract: Contract) -> Iterator[Judgement]:
    """A message that is read has schema_version 1, and one that is posted with another, or with none, is refused."""
    threads = known(history, contract)
    for read in history.accepted("read_messages"):
        messages = read.given.get("messages")
        for number, message in enumerate(messages if isinstance(messages, list) else []):
            if isinstance(message, dict):
                version = message.get("schema_version", MISSING)
                one = version == SCHEMA_VERSION and not isinstance(version, bool)
                place = f"/messages/{number}/schema_version"
                yield holds(one, f"schema_version is {version!r}", read, pointer=place, expected=1, got=version)
    for post in threads.with_any("VALIDATION_ERROR"):
        if (
            post.received is not None
            and misversioned(post.tool or "", post.arguments)
            and not threads.faults(post).fields
        ):
            version = post.argument("schema_version")
            yield holds(post.refused, f"schema_version {version!r} ended as {told(post)}", post, expected=MALFORMED)


@law("TH-VER-03")
def unknown_fields_are_ignored(history: History, contract: Contract) -> Iterator[Judgement]:
    """A call with fields that its method does not know is served wherever its like without them is."""
    threads = known(history, contract)
    calls = [call for call in threads.with_only() if threads.faults(call).none]
    for call, like in having(calls, unknown_fields):
        if call.accepted:
            yield HELD
        elif like is not None and (call.code == MALFORMED or call.protocol_code == INVALID_PARAMS):
            names = ", ".join(sorted(unknown_fields(call)))
            yield breach(f"{call.tool} with the unknown {names} ended as {told(call)}", like, call)


def unknown_fields(call: Exchange) -> frozenset[str]:
    """The fields of a call that the document does not name."""
    if not isinstance(call.arguments, dict):
        return frozenset()
    return frozenset(call.arguments) - FIELDS.get(call.tool or "", {}).keys() - SPECIFIED


@law("TH-VER-04")
def an_events_version_is_kept(history: History, contract: Contract) -> Iterator[Judgement]:
    """An event posted with metadata.event_version is accepted, and read back with it."""
    threads = known(history, contract)
    posted: dict[tuple[str, Json, str], Exchange] = {}
    for post in history.calls("post_message"):
        metadata = post.argument("metadata")
        if post.argument("kind") != "event" or not isinstance(metadata, dict) or "event_version" not in metadata:
            continue
        message_id = post.given.get("message_id")
        if post.accepted and isinstance(message_id, str) and Known.place(post) is not None:
            posted[post.instance, post.argument("thread_id"), message_id] = post
        elif post.refused and threads.faults(post).none and post.code == MALFORMED:
            yield breach(f"an event with event_version ended as {told(post)}", post)
    for read in history.accepted("read_messages"):
        messages, place = read.given.get("messages"), Known.place(read)
        for number, message in enumerate(messages if isinstance(messages, list) else []):
            message_id = message.get("message_id") if isinstance(message, dict) else None
            event = posted.get((*place, message_id)) if place is not None and isinstance(message_id, str) else None
            if event is not None:
                yield _kept(event, read, message.get("metadata"), f"/messages/{number}/metadata/event_version")


def _kept(event: Exchange, read: Exchange, metadata: Json, pointer: str) -> Judgement:
    wanted = event.argument("metadata")["event_version"]
    got = metadata.get("event_version", MISSING) if isinstance(metadata, dict) else MISSING
    kept = difference(wanted, got) is None
    return holds(kept, f"event_version is {got!r}", event, read, pointer=pointer, expected=wanted, got=got)


@law("TH-VER-05")
def a_method_answers_alike_over_every_binding(history: History, _: Contract) -> Iterator[Judgement]:
    """The same call gives the same answer over MCP and plain HTTP, whatever the transport, but for ids and times."""
    for first, other in elsewhere(history):
        if first.tool not in FIELDS or first.tool != other.tool:
            continue
        where = f"{other.connection.binding} over {other.connection.transport}"
        one, two = outcome(first), outcome(other)
        if one != two:
            saw = f"{other.tool} ended as {told(other)} with {where}, elsewhere as {told(first)}"
            yield breach(saw, first, other, expected=one, got=two)
        elif first.accepted:
            parted = difference(first.payload, other.payload, alike=own)
            saw = f"{other.tool} gives something else with {where}"
            pointer, expected, got = parted or ("", None, None)
            yield holds(parted is None, saw, first, other, pointer=pointer, expected=expected, got=got)
        else:
            yield HELD


def outcome(call: Exchange) -> str:
    """How a call ended: success, or the code of its refusal, also where a binding says it without the envelope."""
    if call.accepted:
        return "success"
    by_protocol = {INVALID_PARAMS: MALFORMED}.get(call.protocol_code or 0)
    by_status = "UNAUTHORIZED" if call.status == UNAUTHORIZED_STATUS else None
    return call.code or by_protocol or by_status or "refused"


WORDS = ("summary", "message", "title", "runtime_command", "defer_reason")


def own(pointer: str, first: Json, other: Json) -> bool:
    """Whether two texts may differ because each is about entities of its own: ids, instants, words about them."""
    names = [name for name in pointer.split("/") if not name.isdecimal()]
    name = names[-1] if names else ""
    named = name in WORDS or name.endswith(("id", "_at", "_until", "participants", "open_items"))
    return named and isinstance(first, str) and isinstance(other, str)


@exchange_law("TH-VER-06")
def bodies_are_json(call: Exchange, _: Contract) -> Iterator[Judgement]:
    """Over plain HTTP every answer's body is JSON and declared as application/json."""
    if call.connection.binding != "http" or call.answered is None:
        return
    declared = call.answered.headers.get("content-type", MISSING)
    media = declared.partition(";")[0].strip().lower()
    if call.raw is not None:
        yield breach(f"the body of HTTP {call.status} is no JSON, declared as {declared}", call, got=declared)
    else:
        saw = f"the body of HTTP {call.status} is declared as {declared}"
        yield holds(media == "application/json", saw, call, expected="application/json", got=declared)
