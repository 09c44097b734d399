"""Which entities an accepted answer shows, each with its revision: what laws on revisions and identifiers look at."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from conformance.judge.judgements import MISSING
from conformance.judge.memo import of_each
from conformance.model.events import Json
from conformance.model.exchange import Exchange

Key = tuple[str, ...]
"""Kind and names of an entity within its workspace; a step's are its task's id and its own."""
Object = dict[str, Any]


class Seen(NamedTuple):
    """An entity at one place of an answer."""

    key: Key
    shown: Object
    pointer: str
    whole: bool
    """Whether it is shown, not only named: its content is there."""

    @property
    def revision(self) -> Json:
        """As the answer has it; MISSING where it has none."""
        return self.shown.get("revision", MISSING)


Sight = Iterator[Seen]


@of_each
def entities(call: Exchange) -> tuple[Seen, ...]:
    """The entities in an accepted answer. What only tells of the past, as events and entries do, is none."""
    look = _LOOKS.get(call.tool or "")
    return tuple(look(call.given)) if look is not None and call.accepted else ()


def _objects(holder: Object, name: str) -> Iterator[tuple[str, Object]]:
    listed = holder.get(name)
    for index, each in enumerate(listed if isinstance(listed, list) else ()):
        if isinstance(each, dict):
            yield f"/{name}/{index}", each


def _inner(holder: Object, name: str) -> Iterator[tuple[str, Object]]:
    value = holder.get(name)
    if isinstance(value, dict):
        yield f"/{name}", value


def _seen(kind: str, shown: Object, pointer: str, names: tuple[Json, ...], *, whole: bool = True) -> Sight:
    if all(isinstance(name, str) for name in names):
        yield Seen((kind, *names), shown, pointer, whole)


def _named(item: Object) -> Json:
    """The id of a plan or task; a write on a step has it as `task`."""
    return item.get("id", item.get("task"))


def _steps(item: Object, above: str = "", *, whole: bool = False) -> Sight:
    for pointer, step in _objects(item, "steps"):
        yield from _seen("step", step, above + pointer, (_named(item), step.get("step_id")), whole=whole)


def _item(shown: Object, pointer: str = "") -> Sight:
    yield from _seen("task", shown, pointer, (_named(shown),))


def _written_item(result: Object) -> Sight:
    yield from _item(result)
    for pointer, step in _inner(result, "step"):
        yield from _seen("step", step, pointer, (_named(result), step.get("step_id")), whole=False)
    yield from _steps(result)


def _patched(result: Object) -> Sight:
    """What a patch wrote: where `id` is the step's, the task is named beside it."""
    step = result.get("step")
    of_step = result.get("kind") == "step" or (isinstance(step, dict) and step.get("step_id") == result.get("id"))
    yield from _written_item({**result, "id": result.get("task")} if of_step else result)


def _context(result: Object) -> Sight:
    for name in ("plans", "tasks"):
        for pointer, item in _objects(result, name):
            yield from _item(item, pointer)
            yield from _steps(item, pointer, whole=True)


def _radar(result: Object) -> Sight:
    for pointer, item in _inner(result, "target"):
        yield from _item(item, pointer)
        for above, counts in _inner(result, "steps"):
            for inner, step in _inner(counts, "first_open"):
                yield from _seen("step", step, above + inner, (_named(item), step.get("step_id")), whole=False)


def _export(result: Object) -> Sight:
    for pointer, item in _inner(result, "target"):
        yield from _item(item, pointer)
        yield from _steps(item, pointer, whole=True)
    for name in ("notes", "trace"):
        yield from _document(result, name)


def _branches(result: Object) -> Sight:
    for pointer, branch in (*_inner(result, "branch"), *_objects(result, "branches")):
        yield from _seen("branch", branch, pointer, (branch.get("name"),))


def _document(result: Object, name: str = "document", *, whole: bool = False) -> Sight:
    for pointer, document in _inner(result, name):
        yield from _seen("document", document, pointer, (document.get("branch"), document.get("doc")), whole=whole)


def _written_document(result: Object) -> Sight:
    """The document in an object of its own; else its revision beside what was written, or in it."""
    if isinstance(result.get("document"), dict):
        yield from _document(result, whole=True)
        return
    entry = result.get("entry")
    inner = entry if isinstance(entry, dict) else {}
    for pointer, holder in (("", result), ("/entry", inner)):
        if "revision" in holder:
            names = (inner.get("branch", result.get("into")), inner.get("doc", result.get("doc")))
            yield from _seen("document", holder, pointer, names, whole=False)
            return


def _own_document(result: Object) -> Sight:
    """The answer as a whole is about a document; its revision is beside its name, or in an object of its own."""
    if isinstance(result.get("document"), dict):
        yield from _document(result, whole=True)
    else:
        yield from _seen("document", result, "", (result.get("branch"), result.get("doc")))


def _receipt(result: Object) -> Sight:
    """As above, in an answer that tells what was done to the document: its name alone does not show it."""
    whole = isinstance(result.get("document"), dict)
    yield from (seen._replace(whole=whole) for seen in _own_document(result))


def _named_document(result: Object) -> Sight:
    """As above, in an answer that shows what was found out about the document."""
    for seen in _own_document(result):
        if seen.revision is not MISSING:
            yield seen._replace(whole=False)


def _part(shown: Object, pointer: str, place: tuple[Json, Json]) -> Sight:
    whole = shown.get("deleted") is not True
    if "rel" in shown:
        names = (*place, shown.get("from"), shown.get("rel"), shown.get("to"))
        yield from _seen("edge", shown, pointer, names, whole=whole)
    else:
        yield from _seen("node", shown, pointer, (*place, shown.get("id")), whole=whole)


def _query(result: Object) -> Sight:
    yield from _own_document(result)
    place = (result.get("branch"), result.get("doc"))
    for pointer, part in (*_objects(result, "nodes"), *_objects(result, "edges")):
        yield from _part(part, pointer, place)


def _diff(result: Object) -> Sight:
    place = (result.get("to"), result.get("doc"))
    for above, change in _objects(result, "changes"):
        for pointer, part in _inner(change, "to"):
            yield from _part(part, above + pointer, place)


def _cards(result: Object) -> Sight:
    yield from _named_document({"doc": result.get("graph_doc"), **result})
    place = (result.get("branch"), result.get("graph_doc"))
    for pointer, card in _objects(result, "cards"):
        yield from _part(card, pointer, place)


def _card(result: Object) -> Sight:
    for pointer, document in _objects(result, "documents"):
        names = (document.get("branch"), document.get("doc"))
        yield from _seen("document", document, pointer, names, whole=pointer == "/documents/0")


def _conflicts(result: Object) -> Sight:
    for pointer, conflict in (*_inner(result, "conflict"), *_objects(result, "conflicts")):
        yield from _seen("conflict", conflict, pointer, (conflict.get("conflict_id"),))


def _resolved(result: Object) -> Sight:
    yield from _seen("conflict", result, "", (result.get("conflict_id"),), whole=False)
    yield from _document(result)


def _focus(result: Object) -> Sight:
    yield from _seen("focus", result, "", ())


def _cleared(result: Object) -> Sight:
    """An answer that tells what was cleared need not show the focus that there is now."""
    yield from _seen("focus", result, "", (), whole="focus" in result)


_LOOKS: dict[str, Callable[[Object], Sight]] = {
    "branchmind_branch_create": _branches,
    "branchmind_branch_list": _branches,
    "branchmind_notes_commit": _written_document,
    "branchmind_show": _own_document,
    "branchmind_merge": _written_document,
    "branchmind_export": _export,
    "branchmind_graph_apply": _receipt,
    "branchmind_graph_query": _query,
    "branchmind_graph_validate": _named_document,
    "branchmind_graph_diff": _diff,
    "branchmind_graph_merge": _written_document,
    "branchmind_graph_conflicts": _conflicts,
    "branchmind_graph_conflict_show": _conflicts,
    "branchmind_graph_conflict_resolve": _resolved,
    "branchmind_think_card": _card,
    "branchmind_think_context": _cards,
    "tasks_create": _written_item,
    "tasks_decompose": _written_item,
    "tasks_edit": _written_item,
    "tasks_define": _written_item,
    "tasks_note": _written_item,
    "tasks_verify": _written_item,
    "tasks_done": _written_item,
    "tasks_patch": _patched,
    "tasks_context": _context,
    "tasks_radar": _radar,
    "tasks_focus_get": _focus,
    "tasks_focus_set": _focus,
    "tasks_focus_clear": _cleared,
}
