"""Error Codes of seed 000: each code is answered where it is due, and is retryable as the catalogue says.

That a call is refused at all is judged here where no other requirement says it.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from conformance.contract.catalogue import Contract
from conformance.contracts.tuitbot import arguments, denials
from conformance.contracts.tuitbot.known import Known, entry, known
from conformance.judge.conditional import coded, due
from conformance.judge.law import law
from conformance.judge.retrying import as_catalogued
from conformance.model.exchange import INVALID_PARAMS, Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement

WRITERS = ("generate_reply", "generate_tweet", "generate_thread", "generate_thread_plan")
"""Tools whose whole answer is the LLM's; others report it in the item that fails."""
LOOKUPS = ("get_author_context", "recommend_engagement_action", "topic_performance_snapshot")
"""Tools with a code of their own for whatever fails in them."""
PLAIN_FAILURES = ("api_error", "network_error")
MIDWAY = 2
"""Calls of X that succeed before a thread is surely under way: a server may make another before the first tweet."""


X_BY_OTHER_NAMES = ("compose_tweet", "x_post_thread")
"""A draft goes nowhere yet; a thread fails midway."""


def _calls_x(call: Exchange) -> bool:
    """Whether the call goes to X and answers X's own failures."""
    about = entry(call)
    if about is None or not about.requires_x_client:
        return False
    return about.category == "read" or (about.category in ("write", "engage") and call.tool not in X_BY_OTHER_NAMES)


def _x_fails(failure: str) -> Callable[[Known], Iterable[Exchange]]:
    return lambda run: [call for call in run.under("x", failure) if _calls_x(call) and run.free(call)]


def _without_x(run: Known) -> Iterator[Exchange]:
    for call in run.under("x_client"):
        about = entry(call)
        if about is not None and about.requires_x_client and run.free(call):
            yield call


def _without_llm(run: Known) -> Iterator[Exchange]:
    for call in run.under("llm", False):
        about = entry(call)
        if about is not None and about.requires_llm:
            yield call


def _without_database(run: Known) -> Iterator[Exchange]:
    for call in run.under("database"):
        about = entry(call)
        stored = about is not None and about.requires_db and not about.gated and call.profile != "api"
        if stored and call.tool not in LOOKUPS:
            yield call


def _unreadable_rules(run: Known) -> Iterator[Exchange]:
    for call in run.under("policy", "failing"):
        about = entry(call)
        if about is not None and about.gated and not run.free(call):
            yield call


def _of(tools: tuple[str, ...], trouble: str, *values: str) -> Callable[[Known], Iterable[Exchange]]:
    return lambda run: [call for call in run.under(trouble, *values) if call.tool in tools and run.free(call)]


def _midway(run: Known) -> Iterator[Exchange]:
    for call in run.under("x_after"):
        if call.tool == "x_post_thread" and run.free(call) and arguments.fails_midway(call, MIDWAY):
            yield call


@dataclass(frozen=True, slots=True)
class Due:
    """When a code is due."""

    code: str
    who: str
    """Which calls, in words."""
    when: str
    """What is wrong with them or around them, in words."""
    calls: Callable[[Known], Iterable[Exchange]]
    refused: bool = False
    """Whether no other requirement says that such a call is refused."""
    protocol: int | None = None
    """A JSON-RPC error that says the same."""

    @property
    def rule(self) -> str:
        """The law in a sentence."""
        ends = "is refused with" if self.refused else "that is refused has"
        flag = "each answer with it has the catalogue's retryable"
        return f"{self.who} {self.when} {ends} the code {self.code}; {flag}."


CODES = (
    Due("x_rate_limited", "A call that goes to X", "while X answers 429", _x_fails("rate_limited"), refused=True),
    Due("x_auth_expired", "A call that goes to X", "with an expired token", _x_fails("auth_expired"), refused=True),
    Due("x_forbidden", "A call that goes to X", "while X refuses the permission", _x_fails("forbidden"), refused=True),
    Due(
        "x_account_restricted",
        "A call that goes to X",
        "from a restricted account",
        _x_fails("account_restricted"),
        refused=True,
    ),
    Due("x_network_error", "A call that goes to X", "while the network fails", _x_fails("network_error"), refused=True),
    Due("x_not_configured", "A call of a tool that needs X", "without an X client", _without_x),
    Due("x_api_error", "A call that goes to X", "while X fails otherwise", _x_fails("api_error"), refused=True),
    Due("db_error", "A call of a tool that needs the database", "while the database fails", _without_database),
    Due("validation_error", "A call", "with arguments that break the schema", Known.breaking, protocol=INVALID_PARAMS),
    Due("invalid_input", "A call", "with a value that the schema allows and the tool does not", arguments.invalid),
    Due("tweet_too_long", "A call", "with a tweet of more than 280 weighted characters", arguments.too_long),
    Due(
        "llm_error",
        "A call of a tool that writes with the LLM",
        "while the LLM fails",
        _of(WRITERS, "llm", "failing"),
        refused=True,
    ),
    Due("llm_not_configured", "A call of a tool that needs the LLM", "without an LLM", _without_llm),
    Due("unsupported_media_type", "An upload", "of a file that is no medium by its extension", arguments.unsupported),
    Due("file_read_error", "An upload", "of a file that there cannot be", arguments.unreadable),
    Due("media_upload_error", "An upload", "that X does not take", arguments.failed_upload),
    Due("thread_partial_failure", "A thread", "of which X takes the first tweets only", _midway),
    Due("policy_error", "A gated call", "while the policy cannot be evaluated", _unreadable_rules, refused=True),
    Due("policy_denied_blocked", "A gated call", "of a tool on the blocked list", denials.blocked),
    Due("policy_denied_rate_limited", "A gated call", "beyond the hourly limit", denials.beyond_limit),
    Due("policy_denied_hard_rule", "A gated call", "that a hard rule denies", denials.against_hard_rule),
    Due("policy_denied_user_rule", "A gated call", "that a user's rule denies", denials.against_user_rule),
    Due(
        "context_error",
        "A call of get_author_context",
        "while X fails",
        _of(LOOKUPS[:1], "x", *PLAIN_FAILURES),
        refused=True,
    ),
    Due(
        "recommendation_error",
        "A call of recommend_engagement_action",
        "while X fails",
        _of(LOOKUPS[1:2], "x", *PLAIN_FAILURES),
        refused=True,
    ),
    Due(
        "topic_error",
        "A call of topic_performance_snapshot",
        "while the analysis of topics fails",
        _of(LOOKUPS[2:], "topic_analysis", "failing"),
        refused=True,
    ),
    Due("not_found", "A call", "about an item, tweet or user that no answer shows", arguments.about_nothing),
    Due(
        "serialization_error",
        "A call",
        "whose result cannot be serialised",
        lambda run: filter(run.free, run.under("serialization", "failing")),
        refused=True,
    ),
)


def _decide(about: Due) -> None:
    """Registers the law of a code."""

    def the_code_is_answered_where_it_is_due(history: History, contract: Contract) -> Iterator[Judgement]:
        run = known(history, contract)
        judged = due if about.refused else coded
        yield from judged(about.calls(run), about.code, because=lambda _: about.when, protocol=about.protocol)
        yield from as_catalogued(run.by_code.get(about.code, ()), contract.errors)

    the_code_is_answered_where_it_is_due.__doc__ = about.rule
    law(f"TB-ERR-{about.code}")(the_code_is_answered_where_it_is_due)


for _about in CODES:
    _decide(_about)
