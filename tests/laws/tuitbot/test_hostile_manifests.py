"""No law on manifests, profiles, policy and safety is thrown by a value of the wrong type, wherever it stands."""

import pytest

from conformance.judge.judge import judge
from conformance.judge.library import import_laws
from conformance.model.events import Document, Json
from tests.laws.tuitbot.bot import Bot
from tests.laws.tuitbot.test_hostile_values import VALUES, told

SECTIONS = ("TB-MAN-", "TB-PROF-", "TB-POL-", "TB-SAFE-")
ENTRY: dict[str, Json] = {
    "name": "get_mode",
    "category": "meta",
    "mutation": False,
    "requires_x_client": False,
    "requires_llm": False,
    "requires_db": False,
    "profiles": ["workflow"],
    "possible_error_codes": ["db_error"],
}
CANDIDATE: dict[str, Json] = {"tweet_id": "5", "author_username": "ada", "already_replied": False}
ITEM: dict[str, Json] = {"candidate_id": "5", "pre_drafted_text": "a b c d e"}
ANSWER: dict[str, Json] = {"candidate_id": "5", "status": "executed", "reply_tweet_id": "9"}
HELD: tuple[dict[str, Json], ...] = (
    {"routed_to_approval": True, "approval_queue_id": 1, "reason": "rule"},
    {"dry_run": True, "would_execute": "x_post_tweet", "params": "{}"},
)
POSTED: dict[str, Json] = {"posted_tweet_ids": ["1"], "failed_at_index": 1}


def each_key(whole: dict[str, Json], value: Json) -> list[dict[str, Json]]:
    """The value under each of the keys, one at a time, and the whole as it is."""
    return [whole, *({**whole, name: value} for name in whole)]


def policed(value: Json) -> Bot:
    """The value in decisions of the gate, candidates, proposals, words on approvals, threads, effects and tweets."""
    story = told(value)
    effect = story.good("x_post_tweet", {"text": "a"})
    story.effect(effect, "x_call", instance=story.name, outcome=value)
    for held in HELD:
        for data in each_key(held, value):
            story.good("x_post_tweet", {"text": "a"}, data)
            story.good("list_pending_approvals", {}, [data, {"id": value}, value])
    for tool in ("approve_item", "reject_item", "approve_all"):
        story.good(tool, {"id": value}, {"ids": value})
        story.good(tool, {"id": value}, {"ids": [value]})
    for candidate in each_key(CANDIDATE, value):
        story.good("find_reply_opportunities", {}, {"candidates": [candidate, value]})
        for item in each_key(ITEM, value):
            story.good("propose_and_queue_replies", {"items": [item]}, [ANSWER])
        for answer in each_key(ANSWER, value):
            story.good("propose_and_queue_replies", {"items": [ITEM]}, [answer])
    story.good("get_config", {}, {"limits": {"banned_phrases": value, "max_replies_per_author_per_day": value}})
    for data in each_key(POSTED, value):
        story.answer(
            "x_post_thread",
            {"success": False, "data": data, "error": {"code": "thread_partial_failure"}},
            {"tweets": ["a", value]},
        )
    for read in ("x_get_home_timeline", "get_tweet_by_id"):
        story.good(read, {"tweet_id": value}, {"data": [{"text": value}, value], "text": value})
        story.good(read, {"tweet_id": value}, {"data": value})
        story.good("x_like_tweet", {"tweet_id": value}, value)
        story.good(read, {"tweet_id": value}, {"data": [value]})
    return story


def errors(story: Bot) -> list[str]:
    """The laws that failed."""
    import_laws(story.contract)
    outcomes = judge(story.events, story.contract).outcomes
    return [f"{o.id}: {o.reason}" for o in outcomes if o.verdict == "error" and o.id.startswith(SECTIONS)]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: repr(value)[:12])
def test_every_law_stands(value: Json) -> None:
    assert errors(policed(value)) == []


@pytest.mark.parametrize("value", VALUES, ids=lambda value: repr(value)[:12])
def test_every_law_stands_with_a_manifest(value: Json) -> None:
    story = policed(value)
    rows = [value, *each_key(ENTRY, value), *({**ENTRY, name: [value]} for name in ENTRY)]
    story.events.append(Document(name="manifest", content=rows))
    story.list([value, {"name": value}, {"name": "get_mode", "annotations": value}], instance=story.name)
    assert errors(story) == []


@pytest.mark.parametrize("value", VALUES, ids=lambda value: repr(value)[:12])
def test_a_manifest_that_is_no_list(value: Json) -> None:
    story = policed(0)
    story.events.append(Document(name="manifest", content=value))
    assert errors(story) == []
