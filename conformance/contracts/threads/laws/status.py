"""Section 3.5: the status of a thread, and who may move it."""

from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.threads.laws.moves import MOVES, asked, courses, outcomes, together
from conformance.judge.judgements import MISSING, breach, holds, told
from conformance.judge.kinds import text
from conformance.judge.law import exchange_law, law
from conformance.judge.unchanged import unchanged
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement

LEADS = ("human_operator", "orchestrator")
WITHHELD = ("INSUFFICIENT_AUTHORITY", "FORBIDDEN", "CONFLICT")
"""Refusals that deny the override."""
SEARCHED = 8
"""Concurrent moves of one thread of which every order is tried."""


@law("TH-STAT-01")
def an_update_is_told_and_shown(history: History, contract: Contract) -> Iterator[Judgement]:
    """An accepted update gives its thread_id, the status asked for and updated_at, and a later get shows the status."""
    for (_, thread_id), course in courses(history, contract).items():
        for update in (update for update in course.updates if update.accepted):
            wanted = update.argument("status")
            expected = {"thread_id": thread_id, "status": wanted}
            wrong = next((name for name, value in expected.items() if update.given.get(name) != value), None)
            if wrong is None and text(update.given.get("updated_at")) is None:
                wrong = "updated_at"
            if wrong is not None:
                got = update.given.get(wrong, MISSING)
                saw = f"{wrong} is {got!r}"
                yield breach(saw, update, pointer=f"/{wrong}", expected=expected.get(wrong), got=got)
                continue
            shown = course.after([update])
            saw = f"get_thread shows another status than {wanted}"
            if shown is None:
                yield holds(True, saw)
            else:
                same = shown.status == wanted
                yield holds(same, saw, update, shown.source, pointer="/status", expected=wanted, got=shown.status)


@exchange_law("TH-STAT-02", "update_thread_status")
def a_move_has_a_reason(update: Exchange, _: Contract) -> Iterator[Judgement]:
    """An update without a reason is refused."""
    given = update.arguments
    if isinstance(given, dict) and given.get("reason") is None and update.received is not None:
        yield holds(update.refused, "an update without a reason was accepted", update)


@law("TH-STAT-03")
def workers_close_no_disputed_thread(history: History, contract: Contract) -> Iterator[Judgement]:
    """A worker that asks to close a blocked thread is refused."""
    for update, known, wanted in (one for one in asked(history, contract) if one.role == "worker"):
        if known.status == "blocked" and wanted == "closed":
            saw = "a worker closed a blocked thread"
            yield holds(update.refused, saw, known.source, update)


@law("TH-STAT-04")
def leads_may_override(history: History, contract: Contract) -> Iterator[Judgement]:
    """A human operator or an orchestrator that asks, with a reason, to close a blocked thread is not denied it."""
    for one in asked(history, contract):
        update, known, wanted = one
        override = one.role in LEADS and known.status == "blocked" and wanted == "closed"
        if override and (update.accepted or update.code in WITHHELD):
            saw = f"an override by a {one.role} was {told(update)}"
            yield holds(update.accepted, saw, known.source, update)


@law("TH-STAT-05")
def there_is_no_other_move(history: History, contract: Contract) -> Iterator[Judgement]:
    """A move that the state machine lacks is refused, and equal reads around it show the same; none leaves closed."""
    for update, known, wanted in asked(history, contract):
        if wanted not in MOVES[known.status]:
            saw = f"a thread went from {known.status} to {wanted}"
            yield holds(update.refused, saw, known.source, update, got=wanted)
            if update.refused:
                yield from unchanged(history, contract, [update])


@law("TH-STAT-06")
def concurrent_moves_have_an_order(history: History, contract: Contract) -> Iterator[Judgement]:
    """The accepted ones of concurrent moves, in some order, lead by moves of the state machine to the status shown."""
    for course in courses(history, contract).values():
        for group in together(course):
            accepted = [update for update in group if update.accepted]
            sure = all(update.accepted or update not in course.effective for update in group)
            if len(group) < 2 or not accepted or len(accepted) > SEARCHED or not sure:  # noqa: PLR2004 -- one is alone
                continue
            before, shown = course.at(*group), course.after(group)
            ends = {end for start in ([before.status] if before else MOVES) for end in outcomes(accepted, start)}
            evidence = [known.source for known in (before, shown) if known is not None]
            moves = " and ".join(str(update.argument("status")) for update in accepted)
            start = before.status if before is not None else "any status"
            if not ends:
                yield breach(f"from {start}, {moves} were all accepted", *evidence, *accepted)
            else:
                end = shown.status if shown is not None else None
                saw = f"from {start}, {moves} were accepted, and then the thread was {end}"
                yield holds(end is None or end in ends, saw, *accepted, *evidence, expected=sorted(ends), got=end)
