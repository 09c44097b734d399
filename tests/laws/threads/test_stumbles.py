"""A server that fails now and then is accused of that, not of what the calls asked for at which it failed."""

from collections.abc import Callable

import pytest

from conformance.model.events import Json
from tests.laws.threads.scene import POST, TH
from tests.laws.threads.talk import Talk, message

Fails = Callable[..., int]


def crash(story: Talk, tool: str, arguments: Json, *, by: str = "a") -> int:
    """A call that is answered with an internal error."""
    return story.error("tools/call", {"name": tool, "arguments": arguments}, -32603, "Internal error", by=by)


def exception(story: Talk, tool: str, arguments: Json, *, by: str = "a") -> int:
    """The same as SDKs tell it of a tool that raised: a text that is no envelope."""
    result: Json = {"content": [{"type": "text", "text": "database is locked"}], "isError": True}
    return story.result("tools/call", {"name": tool, "arguments": arguments}, result, by=by)


fails = pytest.mark.parametrize("fail", [crash, exception])


@fails
@pytest.mark.parametrize(("others", "breaches"), [(1, 0), (0, 1)])
def test_a_replay(fail: Fails, others: int, breaches: int) -> None:
    story = Talk()
    for number in range(others + 1):
        story.post(number + 1, idempotency_key=f"k-{number}")
        if number < others:
            story.post(number + 1, idempotency_key=f"k-{number}")
    fail(story, "post_message", {**POST, "idempotency_key": f"k-{others}"})
    assert story.judged("TH-IDEM-01").breaches == breaches


@fails
@pytest.mark.parametrize(("elsewhere", "breaches"), [(False, 0), (True, 1)])
def test_a_key_of_others(fail: Fails, *, elsewhere: bool, breaches: int) -> None:
    """What is served in other threads says nothing of a post in the thread where the key was used."""
    story = Talk()
    story.post(1, idempotency_key="k-1")
    served = {"thread_id": "th_2"} if elsewhere else {"thread_id": "th_1"}
    story.post(2, idempotency_key="k-1", by="b", **served)
    story.post(3, idempotency_key="k-2")
    fail(story, "post_message", {**POST, "idempotency_key": "k-2"}, by="b")
    assert story.judged("TH-IDEM-04").breaches == breaches


@fails
def test_a_post_without_a_key(fail: Fails) -> None:
    story = Talk()
    story.post(1)
    fail(story, "post_message", POST)
    assert story.judged("TH-IDEM-05").breaches == 1
    story.post(2)
    assert story.judged("TH-IDEM-05").breaches == 0


@fails
def test_an_ack_again(fail: Fails) -> None:
    story = Talk()
    story.post(1)
    story.ack(1)
    fail(story, "ack_read", {**TH, "agent_id": "agent-a", "last_read_seq": 1})
    assert story.judged("TH-ACK-05").breaches == 1
    story.ack(1)
    assert story.judged("TH-ACK-05").breaches == 0


@fails
def test_a_write_at_which_the_server_failed_may_have_been_made(fail: Fails) -> None:
    """The replay of a post is no post of its own, though the first was answered with an error."""
    story = Talk()
    fail(story, "post_message", {**POST, "idempotency_key": "k"})
    story.post(1, idempotency_key="k", sender_session_id="other")
    story.read(message(1))
    assert story.judged("TH-MSG-04").subjects == 0
