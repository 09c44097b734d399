"""Which identifiers are well formed (Common types, Identifiers), and which arguments of a call are identifiers."""

import re
import unicodedata
from collections.abc import Container, Iterator, Mapping
from typing import NamedTuple

from conformance.judge.memo import of_each
from conformance.model.events import Json
from conformance.model.exchange import Exchange

LONGEST_NAME = 128
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]*")
_FORMS = {
    "item": re.compile(r"(?:PLAN|TASK)-[0-9]{3,}"),
    "step": re.compile(r"(?:STEP|NODE)-[A-Za-z0-9]{8,}"),
    "path": re.compile(r"s:[0-9]+(?:\.s:[0-9]+)*"),
    "conflict": re.compile(r"CONFLICT-[0-9a-f]{32}"),
}
SPOKEN = {"item": "a plan or task id", "step": "a step id", "path": "a step path", "conflict": "a conflict id"}
_ARGUMENTS = {
    "task": "item",
    "expected_target_id": "item",
    "step_id": "step",
    "path": "path",
    "conflict_id": "conflict",
}
NAMES = ("name", "ref", "branch", "doc", "from", "to", "into", "trace_doc", "graph_doc")
"""Arguments that name a branch or a document."""


class Identifier(NamedTuple):
    """An argument that is an identifier, with the form that it is to have."""

    argument: str
    form: str
    value: Json

    @property
    def malformed(self) -> bool:
        """Whether it is a string that does not have its form."""
        return isinstance(self.value, str) and not formed(self.form, self.value)


def formed(form: str, value: Json) -> bool:
    """Whether a value has one of the forms item, step, path, conflict."""
    return isinstance(value, str) and _FORMS[form].fullmatch(value) is not None


def is_name(value: Json) -> bool:
    """Whether a value has the form of a workspace id."""
    return isinstance(value, str) and len(value) <= LONGEST_NAME and _NAME.fullmatch(value) is not None


def nameless(value: Json) -> bool:
    """Whether it is a text that nobody takes for a name: blank, or with a control character."""
    return isinstance(value, str) and (not value.strip() or any(unicodedata.category(each) == "Cc" for each in value))


@of_each
def identifiers(call: Exchange) -> tuple[Identifier, ...]:
    """The arguments of a call that name a plan, task, step or conflict.

    What tasks_patch calls its target may be of either form: a task's where it begins so, else a step's.
    """
    found, given = list[Identifier](), call.arguments if isinstance(call.arguments, dict) else {}
    for name, value in given.items():
        form = _ARGUMENTS.get(name)
        if name == "parent":
            form = {"tasks_create": "item", "tasks_decompose": "path"}.get(call.tool or "")
        elif name == "target":
            either = call.tool == "tasks_patch" and not (isinstance(value, str) and value.startswith(("PLAN", "TASK")))
            form = "step" if either else "item"
        if form is not None:
            found.append(Identifier(name, form, value))
    return tuple(found)


class GraphForm(NamedTuple):
    """What a graph identifier may be."""

    what: str
    longest: int
    pipe: bool

    def fault(self, value: str) -> str:
        """How a spelling surely breaks the rule: also without the white space around it, which may not count."""
        core = value.strip()
        faults = {
            "is empty": not value,
            "is too long": len(core) > self.longest,
            "has a control character": _controls(core),
            "has a |": not self.pipe and "|" in core,
        }
        return next((fault for fault, there in faults.items() if there), "")

    def broken(self, value: str) -> bool:
        """Whether a spelling surely breaks the rule."""
        return bool(self.fault(value))

    def kept(self, value: str) -> bool:
        """Whether a spelling surely keeps the rule."""
        return value == value.strip() and self.holds(value)

    def holds(self, value: str) -> bool:
        """Whether the rule holds for a spelling's canonical form, without the white space around it."""
        core = value.strip()
        return 0 < len(core) <= self.longest and not _controls(value) and (self.pipe or "|" not in core)


NODE = GraphForm("node id", 256, pipe=False)
TYPE = GraphForm("type", 128, pipe=True)
RELATION = GraphForm("relation", 128, pipe=False)
FIELDS: Mapping[str, Mapping[str, GraphForm]] = {
    "node_upsert": {"id": NODE, "type": TYPE},
    "node_delete": {"id": NODE},
    "edge_upsert": {"from": NODE, "rel": RELATION, "to": NODE},
    "edge_delete": {"from": NODE, "rel": RELATION, "to": NODE},
}
"""Fields of a graph's operations that are identifiers."""


ANY = "…"
"""Stands for what an identifier is, where only its place counts."""


def without(call: Exchange, *forms: GraphForm) -> Json:
    """A call's arguments with graph identifiers of these forms made equal, wherever its operations have them."""
    if not isinstance(call.arguments, dict) or not isinstance(call.argument("ops"), list):
        return call.arguments
    return {**call.arguments, "ops": [_blank(op, forms) for op in call.argument("ops")]}


def _blank(op: Json, forms: Container[GraphForm]) -> Json:
    kind = op.get("op") if isinstance(op, dict) else None
    if not isinstance(op, dict) or not isinstance(kind, str):
        return op
    blank = {name: ANY for name, form in FIELDS.get(kind, {}).items() if name in op and form in forms}
    return {**op, **blank}


def _controls(value: str) -> bool:
    return any(unicodedata.category(character) == "Cc" for character in value)


def operations(call: Exchange) -> list[dict[str, Json]]:
    """The operations of a call of branchmind_graph_apply, as far as they are objects."""
    ops = call.argument("ops")
    return [op for op in ops if isinstance(op, dict)] if isinstance(ops, list) else []


def in_graph(call: Exchange) -> Iterator[tuple[GraphForm, str]]:
    """The graph identifiers that its operations spell, each with its form."""
    for op in operations(call) if call.tool == "branchmind_graph_apply" else ():
        kind = op.get("op")
        for name, form in FIELDS.get(kind, {}).items() if isinstance(kind, str) else ():
            value = op.get(name)
            if isinstance(value, str):
                yield form, value
