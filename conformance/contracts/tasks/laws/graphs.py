"""Graph identifiers: what they may hold, and that they are canonicalised."""

import json
from collections import defaultdict
from collections.abc import Hashable, Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.tasks.beside import controls, spelling
from conformance.contracts.tasks.forms import FIELDS, NODE, RELATION, TYPE, GraphForm, in_graph, operations
from conformance.contracts.tasks.known import known
from conformance.contracts.tasks.lists import cut, present
from conformance.judge.controls import refusals
from conformance.judge.epochs import Epochs, epochs
from conformance.judge.judgements import breach, holds, told
from conformance.judge.law import law
from conformance.model.events import Json
from conformance.model.exchange import INVALID_PARAMS, Exchange
from conformance.model.history import History
from conformance.model.verdict import HELD, Judgement

PLAIN = 64
"""Characters that any server takes for a graph identifier."""
EDIT = "branchmind_graph_apply"
QUERY = "branchmind_graph_query"
FILTERS = ("ids", "types", "status", "tags_any", "tags_all", "text", "max_chars", "limit", "offset", "edges_limit")
"""Arguments of a query that leave something out."""


@law("TK-ID-05")
def node_ids_keep_their_rule(history: History, contract: Contract) -> Iterator[Judgement]:
    """An operation with a node id that breaks the rule is refused; the same with a valid id is not."""
    yield from _limited(history, contract, NODE)


@law("TK-ID-06")
def types_keep_their_rule(history: History, contract: Contract) -> Iterator[Judgement]:
    """An operation with a type that breaks the rule is refused; the same with a valid type is not."""
    yield from _limited(history, contract, TYPE)


@law("TK-ID-07")
def relations_keep_their_rule(history: History, contract: Contract) -> Iterator[Judgement]:
    """An operation with a relation that breaks the rule is refused; the same with a valid one is not."""
    yield from _limited(history, contract, RELATION)


def _limited(history: History, contract: Contract, form: GraphForm) -> Iterator[Judgement]:
    run, control = known(history, contract), controls(history, contract)

    def words(call: Exchange) -> str:
        value = next(value for value in _own(call, form) if form.broken(value))
        return f"with the {form.what} {_cut(value)}, which {form.fault(value)},"

    broken = [call for call in history.calls(EDIT) if any(map(form.broken, _own(call, form)))]
    yield from refusals(control, broken, spelling(form), words)
    for call in history.calls(EDIT):
        own = _own(call, form) if call.received is not None else []
        if any(map(form.broken, own)):
            continue
        unusual = next((value for value in own if not _plain(value)), None)
        rest = all(_plain(value) for each, value in in_graph(call) if each is not form)
        if unusual is None or not rest or not all(map(form.kept, own)) or not run.good(call):
            continue
        if call.accepted or call.code in contract.errors or call.protocol_code == INVALID_PARAMS:
            saw = f"the {form.what} {_cut(unusual)}, which keeps the rule, was {told(call)}"
            yield holds(call.accepted, saw, call, expected="success", got=unusual)


def _own(call: Exchange, form: GraphForm) -> list[str]:
    return [value for each, value in in_graph(call) if each is form]


def _plain(value: str) -> bool:
    return value.isascii() and value.isalnum() and len(value) <= PLAIN


def _cut(value: str) -> str:
    return repr(value) if len(value) <= PLAIN else f"of {len(value)} characters ({value[:8]!r}...)"


@law("TK-ID-08")
def graph_identifiers_are_canonical(history: History, contract: Contract) -> Iterator[Judgement]:
    """What was written with white space around an identifier is shown without it, and once.

    An edit that is accepted without that white space is accepted with it, as limits count the form without it. A query
    of ids shows the same nodes with white space around the ids and without.
    """
    yield from _taken(history)
    yield from _asked(history, epochs(history, contract))
    padded: dict[Hashable, dict[tuple[str, str], Exchange]] = defaultdict(dict)
    for call in history.accepted(EDIT, QUERY):
        if call.tool == EDIT:
            for op in operations(call):
                for place, value in _spelt(op):
                    if value != value.strip() and value.strip():
                        padded[_place(call)].setdefault((place, value), call)
        elif all(call.argument(name) is None for name in FILTERS):
            for (place, value), write in padded[_place(call)].items():
                if write.before(call):
                    yield from _once(write, call, place, value)


def _taken(history: History) -> Iterator[Judgement]:
    bare: dict[Hashable, Exchange] = {}
    for call in history.calls(EDIT):
        own = list(in_graph(call))
        # what is deleted is gone the second time, however it is spelt
        again = all(str(op.get("op")).endswith("_upsert") for op in operations(call))
        if call.received is None or not own or not again or not all(form.holds(value) for form, value in own):
            continue
        meant = (_place(call), json.dumps([_bare(op) for op in operations(call)], sort_keys=True))
        if all(value == value.strip() for _, value in own):
            if call.accepted:
                bare.setdefault(meant, call)
        elif meant in bare and (call.accepted or call.code == "INVALID_INPUT" or call.protocol_code == INVALID_PARAMS):
            saw = f"what was accepted with bare identifiers was {told(call)} with white space around them"
            yield holds(call.accepted, saw, bare[meant], call, expected="success")


def _asked(history: History, when: Epochs) -> Iterator[Judgement]:
    """Queries of ids, as those ask that have no white space around them, of the same state."""
    bare: dict[Hashable, Exchange] = {}
    for call in history.accepted(QUERY):
        ids, epoch = call.argument("ids"), when.met(call)
        if not isinstance(ids, list) or not all(isinstance(each, str) for each in ids) or epoch is None or cut(call):
            continue
        canonical = [each.strip() for each in ids]
        asked = when.scope(call), epoch, json.dumps({**call.arguments, "ids": canonical}, sort_keys=True)
        if ids == canonical:
            bare.setdefault(asked, call)
        elif asked in bare and all(NODE.holds(each) for each in ids):
            own, plain = (
                sorted(str(each.get("id")) for each in present(c.given, "nodes")) for c in (call, bare[asked])
            )
            saw = f"a query of {ids!r} shows {own}, one of {canonical!r} {plain}"
            yield holds(own == plain, saw, bare[asked], call, pointer="/result/nodes", expected=plain, got=own)


def _bare(op: dict[str, Json]) -> dict[str, Json]:
    named = FIELDS.get(str(op.get("op")), {})
    return {name: value.strip() if name in named and isinstance(value, str) else value for name, value in op.items()}


def _spelt(op: dict[str, Json]) -> Iterator[tuple[str, str]]:
    """Where an upsert's identifiers are shown, each with its spelling."""
    places = {"node_upsert": {"id": "id", "type": "type"}, "edge_upsert": {"from": "from", "rel": "rel", "to": "to"}}
    kind = op.get("op")
    for name, place in places.get(kind, {}).items() if isinstance(kind, str) else ():
        if isinstance(op.get(name), str):
            yield place, op[name]


def _place(call: Exchange) -> Hashable:
    return call.instance, *(str(call.argument(name)) for name in ("workspace", "target", "branch", "doc"))


def _once(write: Exchange, read: Exchange, place: str, value: str) -> Iterator[Judgement]:
    holder = "nodes" if place in ("id", "type") else "edges"
    parts = read.given.get(holder)
    spellings = [part.get(place) for part in (parts if isinstance(parts, list) else ()) if isinstance(part, dict)]
    meant = [each for each in spellings if isinstance(each, str) and each.strip() == value.strip()]
    odd = next((each for each in meant if each != each.strip()), None)
    if odd is not None:
        yield breach(f"{value!r} is shown as {odd!r}", write, read, pointer=f"/result/{holder}", got=odd)
    elif place == "id" and len(meant) > 1:
        saw = f"spellings of {value.strip()!r} name {len(meant)} nodes"
        yield breach(saw, write, read, pointer="/result/nodes", expected=1, got=len(meant))
    elif meant:
        yield HELD
