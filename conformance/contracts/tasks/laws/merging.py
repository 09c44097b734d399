"""Conflicts of graph merges: entities with ids of their own, which keep a key as it is until they are resolved."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping
from itertools import combinations
from typing import NamedTuple

from conformance.contract.catalogue import Contract
from conformance.contracts.tasks.documents import Key
from conformance.contracts.tasks.entities import entities
from conformance.contracts.tasks.forms import formed, operations
from conformance.contracts.tasks.lists import cut, goes_on, present
from conformance.contracts.tasks.readings.graphs import shown_as
from conformance.contracts.tasks.thoughts import card_of
from conformance.contracts.tasks.writing import NODE_FIELDS, key_of, node, place_of
from conformance.judge.epochs import Epochs, epochs
from conformance.judge.judgements import holds
from conformance.judge.law import exchange_law, law
from conformance.judge.memo import of_history
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement

MERGE = "branchmind_graph_merge"
RESOLVE = "branchmind_graph_conflict_resolve"
QUERY = "branchmind_graph_query"
EDIT = "branchmind_graph_apply"
BRANCH = "branchmind_branch_create"
CARD = "branchmind_think_card"
EDITS = (EDIT, CARD)
OTHERS = (MERGE, RESOLVE, CARD)
"""Writes that change nodes as well."""


@exchange_law("TK-ID-09")
def conflict_ids_have_their_form(call: Exchange, _: Contract) -> Iterator[Judgement]:
    """A conflict is shown under an id of its form."""
    shown = [(seen.key[-1], f"{seen.pointer}/conflict_id") for seen in entities(call) if seen.key[0] == "conflict"]
    shown += [(each, f"/conflict_ids/{index}") for index, each in enumerate(_ids(call))]
    for name, pointer in shown:
        saw = f"{call.tool} shows the conflict {name!r}"
        yield holds(formed("conflict", name), saw, call, pointer=f"/result{pointer}", got=name)


def _in_part(merge: Exchange) -> bool:
    """Whether a merge may have left conflicts out: it says so, has a cap on its size, or is none but a later page."""
    later = any(merge.argument(name) not in (None, 0) for name in ("offset", "cursor"))
    return later or cut(merge) or goes_on(merge.given)


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
    """A merge that is repeated names the conflicts that it named before, apart from those resolved meanwhile.

    Where nothing else was written to the branches that it merges, it names no new conflict, even where some were
    resolved. An answer that says that it leaves conflicts for later is not judged.
    """
    when = epochs(history, contract)
    last: dict[Sides, Exchange] = {}
    for merge in history.accepted(MERGE):
        if merge.argument("dry_run") is True:
            continue
        sides = _sides(merge)
        first = last.get(sides)
        last[sides] = merge
        if first is None or not _ids(first) or not first.before(merge) or _plain(first) != _plain(merge):
            continue
        if _in_part(first) or _in_part(merge):
            continue
        meanwhile = Meanwhile(sides, [w for w in when.writes(merge) if first.sent < w.sent < merge.sent])
        if meanwhile.open or meanwhile.touched & _written(history, sides, first):
            continue
        known, again = {str(each) for each in _ids(first)}, {str(each) for each in _ids(merge)}
        kept = known - meanwhile.resolved
        fits = kept <= again and (bool(meanwhile.touched) or again <= known)
        saw = "the merge, repeated, names its conflicts otherwise"
        evidence, pointer = (first, *meanwhile.resolving, merge), "/result/conflict_ids"
        yield holds(fits, saw, *evidence, pointer=pointer, expected=sorted(kept), got=sorted(again))


class Meanwhile:
    """What was written between a merge and its repetition."""

    def __init__(self, sides: Sides, writes: Iterable[Exchange]) -> None:
        self.open = False
        """Whether something was written of which nobody knows whether the merge is about it."""
        self.touched: set[Key] = set()
        """Keys of either side."""
        self.resolving: list[Exchange] = []
        places = {(side, sides.doc) for side in (sides.source, sides.into)}
        for write in writes:
            if write.tool == RESOLVE:
                self.resolving.append(write)
            elif write.tool == MERGE:
                self.open = self.open or (_sides(write) != sides and write.argument("dry_run") is not True)
            elif write.tool in EDITS:
                doc = "doc" if write.tool == EDIT else "graph_doc"
                place = place_of(write, doc)
                self.open = self.open or place is None or write.argument("target") is not None
                if place in places:
                    self.touched |= set(_keys(write))

    @property
    def resolved(self) -> set[str]:
        """The ids of conflicts that were."""
        return {str(write.argument("conflict_id")) for write in self.resolving}


def _keys(write: Exchange) -> Iterator[Key]:
    if write.tool == EDIT:
        yield from (key for op in operations(write) if (key := key_of(op)) is not None)
    elif (card := card_of(write)) is not None:
        yield node(str(card["id"]))


def _written(history: History, sides: Sides, merge: Exchange) -> set[Key]:
    """The keys that the source had written when it was merged: what clashes is among them."""
    edits = _edits(history).get((sides.source, sides.doc), ())
    return {key for call in edits if call.sent < merge.sent for key in _keys(call)}


@of_history
def _edits(history: History) -> dict[Hashable, list[Exchange]]:
    """The accepted writes of nodes, by branch and document."""
    found: dict[Hashable, list[Exchange]] = defaultdict(list)
    for call in history.accepted(*EDITS):
        found[place_of(call, "doc" if call.tool == EDIT else "graph_doc")].append(call)
    return found


def _plain(call: Exchange) -> dict[str, Json]:
    """A merge's arguments without what it expects."""
    return {name: value for name, value in call.arguments.items() if not name.startswith("expected_")}


class Clash(NamedTuple):
    """A node that both sides of a merge gave another value of one field since the source branched off."""

    node: str
    field: str
    theirs: Json
    ours: Json
    writes: tuple[Exchange, Exchange]
    """That of the source's side, and that of the target's."""


@law("TK-FLOW-03")
def a_conflict_is_kept_and_decided(history: History, contract: Contract) -> Iterator[Judgement]:
    """A merge names a conflict for each node of which both sides changed a field, and leaves it as its target has it.

    An answer that says that it leaves conflicts for later need not name all. Once the only conflict of a merge is
    resolved, the target shows the side that was chosen.
    """
    when = epochs(history, contract)
    upserts, branched = _upserts(history), _branched(history)
    merged: set[Sides] = set()
    for merge in history.accepted(MERGE):
        sides = _sides(merge)
        began = branched.get((sides.place, sides.source))
        if merge.argument("dry_run") is True or sides in merged or began is None:
            continue
        merged.add(sides)
        others = (
            call
            for call in when.writes(merge)
            if call.tool in OTHERS and began.sent < call.sent < merge.sent and not _of_another(call, sides)
        )
        if began.argument("from") != sides.into or when.met(merge) is None or any(others):
            continue
        clashes = list(_clashes(upserts, sides, began, merge))
        if clashes and not _in_part(merge):
            yield _reported(merge, clashes)
        if clashes:
            yield from _left(history, when, merge, clashes)
        if len(clashes) == 1 and len(_ids(merge)) == 1:
            yield from _decided(history, when, merge, clashes[0])


def _of_another(write: Exchange, sides: Sides) -> bool:
    """Whether a merge or a card is plainly about another document than a merge."""
    doc = write.argument("graph_doc" if write.tool == CARD else "doc")
    # a card may go to the documents of a plan or task, whatever they are called
    return isinstance(doc, str) and doc != sides.doc and write.argument("target") is None and write.tool != RESOLVE


Upserts = dict[tuple[Hashable, Json, Json], dict[str, list[tuple[dict[str, Json], Exchange]]]]


def _upserts(history: History) -> Upserts:
    """By place, branch and document, then by node: the operations of accepted writes that named it, in order."""
    found: Upserts = defaultdict(lambda: defaultdict(list))
    for call in history.accepted(EDIT):
        place = (call.instance, str(call.argument("workspace"))), call.argument("branch"), call.argument("doc")
        for op in operations(call):
            node = op.get("id")
            if isinstance(node, str) and isinstance(place[1], str) and isinstance(place[2], str):
                found[place][node.strip()].append((op if op.get("op") == "node_upsert" else {}, call))
    return found


def _branched(history: History) -> dict[tuple[Hashable, Json], Exchange]:
    made: dict[tuple[Hashable, Json], Exchange] = {}
    for call in history.accepted(BRANCH):
        if isinstance(call.argument("name"), str):
            made.setdefault(((call.instance, str(call.argument("workspace"))), call.argument("name")), call)
    return made


def _clashes(upserts: Upserts, sides: Sides, began: Exchange, merge: Exchange) -> Iterator[Clash]:
    target = upserts.get((sides.place, sides.into, sides.doc), {})
    for name, theirs in upserts.get((sides.place, sides.source, sides.doc), {}).items():
        ours = target.get(name, [])
        before = [op for op, call in ours if call.before(began)]
        since = [(op, call) for op, call in ours if began.before(call) and call.before(merge)]
        own = [(op, call) for op, call in theirs if began.before(call) and call.before(merge)]
        if own and since:
            written = [own[-1][0], since[-1][0], *before[-1:]]
            field = next((field for field in NODE_FIELDS if _differ(field, written)), None)
            if field is not None:
                yield Clash(name, field, written[0][field], written[1][field], (own[-1][1], since[-1][1]))


def _differ(field: str, written: list[dict[str, Json]]) -> bool:
    """Whether each of these operations gives the field, and no two of them the same."""
    values = [op.get(field) for op in written]
    return None not in values and not any(shown_as(field, one, other) for one, other in combinations(values, 2))


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
        saw = "after a merge with a conflict"
        yield from _held(clash, clash.ours, shown, saw, clash.writes[1], merge, read)


def _held(
    clash: Clash, wanted: Json, shown: Mapping[str, Mapping[str, Json]], when: str, *evidence: Exchange
) -> Iterator[Judgement]:
    """Whether a node that both sides changed has the value that is wanted; nothing where its field is not shown.

    A server may keep in a node's meta where it was merged from.
    """
    found = shown.get(clash.node, {})
    if clash.field in found or not found:
        value = found.get(clash.field)
        saw = f"{when} {clash.node!r} has the {clash.field} {value!r}"
        yield holds(shown_as(clash.field, wanted, value, wrapped=True), saw, *evidence, expected=wanted, got=value)


def _decided(history: History, when: Epochs, merge: Exchange, clash: Clash) -> Iterator[Judgement]:
    resolve = next((each for each in history.accepted(RESOLVE) if _resolves(each, merge)), None)
    read, shown = _next(history, when, resolve, _sides(merge)) if resolve is not None else (None, {})
    if resolve is None or read is None:
        return
    sides = _sides(merge)
    between = Meanwhile(sides, (call for call in when.writes(merge) if merge.sent < call.sent < resolve.sent))
    touched = between.open or node(clash.node) in between.touched or between.resolving
    chosen = {"use_from": clash.theirs, "use_into": clash.ours}.get(str(resolve.argument("resolution")))
    if chosen is not None and not touched:
        saw = f"resolved with {resolve.argument('resolution')},"
        yield from _held(clash, chosen, shown, saw, *clash.writes, merge, resolve, read)


def _resolves(call: Exchange, merge: Exchange) -> bool:
    return merge.before(call) and call.argument("conflict_id") in _ids(merge) and _sides(call)[0] == _sides(merge)[0]


def _next(
    history: History, when: Epochs, write: Exchange, sides: Sides
) -> tuple[Exchange | None, dict[str, dict[str, Json]]]:
    """The first whole look at the target with nothing written since, and the nodes that it shows."""
    for read in _looks(history).get((sides.place, sides.into, sides.doc), ()):
        fresh = when.shown(write) is not None and when.met(read) == when.shown(write)
        if write.before(read) and fresh:
            return read, {str(each.get("id")): each for each in present(read.given, "nodes")}
    return None, {}


@of_history
def _looks(history: History) -> dict[tuple[Hashable, str, str], list[Exchange]]:
    """The whole looks at graphs, by place, branch and document."""
    found: dict[tuple[Hashable, str, str], list[Exchange]] = defaultdict(list)
    for read in history.accepted(QUERY):
        branch, doc = read.argument("branch"), read.argument("doc")
        alone = isinstance(read.arguments, dict) and set(read.arguments) == {"workspace", "branch", "doc"}
        if alone and not cut(read) and isinstance(branch, str) and isinstance(doc, str):
            found[(read.instance, str(read.argument("workspace"))), branch, doc].append(read)
    return found
