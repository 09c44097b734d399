"""Sections 1.2 and 9: versions of paths, messages and events; what is added; one answer over every binding."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from urllib.parse import urlsplit

from conformance.contract.catalogue import Contract
from conformance.contracts.threads.known import Known, Place, known
from conformance.contracts.threads.laws.allowed import allowed_of, controls
from conformance.contracts.threads.laws.effects import without_effect
from conformance.contracts.threads.laws.faulty import VERSION, beside
from conformance.contracts.threads.laws.plain_http import refused_by_http
from conformance.contracts.threads.laws.posted import pages
from conformance.contracts.threads.options import options
from conformance.contracts.threads.payloads import FIELDS, SCHEMA_VERSION, misversioned
from conformance.judge.bindings import elsewhere, endpoints
from conformance.judge.conditional import Beside
from conformance.judge.controls import ButFor, but_for
from conformance.judge.difference import difference
from conformance.judge.faults import declined, stumbled
from conformance.judge.judgements import HELD, MISSING, breach, holds, told
from conformance.judge.law import exchange_law, law
from conformance.model.events import Json
from conformance.model.exchange import INVALID_PARAMS, UNAUTHORIZED_STATUS, Exchange
from conformance.model.history import History
from conformance.model.verdict import UNSAID, Judgement

PREFIX = "/v1/"
DOCUMENT = "openapi.json"
MALFORMED = "VALIDATION_ERROR"
VERSIONED = {"post_message": frozenset({"schema_version"})}
"""Fields that have a requirement of their own."""


@exchange_law("TH-VER-01")
def endpoints_are_versioned(call: Exchange, _: Contract) -> Iterator[Judgement]:
    """Over plain HTTP a method is served, and documented, at a path that has /v1 before it, and at no other."""
    path = (call.asked.path if call.asked is not None else None) or ""
    method = path.rpartition("/")[2]
    if call.connection.binding != "http" or not call.accepted:
        return
    if method in FIELDS:
        yield holds(PREFIX in path, f"{method} is served at {path}", call, expected=f"{PREFIX}…", got=path)
    elif path.endswith(DOCUMENT) and call.response is not None:
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


@law("TH-VER-02", compares="entity")
def messages_are_of_version_one(history: History, contract: Contract) -> Iterator[Judgement]:
    """A message that is read has schema_version 1, and one that is posted with another, or with none, is refused.

    The refusal is judged where the same message of version 1 is accepted.
    """
    threads = known(history, contract)
    for read in history.accepted("read_messages"):
        messages = read.given.get("messages")
        for number, message in enumerate(messages if isinstance(messages, list) else []):
            if isinstance(message, dict):
                version = message.get("schema_version", MISSING)
                one = version == SCHEMA_VERSION and not isinstance(version, bool)
                place = f"/messages/{number}/schema_version"
                yield holds(one, f"schema_version is {version!r}", read, pointer=place, expected=1, got=version)
    posts = [post for post in threads.with_any(MALFORMED) if misversioned(post.tool or "", post.arguments)]
    wrong = [post for post in posts if not threads.faults(post).fields and not _spells_one(post)]
    yield from without_effect(history, contract, wrong, VERSION, _version, expected=MALFORMED)


def _spells_one(post: Exchange) -> bool:
    """Whether its version is 1 in another type: that is a fault of the payload alone."""
    version = post.argument("schema_version")
    return version is True or version == str(SCHEMA_VERSION)


def _version(post: Exchange) -> str:
    return f"with schema_version {post.argument('schema_version')!r}"


@law("TH-VER-03")
def unknown_fields_are_ignored(history: History, contract: Contract) -> Iterator[Judgement]:
    """A good call with fields that its method does not know is served, if the same call without them is."""
    known_options = frozenset(options(history, contract).values())

    def unknown(call: Exchange) -> frozenset[str]:
        tool = call.tool or ""
        own = known_options if tool == "trigger_participant" else VERSIONED.get(tool, frozenset())
        return frozenset(call.arguments) - FIELDS[tool].keys() - own

    found = controls(history, contract)
    good = list(allowed_of(history, contract, *FIELDS))
    for call in good:
        names = sorted(unknown(call))
        if call.accepted and names:
            yield HELD
        elif call.refused and names and not stumbled(call, good):
            like = found.around(call, but_for(*names), lambda one: not unknown(one))
            if like is not None:
                saw = f"{call.tool} with the unknown {', '.join(names)} ended as {told(call)}"
                yield breach(saw, call, beside=like)


@law("TH-VER-04")
def an_events_version_is_kept(history: History, contract: Contract) -> Iterator[Judgement]:
    """An event posted with metadata.event_version is read back with it, and accepted where it is without the version.

    The document gives the version no type: a server that refuses one type and accepts another keeps this.
    """
    posted: dict[tuple[Place, str], Exchange] = {}
    refused: dict[str, list[Exchange]] = defaultdict(list)
    for post in history.calls("post_message"):
        place, message_id = Known.place(post), post.given.get("message_id")
        if place is None or not _versioned(post):
            continue
        if post.accepted and isinstance(message_id, str):
            posted[place, message_id] = post
        elif declined(post):
            refused[post.instance].append(post)
    for instance, posts in refused.items():
        if not any(place[0] == instance for place, _ in posted):
            yield from _all_refused(posts, beside(history, contract, UNVERSIONED))
    for page in pages(history, contract):
        for message in page.messages:
            event = posted.get((page.place, str(message.get("message_id"))))
            if event is not None:
                pointer = f"/messages/{page.entries.index(message)}/metadata/event_version"
                yield _kept(event, page.read, message.get("metadata"), pointer)


def _versioned(post: Exchange) -> bool:
    metadata = post.argument("metadata")
    return post.argument("kind") == "event" and isinstance(metadata, dict) and "event_version" in metadata


def _all_refused(posts: Sequence[Exchange], look: Beside) -> Iterator[Judgement]:
    """Several types were tried, and each was refused though the event is accepted without a version."""
    types = {type(post.argument("metadata")["event_version"]) for post in posts}
    likes = [(like, post) for post in posts if (like := look(post)) is not None]
    if len(types) > 1 and likes:
        like, post = likes[-1]
        yield breach(f"an event with event_version, of whatever type, ended as {told(post)}", post, beside=like)


def _unversioned(post: Exchange) -> Json:
    """A post's arguments without the version of its event."""
    given, metadata = post.arguments, post.argument("metadata")
    if not isinstance(given, dict) or not isinstance(metadata, dict):
        return given
    return {**given, "metadata": {name: value for name, value in metadata.items() if name != "event_version"}}


UNVERSIONED = ButFor(shape=_unversioned)


def _kept(event: Exchange, read: Exchange, metadata: Json, pointer: str) -> Judgement:
    wanted = event.argument("metadata")["event_version"]
    got = metadata.get("event_version", MISSING) if isinstance(metadata, dict) else MISSING
    kept = difference(wanted, got) is None
    return holds(kept, f"event_version is {got!r}", event, read, pointer=pointer, expected=wanted, got=got)


def _alone(history: History, _: Contract) -> str:
    return "" if endpoints(history) > 1 else "only one endpoint of the target is given, and nothing to compare it with"


@law("TH-VER-05", absent=_alone)
def a_method_answers_alike_over_every_endpoint(history: History, _: Contract) -> Iterator[Judgement]:
    """The same call gives the same answer at each of the target's endpoints, except for ids and times.

    Over plain HTTP the status counts as well.
    """
    for first, other in elsewhere(history):
        if first.tool not in FIELDS or first.tool != other.tool:
            continue
        where = f"{other.connection.binding} over {other.connection.transport}"
        where += f" (endpoint {other.connection.endpoint + 1})"
        one, two = outcome(first), outcome(other)
        plain = {first.connection.binding, other.connection.binding} == {"http"}
        if one != two:
            saw = f"{other.tool} ended as {told(other)} with {where}, elsewhere as {told(first)}"
            yield breach(saw, first, other, expected=one, got=two)
        elif plain and first.status != other.status:
            saw = f"{other.tool} was answered with HTTP {other.status} with {where}, elsewhere with {first.status}"
            yield breach(saw, first, other, expected=first.status, got=other.status)
        elif first.accepted:
            parted = difference(first.payload, other.payload, alike=own)
            saw = f"{other.tool} gives something else with {where}"
            pointer, expected, got = parted or ("", UNSAID, None)
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
ITEMS = "open_items"
"""What names an open item, and by which keys, is the server's own."""


def own(pointer: str, first: Json, other: Json) -> bool:
    """Whether two texts may differ because each is about entities of its own: ids, instants, words about them."""
    names = [name for name in pointer.split("/") if not name.isdecimal()]
    name = names[-1] if names else ""
    named = name in WORDS or ITEMS in names or name.endswith(("id", "_at", "_until", "participants"))
    return named and isinstance(first, str) and isinstance(other, str)


@exchange_law("TH-VER-06")
def bodies_are_json(call: Exchange, _: Contract) -> Iterator[Judgement]:
    """Under /v1 every answer's body is JSON and declared as application/json."""
    path = (call.asked.path if call.asked is not None else None) or ""
    if call.connection.binding != "http" or call.answered is None or PREFIX not in path or refused_by_http(call):
        return
    declared = call.answered.headers.get("content-type", MISSING)
    media = declared.partition(";")[0].strip().lower()
    if call.raw is not None:
        yield breach(f"the body of HTTP {call.status} is no JSON, declared as {declared}", call, got=declared)
    else:
        saw = f"the body of HTTP {call.status} is declared as {declared}"
        yield holds(media == "application/json", saw, call, expected="application/json", got=declared)
