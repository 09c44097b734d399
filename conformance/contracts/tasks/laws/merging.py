"""Conflicts of graph merges: entities with ids of their own, which keep a key as it is until they are resolved."""

from collections import defaultdict
from collections.abc import Hashable, Iterator
from typing import NamedTuple

from conformance.contract.catalogue import Contract
from conformance.contracts.tasks.entities import entities
from conformance.contracts.tasks.forms import formed, operations
from conformance.judge.epochs import Epochs, epochs
from conformance.judge.judgements import holds
from conformance.judge.law import exchange_law, law
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement

MERGE = "branchmind_graph_merge"
RESOLVE = "branchmind_graph_conflict_resolve"
QUERY = "branchmind_graph_query"
EDIT = "branchmind_graph_apply"
BRANCH = "branchmind_branch_create"
OTHERS = (MERGE, RESOLVE, "branchmind_think_card")
"""Writes that change nodes as well."""


@exchange_law("TK-ID-09")
def conflict_ids_have_their_form(call: Exchange, _: Contract) -> Iterator[Judgement]:
    """A conflict is shown under an id of its form."""
    shown = [(seen.key[-1], f"{seen.pointer}/conflict_id") for seen in entities(call) if seen.key[0] == "conflict"]
    shown += [(each, f"/conflict_ids/{index}") for index, each in enumerate(_ids(call))]
    for name, pointer in shown:
        saw = f"{call.tool} shows the conflict {name!r}"
        yield holds(formed("conflict", name), saw, call, pointer=f"/result{pointer}", got=name)


def _ids(call: Exchange) -> list[Json]:
    ids = call.given.get("conflict_ids") if call.accepted and call.tool == MERGE else None
    return ids if isinstance(ids, list) else []


class Sides(NamedTuple):
    """What a merge is between."""

    place: Hashable
    """Instance and workspace."""
    source: Json
    into: Json
    doc: Json


def _sides(call: Exchange) -> Sides:
    names = (call.argument(name) for name in ("from", "into", "doc"))
    return Sides((call.instance, str(call.argument("workspace"))), *(str(name) for name in names))


@law("TK-ID-10")
def a_conflict_keeps_its_id(history: History, contract: Contract) -> Iterator[Judgement]:
    """A merge that is repeated, with nothing else written meanwhile, names the conflicts that it named before."""
    when = epochs(history, contract)
    last: dict[Sides, Exchange] = {}
    for merge in history.accepted(MERGE):
        if merge.argument("dry_run") is True:
            continue
        sides = _sides(merge)
        first = last.get(sides)
        last[sides] = merge
        if first is None or not _ids(first) or not _ids(merge) or not first.before(merge):
            continue
        between = [call for call in when.writes(merge) if call.sent > first.sent and call.sent < merge.sent]
        if not between and _plain(first) == _plain(merge):
            known, again = {str(each) for each in _ids(first)}, {str(each) for each in _ids(merge)}
            saw = "the merge, repeated, names its conflicts otherwise"
            pointer = "/result/conflict_ids"
            yield holds(known == again, saw, first, merge, pointer=pointer, expected=sorted(known), got=sorted(again))


def _plain(call: Exchange) -> dict[str, Json]:
    """A merge's arguments without what it expects."""
    return {name: value for name, value in call.arguments.items() if not name.startswith("expected_")}


class Clash(NamedTuple):
    """A node that both sides of a merge gave another title since the source branched off."""

    node: str
    theirs: str
    ours: str
    writes: tuple[Exchange, Exchange]
    """That of the source's side, and that of the target's."""


@law("TK-FLOW-03")
def a_conflict_is_kept_and_decided(history: History, contract: Contract) -> Iterator[Judgement]:
    """A merge names a conflict for each node that both sides changed, and leaves the node as its target has it.

    Once the one conflict of a merge is resolved the target shows the side that was chosen.
    """
    when = epochs(history, contract)
    titles, branched = _titles(history), _branched(history)
    merged: set[Sides] = set()
    for merge in history.accepted(MERGE):
        sides = _sides(merge)
        began = branched.get((sides.place, sides.source))
        if merge.argument("dry_run") is True or sides in merged or began is None:
            continue
        merged.add(sides)
        others = (call for call in when.writes(merge) if call.tool in OTHERS and began.sent < call.sent < merge.sent)
        if began.argument("from") != sides.into or when.met(merge) is None or any(others):
            continue
        clashes = list(_clashes(titles, sides, began, merge))
        if clashes:
            yield _reported(merge, clashes)
            yield from _left(history, when, merge, clashes)
        if len(clashes) == 1 and len(_ids(merge)) == 1:
            yield from _decided(history, when, merge, clashes[0])


Titles = dict[tuple[Hashable, Json, Json, str], list[tuple[Json, Exchange]]]


def _titles(history: History) -> Titles:
    """By place, branch, document and node: the titles that accepted writes gave it, in order."""
    titles: Titles = defaultdict(list)
    for call in history.accepted(EDIT):
        place = (call.instance, str(call.argument("workspace"))), call.argument("branch"), call.argument("doc")
        for op in operations(call):
            node, title = op.get("id"), op.get("title") if op.get("op") == "node_upsert" else None
            if isinstance(node, str) and isinstance(place[1], str) and isinstance(place[2], str):
                titles[*place, node.strip()].append((title, call))
    return titles


def _branched(history: History) -> dict[tuple[Hashable, Json], Exchange]:
    made: dict[tuple[Hashable, Json], Exchange] = {}
    for call in history.accepted(BRANCH):
        if isinstance(call.argument("name"), str):
            made.setdefault(((call.instance, str(call.argument("workspace"))), call.argument("name")), call)
    return made


def _clashes(titles: Titles, sides: Sides, began: Exchange, merge: Exchange) -> Iterator[Clash]:
    for (place, branch, doc, node), theirs in titles.items():
        if (place, branch, doc) != (sides.place, sides.source, sides.doc):
            continue
        ours = titles.get((place, sides.into, doc, node), [])
        before = [title for title, call in ours if call.before(began)]
        since = [(title, call) for title, call in ours if began.before(call) and call.before(merge)]
        own = [(title, call) for title, call in theirs if began.before(call) and call.before(merge)]
        last = [own[-1][0], since[-1][0], *before[-1:]] if own and since else []
        if last and all(isinstance(title, str) for title in last) and len(set(last)) == len(last):
            yield Clash(node, last[0], last[1], (own[-1][1], since[-1][1]))


def _reported(merge: Exchange, clashes: list[Clash]) -> Judgement:
    named, evidence = _ids(merge), (*clashes[0].writes, merge)
    saw = f"both sides changed {len(clashes)} nodes, and the merge names {len(named)} conflicts"
    pointer = "/result/conflict_ids"
    return holds(len(named) >= len(clashes), saw, *evidence, pointer=pointer, expected=len(clashes), got=len(named))


def _left(history: History, when: Epochs, merge: Exchange, clashes: list[Clash]) -> Iterator[Judgement]:
    """What the target shows right after the merge."""
    read, shown = _next(history, when, merge, _sides(merge))
    if read is None:
        return
    for clash in clashes:
        title = shown.get(clash.node)
        saw = f"after a merge with a conflict {clash.node!r} has the title {title!r}"
        yield holds(title == clash.ours, saw, clash.writes[1], merge, read, expected=clash.ours, got=title)


def _decided(history: History, when: Epochs, merge: Exchange, clash: Clash) -> Iterator[Judgement]:
    resolve = next((each for each in history.accepted(RESOLVE) if _resolves(each, merge)), None)
    read, shown = _next(history, when, resolve, _sides(merge)) if resolve is not None else (None, {})
    if resolve is None or read is None:
        return
    between = [call for call in when.writes(merge) if merge.sent < call.sent < resolve.sent and call.tool != MERGE]
    chosen = {"use_from": clash.theirs, "use_into": clash.ours}.get(str(resolve.argument("resolution")))
    if chosen is not None and not between:
        title = shown.get(clash.node)
        saw = f"resolved with {resolve.argument('resolution')}, {clash.node!r} has the title {title!r}"
        yield holds(title == chosen, saw, *clash.writes, merge, resolve, read, expected=chosen, got=title)


def _resolves(call: Exchange, merge: Exchange) -> bool:
    return merge.before(call) and call.argument("conflict_id") in _ids(merge) and _sides(call)[0] == _sides(merge)[0]


def _next(history: History, when: Epochs, write: Exchange, sides: Sides) -> tuple[Exchange | None, dict[str, Json]]:
    """The first whole look at the target with nothing written since, and the titles that it shows."""
    for read in history.accepted(QUERY):
        here = (read.instance, str(read.argument("workspace"))), read.argument("branch"), read.argument("doc")
        whole = set(read.arguments) == {"workspace", "branch", "doc"} and read.given.get("truncated") is not True
        fresh = when.shown(write) is not None and when.met(read) == when.shown(write)
        if whole and write.before(read) and fresh and here == (sides.place, sides.into, sides.doc):
            nodes = read.given.get("nodes")
            listed = [each for each in (nodes if isinstance(nodes, list) else ()) if isinstance(each, dict)]
            return read, {str(each.get("id")): each.get("title") for each in listed}
    return None, {}
