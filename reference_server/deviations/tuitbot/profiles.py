"""Breaks the boundary of metadata, the manifest and the profiles."""

import dataclasses
from collections.abc import Callable

from reference_server.application import Json, Tool
from reference_server.deviations.registry import deviation
from reference_server.deviations.rewriting import instead
from reference_server.tuitbot import Tuitbot
from reference_server.tuitbot.editions import CONVERGENCE, SESSION_05, Profile
from reference_server.tuitbot.session import COMPOSER, Session
from reference_server.tuitbot.store.database import DownDatabase
from reference_server.tuitbot.tools.definition import Arguments, ToolDefinition
from reference_server.tuitbot.tools.outcome import Failure, Outcome


def _meta_key(tuitbot: Tuitbot, key: str, value: Callable[[], Json]) -> None:
    """Sets a key of every meta object."""
    original = tuitbot.envelopes.meta

    @instead(tuitbot.envelopes, "meta")
    def meta(elapsed_ms: int) -> dict[str, Json]:
        return {**original(elapsed_ms), key: value()}


def _missing_on_failure(tuitbot: Tuitbot, key: str) -> None:
    """Leaves a key of meta out of failures."""
    original = tuitbot.envelopes.wrap

    @instead(tuitbot.envelopes, "wrap")
    def wrap(outcome: Outcome, elapsed_ms: int) -> dict[str, Json]:
        envelope = original(outcome, elapsed_ms)
        if isinstance(outcome, Failure):
            envelope["meta"].pop(key, None)
        return envelope


def _entry(tuitbot: Tuitbot, tool: str, change: Callable[[dict[str, Json]], dict[str, Json]]) -> None:
    """Passes one entry of the published manifest through `change`."""
    original = tuitbot.manifest

    @instead(tuitbot, "manifest")
    def manifest() -> list[dict[str, Json]]:
        return [change(dict(entry)) if entry["name"] == tool else entry for entry in original()]


def _session(tuitbot: Tuitbot, tool: str, change: Callable[[Session], Session]) -> None:
    """Passes the dependencies of one tool's calls through `change`."""
    original = tuitbot.pipeline.run

    @instead(tuitbot.pipeline, "run")
    def run(definition: ToolDefinition, arguments: Json, session: Session) -> Outcome:
        return original(definition, arguments, change(session) if definition.name == tool else session)


@deviation("TB-META-01", edition=SESSION_05.name)
def api_tells_the_mode(tuitbot: Tuitbot) -> None:
    """The api profile's meta has mode."""
    if tuitbot.config.profile == "api":
        _meta_key(tuitbot, "mode", lambda: tuitbot.config.mode)


@deviation("TB-META-02", edition=SESSION_05.name)
def api_tells_the_approval_mode(tuitbot: Tuitbot) -> None:
    """The api profile's meta has approval_mode."""
    if tuitbot.config.profile == "api":
        _meta_key(tuitbot, "approval_mode", lambda: tuitbot.config.approval)


@deviation("TB-META-03", edition=SESSION_05.name)
def failures_hide_the_mode(tuitbot: Tuitbot) -> None:
    """The meta of a failure lacks mode."""
    _missing_on_failure(tuitbot, "mode")


@deviation("TB-META-04", edition=SESSION_05.name)
def failures_hide_the_approval_mode(tuitbot: Tuitbot) -> None:
    """The meta of a failure lacks approval_mode."""
    _missing_on_failure(tuitbot, "approval_mode")


@deviation("TB-META-05")
def always_autopilot(tuitbot: Tuitbot) -> None:
    """meta.mode is autopilot in composer mode too."""
    if tuitbot.config.remembers:
        _meta_key(tuitbot, "mode", lambda: "autopilot")


@deviation("TB-META-06")
def the_raw_approval_mode(tuitbot: Tuitbot) -> None:
    """meta.approval_mode is the configured one, although composer forces approval."""
    if tuitbot.config.remembers:
        _meta_key(tuitbot, "approval_mode", lambda: tuitbot.config.approval_mode)


@deviation("TB-MAN-01")
def an_entry_without_a_flag(tuitbot: Tuitbot) -> None:
    """The manifest's entry of get_mode lacks requires_llm."""
    _entry(tuitbot, "get_mode", lambda entry: {key: value for key, value in entry.items() if key != "requires_llm"})


@deviation("TB-MAN-02")
def an_entry_twice(tuitbot: Tuitbot) -> None:
    """The manifest names get_mode twice."""
    original = tuitbot.manifest

    @instead(tuitbot, "manifest")
    def manifest() -> list[dict[str, Json]]:
        entries = original()
        return [*entries, next(entry for entry in entries if entry["name"] == "get_mode")]


@deviation("TB-MAN-03")
def a_tool_under_another_name(tuitbot: Tuitbot) -> None:
    """tools/list shows get_mode as get_operating_mode, which the manifest does not know."""
    original = tuitbot.listed
    find = tuitbot.find

    @instead(tuitbot, "listed")
    def listed() -> list[Tool]:
        return [
            dataclasses.replace(tool, name="get_operating_mode") if tool.name == "get_mode" else tool
            for tool in original()
        ]

    @instead(tuitbot, "find")
    def found(tool: str) -> ToolDefinition | None:
        return find("get_mode" if tool == "get_operating_mode" else tool)


@deviation("TB-MAN-04")
def a_code_outside_the_catalogue(tuitbot: Tuitbot) -> None:
    """The manifest lists x_request_blocked for x_post_tweet."""
    _entry(
        tuitbot,
        "x_post_tweet",
        lambda entry: {**entry, "possible_error_codes": [*entry["possible_error_codes"], "x_request_blocked"]},
    )


@deviation("TB-MAN-05")
def a_code_is_not_announced(tuitbot: Tuitbot) -> None:
    """The manifest's entry of get_tweet_by_id lacks not_found, which the tool answers."""
    _entry(
        tuitbot,
        "get_tweet_by_id",
        lambda entry: {
            **entry,
            "possible_error_codes": [code for code in entry["possible_error_codes"] if code != "not_found"],
        },
    )


@deviation("TB-MAN-06")
def reading_leaves_a_mark(tuitbot: Tuitbot) -> None:
    """Reading a tweet bookmarks it."""
    original = tuitbot.pipeline.act

    @instead(tuitbot.pipeline, "act")
    def act(definition: ToolDefinition, bound: Arguments, session: Session, *, approved: bool = False) -> Json:
        data = original(definition, bound, session, approved=approved)
        if definition.name == "get_tweet_by_id":
            tuitbot.world.bookmarks.setdefault(tuitbot.config.user_id, {})[data["id"]] = None
        return data


@deviation("TB-MAN-07")
def drafts_need_no_client(tuitbot: Tuitbot) -> None:
    """compose_tweet keeps drafts without an X client, which it declares to need."""
    original = tuitbot.pipeline.require

    @instead(tuitbot.pipeline, "require")
    def require(definition: ToolDefinition, session: Session) -> None:
        relaxed = definition.name == "compose_tweet"
        original(dataclasses.replace(definition, requires_x_client=False) if relaxed else definition, session)


@deviation("TB-MAN-08")
def plans_need_no_model(tuitbot: Tuitbot) -> None:
    """generate_thread_plan plans without an LLM, which it declares to need."""

    def change(session: Session) -> Session:
        if session.ctx.llm is not None:
            return session
        return dataclasses.replace(session, ctx=dataclasses.replace(session.ctx, llm=COMPOSER))

    _session(tuitbot, "generate_thread_plan", change)


@deviation("TB-MAN-09")
def the_trend_is_cached(tuitbot: Tuitbot) -> None:
    """get_follower_trend answers while the database is down, which it declares to need."""

    def change(session: Session) -> Session:
        if not isinstance(session.ctx.db, DownDatabase) or not session.has_store:
            return session
        return dataclasses.replace(session, ctx=dataclasses.replace(session.ctx, db=tuitbot.store))

    _session(tuitbot, "get_follower_trend", change)


@deviation("TB-MAN-11")
def a_profile_that_there_is_not(tuitbot: Tuitbot) -> None:
    """The manifest puts get_mode into a profile named utility, too."""
    _entry(tuitbot, "get_mode", lambda entry: {**entry, "profiles": [*entry["profiles"], "utility"]})


@deviation("TB-MAN-12")
def a_read_is_not_marked(tuitbot: Tuitbot) -> None:
    """get_mode is listed with readOnlyHint false."""
    original = tuitbot.listed

    @instead(tuitbot, "listed")
    def listed() -> list[Tool]:
        return [
            dataclasses.replace(tool, annotations={**tool.annotations, "readOnlyHint": False})
            if tool.name == "get_mode"
            else tool
            for tool in original()
        ]


@deviation("TB-PROF-05")
def hidden_tools_work(tuitbot: Tuitbot) -> None:
    """A tool of another profile can be called, though it is not listed."""

    @instead(tuitbot, "find")
    def find(tool: str) -> ToolDefinition | None:
        return tuitbot.catalogue.get(tool)


@deviation("TB-PROF-06", edition=SESSION_05.name)
def a_tool_is_gone(tuitbot: Tuitbot) -> None:
    """validate_config is missing from both profiles and from the manifest."""
    _gone(tuitbot, "validate_config")


@deviation("TB-PROF-01", edition=CONVERGENCE.name)
def a_later_tool_is_gone(tuitbot: Tuitbot) -> None:
    """x_v2_lists_pinned is missing from all profiles and from the manifest."""
    _gone(tuitbot, "x_v2_lists_pinned")


def _gone(tuitbot: Tuitbot, tool: str) -> None:
    """Takes a tool out of the profile and out of the manifest."""
    original = tuitbot.manifest
    tuitbot.served.pop(tool, None)

    @instead(tuitbot, "manifest")
    def manifest() -> list[dict[str, Json]]:
        return [entry for entry in original() if entry["name"] != tool]


def _also_in(tuitbot: Tuitbot, tool: str, profile: Profile) -> None:
    """Serves a tool in another profile too, and says so in the manifest."""
    _entry(tuitbot, tool, lambda entry: {**entry, "profiles": [*entry["profiles"], profile]})
    if tuitbot.config.profile == profile:
        tuitbot.served[tool] = tuitbot.catalogue[tool]


@deviation("TB-PROF-02", edition=CONVERGENCE.name)
def a_read_only_profile_writes(tuitbot: Tuitbot) -> None:
    """Readonly serves x_bookmark_tweet, a mutation."""
    _also_in(tuitbot, "x_bookmark_tweet", "readonly")


@deviation("TB-PROF-03", edition=CONVERGENCE.name)
def writers_request_what_they_like(tuitbot: Tuitbot) -> None:
    """The profile write serves x_get."""
    _also_in(tuitbot, "x_get", "write")


@deviation("TB-PROF-04", edition=CONVERGENCE.name)
def a_wider_profile_lacks_a_tool(tuitbot: Tuitbot) -> None:
    """score_tweet is in readonly and not in api-readonly."""
    _entry(tuitbot, "score_tweet", lambda entry: {**entry, "profiles": ["readonly", "write", "admin"]})
    if tuitbot.config.profile == "api-readonly":
        tuitbot.served.pop("score_tweet", None)


@deviation("TB-META-07", edition=CONVERGENCE.name)
def readers_are_told_the_mode(tuitbot: Tuitbot) -> None:
    """The profile readonly tells the mode."""
    if tuitbot.config.profile == "readonly":
        _meta_key(tuitbot, "mode", lambda: tuitbot.config.mode)
