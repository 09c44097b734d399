"""What [[make]] tells of the tools: which read, which write, and which entity each is about."""

from collections.abc import Collection, Iterator, Mapping

from conformance.contract.making import Call, Make
from conformance.contract.rows import Tool, ToolMark
from conformance.contract.templates import place_of, slots
from conformance.model.pointer import ASKED, steps


def marks(
    makes: Mapping[str, Make], tools: Mapping[str, Tool], given: Mapping[str, ToolMark], steady: Collection[str] = ()
) -> dict[str, ToolMark]:
    """The marks of all tools: those given; those that [[make]] amounts to; of other tools what they say themselves.

    A tool of which nothing is known may change anything. `steady` are those of which a promise says that they read.
    """
    found = {name: mark for make in makes.values() for name, mark in _of(make, makes)}
    found |= {name: ToolMark(name=name, effect="read") for name in steady if name not in found}
    if found:
        for name, tool in tools.items():
            reads = tool.annotations.get("readOnlyHint") is True
            found.setdefault(name, ToolMark(name=name, effect="read" if reads else "write", state=False))
    return {**found, **given}


def _of(make: Make, makes: Mapping[str, Make]) -> Iterator[tuple[str, ToolMark]]:
    """The marks of the tools that make, read, change and remove one kind of entity."""
    named = next((scope for call in (make.read, make.change, make.remove) if call for scope in _scope(call)), "")
    if make.list is not None:
        yield make.list.tool, ToolMark(name=make.list.tool, effect="read")
    if make.read is not None:
        yield make.read.tool, ToolMark(name=make.read.tool, effect="read", scope=_scope(make.read))
    for call in (make.change, make.remove, *make.moves):
        if call is not None:
            mark = ToolMark(name=call.tool, effect="write", scope=_scope(call), beside=_beside(call, makes))
            yield call.tool, mark
    beside = _beside(make.make, makes)
    if make.by_caller:
        path = steps(make.id.removeprefix(ASKED))
        scope = (path[0],) if len(path) == 1 else ()
        yield make.make.tool, ToolMark(name=make.make.tool, effect="write", scope=scope, beside=beside)
    else:
        scope = (named,) if named else ()
        mark = ToolMark(name=make.make.tool, effect="write", scope=scope, beside=beside, named=make.make.at + make.id)
        yield make.make.tool, mark


def _beside(call: Call, makes: Mapping[str, Make]) -> dict[str, str]:
    """The arguments that name entities which another one is made in, with how these are asked for."""
    others = [(steps(slot.at), makes.get(slot.name)) for slot in slots(call.arguments) if slot.kind in ("made", "its")]
    reads = [(path, _scope(other.read)) for path, other in others if other is not None and other.read is not None]
    return {path[0]: scope[0] for path, scope in reads if len(path) == 1 and scope}


def _scope(call: Call) -> tuple[str, ...]:
    """The argument that names the entity, where it is one of the arguments themselves."""
    path = steps(place_of(call, "id"))
    return (path[0],) if len(path) == 1 else ()
