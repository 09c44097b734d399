"""What the kit shows of a runtime: each of its tools as it is, and the records that were asked for, in order."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from conformance.contract.catalogue import Contract
from conformance.contracts.invocation.calls import Invocation, invocations
from conformance.contracts.invocation.kept import lost
from conformance.contracts.invocation.kit import (
    AUDIT,
    DESCRIBE,
    EVENT,
    EXECUTION,
    KINDS,
    RECORDS,
    KitTool,
    Policies,
    kit,
)
from conformance.contracts.invocation.laws.result import STATUSES
from conformance.contracts.invocation.markers import markers
from conformance.contracts.invocation.records import Entry, records
from conformance.judge.instants import instant
from conformance.judge.judgements import MISSING, breach, holds
from conformance.judge.kinds import integer, spelled
from conformance.judge.serving import Unsupported
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement

FILTERS = ("correlationId", "tool")
OF_THE_WRITING = ("id", "sequence", "at")
"""Fields in which a record that was written twice differs from the first."""
SUCCEEDED = "ToolSucceeded"
TIMEOUT = "Timeout"
OF_THE_OUTPUT = ("SchemaInvalid", "SerializationFailed")
"""Codes of tools of the kit whose own code ends well, and whose output is no use."""
Wrong = tuple[str, str, Json, Json]
"""What is wrong, at which pointer, what is expected, what was got."""


def tools_described(history: History) -> Iterator[Judgement]:
    """describe_tools lists each tool of the kit, with its effect, versions, scopes, rules and policies.

    Nothing says that it lists one once: each entry of it is to be right.
    """
    left_out = Unsupported(history).tools
    for call in history.accepted(DESCRIBE):
        if call.arguments != {}:
            continue
        listed = call.given.get("tools")
        entries = [entry for entry in listed if isinstance(entry, dict)] if isinstance(listed, list) else []
        for name, tool in kit().items():
            if name in left_out:
                continue
            found = [entry for entry in entries if entry.get("name") == name]
            if not found:
                yield breach(f"describe_tools does not list {name}", call, pointer="/tools", expected=name)
                continue
            wrong = next((fault for entry in found for fault in _misdescribed(entry, tool)), None)
            field, due, got = wrong or ("", None, None)
            saw = f"describe_tools says of {name} that {field} is {got!r}"
            yield holds(wrong is None, saw, call, pointer="/tools", expected=due, got=got)


def _misdescribed(entry: Entry, tool: KitTool) -> Iterator[tuple[str, Json, Json]]:
    for name in ("origin", "effect"):
        if entry.get(name) != getattr(tool, name):
            yield name, getattr(tool, name), entry.get(name, MISSING)
    for name in ("versions", "requiredScopes"):
        if _texts(entry.get(name)) != set(getattr(tool, name)):
            yield name, list(getattr(tool, name)), entry.get(name, MISSING)
    # a server may redact more
    if not set(tool.redactionRules) <= _texts(entry.get("redactionRules")):
        yield "redactionRules", list(tool.redactionRules), entry.get("redactionRules", MISSING)
    for name in ("inputSchema", "outputSchema"):
        if not isinstance(entry.get(name), dict | bool):
            yield name, "a schema", entry.get(name, MISSING)
    policies = entry.get("policies")
    yield from _other_policies(policies if isinstance(policies, dict) else {}, tool.policies)


def _other_policies(shown: Mapping[str, Json], due: Policies) -> Iterator[tuple[str, Json, Json]]:
    if shown.get("timeoutMs") != due.timeoutMs:
        yield "policies.timeoutMs", due.timeoutMs, shown.get("timeoutMs", MISSING)
    if not set(due.rateLimitIds) <= _texts(shown.get("rateLimitIds")):
        yield "policies.rateLimitIds", list(due.rateLimitIds), shown.get("rateLimitIds", MISSING)
    retry = shown.get("retry")
    attempts = integer(retry.get("maxAttempts")) if isinstance(retry, dict) else None
    # none, or one attempt: both say that nothing is tried again
    if attempts != due.retry.maxAttempts and not (attempts == 0 and due.retry.maxAttempts == 1):
        yield "policies.retry", {"maxAttempts": due.retry.maxAttempts}, shown.get("retry", MISSING)


def _texts(value: Json) -> set[str]:
    return {entry for entry in value if isinstance(entry, str)} if isinstance(value, list) else set()


class Read(NamedTuple):
    """An answer of read_records."""

    call: Exchange
    entries: Sequence[Json]


def readable(call: Exchange) -> bool:
    """Whether a call of read_records asks as the kit says."""
    given = call.arguments
    if not isinstance(given, dict) or given.get("kind") not in KINDS or not {*given} <= {"kind", *FILTERS}:
        return False
    # what an empty text asks for is open
    return all(isinstance(value, str) and value for value in given.values())


def records_shown(history: History) -> Iterator[Judgement]:
    """read_records gives the records of the kind, correlation and tool that were asked for: each once, in order."""
    reads: dict[str, list[Read]] = defaultdict(list)
    for call in history.accepted(RECORDS):
        if not readable(call):
            continue
        shown = call.given.get("records", MISSING)
        if not isinstance(shown, list):
            yield breach(f"records are {shown!r}", call, pointer="/records", expected="a list", got=shown)
            continue
        reads[_asked(call)].append(Read(call, shown))
        wrong = _misread(call, shown)
        saw, pointer, due, got = wrong or ("", "", None, None)
        yield holds(wrong is None, saw, call, pointer=pointer, expected=due, got=got)
    for some in reads.values():
        for read in some:
            yield from _complete(read, reads)


def _asked(call: Exchange, left_out: str = "") -> str:
    """What a reading asks for, in whose name: others may be shown less. `left_out`: the filter that it does without."""
    filters = [call.argument(name) if name != left_out else None for name in FILTERS]
    return spelled([call.instance, call.credential.name, call.argument("kind"), *filters])


def _misread(call: Exchange, shown: Sequence[Json]) -> Wrong | None:
    """The first thing that is wrong with an answer."""
    kind, last, ids = call.argument("kind"), None, set[str]()
    for number, entry in enumerate(shown):
        place = f"/records/{number}"
        if not isinstance(entry, dict):
            return f"a record is {entry!r}", place, "an object", entry
        for name, due in (("kind", kind), *((name, call.argument(name)) for name in FILTERS)):
            got = entry.get(name, MISSING)
            if due is not None and got != due:
                return f"records were asked for with {name} {due!r}, one has {got!r}", f"{place}/{name}", due, got
        named, sequence, at = entry.get("id"), integer(entry.get("sequence")), instant(entry.get("at"))
        if not isinstance(named, str) or not named or named in ids:
            twice = isinstance(named, str) and named in ids
            saw = f"two {kind} records have the id {named!r}" if twice else f"the id of a record is {named!r}"
            return saw, f"{place}/id", "an id of its own", entry.get("id", MISSING)
        if sequence is None or (last is not None and sequence <= last):
            after = "" if last is None else f" after {last}"
            saw = f"the sequence of a {kind} record is {entry.get('sequence', MISSING)!r}{after}"
            return saw, f"{place}/sequence", "a number that rises", entry.get("sequence", MISSING)
        if at is None:
            saw = f"the instant of a {kind} record is {entry.get('at', MISSING)!r}"
            return saw, f"{place}/at", "an instant", entry.get("at", MISSING)
        ids.add(named)
        last = sequence
    return None


def _complete(read: Read, reads: Mapping[str, Sequence[Read]]) -> Iterator[Judgement]:
    """What wider readings show before it and after it is in a narrower one as well: no record was forgotten between."""
    asked = {name: value for name in FILTERS if (value := read.call.argument(name)) is not None}
    ids = _matching(read, {})
    for left_out, value in asked.items():
        wider = reads.get(_asked(read.call, left_out), ())
        before = next((each for each in reversed(wider) if each.call.before(read.call)), None)
        after = next((each for each in wider if read.call.before(each.call)), None)
        if before is None or after is None:
            continue
        due = _matching(before, asked) & _matching(after, asked)
        if due:
            saw = f"with {left_out} {value!r} records are left out that have it"
            lost = sorted(due - ids)
            yield holds(not lost, saw, before.call, after.call, read.call, pointer="/records", expected=lost)


def _matching(read: Read, asked: Mapping[str, Json]) -> set[str]:
    return {
        entry["id"]
        for entry in read.entries
        if isinstance(entry, dict)
        and isinstance(entry.get("id"), str)
        and all(entry.get(name) == value for name, value in asked.items())
    }


def records_agree(history: History, contract: Contract) -> Iterator[Judgement]:
    """The records of an invocation tell of it what its Result tells: how it ended, with which code, how often tried."""
    kept = records(history, contract)
    for one in invocations(history, contract):
        if one.result.get("status") not in STATUSES or not kept.distinct(one):
            continue
        for kind, wrong_with in ((AUDIT, _audited), (EVENT, _ended), (EXECUTION, _counted)):
            looked = kept.of(one, kind)
            if looked is None or not looked.entries:
                continue
            wrong = wrong_with(one, looked.entries)
            saw, due, got = wrong or ("", None, None)
            yield holds(wrong is None, saw, one.call, looked.call, pointer="/records", expected=due, got=got)


def _audited(one: Invocation, entries: Sequence[Entry]) -> tuple[str, Json, Json] | None:
    status, code = one.result.get("status"), one.error.get("code")
    told = [[entry.get("status", MISSING), entry.get("code")] for entry in entries]
    # a failure downstream may be told by the provider's code or by ours
    codes = [code, None, *(each[1] for each in told if one.error.get("class") == "ExecutionError")]
    if not any(found == status and given in codes for found, given in told):
        return f"{one.name} ended as {status} {code or ''}, its audit record has {told[-1]}", [status, code], told[-1]
    written = [spelled({k: v for k, v in entry.items() if k not in OF_THE_WRITING}) for entry in entries]
    if len(set(written)) < len(written):
        return f"the audit record of {one.name} was written twice", 1, len(written)
    return _contents(one, entries) if one.call.accepted else None


def _contents(one: Invocation, entries: Sequence[Entry]) -> tuple[str, Json, Json] | None:
    """What an audit record lost of input or output beyond what is redacted."""
    rules = one.tool.redactionRules if one.tool is not None else ()
    for name, told in (("input", one.input), ("output", one.output)):
        kept = [entry[name] for entry in entries if name in entry]
        withheld = [rule.removeprefix(f"/{name}") for rule in rules if rule.startswith(f"/{name}/")]
        if kept and not markers(told) and not any(_whole(told, each, withheld) for each in kept):
            return f"the audit record of {one.name} has another {name} than the invocation", told, kept[-1]
    return None


def _whole(told: Json, kept: Json, withheld: Sequence[str]) -> bool:
    return next(lost(told, kept, withheld=withheld), None) is None


def _ended(one: Invocation, entries: Sequence[Entry]) -> tuple[str, Json, Json] | None:
    succeeded = [entry for entry in entries if entry.get("name") == SUCCEEDED]
    most = 1 if one.call.accepted or _may_have_succeeded(one) else 0
    if len(succeeded) > most:
        return f"{one.name} ended as {one.result.get('status')}, with {len(succeeded)} events {SUCCEEDED}", most, None
    return None


def _may_have_succeeded(one: Invocation) -> bool:
    """Whether the tool may have come to its end, though its invocation failed: too late, or with a bad output."""
    fails = one.tool.kit.fails if one.tool is not None else None
    spoilt = fails is not None and fails.code in OF_THE_OUTPUT and one.call.code == fails.code
    return spoilt or one.call.code == TIMEOUT


def _counted(one: Invocation, entries: Sequence[Entry]) -> tuple[str, Json, Json] | None:
    due, got = list(range(1, len(entries) + 1)), [entry.get("attempt", MISSING) for entry in entries]
    return (f"the executions of {one.name} are attempts {got}", due, got) if got != due else None
