"""Correlation and causation: the ids by which a call is followed across systems."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from conformance.contract.catalogue import Contract
from conformance.contracts.invocation.calls import Invocation, Invocations, all_echoed, invocations
from conformance.contracts.invocation.kit import AUDIT, EVENT, EXECUTION, KINDS, SPAN
from conformance.contracts.invocation.laws.result import STATUSES
from conformance.contracts.invocation.planned import RELAY
from conformance.contracts.invocation.records import Entry, Looked, Records, identities, records
from conformance.contracts.invocation.triggered import triggered
from conformance.judge.judgements import MISSING, breach, holds
from conformance.judge.kinds import spelled
from conformance.judge.law import law
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement

SUCCEEDED, FAILED = "ToolSucceeded", "ToolFailed"
BEHIND = "mcp::kit::echo"


@law("IR-COR-01")
def a_missing_correlation_is_generated(history: History, contract: Contract) -> Iterator[Judgement]:
    """A Result of an invocation without correlationId has one that is not empty and that no other invocation has."""
    used: dict[str, Exchange] = {}
    for one in invocations(history, contract):
        own = one.given("correlationId")
        if isinstance(own, str) and own:
            used.setdefault(own, one.call)
    for one in invocations(history, contract):
        if one.given("correlationId") or one.result.get("status") not in STATUSES:
            continue
        got = one.result.get("correlationId", MISSING)
        if not isinstance(got, str) or not got.strip() or got == MISSING:
            saw = f"correlationId was left out, and the Result's is {got!r}"
            yield breach(saw, one.call, pointer="/correlationId", got=got)
            continue
        other = used.setdefault(got, one.call)
        saw = f"the generated correlationId {got!r} is that of another invocation"
        yield holds(other is one.call, saw, other, one.call, pointer="/correlationId", got=got)


@law("IR-COR-02")
def the_correlation_is_propagated(history: History, contract: Contract) -> Iterator[Judgement]:
    """The correlationId of an invocation that ran is in its events, its audit record, and the calls of tools behind."""
    kept, calls = records(history, contract), invocations(history, contract)
    served, echoed = [one for one in calls if one.call.accepted], all_echoed(calls)
    brought = _brought(calls)
    for one in calls:
        if not one.call.received or not kept.distinct(one) or not (one.given("correlationId") or echoed):
            # where the Result tells another id than it was given, none can be looked for
            continue
        yield from _recorded(one, kept, served)
        if not one.call.accepted:
            continue
        if one.name == BEHIND:
            got = one.output.get("correlationId", MISSING)
            saw = f"the server behind {one.name} received the correlationId {got!r}"
            good = got == one.correlation
            if good or _is_new(one, one.input, brought):
                yield holds(good, saw, one.call, pointer="/output/correlationId", expected=one.correlation, got=got)
        elif one.name == RELAY:
            yield from _relayed(one, kept, brought)


def _recorded(one: Invocation, kept: Records, served: Sequence[Invocation]) -> Iterator[Judgement]:
    """An invocation that ran has an event that tells how it ended, and one that was served or ran an audit record.

    That of one that failed is looked for where an invocation that was served has its own.
    """
    looked = kept.of(one, EXECUTION)
    ran = looked is not None and bool(looked.entries)
    if not one.call.accepted and not ran:
        return
    # what is answered from a cache, or replayed, invokes no tool: there may be no event of it
    for kind in (EVENT, AUDIT) if ran else (AUDIT,):
        looked = kept.of(one, kind)
        likes = served if one.call.refused else ()
        if looked is None or (one.call.refused and not any((like := kept.of(o, kind)) and like.entries for o in likes)):
            continue
        name = (SUCCEEDED if one.call.accepted else FAILED) if kind == EVENT else ""
        found = [entry for entry in looked.entries if not name or entry.get("name") == name]
        saw = f"{one.name} ran, and no {kind} {name or 'record'} has its correlationId {one.correlation!r}"
        if found or looked.settled(one):
            yield holds(found, saw, one.call, looked.call, pointer="/records", expected=one.correlation)


Brought = Mapping[str, Sequence[Invocation]]
"""By instance and input, the invocations that brought it to the server behind, themselves or through a relay."""


def _brought(calls: Invocations) -> Brought:
    found: dict[str, list[Invocation]] = defaultdict(list)
    for one in calls:
        given = [inner.input for inner in triggered(one) if inner.tool.name == BEHIND]
        for each in [*given, *([one.input] if one.name == BEHIND else [])]:
            found[spelled([one.call.instance, each])].append(one)
    return found


def _is_new(one: Invocation, given: Json, brought: Brought) -> bool:
    """Whether nobody brought an input before: the tool is Pure, and what it had may be answered from a cache."""
    others = brought.get(spelled([one.call.instance, given]), ())
    return all(other is one or other.call.sent >= one.end for other in others)


def _relayed(one: Invocation, kept: Records, brought: Brought) -> Iterator[Judgement]:
    """What the call of a relay shows of the one that it triggered."""
    inner, named = one.output.get("result"), one.input.get("tool")
    if isinstance(inner, dict):
        got = inner.get("correlationId", MISSING)
        saw = f"the call that {one.name} made has the correlationId {got!r}"
        yield holds(got == one.correlation, saw, one.call, pointer="/output/result", expected=one.correlation, got=got)
    for inner_call in triggered(one):
        received = inner_call.result.get("output")
        new = inner_call.tool.name == BEHIND and _is_new(one, inner_call.input, brought)
        if inner_call.served and isinstance(received, dict) and new:
            got = received.get("correlationId", MISSING)
            saw = f"the server behind {BEHIND}, which {one.name} had invoked, received the correlationId {got!r}"
            place = f"{inner_call.pointer}/output/correlationId"
            yield holds(got == one.correlation, saw, one.call, pointer=place, expected=one.correlation, got=got)
    looked = kept.around(one, AUDIT)
    if looked is not None:
        shown = [entry for entry in looked.entries if entry.get("tool") == named]
        saw = f"{one.name} called {named}, and no audit record of that has its correlationId {one.correlation!r}"
        if shown or looked.settled(one):
            yield holds(shown, saw, one.call, looked.call, pointer="/records", expected=one.correlation)


@law("IR-COR-03")
def a_triggered_invocation_has_its_cause(history: History, contract: Contract) -> Iterator[Judgement]:
    """The records of an invocation that another one triggered have a causationId: an id of the one that triggered it.

    The records of an invocation that names its own cause have that one.
    """
    kept = records(history, contract)
    for one in invocations(history, contract):
        if not one.call.accepted or not kept.distinct(one):
            continue
        # how spans name a cause has a requirement of its own
        for kind in (AUDIT, EVENT, EXECUTION):
            yield from _caused(one, kept, kind)


def _caused(one: Invocation, kept: Records, kind: str) -> Iterator[Judgement]:
    cause, looked = one.given("causationId"), kept.of(one, kind)
    for entry in looked.entries if looked is not None and isinstance(cause, str) and cause else ():
        got = entry.get("causationId", MISSING)
        saw = f"the causationId {cause!r} was given, the {kind} record has {got!r}"
        calls = (one.call,) if looked is None else (one.call, looked.call)
        yield holds(got == cause, saw, *calls, pointer="/records", expected=cause, got=got)
    found = _inner(one, kept, kind) if one.name == RELAY and (kind == AUDIT or _all_seen(one, kept)) else None
    outer = _outer(one, kept) if found is not None else frozenset()
    for entry in found.entries if found is not None and outer else ():
        got = entry.get("causationId", MISSING)
        saw = f"{one.name} triggered {entry.get('tool')}, whose {kind} record has the causationId {got!r}"
        calls = (one.call,) if found is None else (one.call, found.call)
        good = isinstance(got, str) and got in outer
        yield holds(good, saw, *calls, pointer="/records", expected=sorted(outer), got=got)


def _inner(one: Invocation, kept: Records, kind: str) -> Looked | None:
    """The records of the call that a relay made; None where it relays to its own kind."""
    named, looked = one.input.get("tool"), kept.around(one, kind)
    if looked is None or named == RELAY:
        return None
    return Looked(looked.call, [entry for entry in looked.entries if entry.get("tool") == named])


def _outer(one: Invocation, kept: Records) -> frozenset[str]:
    """The ids under which an invocation is known in its own records."""
    own: list[Entry] = []
    for kind in KINDS:
        looked = kept.of(one, kind)
        own += looked.entries if looked is not None else []
    return identities(own)


def _all_seen(one: Invocation, kept: Records) -> bool:
    """Whether records of each kind were looked at, and the audit record is there: only that has its invocationId."""
    seen = [kept.of(one, kind) for kind in KINDS]
    audit = kept.of(one, AUDIT)
    return None not in seen and audit is not None and bool(audit.entries)


@law("IR-COR-04")
def spans_link(history: History, contract: Contract) -> Iterator[Judgement]:
    """The span of a triggered invocation has the correlationId of the one that triggered it, and names or links it."""
    kept = records(history, contract)
    for one in invocations(history, contract):
        if not one.call.accepted or not kept.distinct(one):
            continue
        looked = kept.of(one, SPAN)
        if looked is not None and looked.tells(one):
            saw = f"{one.name} was served, and no span has its correlationId {one.correlation!r}"
            yield holds(looked.entries, saw, one.call, looked.call, pointer="/records", expected=one.correlation)
        found = _inner(one, kept, SPAN) if one.name == RELAY else None
        if found is None or looked is None or not looked.entries or not found.tells(one):
            continue
        outer = _outer(one, kept)
        linked = [entry for entry in found.entries if _links(entry) & outer]
        saw = f"no span of the call that {one.name} made links to it"
        yield holds(linked, saw, one.call, found.call, pointer="/records", expected=sorted(outer))


def _links(entry: Entry) -> frozenset[str]:
    """What a span names as its parent, its links and its cause."""
    links = entry.get("links")
    named = [entry.get("parentSpanId"), entry.get("causationId"), *(links if isinstance(links, list) else ())]
    return frozenset(name for name in named if isinstance(name, str) and name)
