"""TH-SRV-04: requests over plain HTTP that no method can make anything of."""

from typing import Any

import pytest

from conformance.model.events import Http, Json, Message, Step
from tests.laws.histories import Story
from tests.laws.threads.scene import CREATED, MADE, SHOWN, TH, someone

ERROR = {"error": {"code": "VALIDATION_ERROR", "message": "no", "request_id": "r"}}
JSON = "application/json"


def asked(
    story: Story, body: Json, answer: Json, *, status: int = 200, tool: str = "get_thread", kind: str = JSON,
    by: str = "a", raw: str | None = None, answered: str | None = None,
) -> None:  # fmt: skip
    """A request over plain HTTP; `raw`, `answered`: the body, or the answer's, is this text, and no JSON."""
    story.calls += 1
    about = {"connection": "h", "call": story.calls}
    http = Http(method="POST", path=f"/v1/mcp/{tool}", headers={"content-type": kind})
    story.events.append(Step(**about, instance="main", stimulus="by.hand", credential=by))
    story.events.append(Message(**about, direction="out", payload=body, raw=raw, http=http, t=story.now()))
    side = Http(status=status, headers={"content-type": JSON})
    story.events.append(Message(**about, direction="in", payload=answer, raw=answered, http=side, t=story.now()))


def story() -> Story:
    """A thread was made, and is shown."""
    told = Story()
    told.connect("h", transport="http", binding="http", revision=None, path="/v1")
    for name, role in (("lead", "orchestrator"), ("a", "worker")):
        someone(told, name, role)
    asked(told, MADE, {**TH, "status": "active", "created_at": CREATED}, tool="create_thread", by="lead")
    asked(told, TH, SHOWN)
    return told


REQUESTS: list[dict[str, Any]] = [
    {"body": None, "raw": "{"},
    {"body": ["no", "object"]},
    {"body": TH, "kind": "text/plain"},
    {"body": {"thread_id": "th\0"}},
    {"body": {**TH, "x\0": 1}},
    {"body": TH, "tool": "constructor"},
]


@pytest.mark.parametrize("request_", REQUESTS, ids=str)
@pytest.mark.parametrize(
    ("answer", "status", "verdict"),
    [
        (ERROR, 400, "pass"),
        (ERROR, 404, "pass"),
        ({"error": {"code": "OF_ITS_OWN"}}, 415, "pass"),
        (ERROR, 500, "fail"),
        (ERROR, 200, "fail"),
        (SHOWN, 200, "fail"),
        ({"detail": "Not Found"}, 404, "fail"),
    ],
)
def test_an_unreadable_request(request_: dict[str, Any], answer: Json, status: int, verdict: str) -> None:
    told = story()
    asked(told, answer=answer, status=status, **request_)
    asked(told, TH, SHOWN)
    assert told.judged("TH-SRV-04").breaches == (verdict == "fail")
    assert told.judged("TH-SRV-04").subjects == 1


@pytest.mark.parametrize(
    ("status", "raw", "subjects"), [(400, "<h1>", 0), (404, "<h1>", 1), (500, "<h1>", 1), (400, None, 1)]
)
def test_a_path_that_a_proxy_refuses(status: int, raw: str | None, subjects: int) -> None:
    """What stands before the server decides on U+0000 in a path by itself."""
    told = story()
    asked(told, TH, None if raw else ERROR, status=status, tool="get_thread%00", answered=raw)
    asked(told, TH, SHOWN)
    assert told.judged("TH-SRV-04").subjects == subjects
    shown = told.judged("TH-VER-06")
    assert shown.breaches == (subjects if raw else 0)


def test_a_server_that_does_not_go_on() -> None:
    told = story()
    asked(told, None, ERROR, status=400, raw="{")
    asked(told, TH, ERROR, status=400)
    assert told.judged("TH-SRV-04").breaches == 1


def test_without_a_good_call_before_it_nothing_is_seen() -> None:
    told = Story()
    told.connect("h", transport="http", binding="http", revision=None, path="/v1")
    someone(told, "a")
    asked(told, None, ERROR, status=400, raw="{")
    assert not told.judged("TH-SRV-04").subjects


def test_what_is_no_call_of_a_method_is_judged_as_none() -> None:
    """Neither a body that is no JSON, nor a path beside the endpoint's own, nor another media type."""
    told = story()
    asked(told, None, {"detail": "no"}, status=404, raw="{")
    asked(told, TH, {"detail": "no"}, status=415, kind="text/plain")
    assert not told.judged("TH-ENV-01").subjects
    assert not told.judged("TH-THR-08").subjects
    assert told.judged("TH-SRV-01").breaches == 0


def test_over_mcp_alone_it_does_not_apply() -> None:
    told = Story()
    told.connect("m")
    assert told.judged("TH-SRV-04").verdict == "not_applicable"


def test_a_body_that_is_no_object_is_a_call_that_failed_as_any_other() -> None:
    told = story()
    for _ in range(2):
        asked(told, ["no", "object"], ERROR, status=400)
    assert told.judged("MC-CALL-09").verdict == "not_observed"
    asked(told, TH, SHOWN)
    assert told.judged("MC-CALL-09").verdict == "pass"
