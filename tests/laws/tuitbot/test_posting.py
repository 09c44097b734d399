"""TB-SAFE-06, -07: threads that break, uploads that fail."""

from typing import Any

import pytest

from conformance.model.events import Json
from tests.laws.driven import driven
from tests.laws.tuitbot.bot import GONE, Bot, changed

TWEETS: Json = ["one", "two", "three"]
MIDWAY: Json = {"x_after": {"calls": 2, "failure": "api_error"}}
DATA: dict[str, Json] = {"posted_tweet_ids": ["11", "12"], "failed_at_index": 2}


def broken(
    *, code: str = "thread_partial_failure", sent: int | None = None, condition: Json = MIDWAY, **changes: Any
) -> Bot:
    """A thread of three whose third tweet failed; `sent`: what the target reports that X took."""
    story = Bot(listed=False)
    envelope: Json = {
        "success": False,
        "data": changed(DATA, changes),
        "error": {"code": code, "message": "it failed", "retryable": True},
        "meta": story.meta(),
    }
    call = story.answer("x_post_thread", envelope, {"tweets": TWEETS}, conditions=condition)
    for _ in range(sent or 0):
        story.effect(call, "x_call", instance=story.name, operation="post", outcome="ok")
    if sent is not None:
        story.effect(call, "x_call", instance=story.name, operation="post", outcome="api_error")
    return story


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ({}, "pass"),
        ({"sent": 2}, "pass"),
        ({"sent": 3}, "fail"),
        ({"sent": 1}, "fail"),
        ({"posted_tweet_ids": GONE}, "fail"),
        ({"posted_tweet_ids": [11, 12]}, "fail"),
        ({"failed_at_index": GONE}, "fail"),
        ({"failed_at_index": 1}, "fail"),
        ({"failed_at_index": "2"}, "fail"),
        ({"code": "x_api_error", "sent": 2, "posted_tweet_ids": GONE}, "fail"),
        ({"code": "x_api_error", "posted_tweet_ids": GONE}, "fail"),
        ({"code": "x_api_error", "posted_tweet_ids": GONE, "condition": {}}, "not_observed"),
    ],
)
def test_what_a_broken_thread_tells(changes: dict[str, Any], verdict: str) -> None:
    assert broken(**changes).alone("TB-SAFE-06") == verdict


@pytest.mark.parametrize(("text", "verdict"), [("one", "pass"), ("two", "fail")])
def test_what_was_posted_stays(text: str, verdict: str) -> None:
    story = broken()
    story.good("get_tweet_by_id", {"tweet_id": "11"}, {"id": "11", "text": text})
    assert story.verdict("TB-SAFE-06") == verdict


def test_what_was_posted_is_gone() -> None:
    story = broken()
    story.bad("get_tweet_by_id", "not_found", {"tweet_id": "12"})
    assert story.verdict("TB-SAFE-06") == "fail"
    story.good("x_delete_tweet", {"tweet_id": "12"}, {"deleted": True})
    assert story.verdict("TB-SAFE-06") == "pass"


@pytest.mark.parametrize(("there", "verdict"), [(["one", "two"], "pass"), (["one", "two", "three"], "fail")])
def test_nothing_after_the_failure_is_there(there: list[str], verdict: str) -> None:
    story = broken()
    story.good("x_get_home_timeline", {}, {"data": [{"text": each} for each in there]})
    assert story.verdict("TB-SAFE-06") == verdict


def test_another_post_of_the_same_text_is_no_part_of_the_thread() -> None:
    story = broken()
    story.good("x_post_tweet", {"text": "three"}, {"id": "13"})
    story.good("x_get_home_timeline", {}, {"data": [{"text": "three"}]})
    assert story.verdict("TB-SAFE-06") == "pass"


@pytest.mark.parametrize(
    ("code", "there", "breaches"),
    [
        ("x_api_error", ["two", "one"], 2),
        ("x_api_error", ["three", "two"], 0),
        ("x_api_error", ["three", "two", "one"], 0),
        ("serialization_error", ["two", "one"], 0),
    ],
)
def test_a_refused_thread_of_which_a_list_shows_some(code: str, there: list[str], breaches: int) -> None:
    story = Bot(listed=False)
    story.bad("x_post_thread", code, {"tweets": TWEETS})
    story.good("x_get_home_timeline", {}, {"data": [{"text": each} for each in there]})
    assert story.judged("TB-SAFE-06").breaches == breaches


FAULTS = [
    ("notes.txt", {}, "unsupported_media_type"),
    ("a.png/b.png", {}, "file_read_error"),
    ("a.png", {"media_upload": "failing"}, "media_upload_error"),
]


@pytest.mark.parametrize(("path", "conditions", "code"), FAULTS)
def test_a_failed_upload(path: str, conditions: Json, code: str) -> None:
    story = Bot()
    story.good("x_upload_media", {"file_path": "a.png"}, {"media_id": "m1"})
    call = story.bad("x_upload_media", code, {"file_path": path}, conditions=conditions)
    assert story.verdict("TB-SAFE-07") == "pass"
    story.effect(call, "x_call", instance=story.name, operation="upload", outcome="ok")
    assert story.verdict("TB-SAFE-07") == "fail"


@pytest.mark.parametrize(("code", "breaches"), [("policy_denied_rate_limited", 0), ("thread_partial_failure", 2)])
def test_a_thread_that_the_gate_held_back_is_not_broken_off(code: str, breaches: int) -> None:
    story = Bot()
    given: dict[str, Json] = {"tweets": ["one", "two", "three", "four"]}
    after: dict[str, Json] = {"x_after": {"calls": 2, "failure": "forbidden"}}
    story.bad("x_post_thread", code, given, conditions=after)
    assert story.judged("TB-SAFE-06").breaches == breaches


@pytest.mark.parametrize(("dry", "breaches"), [(True, 0), (False, 1)])
def test_an_upload_that_is_only_asked_about_does_not_fail(*, dry: bool, breaches: int) -> None:
    story = Bot()
    story.good("x_upload_media", {"file_path": "a.png"}, {"media_id": "m1"})
    given: dict[str, Json] = {"file_path": "a.png", "dry_run": dry}
    story.good("x_upload_media", given, {"dry_run": dry, "valid": True}, conditions={"media_upload": "failing"})
    assert story.judged("TB-SAFE-07").breaches == breaches


@pytest.mark.parametrize(("path", "conditions", "code"), FAULTS)
def test_a_failed_upload_that_is_taken(path: str, conditions: Json, code: str) -> None:
    del code
    story = Bot()
    story.good("x_upload_media", {"file_path": "a.png"}, {"media_id": "m1"})
    story.good("x_upload_media", {"file_path": path}, {"media_id": "m2"}, conditions=conditions)
    assert story.verdict("TB-SAFE-07") == "fail"


@pytest.mark.parametrize(
    ("code", "verdict"), [("", "pass"), ("unsupported_media_type", "fail"), ("file_read_error", "not_observed")]
)
def test_an_extension_in_capitals(code: str, verdict: str) -> None:
    story = Bot()
    path: Json = {"file_path": "IMG_1.JPG"}
    story.bad("x_upload_media", code, path) if code else story.good("x_upload_media", path, {"media_id": "m1"})
    assert story.alone("TB-SAFE-07") == "not_observed", "the server may know no such kind of file"
    story.good("x_upload_media", {"file_path": "img_2.jpg"}, {"media_id": "m2"})
    assert story.alone("TB-SAFE-07") == verdict


def test_the_reference_keeps_them() -> None:
    judged = driven("tuitbot", "posting", edition="convergence")
    for identifier in ("TB-SAFE-06", "TB-SAFE-07"):
        outcome = judged.outcome(identifier)
        assert outcome is not None
        assert (outcome.verdict, outcome.subjects > 6) == ("pass", True)
