"""What promises are about: calls of tools, what stands at a place of theirs, and which of them repeat another."""

from collections.abc import Container, Iterable, Sequence
from copy import deepcopy

from conformance.contract.asked import key_places
from conformance.contract.catalogue import Contract
from conformance.contract.making import Call
from conformance.contract.promises import Guarded, Place, Replayed
from conformance.contract.templates import FRESH, Slot, fits, slots
from conformance.judge.kinds import spelled
from conformance.judge.memo import once
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.pointer import ABSENT, ASKED, EACH, at, drop, entries, gathered, steps


def value(call: Exchange, place: Place) -> Json:
    """What stands at a place: of the arguments where it begins with @, else of a success's payload; ABSENT: nothing.

    With `*` it is a list of what stands there in each entry.
    """
    if place.startswith(ASKED):
        return gathered(call.arguments, place.removeprefix(ASKED))
    return gathered(call.payload, place) if call.accepted else ABSENT


def values(call: Exchange, place: Place) -> list[Json]:
    """What stands at a place, of each entry where it has `*`; empty where nothing does."""
    found = value(call, place)
    return [] if found is ABSENT else [found] if EACH not in steps(place.removeprefix(ASKED)) else found


def lacks(arguments: Json, path: str) -> bool:
    """Whether nothing stands at a place: with `*` in one of the entries."""
    if EACH not in steps(path):
        return at(arguments, path) is ABSENT
    head, _, last = path.rpartition("/")
    return any(isinstance(each, dict) and at(each, f"/{last}") is ABSENT for _, each in entries(arguments, head))


def whole(call: Exchange) -> Json:
    """What an answer carries, success or refusal: the envelope, or what stands in its place; ABSENT where none came."""
    if call.envelope is not None:
        return call.envelope
    return call.payload if by_the_tool(call) and isinstance(call.payload, dict) else ABSENT


def by_the_tool(call: Exchange) -> bool:
    """Whether the tool itself answered, not the protocol: with a result of MCP, over plain HTTP with a JSON body."""
    return (call.response if call.connection.binding == "http" else call.result) is not None


def of_tools(history: History, contract: Contract, tools: Sequence[str]) -> Sequence[Exchange]:
    """The calls of these tools, of all the contract's where none is named."""
    return history.calls(*(tools or contract.tools))


def writes(history: History, contract: Contract, besides: Container[str] = ()) -> Sequence[Exchange]:
    """The calls of the tools that change state, but for some."""
    tools = [tool for tool in contract.writes() if tool not in besides]
    return history.calls(*tools) if tools else ()


def templates(contract: Contract, tool: str) -> list[Call]:
    """How the contract says that a tool is called."""
    found = [call for make in contract.makes.values() for call in make.calls if call.tool == tool]
    return [*found, *(call for call in contract.examples if call.tool == tool)]


def as_written(call: Exchange, contract: Contract) -> bool:
    """Whether a call is as the contract says that its tool is called, whatever stands in the place of placeholders.

    A key and an expected revision, which promises name, may stand there besides.
    """
    tool = call.tool or ""
    guards = [p.expected for p in contract.promises.values() if isinstance(p, Guarded) and p.tool == tool]
    bare = without(call, [*key_places(contract, tool), *guards])
    return any(fits(each.arguments, asked) for each in templates(contract, tool) for asked in (call.arguments, bare))


def fresh(contract: Contract, tool: str) -> tuple[Slot, ...]:
    """The arguments of a tool that are new in each call: in a like of a call they may be others."""
    found = (slot for call in templates(contract, tool) for slot in slots(call.arguments) if slot.kind in FRESH)
    return tuple(dict.fromkeys(found))


def without(call: Exchange, places: Iterable[Place]) -> Json:
    """A call's arguments without what stands at these places."""
    arguments = deepcopy(call.arguments)
    for place in places:
        drop(arguments, place.removeprefix(ASKED))
    return arguments


class Repeated:
    """Which calls use a key that an earlier call had used: a server does not do them again."""

    def __init__(self, history: History, contract: Contract) -> None:
        self.calls: set[int] = set()
        for promise in contract.promises.values():
            if not isinstance(promise, Replayed):
                continue
            used: set[tuple[str, str, str]] = set()
            for call in sorted(history.calls(promise.tool), key=lambda one: one.sent):
                key = value(call, promise.key)
                if key is ABSENT or key is None:
                    continue
                name = (call.instance, call.credential.name, spelled(key))
                if name in used:
                    self.calls.add(call.call)
                used.add(name)

    def __contains__(self, call: Exchange) -> bool:
        return call.call in self.calls


repeated = once(Repeated)
