"""Redaction: before events, traces and the ledger, and of what the caller gets."""

from collections.abc import Iterator
from typing import NamedTuple

from conformance.contract.catalogue import Contract
from conformance.contracts.invocation.calls import Invocation, invocations, says_secret
from conformance.contracts.invocation.described import described
from conformance.contracts.invocation.faults import Stage, known
from conformance.contracts.invocation.frames import streams
from conformance.contracts.invocation.kit import AUDIT, KINDS
from conformance.contracts.invocation.markers import found_at, markers, masked
from conformance.contracts.invocation.records import Records, records
from conformance.contracts.invocation.triggered import triggered
from conformance.judge.judgements import MISSING, holds
from conformance.judge.law import law
from conformance.model.events import Json
from conformance.model.history import History
from conformance.model.pointer import at, pointer_of, steps
from conformance.model.verdict import Judgement

ABSENT = object()


@law("IR-RED-01")
def secrets_are_in_no_record(history: History, contract: Contract) -> Iterator[Judgement]:
    """A secret that was planted in an invocation is in none of its records, nor in a logging notification.

    The same holds for what a redaction rule of the tool hides from its caller in the output.
    """
    kept, beside = records(history, contract), streams(history, contract)
    for one in invocations(history, contract):
        yield from _outputs_on_record(one, kept)
        planted = _planted(one)
        if not planted or one.call.received is None or not kept.distinct(one):
            continue
        for kind in KINDS:
            looked = kept.around(one, kind) or kept.of(one, kind)
            if looked is None or not looked.entries:
                continue
            place = next(found_at(looked.entries, planted, "/records"), None)
            saw = f"the {kind} records of {one.name} show {place[1] if place else ''}"
            pointer = place[0] if place else ""
            yield holds(place is None, saw, one.call, looked.call, pointer=pointer)
        for message in beside.of(one).logs:
            shown = planted & markers(message.payload)
            yield holds(not shown, f"a logging notification of {one.name} shows {', '.join(sorted(shown))}", one.call)


def _outputs_on_record(one: Invocation, kept: Records) -> Iterator[Judgement]:
    for rule in one.tool.redactionRules if one.tool is not None else ():
        parts = steps(rule)
        looked = kept.of(one, AUDIT) if kept.distinct(one) else None
        if parts[:1] != ("output",) or looked is None or not _removed(one, rule, kept):
            continue
        for entry in looked.entries:
            shown = [place for place in places(entry.get("output"), parts[1:]) if not _hidden(place.value)]
            saw = f"the output of {one.name} on record has what the rule {rule} hides from its caller"
            yield holds(not shown, saw, one.call, looked.call, pointer="/records")


def _planted(one: Invocation) -> frozenset[str]:
    """The markers in fields that a rule of the tool names, or that are named like a secret."""
    found: set[str] = set()
    rules = one.tool.redactionRules if one.tool is not None else ()
    for rule in rules:
        if rule.startswith("/input/"):
            found |= {m for place in places(one.input, steps(rule)[1:]) for m in markers(place.value)}
    for name in ("input", "metadata", "headers"):
        given = one.given(name)
        found |= {m for place in _secrets("", given) for m in markers(at(given, place))}
    return frozenset(found)


class Place(NamedTuple):
    """A place that a rule names."""

    pointer: str
    value: Json


def places(value: Json, parts: tuple[str, ...], pointer: str = "") -> Iterator[Place]:
    """The places of a value that a rule names; `*` stands for any item. One that is absent has the value ABSENT."""
    if not parts:
        yield Place(pointer, value)
        return
    name, rest = parts[0], parts[1:]
    if isinstance(value, dict):
        yield from places(value.get(name, ABSENT), rest, f"{pointer}/{name}")
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            if name in ("*", str(number)):
                yield from places(inner, rest, f"{pointer}/{number}")
    elif value is ABSENT:
        yield Place(f"{pointer}/{'/'.join(parts)}", ABSENT)


def _rules(one: Invocation, listed: Json) -> set[str]:
    """The rules of a tool: the kit's, and those that the server describes."""
    own = listed.get("redactionRules") if isinstance(listed, dict) else None
    described_rules = {rule for rule in own if isinstance(rule, str)} if isinstance(own, list) else set()
    return described_rules | set(one.tool.redactionRules if one.tool is not None else ())


def _hidden(value: Json) -> bool:
    return value is ABSENT or masked(value)


@law("IR-RED-02")
def redactions_list_what_was_removed(history: History, contract: Contract) -> Iterator[Judgement]:
    """Redactions list what was removed from the output, and from the input and metadata on record.

    That is what a rule of the tool names, and what is named like a secret.
    """
    listed, kept, run = described(history, contract), records(history, contract), known(history, contract)
    invoked = invocations(history, contract)
    for one in invoked:
        # the rules are those of the tool, which is known once it is resolved and may be called
        if not one.result or any(fault.stage < Stage.POLICIES for fault in run.faults(one).found):
            continue
        named = _rules(one, listed.get(one.name))
        if not invoked.repeated(one):  # else it may be answered with the Result of another
            named |= {*_secrets("/input", one.input), *_secrets("/metadata", one.given("metadata"))}
        removed = {rule for rule in named if _removed(one, rule, kept)}
        shown = _listed(one)
        for rule in sorted(removed):
            saw = f"{rule} was removed from {one.name}, and redactions are {sorted(shown)}"
            yield holds(
                any(_names(rule, each) for each in shown),
                saw,
                one.call,
                pointer="/policySnapshot/redactions",
                expected=rule,
            )


def _removed(one: Invocation, rule: str, kept: Records) -> bool:
    """Whether a field that a rule names was there and is hidden now, as far as anyone can see."""
    parts = steps(rule)
    if parts[:1] == ("output",):
        return one.call.accepted and any(_hidden(place.value) for place in places(one.output, parts[1:]))
    within = parts[0] if parts[:1] in (("input",), ("metadata",)) else ""
    if all(_hidden(place.value) for place in places(one.given(within), parts[1:])):
        return False
    looked = kept.of(one, AUDIT) if kept.distinct(one) else None
    entries = looked.entries if looked is not None else []
    return any(_hidden(place.value) for entry in entries for place in places(entry.get(within), parts[1:]))


def _secrets(pointer: str, value: Json) -> Iterator[str]:
    """Where fields are named like a secret; what is within one is a part of it."""
    if isinstance(value, dict):
        for name, inner in value.items():
            place = f"{pointer}{pointer_of([name])}"
            yield from (place,) if says_secret(name) else _secrets(place, inner)
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _secrets(f"{pointer}/{number}", inner)


def _listed(one: Invocation) -> set[str]:
    metadata = one.result.get("metadata")
    lists = [one.snapshot.get("redactions"), metadata.get("redactions") if isinstance(metadata, dict) else None]
    lists.append(one.result.get("redactions"))
    return {entry for found in lists if isinstance(found, list) for entry in found if isinstance(entry, str)}


def _names(rule: str, entry: str) -> bool:
    """Whether an entry of redactions is a rule, a place that it names, or one within which that lies."""
    wanted, given = steps(rule), steps(entry)
    pairs = zip(wanted, given, strict=False)
    return 1 < len(given) <= len(wanted) and all(a == b or _item(a, b) or _item(b, a) for a, b in pairs)


def _item(any_item: str, number: str) -> bool:
    return any_item == "*" and number.isdecimal()


@law("IR-RED-03")
def output_is_redacted(history: History, contract: Contract) -> Iterator[Judgement]:
    """No field of an output that a redaction rule of the tool names reaches the caller."""
    listed = described(history, contract)
    for one in invocations(history, contract):
        if not one.call.accepted:
            continue
        for rule in sorted(_rules(one, listed.get(one.name))):
            parts = steps(rule)
            if parts[:1] != ("output",):
                continue
            for place in places(one.output, parts[1:], "/output"):
                got = MISSING if place.value is ABSENT else place.value
                saw = f"{place.pointer} of {one.name}, which the rule {rule} names, is {got!r}"
                yield holds(_hidden(place.value), saw, one.call, pointer=place.pointer, got=got)
        yield from _handed_on(one)


def _handed_on(one: Invocation) -> Iterator[Judgement]:
    """What a relay hands on is redacted by the rules of the tool that it had invoked."""
    for inner in triggered(one):
        for rule in inner.tool.redactionRules:
            parts = steps(rule)
            if parts[:1] != ("output",) or not inner.served:
                continue
            for place in places(inner.result.get("output"), parts[1:], f"{inner.pointer}/output"):
                got = MISSING if place.value is ABSENT else place.value
                saw = f"{place.pointer} of {one.name}, which the rule {rule} of {inner.tool.name} names, is {got!r}"
                yield holds(_hidden(place.value), saw, one.call, pointer=place.pointer, got=got)
