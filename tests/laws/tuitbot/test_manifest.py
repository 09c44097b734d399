"""TB-MAN-01 to -05, -11, -12, TB-PROF-06: what is published, what is listed, which codes are answered."""

from typing import Any

import pytest

from conformance.contracts.tuitbot.manifest import tools_of
from conformance.model.events import Document, Json, Listing
from tests.laws.driven import driven
from tests.laws.tuitbot.bot import GONE, Bot, changed

ENTRY: dict[str, Json] = {
    "name": "get_mode",
    "category": "meta",
    "mutation": False,
    "requires_x_client": False,
    "requires_llm": False,
    "requires_db": False,
    "profiles": ["readonly", "api-readonly", "write", "admin"],
    "possible_error_codes": ["validation_error"],
}
IDS = ["TB-MAN-01", "TB-MAN-02", "TB-MAN-03", "TB-MAN-04", "TB-MAN-05", "TB-MAN-11", "TB-MAN-12", "TB-PROF-06"]


def published(*entries: Json, wrapped: bool = False, profile: str = "write") -> Bot:
    """A target that publishes these entries."""
    story = Bot(profile, listed=False)
    content: Json = {"tools": list(entries)} if wrapped else list(entries)
    story.events.append(Document(name="manifest", content=content))
    return story


def entry(**changes: Any) -> dict[str, Json]:
    """The good entry, changed."""
    return changed(ENTRY, changes)


def listing(story: Bot, *names: str, ended: str = "done", **hints: Json) -> None:
    """What the instance lists."""
    tools = [{"name": name, "annotations": {"readOnlyHint": hints.get(name)}} for name in names]
    story.events.append(Listing(connection="c1", instance=story.name, tools=tools, ended=ended, t=story.now()))


@pytest.mark.parametrize("wrapped", [False, True])
@pytest.mark.parametrize("identifier", ["TB-MAN-01", "TB-MAN-02", "TB-MAN-04", "TB-MAN-11"])
def test_a_good_manifest_keeps_every_rule(identifier: str, *, wrapped: bool) -> None:
    outcome = published(entry(), entry(name="health_check"), wrapped=wrapped).judged(identifier)
    assert (outcome.verdict, outcome.subjects) == ("pass", 2)


@pytest.mark.parametrize("identifier", ["TB-MAN-01", "TB-MAN-02", "TB-MAN-04", "TB-MAN-11"])
def test_the_contracts_own_manifest_is_no_subject(identifier: str) -> None:
    assert Bot().judged(identifier).verdict == "not_observed"


@pytest.mark.parametrize("name", list(ENTRY))
@pytest.mark.parametrize("value", [GONE, None, 1])
def test_a_key_that_is_absent_or_of_another_type(name: str, value: Json) -> None:
    outcome = published(entry(), entry(**{name: value})).judged("TB-MAN-01")
    assert (outcome.verdict, outcome.breaches) == ("fail", 1)
    assert outcome.findings[0].pointer == f"/1/{name}"


def test_a_manifest_that_is_no_list() -> None:
    story = Bot(listed=False)
    story.events.append(Document(name="manifest", content="see the handbook"))
    assert story.verdict("TB-MAN-01") == "fail"


def test_further_keys_are_no_fault() -> None:
    assert published(entry(lane="shared")).verdict("TB-MAN-01") == "pass"


def test_a_name_twice() -> None:
    assert published(entry(), entry()).verdict("TB-MAN-02") == "fail"


@pytest.mark.parametrize(
    ("identifier", "change"),
    [
        ("TB-MAN-04", {"possible_error_codes": ["x_request_blocked"]}),
        ("TB-MAN-11", {"profiles": []}),
        ("TB-MAN-11", {"profiles": ["workflow", "admin"]}),
    ],
)
def test_words_that_the_edition_does_not_have(identifier: str, change: dict[str, Json]) -> None:
    assert published(entry(**change)).verdict(identifier) == "fail"


@pytest.mark.parametrize(("profile", "verdict"), [("workflow", "fail"), ("write", "pass")])
def test_a_code_of_the_later_edition_alone(profile: str, verdict: str) -> None:
    story = published(entry(possible_error_codes=["scraper_mutation_blocked"]), profile=profile)
    assert story.verdict("TB-MAN-04") == verdict


@pytest.mark.parametrize(
    ("names", "verdict"),
    [
        (("get_mode", "health_check"), "pass"),
        (("get_mode",), "fail"),
        (("get_mode", "health_check", "x_get_me"), "fail"),
        (("get_mode", "health_check", "of_its_own"), "fail"),
    ],
)
def test_what_is_listed_is_what_is_declared(names: tuple[str, ...], verdict: str) -> None:
    story = published(entry(), entry(name="health_check"), entry(name="x_get_me", profiles=["api-readonly"]))
    listing(story, *names)
    assert story.verdict("TB-MAN-03") == verdict


def test_a_list_that_broke_off_is_no_list() -> None:
    story = published(entry())
    listing(story, ended="repeats")
    assert story.verdict("TB-MAN-03") == "not_observed"


def test_without_a_published_manifest_the_contracts_own_holds() -> None:
    story = Bot(listed=False)
    listing(story, *tools_of(story.contract, "write"))
    outcome = story.judged("TB-MAN-03")
    assert (outcome.verdict, outcome.subjects) == ("pass", 104)


def test_what_the_statement_leaves_out_is_in_no_list() -> None:
    story = Bot(listed=False, statement={"unsupported": {"tools": {"get_mode": "not built"}}})
    tools = tools_of(story.contract, "write")
    listing(story, *(name for name in tools if name != "get_mode"))
    outcome = story.judged("TB-MAN-03")
    assert (outcome.verdict, outcome.subjects) == ("pass", 103)


def test_a_manifest_of_the_targets_own_lists_nothing_that_is_left_out() -> None:
    story = Bot(listed=False, statement={"unsupported": {"tools": {"get_mode": "not built"}}})
    story.events.append(Document(name="manifest", content=[entry()]))
    listing(story)
    assert story.verdict("TB-MAN-03") == "fail"


@pytest.mark.parametrize(("code", "verdict"), [("validation_error", "pass"), ("db_error", "fail")])
def test_codes_answered_are_declared(code: str, verdict: str) -> None:
    story = published(entry())
    story.bad("get_mode", code)
    story.bad("of_its_own", "db_error")
    assert story.alone("TB-MAN-05") == verdict


def test_a_code_outside_the_catalogue_is_another_rules_matter() -> None:
    story = published(entry())
    story.bad("get_mode", "no_idea", {"verbose": True})
    assert story.judged("TB-MAN-05").blocked_by == "TB-ENV-06"


@pytest.mark.parametrize(
    ("mutation", "hint", "verdict"),
    [
        (False, True, "pass"),
        (True, False, "pass"),
        (True, None, "pass"),
        (False, None, "warn"),
        (False, False, "warn"),
        (True, True, "warn"),
    ],
)
def test_the_hint_is_the_opposite_of_mutation(*, mutation: bool, hint: Json, verdict: str) -> None:
    story = published(entry(mutation=mutation))
    listing(story, "get_mode", get_mode=hint)
    assert story.verdict("TB-MAN-12") == verdict


@pytest.mark.parametrize("profile", ["workflow", "api"])
def test_which_tools_a_profile_serves(profile: str) -> None:
    tools = tools_of(Bot(profile).contract, profile)
    for names, verdict in ((tools, "pass"), (tools[1:], "fail"), ((*tools, "of_its_own"), "fail")):
        story = Bot(profile, listed=False)
        listing(story, *names)
        assert story.verdict("TB-PROF-06") == verdict


def test_a_tool_that_the_statement_leaves_out_is_not_missed() -> None:
    tools = tools_of(Bot("api").contract, "api")
    story = Bot("api", listed=False, statement={"unsupported": {"tools": {tools[0]: "not built"}}})
    listing(story, *tools[1:])
    assert story.verdict("TB-PROF-06") == "pass"


def test_the_reference_keeps_them() -> None:
    judged = driven("tuitbot", "manifest")
    for identifier in IDS:
        outcome = judged.outcome(identifier)
        assert outcome is not None
        assert (identifier, outcome.verdict, outcome.subjects > 0) == (identifier, "pass", True)


def test_without_a_manifest_the_reason_names_what_is_missing() -> None:
    outcome = Bot().judged("TB-MAN-01")
    assert outcome.verdict == "not_observed"
    assert outcome.reason.endswith(
        "the statement names no document that would show it: [documents] in conformance.toml"
    )


@pytest.mark.parametrize(
    ("tool", "code", "said"),
    [
        ("x_like_tweet", "db_error", "pass"),
        ("get_stats", "invalid_input", "pass"),
        ("get_mode", "not_found", "pass"),
        ("get_mode", "db_error", "fail"),
        ("get_stats", "x_forbidden", "fail"),
        ("get_tweet_by_id", "llm_error", "fail"),
    ],
)
def test_what_a_server_without_a_manifest_may_answer(tool: str, code: str, said: str) -> None:
    story = Bot(listed=False)
    story.bad(tool, code)
    assert story.alone("TB-MAN-05") == said


def test_a_published_manifest_says_all_that_its_tools_answer() -> None:
    story = published(entry())
    story.bad("get_mode", "invalid_input")
    assert story.alone("TB-MAN-05") == "fail"


def test_without_a_manifest_nothing_else_is_the_reason() -> None:
    """A good call that is refused hides what calls would show; a manifest that is not given shows in no call."""
    story = Bot()
    story.bad("get_mode", "invalid_input", {})
    assert story.judged("TB-SRV-01").breaches
    assert story.judged("TB-MAN-01").verdict == "not_observed"
