"""Error codes of the Session 05 contract: each is answered where it is due, and is retryable as the catalogue says.

That a call is refused at all is judged here where no other requirement says it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from conformance.contract.catalogue import Contract, load
from conformance.contracts.tuitbot import arguments, threads
from conformance.contracts.tuitbot.beside import Differing, beside, lifted, other_values, set_otherwise
from conformance.contracts.tuitbot.deeds import UNDOES
from conformance.contracts.tuitbot.gate import (
    DENIALS,
    decision,
)
from conformance.contracts.tuitbot.goods import goods
from conformance.contracts.tuitbot.known import Known, known
from conformance.contracts.tuitbot.mistaken import mistaken
from conformance.contracts.tuitbot.occasions import (
    DRAFT,
    DRAFTS,
    LATER,
    LOOKUPS,
    WRITERS,
    Calls,
    Run,
    always,
    at_x,
    denied_by,
    lookups,
    needing,
    never,
    none,
    of_tools,
    or_of_rules,
    own,
    scraped,
    unreadable_rules,
    whats_beneath,
    x_fails,
)
from conformance.contracts.tuitbot.rules import BLOCKED, HARD, USER
from conformance.contracts.tuitbot.rulings import rulings
from conformance.contracts.tuitbot.shown_so_far import APPROVING, passed
from conformance.contracts.tuitbot.spending import beyond_limit
from conformance.contracts.tuitbot.threads import PARTIAL
from conformance.contracts.tuitbot.tweets import EXECUTED, executed, posted_before_failing
from conformance.judge.conditional import Beside, coded, due
from conformance.judge.controls import ButFor
from conformance.judge.judgements import breach, told
from conformance.judge.kinds import spelled
from conformance.judge.law import law
from conformance.judge.retrying import as_catalogued
from conformance.model.exchange import INVALID_PARAMS, Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement


@dataclass(frozen=True, slots=True)
class Due:
    """When a code is due."""

    code: str
    who: str
    """Which calls, in words."""
    when: str
    """What is wrong with them or around them, in words."""
    calls: Calls
    differing: Differing
    """In what the accepted like of such a call differs from it."""
    refused: Callable[[Run, Exchange], bool] = never
    """Whether such a call is refused, where no other requirement says so."""
    others: Callable[[Exchange], tuple[str, ...]] = none
    """Codes that are as true of it."""
    protocol: int | None = None
    """A JSON-RPC error that says the same."""

    @property
    def rule(self) -> str:
        """The law in a sentence."""
        flag = "every answer with this code has the catalogue's retryable"
        about = f"{self.who} {self.when}"
        if self.refused is never:
            about = f"{about[0].lower()}{about[1:]}"
            return f"If {about} is refused, and is served otherwise, the code is {self.code}; {flag}."
        return f"{about} is refused with {self.code}, if it is served otherwise; {flag}."


def _x(failure: str, when: str) -> Due:
    return Due(f"x_{failure}", "A call that goes to X", when, x_fails(failure), lifted("x"), refused=at_x, others=own)


def _denial(code: str, kind: str, when: str) -> Due:
    return Due(f"policy_denied_{code}", "A gated call", when, denied_by(kind), lambda _: set_otherwise("policy"))


def _mistaken(call: Exchange) -> ButFor:
    """In what the accepted like of a call with bad arguments differs from it; tools of both editions are alike."""
    return mistaken(call, load("tuitbot", "convergence" if call.profile in LATER else None))


TEXTS = other_values("text", "content", "tweets", "items")
FILES = other_values("file_path")
GIVEN = (
    "validation_error", "invalid_input", "not_found", "tweet_too_long", "unsupported_media_type", "file_read_error",
)  # fmt: skip
"""What a call is refused with for what it is given."""
OF_ARGUMENTS = (*GIVEN, "x_forbidden", "x_api_error")
"""What it may be refused with for that, or for what it is about."""
NOT_AGAIN = ("x_forbidden", "x_api_error", "not_found", "invalid_input")
"""With these X refuses to do what is done already."""
MIDWAY = frozenset({"x", "x_after"})
THREADS = ButFor(arguments=frozenset({"tweets", "id"}), conditions=MIDWAY, settings=MIDWAY)
CODES = (
    _x("rate_limited", "while X answers 429"),
    _x("auth_expired", "with an expired token"),
    _x("forbidden", "while X refuses the permission"),
    _x("account_restricted", "from a restricted account"),
    _x("network_error", "while the network fails"),
    _x("api_error", "while X fails otherwise"),
    Due(
        "x_not_configured",
        "A call of a tool that needs X",
        "without an X client",
        needing("requires_x_client", "x_client"),
        lifted("x_client"),
        others=own,
    ),
    Due(
        "db_error",
        "A call of a tool that needs the database",
        "while the database fails",
        needing("requires_db", "database"),
        lifted("database"),
        others=or_of_rules,
    ),
    Due(
        "validation_error",
        "A call",
        "with arguments that break the schema",
        lambda run: run.known.breaking(),
        _mistaken,
        protocol=INVALID_PARAMS,
    ),
    Due(
        "invalid_input",
        "A call",
        "with a value that the schema allows and the tool does not",
        lambda run: arguments.invalid(run.known),
        lambda call: other_values(*arguments.at_fault(call))(call),
        refused=lambda _, call: arguments.no_time(call),
        others=lambda call: () if call.tool == DRAFT else ("x_api_error", "x_forbidden"),
    ),
    Due(
        "tweet_too_long",
        "A call",
        "with a tweet of more than 280 weighted characters",
        lambda run: arguments.too_long(run.known),
        TEXTS,
    ),
    Due(
        "llm_error",
        "A call of a tool that writes with the LLM",
        "while the LLM fails",
        of_tools((*WRITERS, DRAFTS), "llm", "failing"),
        lifted("llm"),
        refused=lambda _, call: call.tool in WRITERS,
    ),
    Due(
        "llm_not_configured",
        "A call of a tool that needs the LLM",
        "without an LLM",
        needing("requires_llm", "llm", False),
        lifted("llm"),
    ),
    Due(
        "unsupported_media_type",
        "An upload",
        "of a file that is no medium by its extension",
        lambda run: arguments.unsupported(run.known),
        FILES,
    ),
    Due(
        "file_read_error",
        "An upload",
        "of a file that there cannot be",
        lambda run: arguments.unreadable(run.known),
        FILES,
    ),
    Due(
        "media_upload_error",
        "An upload",
        "that X does not take",
        lambda run: arguments.failed_upload(run.known),
        lifted("media_upload"),
    ),
    Due(
        PARTIAL,
        "A thread",
        "of which X takes the first tweets only",
        lambda run: threads.broken_off(run.history, run.contract),
        lambda _: THREADS,
        refused=always,
    ),
    Due(
        "policy_error",
        "A gated call",
        "while the policy cannot be evaluated",
        unreadable_rules,
        lifted("policy"),
        refused=always,
    ),
    _denial("blocked", BLOCKED, "of a tool on the blocked list"),
    _denial("hard_rule", HARD, "that a hard rule denies"),
    _denial("user_rule", USER, "that a user's rule denies"),
    Due(
        "policy_denied_rate_limited",
        "A gated call",
        "beyond the hourly limit",
        lambda run: filter(run.known.keeps_contract, beyond_limit(run.history, run.contract)),
        other_values("text", "content", "tweet_id", "target_user_id", "tweets"),
    ),
    Due(
        "context_error",
        "A call of get_author_context",
        "while X or the database fails",
        lookups("get_author_context"),
        lifted("x", "database"),
        others=whats_beneath,
    ),
    Due(
        "recommendation_error",
        "A call of recommend_engagement_action",
        "while X or the database fails",
        lookups("recommend_engagement_action"),
        lifted("x", "database"),
        others=whats_beneath,
    ),
    Due(
        "scraper_mutation_blocked",
        "A mutation of X",
        "while X is reached by a scraper",
        scraped,
        lifted("backend"),
        refused=always,
    ),
    Due(
        "topic_error",
        "A call of topic_performance_snapshot",
        "while the analysis of topics fails",
        of_tools(("topic_performance_snapshot",), "topic_analysis", "failing"),
        lifted("topic_analysis"),
        refused=always,
    ),
    Due(
        "serialization_error",
        "A call",
        "whose result cannot be serialised",
        lambda run: run.known.under("serialization", "failing"),
        lifted("serialization"),
        refused=always,
    ),
)


def _nothing_posted(run: Run) -> Iterator[Judgement]:
    """The code of a thread that broke off, where X took nothing at all."""
    for call in run.known.by_code.get(PARTIAL, ()):
        if "x" in call.conditions or posted_before_failing(call) == []:
            saw = f"{call.tool} was refused with {PARTIAL}, and X took no tweet of it"
            yield breach(saw, call, pointer="/error/code", got=PARTIAL)


def _sent_meanwhile(run: Run, about: Due) -> Iterator[Judgement]:
    """Proposed replies of which the answer says that they were sent while every call of X failed."""
    for call in run.known.under("x", about.code.removeprefix("x_")):
        if any(executed(call)):
            yield breach(f"{call.tool} sent a reply {about.when}", call, pointer="/data", got=EXECUTED)


def _decide(about: Due) -> None:
    """Registers the law of a code."""

    def the_code_is_answered_where_it_is_due(history: History, contract: Contract) -> Iterator[Judgement]:
        run = Run(history, contract, known(history, contract), rulings(history, contract))
        yield from _answered(run, about)
        if about.code == PARTIAL:
            yield from _nothing_posted(run)
        yield from _sent_meanwhile(run, about)
        yield from _wrong_flags(run.known, about.code, contract)

    the_code_is_answered_where_it_is_due.__doc__ = about.rule
    law(f"TB-ERR-{about.code}")(the_code_is_answered_where_it_is_due)


def _wrong_flags(run: Known, code: str, contract: Contract) -> Iterator[Judgement]:
    """Answers with a code whose retryable is not the catalogue's. A right one alone does not show when it is due."""
    return (each for each in as_catalogued(run.by_code.get(code, ()), contract.errors) if not each.ok)


def _answered(run: Run, about: Due) -> Iterator[Judgement]:
    gone = passed(run.history, run.contract)
    calls = [
        call
        for call in about.calls(run)
        if call.code not in about.others(call)
        and not _held_back(run, about, call)
        and (call.code == about.code or call.code not in gone.get(call.call, ()))
    ]
    control = _for_its_own_sake(run, about, beside(run.history, run.contract, about.differing))
    refused = {call.call for call in calls if about.refused(run, call)}
    for judge, so in ((due, True), (coded, False)):
        judged = (call for call in calls if (call.call in refused) is so)
        yield from judge(judged, about.code, because=lambda _: about.when, beside=control, protocol=about.protocol)


def _for_its_own_sake(run: Run, about: Due, control: Beside) -> Beside:
    """The control of a call, but of one that may be refused for what it is given, or is about.

    So may a thread of no tweets, or a mute of oneself, whatever else speaks against it: its control is given something
    else. What is there when the control is made, later, may not have been there yet.
    """

    def found(call: Exchange) -> Exchange | None:
        like = control(call)
        given = call.code in OF_ARGUMENTS and call.code != about.code and about.code not in GIVEN
        if like is None or not given or goods(run.history, run.contract).sound(call):
            return like
        same = spelled(like.arguments) == spelled(call.arguments) and like.before(call)
        # what waits for approval is another thing each time, and X may not do next time what was done or taken back
        again = call.tool in APPROVING or (call.tool in UNDOES and call.code in NOT_AGAIN)
        return like if same and not again else None

    return found


def _held_back(run: Run, about: Due, call: Exchange) -> bool:
    """Whether the gate answered in the tool's place, and may have had to."""
    if call.accepted:
        return decision(call) is not None
    denied = (call.code or "").startswith(DENIALS)
    return denied and not about.code.startswith(DENIALS) and not run.gate.allowed(call)


for _about in CODES:
    _decide(_about)


@law("TB-ERR-not_found")
def what_does_not_exist_is_not_found(history: History, contract: Contract) -> Iterator[Judgement]:
    """What is not in the queue is refused with not_found, what X lacks so or with X's code; no read of it succeeds."""
    run = known(history, contract)
    about = "about an item that is not in the queue"
    control = beside(history, contract, other_values("id"))
    yield from due(arguments.unknown_items(run), "not_found", because=lambda _: about, beside=control)
    strangers = [call for call in arguments.unknown_on_x(run) if not _says_as_much(call)]
    for call, like in arguments.found_nothing(run):
        saw = f"{call.tool} ended as {told(call)} about what no answer shows, and gives nothing of that name"
        yield breach(saw, like, call, expected="not_found", pointer="/data")
    control = beside(history, contract, other_values(*arguments.NAMES_ON_X))
    stranger = "about a tweet or a user that no answer shows"
    yield from coded(strangers, "not_found", because=lambda _: stranger, beside=control)
    yield from _wrong_flags(run, "not_found", contract)


def _says_as_much(call: Exchange) -> bool:
    """What X does not show it may also forbid, or refuse in words of its own; the lookups have a code for it."""
    return (call.code or "").startswith("x_") or call.code in LOOKUPS.values()
