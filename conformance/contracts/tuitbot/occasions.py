"""On which occasions a code is due: calls by what was away, failing or forbidden while they were made."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from conformance.contract.catalogue import Contract
from conformance.contracts.tuitbot.gate import DENIED, GUARDED_PROFILES, PREVIEWS, UNGATED_PROFILES, UPLOAD
from conformance.contracts.tuitbot.known import Known
from conformance.contracts.tuitbot.manifest import UNIVERSAL, entry
from conformance.contracts.tuitbot.rulings import Rulings
from conformance.contracts.tuitbot.threads import PARTIAL, THREAD
from conformance.model.exchange import Exchange
from conformance.model.history import History

WRITERS = ("generate_reply", "generate_tweet", "generate_thread", "generate_thread_plan")
"""Tools whose whole answer is the LLM's; others report it in the item that fails."""
DRAFTS = "draft_replies_for_candidates"
LOOKUPS = {
    "get_author_context": "context_error",
    "recommend_engagement_action": "recommendation_error",
    "topic_performance_snapshot": "topic_error",
}
"""Tools with a code of their own for whatever fails in them."""
ABOUT_RULES = ("get_policy_status", "get_rate_limits")
ALL_AT_X = ("read", "write", "engage", "list", "moderation")
"""Categories of which every tool goes to X, but for a draft; so does the search for tweets to answer."""
INDIRECT = ("approve_item", "approve_all", "compose_tweet", "propose_and_queue_replies", *UNIVERSAL)
"""Mutations that are not made of X by the tool itself, or in X's own terms."""
LATER = ("readonly", "api-readonly", "write", "admin")
SEARCH, DRAFT = "find_reply_opportunities", "compose_tweet"


class Run(NamedTuple):
    """A run, and what is known of it."""

    history: History
    contract: Contract
    known: Known
    gate: Rulings


Calls = Callable[[Run], Iterable[Exchange]]


def at_x(run: Run, call: Exchange) -> bool:
    """Whether the call surely goes to X, and says itself how that failed."""
    about = entry(call, run.contract)
    if about is None or not about.requires_x_client or call.tool == DRAFT:
        return False
    return about.category in ALL_AT_X or call.tool == SEARCH


def x_fails(failure: str) -> Calls:
    """Calls of tools that need X; what a thread says that breaks off is another code's matter."""

    def failing(run: Run) -> Iterator[Exchange]:
        for call in run.known.under("x", failure):
            about = entry(call, run.contract)
            if about is not None and about.requires_x_client and not (call.tool == THREAD and call.code == PARTIAL):
                yield call

    return failing


def needing(flag: str, trouble: str, *values: object) -> Calls:
    """Calls of tools that declare to need what is away, where no gate is asked first."""

    def needing(run: Run) -> Iterator[Exchange]:
        for call in run.known.under(trouble, *values):
            about = entry(call, run.contract)
            database = flag == "requires_db"
            if (
                about is not None
                and getattr(about, flag)
                and not (database and (about.gated or call.profile in UNGATED_PROFILES))
            ):
                yield call

    return needing


def of_tools(tools: Iterable[str], trouble: str, *values: str) -> Calls:
    """Calls of these tools under one trouble."""
    named = frozenset(tools)
    return lambda run: [call for call in run.known.under(trouble, *values) if call.tool in named]


def unreadable_rules(run: Run) -> Iterator[Exchange]:
    """Calls before a gate whose policy cannot be evaluated."""
    for call in run.known.under("policy", "failing"):
        about = entry(call, run.contract)
        if about is not None and about.gated and not run.known.free(call):
            yield call


def denied_by(kind: str) -> Calls:
    """Calls that a rule of this kind denies."""

    def denied(run: Run) -> Iterator[Exchange]:
        for call in run.known.under("none"):
            found = run.gate.ruling(call)
            if found is not None and found.answer == DENIED and found.kind == kind:
                yield call

    return denied


def scraped(run: Run) -> Iterator[Exchange]:
    """Mutations that a tool makes of X itself; that of what an approval or a request makes is open."""
    for call in run.known.under("backend", "scraper"):
        about = entry(call, run.contract)
        direct = about is not None and about.mutation and about.requires_x_client and call.tool not in INDIRECT
        if direct and call.profile in GUARDED_PROFILES:
            yield call


def lookups(tool: str) -> Calls:
    """A lookup while what it may rest on fails: X, or the database."""
    return lambda run: [c for name in ("x", "database") for c in run.known.under(name) if c.tool == tool]


def never(*_: object) -> bool:
    """Says no."""
    return False


def always(*_: object) -> bool:
    """Says yes."""
    return True


def none(_: Exchange) -> tuple[str, ...]:
    """No code."""
    return ()


def own(call: Exchange) -> tuple[str, ...]:
    """What a tool with a code of its own may say instead."""
    own = LOOKUPS.get(call.tool or "")
    return (own,) if own else ("media_upload_error",) if call.tool == UPLOAD else ()


def or_of_rules(call: Exchange) -> tuple[str, ...]:
    """What may be said of a failing database instead: what reads the rules, or asks the gate, may name the policy."""
    asks = call.tool in ABOUT_RULES or (call.tool or "").endswith(PREVIEWS)
    return ("policy_error",) if asks else own(call)


def whats_beneath(call: Exchange) -> tuple[str, ...]:
    """What a lookup may say of the failure that it rests on, in place of its own code."""
    failure = call.conditions.get("x")
    return ("db_error", "x_not_configured", *((f"x_{failure}",) if isinstance(failure, str) else ()))
