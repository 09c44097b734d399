"""A run beside a model: what a clause decides is a finding of that clause, the rest is only told."""

from typing import Any

import pytest

from conformance.judge.modelled import Compared, compared
from conformance.model.events import Json
from conformance.model.verdict import Finding
from tests.laws.histories import Story
from tests.laws.threads.talk import Talk, message
from tests.laws.tuitbot.bot import Bot

ITEM: dict[str, Json] = {"kind": "task", "revision": 0}


class Pair(Story):
    """A workspace at a server, and at a model that calls its tasks by other names."""

    def __init__(self) -> None:
        super().__init__("tasks")
        for number in (1, 2):
            self.told(
                "tasks_create",
                {"id": f"TASK-00{number}", **ITEM},
                {"id": f"TASK-90{number}", **ITEM},
                title=f"t{number}",
            )

    def told(self, tool: str, ours: Json, theirs: Json, **arguments: Json) -> int:
        """A call that both accept."""
        call = self.accepted(tool, {"workspace": "w", **arguments}, ours)
        self.modelled(call, theirs)
        return call

    def listed(self, *ours: Json, **more: Json) -> int:
        """Tasks that the server lists, where the model lists both as they were made."""
        theirs = [self.item(900 + number, f"t{number}") for number in (1, 2)]
        return self.told("tasks_context", {"plans": [], "tasks": list(ours), **more}, {"plans": [], "tasks": theirs})

    @staticmethod
    def item(number: int, title: str, **more: Json) -> dict[str, Json]:
        """A task as it is listed."""
        return {"id": f"TASK-{number:03}", "title": title, **ITEM, **more}

    def beside(self) -> list[Finding]:
        """What only the comparison finds; what was made and is not listed, the requirement's own law sees as well."""
        return [
            finding for finding in self.judged("TK-SRV-02").findings if "model, which was told the same" in finding.saw
        ]

    def compared(self) -> Compared:
        """The whole comparison."""
        return compared(self.history(), self.contract)


def places(pair: Story) -> list[str]:
    return [one.place.pointer for one in compared(pair.history(), pair.contract).differences]


def test_names_are_matched_in_whatever_order_things_are_shown() -> None:
    pair = Pair()
    pair.listed(pair.item(1, "t1"), pair.item(2, "t2"))
    assert (pair.judged("TK-SRV-02").verdict, places(pair)) == ("pass", [])


def test_without_a_model_nothing_is_compared() -> None:
    story = Story("tasks")
    story.accepted("tasks_create", {"workspace": "w"}, {"id": "TASK-001", **ITEM})
    assert compared(story.history(), story.contract) == Compared()


def test_what_was_written_and_is_not_listed_is_a_finding() -> None:
    pair = Pair()
    read = pair.listed(pair.item(1, "t1"))
    assert [(found.calls, found.expected) for found in pair.beside()] == [((2, read), "TASK-902")]


@pytest.mark.parametrize("more", [{"truncated": True}, {"truncated": True, "budget": {}}])
def test_what_was_cut_may_be_left_out(more: dict[str, Json]) -> None:
    pair = Pair()
    pair.listed(pair.item(1, "t1"), **more)
    assert pair.judged("TK-SRV-02").breaches == 0
    assert places(pair) == ["/tasks"]


def test_what_nobody_wrote_in_this_run_may_be_left_out() -> None:
    pair = Pair()
    theirs = [pair.item(901, "t1"), pair.item(902, "t2"), pair.item(903, "t3")]
    ours = [pair.item(1, "t1"), pair.item(2, "t2")]
    pair.told("tasks_context", {"plans": [], "tasks": ours}, {"plans": [], "tasks": theirs})
    assert (pair.judged("TK-SRV-02").breaches, places(pair)) == (0, ["/tasks"])


def test_what_no_argument_said_is_only_told() -> None:
    pair = Pair()
    pair.listed(pair.item(1, "t1", done=True), {**pair.item(2, "t2"), "done": True})
    theirs = [pair.item(901, "t1", done=False)]
    pair.told("tasks_context", {"tasks": [pair.item(1, "t1", done=True)]}, {"tasks": theirs})
    assert (pair.beside(), places(pair)) == ([], ["/tasks/0/done"])


@pytest.mark.parametrize("way", ["one accepted", "lost", "numbers"])
def test_where_the_two_are_no_longer_in_one_state_nothing_is_judged(way: str) -> None:
    pair = Pair()
    match way:
        case "one accepted":
            call = pair.accepted(
                "tasks_edit", {"workspace": "w", "task": "TASK-001"}, {"id": "TASK-001", "revision": 1}
            )
            pair.modelled(call, code="INVALID_INPUT")
        case "lost":
            pair.modelled(pair.lost("tasks_edit", {"workspace": "w", "task": "TASK-001"}), {"id": "TASK-901"})
        case _:
            ours, theirs = {"id": "TASK-001", "revision": 2}, {"id": "TASK-901", "revision": 1}
            pair.told("tasks_edit", ours, theirs, task="TASK-001", title="t1")
    told = len(places(pair))
    pair.listed(pair.item(1, "t1"))
    assert pair.beside() == []
    assert len(places(pair)) == told
    assert sum(pair.compared().left_out.values()) == (2 if way == "lost" else 1)


def test_what_overlaps_a_write_is_not_compared() -> None:
    pair = Pair()
    pair.together()
    edit = pair.accepted(
        "tasks_edit", {"workspace": "w", "task": "TASK-001", "title": "x"}, {"id": "TASK-001", "revision": 1}
    )
    read = pair.accepted("tasks_context", {"workspace": "w"}, {"plans": [], "tasks": []})
    pair.settle()
    pair.modelled(edit, {"id": "TASK-901", "revision": 1})
    pair.modelled(read, {"plans": [], "tasks": [pair.item(901, "x"), pair.item(902, "t2")]})
    assert (places(pair), pair.judged("TK-SRV-02").breaches) == ([], 0)


@pytest.mark.parametrize(
    ("ours", "theirs", "requirement", "breaches"),
    [
        (None, "IDEMPOTENCY_CONFLICT", "TH-ERR-IDEMPOTENCY_CONFLICT", 1),
        (None, "CONFLICT", "TH-ERR-CONFLICT", 0),
        (None, "VALIDATION_ERROR", "TH-ERR-VALIDATION_ERROR", 0),
        ("CONFLICT", "IDEMPOTENCY_CONFLICT", "TH-ERR-IDEMPOTENCY_CONFLICT", 0),
        ("IDEMPOTENCY_CONFLICT", None, "TH-ERR-IDEMPOTENCY_CONFLICT", 0),
    ],
)
def test_how_calls_end(ours: str | None, theirs: str | None, requirement: str, breaches: int) -> None:
    """Only where a call was accepted of which a clause says that it is refused."""
    story = Talk()
    call = story.post(1) if ours is None else story.denied(ours)
    answer = {"message_id": "m", "seq": 1, "thread_status": "active", "created_at": "2026-11-21T12:00:00Z"}
    story.modelled(call, None if theirs else answer, code=theirs)
    assert story.judged(requirement).breaches == breaches
    (difference,) = compared(story.history(), story.contract).differences
    assert bool(difference.decided) is bool(breaches)


@pytest.mark.parametrize(
    ("change", "breaches"), [({}, 0), ({"metadata": {"a": 1, "more": 2}}, 0), ({"body": "other"}, 1)]
)
def test_a_message_is_shown_as_it_was_posted(change: dict[str, Any], breaches: int) -> None:
    story = Talk()
    posted = {"metadata": {"a": 1}}
    story.modelled(story.post(1, **posted), {"message_id": "m1", "seq": 1, "thread_status": "active"})
    theirs = {**message(1, **posted), "message_id": "m1"}
    read = story.read(message(1, **{**posted, **change}))
    story.modelled(read, {"messages": [theirs], "next_seq": 1, "has_more": False})
    found = [one for one in compared(story.history(), story.contract).differences if one.decided]
    assert [(one.decided, one.ours.call) for one in found] == [("TH-SRV-02", read)] * breaches


class Bots(Bot):
    """A bot and its model, which were told the same; the model calls tweets and items of the queue by other names."""

    def __init__(self) -> None:
        super().__init__("workflow", policy={"enforce_for_mutations": False})

    def told(self, tool: str, given: dict[str, Json], ours: Json, theirs: Json) -> int:
        """A call that both accept."""
        call = self.good(tool, given, ours)
        self.modelled(call, theirs)
        return call

    def posted(self, text: str) -> None:
        """A tweet."""
        self.told("x_post_tweet", {"text": text}, {"id": "9", "text": text}, {"id": "1009", "text": text})


def decided(story: Story) -> list[str]:
    return [one.decided for one in compared(story.history(), story.contract).differences]


@pytest.mark.parametrize(
    ("text", "shown", "found"),
    [
        ("a tweet", "a tweet", []),
        ("a tweet", "another", ["TB-SRV-02"]),
        # X shortens links and escapes marks
        ("see https://a.example", "see https://t.co/1", [""]),
        ("this & that", "this &amp; that", [""]),
        ("two\nlines", "two lines", [""]),
        ("at the end ", "at the end", [""]),
    ],
)
def test_a_tweet_is_shown_as_it_was_posted_but_for_what_x_rewrites(text: str, shown: str, found: list[str]) -> None:
    story = Bots()
    story.posted(text)
    ours, theirs = {"id": "9", "text": shown}, {"id": "1009", "text": text}
    story.told("get_tweet_by_id", {"tweet_id": "9"}, ours, theirs)
    assert decided(story) == found


@pytest.mark.parametrize("meta", [{}, {"next_token": "t"}])
def test_what_a_list_of_x_lacks_is_left_open(meta: dict[str, Json]) -> None:
    """A list lags behind writes, is a page, or leaves out what its owner posted."""
    story = Bots()
    story.posted("a tweet")
    theirs: Json = {"data": [{"id": "1009", "text": "a tweet"}], "meta": {"result_count": 1}}
    story.told("x_get_home_timeline", {}, {"data": [], "meta": meta}, theirs)
    assert set(decided(story)) == {""}


def test_items_of_the_queue_are_matched_by_their_numbers() -> None:
    story = Bots()
    for ours, theirs in ((5, 1), (7, 2)):
        given: dict[str, Json] = {"text": f"tweet {ours}"}
        story.told(
            "x_post_tweet",
            given,
            {"routed_to_approval": True, "approval_queue_id": ours},
            {"routed_to_approval": True, "approval_queue_id": theirs},
        )
    queue = {"list_pending_approvals": ([{"id": 5}, {"id": 7}], [{"id": 1}, {"id": 2}])}
    for tool, (ours_listed, theirs_listed) in queue.items():
        story.told(tool, {}, ours_listed, theirs_listed)
    assert decided(story) == []
    story.told("list_pending_approvals", {}, [{"id": 7}, {"id": 5}], [{"id": 1}, {"id": 2}])
    assert decided(story) == ["", ""]
