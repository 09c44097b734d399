"""Breakages of a contract whose laws are in Python, derived from what its data says: codes, envelope, tools, marks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from conformance.contract.asked import asked_as
from conformance.contract.catalogue import Contract
from conformance.contract.promises import Place
from conformance.contract.saying import place
from conformance.contract.schema import satisfied
from conformance.drive.wire.between import Passed
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.pointer import ABSENT, ASKED, at, pointer_of
from conformance.prove.proxy import answers as a
from conformance.prove.proxy import entities as e
from conformance.prove.proxy import lists as li
from conformance.prove.proxy.breakage import Breakage, Samples, World, seen, settled
from conformance.prove.proxy.rewriting import asking

RETRYABLE = "retryable"


@dataclass
class Ignores(Breakage):
    """An argument reaches nobody."""

    tool: str
    argument: str

    def asked(self, call: Exchange, world: World) -> Passed | None:
        """The call is made without it, where it is a good one."""
        given, schema = call.arguments, asked_as(world.contract, self.tool, ASKED)
        if call.tool != self.tool or not isinstance(given, dict) or given.get(self.argument) is None:
            return None
        if schema is None or not satisfied(schema, given):
            return None
        return Passed(asking(call, {name: each for name, each in given.items() if name != self.argument}))


def breakages(contract: Contract, samples: Samples, calls: Sequence[Exchange]) -> Iterator[Breakage]:
    """What a server may do wrong that the contract's data tells of, and that has been seen done right."""
    yield from _of_refusals(contract, samples)
    yield from _of_envelopes(contract, samples)
    yield from _of_tools(contract)
    for row in contract.shown:
        for argument in row.fields:
            about = asked_as(contract, row.write, f"@/{argument}") or {}
            if about.keys() == {"type"}:
                yield e.WritesOtherwise(f"{row.write} keeps another {argument}", row.write, f"@/{argument}")
    for tool in [name for name in contract.writes() if contract.marks[name].shown != ()]:
        yield e.Unseen(f"no read shows what {tool} changed", tool)
    for tool in contract.reads():
        yield e.OldReads(f"{tool} shows what was there before", tool)
        yield li.Drifts(f"{tool} shows something else when it is called again", (tool,), contract.marks[tool].volatile)
    for tool, entries in _lists(contract, calls):
        where = f"{place(entries)} of {tool}"
        yield li.Drops(f"{where}: an entry is left out", tool, entries)
        yield li.Repeats(f"{where}: an entry comes twice", tool, entries)
        yield li.Turns(f"{where}: they come in the opposite order", tool, entries)


def _lists(contract: Contract, calls: Sequence[Exchange]) -> list[tuple[str, Place]]:
    """The lists, by the tools that read them, that were seen with several entries."""
    found: dict[tuple[str, Place], None] = {}
    for call in calls:
        tool = call.tool or ""
        if call.accepted and tool in contract.marks and contract.marks[tool].effect == "read":
            found |= {(tool, each): None for each in _long(call.payload)}
    return sorted(found)


def _long(payload: Json, pointer: Place = "") -> Iterator[Place]:
    if isinstance(payload, list) and len(payload) > 1:
        yield pointer
    elif isinstance(payload, dict):
        for key, each in payload.items():
            yield from _long(each, pointer + pointer_of([key]))


def _of_refusals(contract: Contract, samples: Samples) -> Iterator[Breakage]:
    known = [code for code in samples.refusals if code in contract.errors]
    if known:
        yield a.Codes("refusals have a code of no catalogue", (), a.NOWHERE)
        yield a.Flags("a refusal has isError false", (), refusals=True)
        yield a.Flags("a success has isError true", (), refusals=False)
    for code in known:
        other = _like(contract, code)
        yield a.Codes(f"{other} in the place of {code}", (), other, (code,))
        yield a.Accepts(f"what is refused with {code} is accepted", (), (code,))
    flag = next((found for code in known if (found := _place(_envelope(contract, samples, code), RETRYABLE))), "")
    if flag:
        yield a.Retries(f"{RETRYABLE} says the opposite", (), flag, gone=False)
        yield a.Retries(f"{RETRYABLE} is left out", (), flag, gone=True)


def _like(contract: Contract, code: str) -> str:
    """Another code; one that a caller may answer alike, so that nothing but the code itself is wrong."""
    about = contract.errors[code]
    others = [each for each in contract.errors.values() if each.code != code]
    others.sort(key=lambda each: (each.retryable != about.retryable, each.category != about.category))
    return others[0].code if others else a.NOWHERE


def _of_envelopes(contract: Contract, samples: Samples) -> Iterator[Breakage]:
    """Keys that every answer of a kind was seen to have."""
    refused = [_envelope(contract, samples, code) for code in samples.refusals if code in contract.errors]
    accepted = [_success(contract, samples, tool) for tool in samples.successes]
    for outcome, found in (("refusal", refused), ("success", accepted)):
        whole = [each for each in found if isinstance(each, dict)]
        if outcome == "success" and contract.envelope.payload_key is None:
            continue
        for key in whole[0] if whole else ():
            if all(key in each for each in whole):
                what = f"{key} is left out of a {outcome}"
                yield a.Spoils(what, (), "refusal" if outcome == "refusal" else "success", f"/{key}", gone=True)


def _of_tools(contract: Contract) -> Iterator[Breakage]:
    for name in list(contract.tools)[:1]:
        # as one tool, so each
        yield li.Lists(f"{name} is not listed", name, "gone")
        yield li.Lists(f"{name} is listed with an argument more that is required", name, "required")
    for name, tool in contract.tools.items():
        needed = tool.inputSchema.get("required", [])
        for argument in tool.inputSchema.get("properties", {}):
            if argument not in needed:
                yield Ignores(f"{name} does not look at {argument}", name, argument)


def _envelope(contract: Contract, samples: Samples, code: str) -> Json:
    told = seen({"method": "tools/call", "params": {"name": next(iter(contract.tools), "")}}, 0)
    settled(told, samples.refusals[code], contract)
    return told.envelope


def _success(contract: Contract, samples: Samples, tool: str) -> Json:
    told = seen({"method": "tools/call", "params": {"name": tool}}, 0)
    settled(told, samples.successes[tool][1], contract)
    return told.envelope


def _place(envelope: Json, name: str, inside: Place = "") -> Place:
    """Where in an envelope a flag of this name stands; empty where nowhere."""
    holder = at(envelope, inside)
    if holder is ABSENT or not isinstance(holder, dict):
        return ""
    if isinstance(holder.get(name), bool):
        return f"{inside}/{name}"
    return next((found for key in holder if (found := _place(envelope, name, f"{inside}/{key}"))), "")
