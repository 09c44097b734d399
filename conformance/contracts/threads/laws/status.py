"""Section 3.5: the status of a thread, and who may move it."""

from collections.abc import Iterator, Sequence

from conformance.contract.catalogue import Contract
from conformance.contracts.threads.known import NO_FAULT, Known, known
from conformance.contracts.threads.laws.allowed import likes, throttled
from conformance.contracts.threads.laws.effects import without_effect
from conformance.contracts.threads.laws.faulty import MOVE, OTHERS, beside
from conformance.contracts.threads.laws.moves import Course, asked, courses, machine, meanwhile, taking
from conformance.contracts.threads.payloads import LEADS, STATUSES
from conformance.judge.controls import but_for
from conformance.judge.faults import declined
from conformance.judge.flights import raced
from conformance.judge.judgements import HELD, MISSING, breach, holds, told, unjudged
from conformance.judge.kinds import text
from conformance.judge.law import law
from conformance.judge.linear import Apply, operation, ordered, together
from conformance.judge.unchanged import unchanged
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import UNSAID, Judgement

REASON = but_for("reason")
CLOSE = but_for(*sorted(OTHERS.arguments), "thread_id", "reason", caller=True)
"""Somebody who may closes a thread."""


@law("TH-STAT-01", compares="entity")
def an_update_is_told_and_shown(history: History, contract: Contract) -> Iterator[Judgement]:
    """An accepted update gives its thread_id, the status asked for and updated_at, and a later get shows the status."""
    for (_, thread_id), course in courses(history, contract).items():
        for update in (update for update in course.updates if update.accepted):
            wanted = update.argument("status")
            if wanted not in STATUSES:  # that it was accepted is a malformed payload's matter
                continue
            expected = {"thread_id": thread_id, "status": wanted}
            wrong = next((name for name, value in expected.items() if update.given.get(name) != value), None)
            if wrong is None and text(update.given.get("updated_at")) is None:
                wrong = "updated_at"
            if wrong is not None:
                got = update.given.get(wrong, MISSING)
                saw = f"{wrong} is {got!r}"
                yield breach(saw, update, pointer=f"/{wrong}", expected=expected.get(wrong, UNSAID), got=got)
                continue
            shown = course.after([update])
            if shown is not None:
                same = shown.status == wanted
                saw = f"get_thread shows another status than {wanted}"
                yield holds(same, saw, update, shown.source, pointer="/status", expected=wanted, got=shown.status)


@law("TH-STAT-02", compares="entity")
def a_move_has_a_reason(history: History, contract: Contract) -> Iterator[Judgement]:
    """An update without a reason is refused, where it is accepted with one."""
    updates = [u for u in history.calls("update_thread_status") if isinstance(u.arguments, dict)]
    bare = [update for update in updates if update.arguments.get("reason") is None]
    yield from without_effect(history, contract, bare, REASON, lambda _: "without a reason")


@law("TH-STAT-03", compares="entity")
def workers_close_no_disputed_thread(history: History, contract: Contract) -> Iterator[Judgement]:
    """A worker that asks to close a blocked thread is refused, where another who is allowed to closes one."""
    wanted = [one for one in asked(history, contract) if one.role == "worker" and one.wanted == "closed"]
    closing = [one for one in wanted if one.known.status == "blocked"]
    for one in closing:
        if one.update.accepted:
            yield breach("a worker closed a blocked thread", one.known.source, one.update)
    refused = [one.update for one in closing if one.update.refused]
    yield from without_effect(history, contract, refused, CLOSE, lambda _: "of a blocked thread by a worker")


@law("TH-STAT-04", compares="entity")
def leads_may_override(history: History, contract: Contract) -> Iterator[Judgement]:
    """A human operator or an orchestrator who asks, with a reason, to close a blocked thread is not denied it.

    It is judged where another move of the same caller in the thread is accepted.
    """
    threads = known(history, contract)
    for one in asked(history, contract):
        update = one.update
        if one.role not in LEADS or one.known.status != "blocked" or one.wanted != "closed":
            continue
        if update.accepted:
            yield HELD
        elif _alone(update, threads) and (like := likes(history, contract).beside(update, MOVE)) is not None:
            yield breach(f"an override by a {one.role} ended as {told(update)}", one.known.source, update, beside=like)


def _alone(update: Exchange, threads: Known) -> bool:
    """Whether a refusal is about the move: nothing else speaks against the call, and it was not one too many."""
    return threads.faults(update) == NO_FAULT and not throttled(update)


@law("TH-STAT-05", compares="entity")
def there_is_no_other_move(history: History, contract: Contract) -> Iterator[Judgement]:
    """A change that the state machine does not have is refused, and equal reads around it agree; none leaves closed.

    It is judged where another move of the same caller in the thread is accepted.
    """
    moves, look, threads = machine(history, contract), beside(history, contract, MOVE), known(history, contract)
    for update, before, wanted in asked(history, contract):
        if wanted in moves[before.status]:
            continue
        if update.accepted:
            yield breach(f"a thread went from {before.status} to {wanted}", before.source, update, got=wanted)
        elif declined(update) and _alone(update, threads) and look(update) is not None:
            yield HELD
            yield from unchanged(history, contract, [update])


@law("TH-STAT-06", compares="entity")
def concurrent_moves_have_an_order(history: History, contract: Contract) -> Iterator[Judgement]:
    """Accepted changes that overlap lead, in some order that the state machine allows, to each status that is shown."""
    take = taking(machine(history, contract))
    for course in courses(history, contract).values():
        for group in together(course.updates):
            accepted = [update for update in group if update.accepted]
            sure = all(update.accepted or update not in course.effective for update in group)
            if len(group) >= 2 and accepted and sure:  # noqa: PLR2004 -- one is alone
                yield from raced(history, group, [_in_order(course, group, accepted, take)])


def _in_order(
    course: Course, group: Sequence[Exchange], accepted: Sequence[Exchange], take: Apply[str, Exchange]
) -> Judgement:
    before, shown = course.at(*group), course.after(group)
    starts = [before.status] if before is not None else STATUSES
    during = [known.source for known in meanwhile(course, group)]
    first = [before.source] if before is not None else []
    start = before.status if before is not None else "any status"
    names = " and ".join(str(update.argument("status")) for update in accepted)

    def possible(*calls: Exchange) -> bool | None:
        found = (operation(call, reads=call.tool == "get_thread") for call in calls)
        return ordered(found, starts, take).possible

    if possible(*accepted) is False:
        return breach(f"from {start}, {names} were all accepted", *first, *accepted)
    if shown is not None and possible(*accepted, shown.source) is False:
        saw = f"from {start}, {names} were accepted, and then the thread was {shown.status}"
        return breach(saw, *accepted, *first, shown.source, got=shown.status)
    last = [shown.source] if shown is not None else []
    found = possible(*accepted, *during, *last)
    if found is None:
        return unjudged("too many moves of a thread overlap for every order of them to be tried")
    told = ", ".join(str(get.given.get("status")) for get in during)
    saw = f"from {start}, {names} were accepted, and meanwhile the thread was {told}: no order of the moves shows that"
    return holds(found, saw, *first, *accepted, *during, *last)
