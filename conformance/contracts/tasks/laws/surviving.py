"""What was accepted is there after the server was killed and started again: plans, notes, graphs, revisions, ids."""

from collections import defaultdict
from collections.abc import Hashable, Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.tasks.laws.expectations import another_revision_is_refused, the_current_revision_is_accepted
from conformance.contracts.tasks.laws.identifiers import an_id_names_one_entity, scope_of
from conformance.contracts.tasks.laws.merging import a_conflict_keeps_its_id
from conformance.contracts.tasks.laws.revisions import revisions_rise
from conformance.contracts.tasks.laws.serving import good_calls_are_served
from conformance.contracts.tasks.laws.showing import what_was_written_is_shown
from conformance.contracts.tasks.lists import listed, whole
from conformance.judge.judgements import holds
from conformance.judge.kinds import text
from conformance.judge.law import law
from conformance.judge.refused import surely_refused
from conformance.judge.surviving import survived, unkept
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement

TITLED = {"plan": "plans", "task": "tasks"}
"""The list of tasks_context that shows what was made of a kind."""


def each_plan_is_there_once(history: History, contract: Contract) -> Iterator[Judgement]:
    """A whole list shows each plan or task that was made before once, one without an answer once at most."""
    made: dict[tuple[Hashable, str, str], list[Exchange]] = defaultdict(list)
    for call in history.calls("tasks_create"):
        kind = text(call.argument("kind"))
        if kind is not None and kind in TITLED and not surely_refused(call, contract):
            made[scope_of(call), kind, str(call.argument("title"))].append(call)
    # who edits a title afterwards leaves nothing to be found by it
    edited = {text(call.argument("task")) for call in history.calls("tasks_edit")}
    alone: dict[Hashable, list[tuple[str, str, Exchange]]] = defaultdict(list)
    for (scope, kind, title), makers in made.items():
        if len(makers) == 1 and text(makers[0].given.get("id")) not in edited:
            alone[scope].append((kind, title, makers[0]))
    for read in history.accepted("tasks_context"):
        for kind, title, maker in alone[scope_of(read)] if whole(read) else ():
            yield from _once(maker, read, TITLED[kind], title)


def _once(maker: Exchange, read: Exchange, name: str, title: str) -> Iterator[Judgement]:
    if read.received is None or maker.sent >= read.received:
        return
    shown = [each.get("title") for each in listed(read.given, name) if isinstance(each, dict)]
    sure, times = maker.accepted and maker.before(read), shown.count(title)
    saw = f"what was {'made' if sure else 'asked for'} once is there {times} times"
    ok = times == 1 if sure else times <= 1
    yield holds(ok, saw, maker, read, pointer=f"/result/{name}", expected=1, got=times)


KEPT = (
    good_calls_are_served,
    what_was_written_is_shown,
    each_plan_is_there_once,
    revisions_rise,
    the_current_revision_is_accepted,
    another_revision_is_refused,
    an_id_names_one_entity,
    a_conflict_keeps_its_id,
)


@law("TK-SRV-04", absent=unkept)
def what_was_accepted_survives(history: History, contract: Contract) -> Iterator[Judgement]:
    """After its server was killed and started again a store shows what was accepted, once; revisions still guard."""
    yield from survived(history, contract, KEPT)
