"""TB-POL-08, -10: the mutations of an hour."""

from typing import Any

import pytest

from conformance.model.events import Json
from tests.laws.driven import driven
from tests.laws.tuitbot.bot import Bot

LIMITED: dict[str, Json] = {"require_approval_for": [], "max_mutations_per_hour": 2}
USED_UP = "policy_denied_rate_limited"


class Hour(Bot):
    """A server with two mutations an hour; it is noon there."""

    def __init__(self, statement: Json = None, **policy: Json) -> None:
        super().__init__(listed=False, statement=statement, policy={**LIMITED, **policy})

    def spend(self) -> None:
        """Both mutations; by the first the time of day is seen."""
        self.good("x_post_tweet", {"text": "first"}, {"id": "1"})
        self.good("get_tweet_by_id", {"tweet_id": "1"}, {"created_at": "2026-11-21T12:00:00Z"})
        self.post("")

    def post(self, *answers: str, clock: int = 0, reset: Json = None) -> None:
        """A post for each answer: empty for a success, else its code."""
        more: dict[str, Any] = {"conditions": {"clock": clock}} if clock else {}
        for answer in answers:
            text = {"text": f"post {self.calls}"}
            if answer:
                error = {"rate_limit_reset": reset} if reset is not None else {}
                self.bad("x_post_tweet", answer, text, error=error, **more)
            else:
                self.good("x_post_tweet", text, {"id": str(self.calls)}, **more)


@pytest.mark.parametrize(
    ("third", "verdict"),
    [(USED_UP, "pass"), ("policy_denied_user_rule", "pass"), ("", "fail"), ("x_api_error", "not_observed")],
)
def test_the_third_mutation_of_two(third: str, verdict: str) -> None:
    story = Hour()
    story.post("", "", third)
    assert story.verdict("TB-POL-08") == verdict


@pytest.mark.parametrize("means", ["clock", "x"])
@pytest.mark.parametrize("later", [0, 4_000])
def test_that_the_end_of_the_hour_was_not_seen_is_told(means: str, later: int) -> None:
    story = Hour(statement={"conditions": {"start": {means: {"args": ["{value}"]}}}})
    story.spend()
    story.post(USED_UP)
    story.post(*[""] if later else [USED_UP], clock=later)
    outcome = story.judged("TB-POL-08")
    told = "not judged: whether the window ends, since the target cannot bring about clock"
    assert (outcome.verdict, outcome.reason) == ("pass", "" if later or means == "clock" else told)


@pytest.mark.parametrize(
    "policy",
    [
        {"enforce_for_mutations": False},
        {"template": "agency_mode"},
        {"max_mutations_per_hour": None},
        {"require_approval_for": ["x_post_tweet"]},
    ],
)
def test_where_it_is_in_doubt_what_the_limit_is(policy: dict[str, Json]) -> None:
    story = Hour(**policy)
    story.post("", "", "")
    assert story.verdict("TB-POL-08") == "not_observed"


@pytest.mark.parametrize(("code", "said"), [("", "pass"), ("db_error", "not_observed"), (USED_UP, "fail")])
def test_reads_go_on(code: str, said: str) -> None:
    story = Hour()
    story.post("", "")
    story.bad("get_pending_count", code) if code else story.good("get_pending_count")
    assert story.alone("TB-POL-08") == said


def row(dimension: str, value: str, most: int) -> Json:
    """A limit of one tool, one category or of all."""
    return {"key": "a", "dimension": dimension, "match_value": value, "max_count": most, "period_seconds": 3_600}


@pytest.mark.parametrize(
    ("limit", "third", "said"),
    [
        (row("tool", "x_post_tweet", 2), USED_UP, "pass"),
        (row("tool", "x_post_tweet", 2), "", "fail"),
        (row("tool", "x_like_tweet", 2), "", "not_observed"),
        (row("category", "write", 2), "", "fail"),
        (row("category", "engage", 2), "", "not_observed"),
        (row("global", "", 2), "", "fail"),
        ({"key": "a"}, "", "not_observed"),
    ],
)
def test_limits_of_tools_and_categories(limit: Json, third: str, said: str) -> None:
    story = Hour(max_mutations_per_hour=1_000, rate_limits=[limit])
    story.post("", "", third)
    assert story.alone("TB-POL-08") == said


@pytest.mark.parametrize(
    ("row_of", "said"),
    [
        # neither the limit of another tool nor that of all is used up
        (row("tool", "x_post_tweet", 1), "fail"),
        (row("category", "write", 1), "fail"),
        (row("global", "", 1), "pass"),
        (row("category", "engage", 1), "fail"),
        # nobody knows what this one limits
        ({"key": "a"}, "pass"),
    ],
)
def test_a_limit_of_others_denies_nothing(row_of: Json, said: str) -> None:
    story = Bot(policy={**LIMITED, "max_mutations_per_hour": 1_000, "rate_limits": [row_of]})
    story.good("get_tweet_by_id", {"tweet_id": "8"}, {"id": "8", "text": "a"})
    story.good("x_post_tweet", {"text": "first"}, {"id": "1"})
    story.bad("x_like_tweet", USED_UP, {"tweet_id": "1"})
    assert story.alone("TB-SRV-01") == said


@pytest.mark.parametrize(
    ("clocks", "verdict"),
    [
        # two windows of an hour may lie within an hour, three may not
        ((0, 0, 1_800, 1_800), "not_observed"),
        ((0, 0, 1_200, 1_200, 2_400), "fail"),
        ((0, 0, 1_800, 1_800, 3_500), "not_observed"),
        ((0, 0, 1_800, 1_800, 4_000), "not_observed"),
    ],
)
def test_no_hour_has_more_than_two_windows(clocks: tuple[int, ...], verdict: str) -> None:
    story = Hour()
    for clock in clocks:
        story.post("", clock=clock)
    assert story.verdict("TB-POL-08") == verdict


@pytest.mark.parametrize(
    ("reset", "verdict"),
    [
        ("2026-11-21T13:00:00Z", "pass"),
        ("2026-11-21T12:00:00+00:00", "pass"),
        (1_795_266_000, "pass"),
        ("1795266000", "pass"),
        ("2026-11-21T14:00:00Z", "fail"),
        ("2026-11-21T11:00:00Z", "fail"),
        (10**400, "fail"),
        ("in an hour", "pass"),
        (None, "pass"),
    ],
)
def test_the_reset_lies_within_an_hour(reset: Json, verdict: str) -> None:
    story = Hour()
    story.spend()
    story.post(USED_UP, reset=reset)
    assert story.verdict("TB-POL-08") == verdict


@pytest.mark.parametrize(
    ("clock", "answer", "verdict"),
    [
        (1800, USED_UP, "pass"),
        (1800, "", "fail"),
        (3650, "", "pass"),
        (3650, USED_UP, "pass"),
        (4000, "", "pass"),
        (4000, USED_UP, "fail"),
    ],
)
def test_when_the_window_ends(clock: int, answer: str, verdict: str) -> None:
    story = Hour()
    story.spend()
    story.post(USED_UP, reset="2026-11-21T13:00:00Z")
    story.post(answer, clock=clock)
    assert story.verdict("TB-POL-08") == verdict


@pytest.mark.parametrize(
    ("reset", "clock", "then", "verdict"),
    [
        ("2026-11-21T12:10:00Z", 1800, USED_UP, "fail"),
        ("2026-11-21T12:10:00Z", 1800, "", "pass"),
        ("2026-11-21T12:29:30Z", 1800, USED_UP, "pass"),
        ("2026-11-21T12:50:00Z", 1800, USED_UP, "pass"),
        (None, 1800, USED_UP, "pass"),
    ],
)
def test_after_the_time_that_was_named_the_limit_denies_no_more(
    reset: Json, clock: int, then: str, verdict: str
) -> None:
    story = Hour()
    story.spend()
    story.post(USED_UP, reset=reset)
    story.post(then, clock=clock)
    assert story.verdict("TB-POL-08") == verdict


def test_another_limit_may_deny_after_the_time_that_was_named() -> None:
    row: Json = {"key": "posts", "dimension": "global", "max_count": 2, "period_seconds": 86_400}
    story = Hour(rate_limits=[row])
    story.spend()
    story.post(USED_UP, reset="2026-11-21T12:10:00Z")
    story.post(USED_UP, clock=1800)
    assert story.judged("TB-POL-08").breaches == 0


def test_what_was_posted_after_the_denial_may_use_up_the_limit_again() -> None:
    story = Hour()
    story.spend()
    story.post(USED_UP, reset="2026-11-21T12:10:00Z")
    story.post("", "", USED_UP, clock=1800)
    assert story.verdict("TB-POL-08") == "pass"


@pytest.mark.parametrize(
    ("failure", "then", "verdict"),
    [
        ("x_forbidden", "", "pass"),
        ("x_forbidden", USED_UP, "fail"),
        ("validation_error", USED_UP, "fail"),
        ("x_forbidden", "x_api_error", "not_observed"),
        (USED_UP, USED_UP, "not_observed"),
        ("serialization_error", USED_UP, "not_observed"),
    ],
)
def test_failures_use_up_nothing(failure: str, then: str, verdict: str) -> None:
    story = Hour()
    story.post(failure, failure, then)
    assert story.alone("TB-POL-10") == verdict


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("overlap", [True, False])
def test_what_was_under_way_together_may_have_been_counted_before(*, overlap: bool, first: bool) -> None:
    story = Hour()
    story.post("x_forbidden", "")
    if overlap:
        story.together()
    for code in ("", USED_UP) if first else (USED_UP, ""):
        story.post(code)
    story.settle() if overlap else None
    # one after the other, the limit was used up when the first was answered, or it was not
    assert story.judged("TB-POL-10").breaches == int(not overlap and not first)


def test_one_that_may_have_been_done_may_count() -> None:
    story = Hour()
    story.post("x_forbidden", "x_forbidden")
    story.good("approve_item", {"id": 1}, {})
    story.good("x_post_tweet", {"text": "a"}, {"dry_run": True})
    story.post(USED_UP)
    assert story.verdict("TB-POL-10") == "pass"


def test_the_reference_keeps_them() -> None:
    judged = driven("tuitbot", "limits", edition="convergence")
    for identifier in ("TB-POL-08", "TB-POL-10"):
        outcome = judged.outcome(identifier)
        assert outcome is not None
        assert (outcome.verdict, outcome.subjects > 1) == ("pass", True)


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        # the one post that the other limit has is used up
        (row("tool", "x_post_tweet", 1), "not_observed"),
        (row("tool", "x_like_tweet", 1), "fail"),
        (row("tool", "x_post_tweet", 2), "fail"),
    ],
)
def test_another_limit_may_be_used_up(limit: Json, said: str) -> None:
    story = Hour(rate_limits=[limit])
    story.post("", "validation_error", USED_UP)
    assert story.alone("TB-POL-10") == said
