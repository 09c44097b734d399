"""Reads show what writes wrote: fields of plans, tasks, steps and branches; documents and graphs; lists of events."""

from collections.abc import Callable, Hashable, Iterator, Mapping

from conformance.contract.catalogue import Contract
from conformance.contracts.tasks.glimpses import glimpses
from conformance.contracts.tasks.known import PATCH, known
from conformance.contracts.tasks.likes import LIMIT, default_pages
from conformance.contracts.tasks.lists import cut, paged
from conformance.contracts.tasks.readings import graphs, lists, notes
from conformance.contracts.tasks.readings.drafts import of_drafts
from conformance.contracts.tasks.readings.remarks import of_remarks
from conformance.contracts.tasks.state import State
from conformance.contracts.tasks.walk import walk
from conformance.contracts.tasks.written import assignments
from conformance.judge import shown
from conformance.judge.epochs import epochs
from conformance.judge.kinds import alike
from conformance.judge.law import law
from conformance.judge.registers import kept
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement

Reading = Callable[[Exchange, State], Iterator[Judgement]]
READINGS: dict[str, tuple[Reading, ...]] = {
    "branchmind_show": (notes.of_show,),
    "branchmind_export": (notes.of_export, lists.of_target),
    "branchmind_diff": (notes.of_diff,),
    "branchmind_graph_query": (graphs.of_query,),
    "branchmind_graph_validate": (graphs.of_validation,),
    "branchmind_graph_diff": (graphs.of_comparison,),
    "branchmind_think_context": (graphs.of_cards,),
    "branchmind_branch_list": (lists.of_branches,),
    "branchmind_graph_conflicts": (lists.of_conflicts,),
    "branchmind_graph_conflict_show": (lists.of_conflict,),
    "branchmind_status": (lists.of_status,),
    "tasks_context": (lists.of_items,),
    "tasks_delta": (lists.of_events,),
    "tasks_radar": (lists.of_radar, lists.of_target),
}


EMPTY: tuple[Json, ...] = (None, "", [], {})


@law("TK-SRV-02")
def what_was_written_is_shown(history: History, contract: Contract) -> Iterator[Judgement]:
    """Each read shows what accepted writes before it wrote, as they wrote it, and nothing that they removed.

    A branch shows what its base held when it was made, and what was written to it since. A document shows what was
    written to it, and a filtered read what the filter asks for. Fields that a read of this server never shows are not
    judged, nor is what was cut for a budget or by a default of the server's. What a server makes of arguments that are
    to be refused is judged by the rules on refusals alone.
    """
    sizes, run = default_pages(history, contract), known(history, contract)
    assigned = (*shown.assignments(history, contract), *assignments(history, contract))
    written = (one._replace(doubtful=one.doubtful or run.ill(one.call)) for one in assigned)
    showings = (*shown.showings(history, contract, _uncut), *glimpses(history, contract))
    yield from of_drafts(history, contract)
    yield from of_remarks(history, contract)
    yield from kept(written, (each._replace(pointer=f"/result{each.pointer}") for each in showings), _same)
    scope, ill_written, writes = epochs(history, contract).scope, set[Hashable](), frozenset(contract.writes())
    for call, state, alone in walk(history, contract):
        if not call.accepted:
            continue
        if run.ill(call):
            ill_written |= {scope(call)} if call.tool in writes else set()
        elif alone and not state.lost and scope(call) not in ill_written and not _by_default(call, sizes):
            for reading in READINGS.get(call.tool or "", ()):
                yield from reading(call, state)


def _same(written: Json, shown: Json) -> bool | None:
    """Whether a value is shown as it was written; what is empty or was taken away may be shown as either."""
    return None if written in EMPTY and shown in EMPTY and written != shown else alike(written, shown)


def _by_default(read: Exchange, sizes: Mapping[str, int]) -> bool:
    """Whether it shows as many entries as the tool gives by default: there may be more."""
    tool = read.tool or ""
    return tool in sizes and not read.gives((LIMIT,)) and len(paged(tool, read.given)) >= sizes[tool]


def _uncut(read: Exchange) -> bool:
    return not cut(read) and read.tool != PATCH
