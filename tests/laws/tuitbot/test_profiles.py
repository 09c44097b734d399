"""TB-PROF-01 to -05: what each profile serves, and that a tool of another profile is out of reach."""

import pytest

from conformance.contracts.tuitbot.manifest import tools_of
from conformance.model.events import Document, Json, Listing
from tests.laws.driven import driven
from tests.laws.tuitbot.bot import Bot

BOOKMARKS = {"data": [{"id": "1"}]}


def test_it_is_refused_and_changes_nothing() -> None:
    story = Bot("api-readonly", listed=False)
    story.good("x_get_bookmarks", {}, BOOKMARKS)
    story.error("tools/call", {"name": "approve_all", "arguments": {}}, -32602, instance=story.name)
    story.bad("approve_item", "not_found", {"id": 1})
    story.good("x_get_bookmarks", {}, BOOKMARKS)
    outcome = story.judged("TB-PROF-05")
    assert (outcome.verdict, outcome.subjects) == ("pass", 4)


def test_it_is_served() -> None:
    story = Bot("api-readonly", listed=False)
    story.good("get_pending_count", {}, {"pending_count": 0})
    assert story.verdict("TB-PROF-05") == "fail"


def test_it_is_refused_and_a_read_changes() -> None:
    story = Bot("api-readonly", listed=False)
    story.good("x_get_bookmarks", {}, BOOKMARKS)
    story.bad("approve_all", "policy_denied_user_rule")
    story.good("x_get_bookmarks", {}, {"data": []})
    assert story.verdict("TB-PROF-05") == "fail"


def test_it_is_refused_and_x_is_called() -> None:
    story = Bot("api-readonly", listed=False)
    call = story.bad("approve_all", "policy_denied_user_rule")
    story.effect(call, "x_call", instance=story.name, operation="post")
    assert story.verdict("TB-PROF-05") == "not_observed", "a server that serves nothing keeps nobody out"
    story.good("x_get_bookmarks", {}, BOOKMARKS)
    assert story.verdict("TB-PROF-05") == "fail"


@pytest.mark.parametrize("tool", ["x_get_me", "of_its_own"])
def test_a_tool_that_is_listed_or_that_nobody_knows_is_another_rules_matter(tool: str) -> None:
    story = Bot(listed=False)
    story.events.append(Listing(connection="c1", instance=story.name, tools=[{"name": "x_get_me"}], t=story.now()))
    story.good(tool)
    assert story.verdict("TB-PROF-05") == "not_observed"


def test_the_reference_keeps_it() -> None:
    outcome = driven("tuitbot", "profiles", edition="convergence").outcome("TB-PROF-05")
    assert outcome is not None
    assert (outcome.verdict, outcome.subjects > 0) == ("pass", True)


def listing(profile: str, *names: str, manifest: Json = None, statement: Json = None) -> Bot:
    """A server of a profile that lists these tools."""
    story = Bot(profile, listed=False, statement=statement)
    if manifest is not None:
        story.events.append(Document(name="manifest", content=manifest))
    tools = [{"name": name} for name in names]
    story.events.append(Listing(connection="c1", instance=story.name, tools=tools, t=story.now()))
    return story


@pytest.mark.parametrize("profile", ["readonly", "api-readonly", "write", "admin"])
def test_which_tools_a_later_profile_serves(profile: str) -> None:
    tools = tools_of(Bot(profile).contract, profile)
    for names, verdict in ((tools, "pass"), (tools[1:], "fail"), ((*tools, "of_its_own"), "fail")):
        assert listing(profile, *names).verdict("TB-PROF-01") == verdict


def test_a_tool_that_the_statement_leaves_out_is_not_missed() -> None:
    tools = tools_of(Bot("readonly").contract, "readonly")
    left_out: Json = {"unsupported": {"tools": {tools[0]: "not built"}}}
    assert listing("readonly", *tools[1:], statement=left_out).verdict("TB-PROF-01") == "pass"


def entry(name: str, *profiles: str, mutation: bool = False) -> dict[str, Json]:
    """An entry of a manifest, as far as the laws on profiles look at it."""
    return {"name": name, "mutation": mutation, "profiles": list(profiles)}


@pytest.mark.parametrize(("profile", "verdict"), [("readonly", "fail"), ("api-readonly", "fail"), ("write", "pass")])
def test_readers_are_given_no_mutation(profile: str, verdict: str) -> None:
    read = entry("get_mode", "readonly", "api-readonly")
    manifest = [read, entry("x_like_tweet", profile, mutation=True)]
    assert listing("readonly", "get_mode", manifest=manifest).alone("TB-PROF-02") == verdict


def test_a_mutation_that_a_reader_lists_is_seen_whatever_its_entry_says_of_profiles() -> None:
    manifest = [entry("x_like_tweet", "write", mutation=True)]
    assert listing("readonly", "x_like_tweet", manifest=manifest).alone("TB-PROF-02") == "fail"


@pytest.mark.parametrize(
    ("profile", "names", "verdict"),
    [
        ("write", ("get_mode",), "pass"),
        ("write", ("get_mode", "x_get"), "fail"),
        ("admin", ("x_get", "x_post", "x_put", "x_delete"), "pass"),
        ("admin", ("x_get", "x_post", "x_put"), "fail"),
    ],
)
def test_universal_requests_are_listed_in_admin_alone(profile: str, names: tuple[str, ...], verdict: str) -> None:
    assert listing(profile, *names).verdict("TB-PROF-03") == verdict


@pytest.mark.parametrize(
    ("profile", "names", "verdict"),
    [
        ("write", ("get_mode",), "pass"),
        ("write", ("get_mode", "x_get"), "fail"),
        ("admin", ("x_post",), "not_observed"),
    ],
)
def test_universal_requests_that_the_statement_leaves_out(profile: str, names: tuple[str, ...], verdict: str) -> None:
    left_out: Json = {"unsupported": {"tools": dict.fromkeys(("x_get", "x_post", "x_put", "x_delete"), "not built")}}
    story = Bot(profile, listed=False, statement=left_out)
    story.list([{"name": name, "inputSchema": {"type": "object"}} for name in names], instance=story.name)
    assert story.alone("TB-PROF-03") == verdict


def test_universal_requests_are_executed_in_admin_alone() -> None:
    story = listing("write", "get_mode")
    story.good("x_get", {"path": "/2/users/me"}, {"status": 200})
    assert story.alone("TB-PROF-03") == "fail"


@pytest.mark.parametrize(
    ("profiles", "verdict"),
    [
        (("readonly", "api-readonly", "write", "admin"), "pass"),
        (("readonly", "write", "admin"), "fail"),
        (("write",), "fail"),
        (("admin",), "not_observed"),
    ],
)
def test_a_wider_profile_holds_the_narrower(profiles: tuple[str, ...], verdict: str) -> None:
    assert listing("admin", manifest=[entry("score_tweet", *profiles)]).alone("TB-PROF-04") == verdict


@pytest.mark.parametrize("identifier", ["TB-PROF-01", "TB-PROF-02", "TB-PROF-03", "TB-PROF-04"])
def test_the_reference_keeps_the_boundaries(identifier: str) -> None:
    outcome = driven("tuitbot", "manifest", edition="convergence").outcome(identifier)
    assert outcome is not None
    assert (outcome.verdict, outcome.subjects > 0) == ("pass", True)


def test_rows_of_the_later_edition_are_not_judged_in_the_first() -> None:
    story = Bot("api", listed=False)
    story.good("get_pending_count", {}, {"pending_count": 0})
    for identifier in ("TB-PROF-01", "TB-PROF-04", "TB-META-07", "TB-SAFE-04"):
        assert story.verdict(identifier) == "not_applicable"
