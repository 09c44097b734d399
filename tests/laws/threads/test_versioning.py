"""TH-VER: versions, unknown fields, one answer over every binding."""

from typing import Any

import pytest

from conformance.model.events import Http
from tests.laws.histories import Story
from tests.laws.threads.scene import POST, SHOWN, TH, live, scene

JSON = {"content-type": "application/json"}


def plain(path: str, answer: Any, *, method: str = "POST", status: int = 200, **more: Any) -> Story:
    """A call over plain HTTP."""
    story = Story()
    story.connect("h", transport="http", binding="http", revision=None)
    answers = () if answer is None else (answer,)
    more.setdefault("headers", JSON)
    story.request("", None, *answers, on="h", http=Http(method=method, path=path), status=status, **more)
    return story


@pytest.mark.parametrize(
    ("path", "status", "answer", "verdict"),
    [
        ("/v1/mcp/get_thread", 200, SHOWN, "pass"),
        ("/api/v1/mcp/get_thread", 200, SHOWN, "pass"),
        ("/mcp/get_thread", 200, SHOWN, "fail"),
        ("/v2/mcp/get_thread", 200, SHOWN, "fail"),
        ("/v1/mcp/get_thread", 404, {"detail": "no such path"}, "not_observed"),
        ("/v1/mcp/get_thread", 404, {"error": {"code": "NOT_FOUND"}}, "not_observed"),
        ("/mcp/get_thread", 404, {"error": {"code": "UNKNOWN_PATH"}}, "not_observed"),
    ],
)
def test_paths(path: str, status: int, answer: Any, verdict: str) -> None:
    assert plain(path, answer, status=status).judged("TH-VER-01").verdict == verdict


@pytest.mark.parametrize(
    ("document", "verdict"),
    [
        ({"paths": {"/v1/mcp/get_thread": {}, "/health": {}}}, "pass"),
        ({"servers": [{"url": "https://x.example/v1"}], "paths": {"/mcp/get_thread": {}}}, "pass"),
        ({"paths": {"/mcp/get_thread": {}}}, "fail"),
        ({"servers": [{"url": "http://[x"}, 7], "paths": {"/mcp/get_thread": {}}}, "fail"),
        ({"paths": [1]}, "not_observed"),
    ],
)
def test_documented_paths(document: Any, verdict: str) -> None:
    assert plain("/v1/openapi.json", document, method="GET").judged("TH-VER-01").verdict == verdict


def test_messages_of_version_one() -> None:
    for version, verdict in ((1, "pass"), (2, "fail"), ("1", "fail"), (True, "fail"), (None, "fail")):
        story = scene()
        story.accepted("read_messages", TH, {"messages": [{"schema_version": version}, 7]}, by="a")
        assert story.judged("TH-VER-02").verdict == verdict


@pytest.mark.parametrize("version", [2, 0, "2", None, False, ...])
def test_posts_of_another_version(version: Any) -> None:
    arguments = {name: value for name, value in (POST | {"schema_version": version}).items() if value is not ...}
    story = scene()
    story.accepted("post_message", POST, {"message_id": "m0"}, by="a")
    story.refused("post_message", arguments, "VALIDATION_ERROR", by="a")
    assert story.judged("TH-VER-02").verdict == "pass"
    story.accepted("post_message", arguments, {"message_id": "m"}, by="a")
    assert story.judged("TH-VER-02").verdict == "fail"


@pytest.mark.parametrize("version", ["1", True])
def test_version_one_in_another_type_is_a_fault_of_the_payload(version: Any) -> None:
    """That it is taken is MCP's to warn of: no other version was posted."""
    story = scene()
    story.accepted("post_message", POST, {"message_id": "m0"}, by="a")
    story.accepted("post_message", {**POST, "schema_version": version}, {"message_id": "m"}, by="a")
    assert story.judged("TH-VER-02").verdict == "not_observed"


def test_unknown_fields() -> None:
    story = scene()
    story.accepted("get_thread", {**TH, "x_hint": 1}, SHOWN, by="a")
    assert story.judged("TH-VER-03").verdict == "pass"
    story.refused("get_thread", {**TH, "x_hint": 2}, "VALIDATION_ERROR", by="b")
    assert story.judged("TH-VER-03").verdict == "pass", "its like was not seen"
    story.accepted("get_thread", TH, SHOWN, by="b")
    assert story.judged("TH-VER-03").verdict == "fail"


def test_an_events_version() -> None:
    for kept, verdict in (
        ({"event_version": 2}, "pass"),
        ({}, "warn"),
        (None, "warn"),
        ({"event_version": "2"}, "warn"),
    ):
        story = scene()
        metadata = {"event_type": "fix_pushed", "event_version": 2}
        story.accepted("post_message", {**POST, "kind": "event", "metadata": metadata}, {"message_id": "m1"}, by="a")
        story.accepted("read_messages", TH, {"messages": [{"message_id": "m1", "seq": 1, "metadata": kept}]}, by="b")
        assert story.judged("TH-VER-04").verdict == verdict


def an_event(story: Story, version: Any, *, accepted: bool) -> None:
    metadata = {"event_type": "fix_pushed", **({} if version is None else {"event_version": version})}
    given = {**POST, "kind": "event", "metadata": metadata}
    if accepted:
        story.accepted("post_message", given, {"message_id": f"m{version}"}, by="a")
    else:
        story.refused("post_message", given, "VALIDATION_ERROR", by="a")


@pytest.mark.parametrize(
    ("text", "plain_event", "verdict"),
    [(False, True, "warn"), (True, True, "not_observed"), (False, False, "not_observed")],
)
def test_a_version_of_one_type_is_enough(*, text: bool, plain_event: bool, verdict: str) -> None:
    """No clause says whether a version is a number or a text."""
    story = scene()
    an_event(story, 2, accepted=False)
    an_event(story, "1.1", accepted=text)
    an_event(story, None, accepted=plain_event)
    assert story.judged("TH-VER-04").verdict == verdict


def twice(one: Any, other: Any, **more: Any) -> Story:
    """The same labelled call over two endpoints."""
    story = Story()
    story.connect("m", transport="stdio")
    story.connect("n", transport="http", endpoint=1)
    story.accepted("get_thread", TH, one, on="m", label="get")
    story.accepted("get_thread", {"thread_id": "th_9"}, other, on="n", label="get", **more)
    return story


@pytest.mark.parametrize(
    ("other", "verdict"),
    [
        ({**SHOWN, "thread_id": "th_9", "updated_at": "2026-11-21T12:00:07Z"}, "pass"),
        ({**SHOWN, "status": "closed"}, "fail"),
        ({**SHOWN, "extra": 1}, "fail"),
        ({name: value for name, value in SHOWN.items() if name != "updated_at"}, "fail"),
        ({**SHOWN, "created_at": 1763726400}, "fail"),
        ({"error": {"code": "NOT_FOUND"}}, "fail"),
    ],
)
def test_the_same_call_elsewhere(other: Any, verdict: str) -> None:
    assert twice(SHOWN, other).judged("TH-VER-05").verdict == verdict


def test_a_refusal_that_a_transport_words_otherwise() -> None:
    story = Story()
    story.connect("m", transport="stdio")
    story.connect("n", transport="http", endpoint=1)
    story.refused("get_thread", {}, "VALIDATION_ERROR", on="m", label="malformed")
    story.error("tools/call", {"name": "get_thread", "arguments": {}}, -32602, on="n", label="malformed")
    assert story.judged("TH-VER-05").verdict == "pass"


@pytest.mark.parametrize(("status", "verdict"), [(404, "pass"), (400, "fail")])
def test_two_servers_of_one_binding(status: int, verdict: str) -> None:
    """Where both speak plain HTTP the status is part of the answer."""
    story = Story()
    for number, each in enumerate((404, status)):
        story.connect(f"h{number}", transport="http", binding="http", revision=None, endpoint=number)
        sent = Http(method="POST", path="/v1/mcp/get_thread")
        error = {"error": {"code": "NOT_FOUND", "message": "no", "request_id": f"r{number}"}}
        story.request("", None, error, on=f"h{number}", http=sent, status=each, label="unknown")
    assert story.judged("TH-VER-05").verdict == verdict


def test_one_endpoint_is_compared_with_nothing() -> None:
    story = Story()
    story.accepted("get_thread", TH, SHOWN, label="get")
    assert story.judged("TH-VER-05").verdict == "not_applicable"


def test_calls_without_label_or_with_one_on_one_endpoint_are_compared_with_nothing() -> None:
    story = Story()
    story.accepted("get_thread", TH, SHOWN, label="get")
    story.accepted("get_thread", TH, {}, label="get")
    assert not story.judged("TH-VER-05").subjects


@pytest.mark.parametrize(
    ("headers", "verdict"),
    [
        (JSON, "pass"),
        ({"content-type": "application/json; charset=utf-8"}, "pass"),
        ({"content-type": "text/plain"}, "fail"),
        ({}, "fail"),
    ],
)
def test_bodies(headers: dict[str, str], verdict: str) -> None:
    assert plain("/v1/x", {"error": {}}, status=404, headers=headers).judged("TH-VER-06").verdict == verdict
    assert plain("/v1/x", None, status=404, headers=headers, raw="<h1>").judged("TH-VER-06").verdict == "fail"
    assert not plain("/mcp/get_thread", None, status=404, headers=headers, raw="<h1>").judged("TH-VER-06").subjects


def test_the_reference() -> None:
    found = live("TH-VER-02", "TH-VER-03", "TH-VER-04")
    assert {result.verdict for result in found.values()} == {"pass"}
    assert all(result.subjects for result in found.values())
