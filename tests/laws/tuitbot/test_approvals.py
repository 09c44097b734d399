"""TB-POL-03, -04: what waits in the queue, and what becomes of it."""

import pytest

from conformance.model.events import Json
from tests.laws.tuitbot.bot import Bot, rule

TEXT = "only once"


def posts_before(story: Bot) -> None:
    """The home timeline shows what the account posts."""
    story.good("x_post_tweet", {"text": "old"}, {"id": "99", "text": "old"})
    story.good("x_get_home_timeline", {}, {"data": [{"id": "99", "text": "old"}]})


class Queue(Bot):
    """A post that waits as item 7, after one that did not."""

    def __init__(self, statement: Json = None) -> None:
        super().__init__(listed=False, statement=statement)
        posts_before(self)
        self.good("x_post_tweet", {"text": TEXT}, {"routed_to_approval": True, "approval_queue_id": 7, "reason": "r"})

    def say(self, tool: str, *, sent: int = 0, item: int = 7, refused: str = "") -> None:
        """A word on an item, with so many calls of X."""
        data: Json = {"ids": [item]} if tool == "approve_all" else {"status": "done", "id": item}
        arguments: Json = {} if tool == "approve_all" else {"id": item}
        call = self.bad(tool, refused, arguments) if refused else self.good(tool, arguments, data)
        for _ in range(sent):
            self.effect(call, "x_call", instance=self.name, operation="post", outcome="ok")

    def timeline(self, copies: int) -> None:
        """The text so many times."""
        tweets = [{"id": str(number), "text": TEXT} for number in range(copies)]
        self.good("x_get_home_timeline", {}, {"data": [{"id": "99", "text": "old"}, *tweets]})


@pytest.mark.parametrize(("ids", "verdict"), [([7], "pass"), ([3, 7], "pass"), ([], "fail"), ([3], "fail")])
def test_it_waits(ids: list[int], verdict: str) -> None:
    story = Queue()
    story.good("list_pending_approvals", {}, [{"id": each} for each in ids])
    assert story.verdict("TB-POL-03") == verdict


def test_it_waits_no_more_when_a_word_was_said() -> None:
    story = Queue()
    story.say("approve_all")
    story.good("list_pending_approvals", {}, [])
    assert story.verdict("TB-POL-03") == "pass"


@pytest.mark.parametrize("word", ["approve_item", "approve_all"])
@pytest.mark.parametrize(("copies", "verdict"), [(0, "fail"), (1, "pass"), (2, "fail")])
def test_what_is_approved_is_there_once(word: str, copies: int, verdict: str) -> None:
    story = Queue()
    story.say(word)
    story.timeline(copies)
    assert story.verdict("TB-POL-04") == verdict


def test_a_timeline_of_others_tells_nothing_of_what_is_not_in_it() -> None:
    story = Bot(listed=False)
    story.good("x_post_tweet", {"text": "old"}, {"id": "99", "text": "old"})
    routed: Json = {"routed_to_approval": True, "approval_queue_id": 7, "reason": "r"}
    story.good("x_post_tweet", {"text": TEXT}, routed)
    story.good("approve_item", {"id": 7}, {"status": "approved", "id": 7})
    story.good("x_get_home_timeline", {}, {"data": [{"id": "5", "text": "of another"}]})
    assert story.judged("TB-POL-04").breaches == 0
    own: Json = {"user_id": "1"}
    story.good("x_get_user_tweets", own, {"data": [{"id": "99", "text": "old"}]})
    assert story.alone("TB-POL-04") == "fail"


@pytest.mark.parametrize(
    ("tweet", "said"), [("40", "not_observed"), ("99", "fail"), ("refused", "fail")], ids=["unknown", "another", "none"]
)
def test_what_was_approved_may_be_deleted_since(tweet: str, said: str) -> None:
    """Found by a random history: a deletion that waited behind the post was approved with it."""
    story = Queue()
    if tweet == "refused":
        story.bad("x_delete_tweet", "x_forbidden", {"tweet_id": "40"})
    else:
        routed: Json = {"routed_to_approval": True, "approval_queue_id": 8, "reason": "r"}
        story.good("x_delete_tweet", {"tweet_id": tweet}, routed)
    story.say("approve_all")
    story.timeline(0)
    assert story.alone("TB-POL-04") == said


@pytest.mark.parametrize(("begun", "said"), [("5", "pass"), ("9", "fail"), (None, "pass")])
def test_an_approved_reply_is_a_reply(begun: Json, said: str) -> None:
    story = Bot(listed=False)
    routed: Json = {"routed_to_approval": True, "approval_queue_id": 7, "reason": "r"}
    story.good("x_reply_to_tweet", {"text": TEXT, "in_reply_to_id": "5"}, routed)
    story.good("approve_item", {"id": 7}, {"status": "approved", "id": 7})
    story.good("x_get_home_timeline", {}, {"data": [{"id": "9", "text": TEXT, "conversation_id": begun}]})
    assert story.alone("TB-POL-04") == said


@pytest.mark.parametrize(("reason", "said"), [("it deletes", "pass"), ("", "fail"), (" ", "fail"), (None, "fail")])
def test_the_reason_says_something(reason: Json, said: str) -> None:
    story = Bot(listed=False)
    routed: Json = {"routed_to_approval": True, "approval_queue_id": 7, "reason": reason}
    story.good("x_post_tweet", {"text": TEXT}, routed)
    assert story.alone("TB-POL-03") == said


@pytest.mark.parametrize(
    ("status", "approvals", "said"),
    [
        ("rejected", "at once", "fail"),
        # a word that only tells what was decided
        ("approved", "at once", "pass"),
        # what is carried out later may still be held back
        ("rejected", "later", "pass"),
    ],
)
def test_what_was_done_is_not_rejected_afterwards(status: str, approvals: str, said: str) -> None:
    story = Queue(statement={"choices": {"approvals": approvals}})
    story.say("approve_item", sent=1)
    story.good("reject_item", {"id": 7}, {"status": status, "id": 7})
    assert story.alone("TB-POL-04") == said


@pytest.mark.parametrize(("copies", "verdict"), [(0, "pass"), (1, "fail")])
def test_what_is_rejected_is_not_there(copies: int, verdict: str) -> None:
    story = Queue()
    story.say("reject_item")
    story.say("approve_item", refused="invalid_input")
    story.timeline(copies)
    assert story.alone("TB-POL-04") == verdict


@pytest.mark.parametrize(
    ("words", "copies", "verdict"),
    [
        (("approve_item", "approve_item"), 1, "pass"),
        (("approve_item", "approve_item"), 2, "fail"),
        (("approve_item", "reject_item"), 1, "pass"),
        (("approve_item", "approve_all", "reject_item"), 2, "fail"),
        (("approve_item", "reject_item"), 0, "fail"),
        (("reject_item", "reject_item"), 1, "fail"),
    ],
)
def test_what_was_decided_stays_so_whatever_is_said_then(words: tuple[str, ...], copies: int, verdict: str) -> None:
    story = Queue()
    for word in words:
        story.say(word)
    story.timeline(copies)
    assert story.alone("TB-POL-04") == verdict


@pytest.mark.parametrize(
    ("second", "copies", "verdict"),
    [
        ("approve_item", 1, "pass"),
        ("approve_item", 2, "fail"),
        ("approve_item", 0, "fail"),
        ("reject_item", 0, "pass"),
        ("reject_item", 1, "pass"),
        ("reject_item", 2, "fail"),
    ],
)
def test_of_two_who_decide_at_once_one_is_heard(second: str, copies: int, verdict: str) -> None:
    story = Queue()
    done: Json = {"success": True, "data": {"status": "done", "id": 7}, "meta": story.meta()}
    story.together()
    for tool in ("approve_item", second):
        story.answer(tool, done, {"id": 7})
    story.settle()
    story.timeline(copies)
    assert story.verdict("TB-POL-04") == verdict


@pytest.mark.parametrize(
    ("words", "verdict"),
    [
        ([("approve_item", 1, "")], "pass"),
        ([("approve_item", 2, "")], "fail"),
        ([("approve_item", 1, ""), ("approve_item", 0, "invalid_input")], "pass"),
        ([("approve_item", 1, ""), ("approve_item", 1, "")], "fail"),
        ([("approve_item", 1, ""), ("reject_item", 0, "")], "pass"),
        ([("approve_item", 1, "x_forbidden"), ("approve_item", 1, "")], "pass"),
        ([("approve_item", 1, ""), ("approve_item", 1, "x_forbidden")], "fail"),
        ([("reject_item", 1, "")], "fail"),
    ],
)
def test_x_is_called_once(words: list[tuple[str, int, str]], verdict: str) -> None:
    story = Queue()
    for tool, sent, refused in words:
        story.say(tool, sent=sent, refused=refused)
    assert story.verdict("TB-POL-04") == verdict


def test_of_a_target_that_reports_no_effects_nothing_is_known() -> None:
    story = Queue()
    story.say("approve_item")
    assert story.verdict("TB-POL-04") == "not_observed"


@pytest.mark.parametrize("code", ["x_api_error", "x_network_error"])
def test_after_an_approval_that_may_have_acted_nothing_is_known(code: str) -> None:
    story = Queue()
    story.say("approve_item", sent=1, refused=code)
    story.say("approve_item", sent=1)
    story.timeline(2)
    assert story.alone("TB-POL-04") == "not_observed"


def test_a_text_that_another_call_posts_too_tells_nothing() -> None:
    story = Queue()
    story.say("approve_item")
    story.good("x_post_tweet", {"text": TEXT}, {"id": "5"})
    story.timeline(2)
    assert story.verdict("TB-POL-04") == "not_observed"


@pytest.mark.parametrize(("there", "verdict"), [(("one", "two"), "pass"), (("one",), "fail"), ((), "fail")])
def test_every_tweet_of_an_approved_thread_is_there_once(there: tuple[str, ...], verdict: str) -> None:
    story = Bot(listed=False)
    posts_before(story)
    routed: Json = {"routed_to_approval": True, "approval_queue_id": 7, "reason": "r"}
    story.good("x_post_thread", {"tweets": ["one", "two"]}, routed)
    story.good("approve_all", {}, {"ids": [7]})
    story.good("x_get_home_timeline", {}, {"data": [{"id": each, "text": each} for each in there]})
    assert story.verdict("TB-POL-04") == verdict


class Refusing(Queue):
    """A post that waits, and is answered as a failure: with its number in the data, or without."""

    def __init__(self, *, named: bool) -> None:
        Bot.__init__(self, listed=False, policy={"rules": [rule("require_approval", "x_post_tweet")]})
        posts_before(self)
        self.good("list_pending_approvals", {}, [{"id": 3}])
        self.routed(TEXT, 7 if named else None)
        self.good("list_pending_approvals", {}, [{"id": 3}, {"id": 7}])

    def routed(self, words: str, number: int | None) -> None:
        """A post that is put off."""
        error = {"code": "policy_denied_user_rule", "message": "it waits", "retryable": False}
        data: Json = None if number is None else {"approval_queue_id": number}
        envelope = {"success": False, "data": data, "meta": self.meta()}
        self.answer(
            "x_post_tweet", {**envelope, "error": {**error, "policy_decision": "routed_to_approval"}}, {"text": words}
        )


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize(("copies", "verdict"), [(0, "fail"), (1, "pass"), (2, "fail")])
def test_a_routing_that_is_a_failure_is_done_once_it_is_approved(*, named: bool, copies: int, verdict: str) -> None:
    story = Refusing(named=named)
    story.say("approve_item")
    story.timeline(copies)
    assert story.alone("TB-POL-04") == verdict
    assert story.judged("TB-ERR-not_found").breaches == 0


def test_of_two_that_came_into_the_queue_nobody_knows_which_is_which() -> None:
    story = Refusing(named=True)
    for words in ("one", "other"):
        story.routed(words, None)
    story.good("list_pending_approvals", {}, [{"id": 7}, {"id": 8}, {"id": 9}])
    story.say("approve_item", item=8)
    story.good("x_get_home_timeline", {}, {"data": [{"id": "1", "text": "one"}]})
    assert story.judged("TB-POL-04").breaches == 0


@pytest.mark.parametrize("decision", ["routed_to_approval", "denied"])
def test_what_is_put_off_may_change_the_queue(decision: str) -> None:
    story = Bot(
        listed=False, policy={"rules": [rule("deny", "x_like_tweet"), rule("require_approval", "x_post_tweet")]}
    )
    other = story.instance("open", profile="write", policy={"enforce_for_mutations": False})
    story.good("x_like_tweet", {"tweet_id": "5"}, {"liked": True}, instance=other, on="c-open")
    story.good("list_pending_approvals", {}, [])
    story.bad("x_like_tweet", "policy_denied_user_rule", {"tweet_id": "5"}, error={"policy_decision": "denied"})
    story.bad("x_post_tweet", "policy_denied_user_rule", {"text": TEXT}, error={"policy_decision": decision})
    story.good("list_pending_approvals", {}, [{"id": 7}])
    assert (story.judged("TB-POL-06").breaches == 0) == (decision == "routed_to_approval")


@pytest.mark.parametrize(
    ("page", "breaches"),
    [
        ([("3", "2026-11-21T12:00:02Z", "new"), ("1", "2026-11-21T12:00:00Z", "old")], 1),
        ([("4", "2026-11-21T12:00:03Z", "newer"), ("3", "2026-11-21T12:00:02Z", "new")], 0),
        ([("1", "2026-11-21T12:00:00Z", "old"), ("3", "2026-11-21T12:00:02Z", "new")], 0),
        ([("3", 1_763_726_402, "new"), ("1", 1_763_726_400, "old")], 0),
    ],
    ids=["down to an older one", "too short", "oldest first", "times of another kind"],
)
def test_a_page_tells_what_is_missing_as_far_as_it_goes(page: list[tuple[str, Json, str]], breaches: int) -> None:
    story = Queue()
    tweets: Json = [{"id": name, "created_at": made, "text": words} for name, made, words in page]
    story.good("x_get_home_timeline", {}, {"data": [each for each in tweets if each["id"] == "1"]})
    story.say("approve_item")
    story.good("x_get_home_timeline", {}, {"data": tweets, "meta": {"next_token": "more"}})
    assert story.judged("TB-POL-04").breaches == breaches


@pytest.mark.parametrize(("shown", "asked", "breaches"), [(3, {}, 1), (10, {}, 0), (10, {"max_results": 20}, 1)])
def test_a_full_page_that_says_nothing_of_another_may_have_one_after_it(
    shown: int, asked: dict[str, Json], breaches: int
) -> None:
    story = Queue()
    story.say("approve_item")
    tweets: Json = [{"id": str(number), "text": f"of others {number}"} for number in range(shown)]
    story.good("x_get_home_timeline", asked, {"data": tweets})
    assert story.judged("TB-POL-04").breaches == breaches


def test_a_text_that_x_rewrites_is_not_looked_for() -> None:
    story = Queue()
    waiting: Json = {"routed_to_approval": True, "approval_queue_id": 8, "reason": "r"}
    story.good("x_post_tweet", {"text": "see https://example.com"}, waiting)
    story.say("approve_item", item=8)
    story.good("x_get_home_timeline", {}, {"data": [{"id": "1", "text": "see https://t.co/abc"}]})
    assert story.judged("TB-POL-04").breaches == 0
