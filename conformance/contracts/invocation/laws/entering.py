"""What an invocation brings: its input, its key, its headers, its metadata."""

from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contract.dialect import satisfies
from conformance.contracts.invocation.calls import Invocation, Invocations, invocations, says_secret
from conformance.contracts.invocation.described import described
from conformance.contracts.invocation.faults import Stage, known, without_nulls
from conformance.contracts.invocation.kept import lost as lost_of
from conformance.contracts.invocation.kit import AUDIT, EXECUTION
from conformance.contracts.invocation.laws.resolving import CONTRACT_ERROR, refused
from conformance.contracts.invocation.likes import beside, controls
from conformance.contracts.invocation.markers import markers
from conformance.contracts.invocation.planned import RELAY
from conformance.contracts.invocation.records import Records, records
from conformance.contracts.invocation.triggered import Triggered, triggered
from conformance.judge.controls import ButFor
from conformance.judge.judgements import breach, holds
from conformance.judge.kinds import alike, spelled
from conformance.judge.law import law
from conformance.judge.replay import concurrent, repeats
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement

READ_LIST = "local::kit.read_list"
NEXT_PAGE = "nextToken"


@law("IR-INV-03")
def input_is_validated_before_execution(history: History, contract: Contract) -> Iterator[Judgement]:
    """An invocation whose input breaks the tool's inputSchema is a ContractError, and nothing runs."""
    for one, fault in known(history, contract).alone("input"):
        if fault.stage is Stage.INPUT and one.tool is not None:
            yield from refused(history, contract, one, fault.words)
            yield from nothing_ran(history, contract, one, fault.words)
    listed = described(history, contract)
    for one in invocations(history, contract):
        schema = listed.get(one.name, {}).get("inputSchema")
        if not one.call.accepted or not isinstance(schema, dict):
            continue
        # what a schema says of a format is a remark in the dialect of 2020-12
        if satisfies(schema, one.given("input"), formats=False) is False:
            saw = f"{one.name} was served with input that breaks the inputSchema which the server describes"
            yield breach(saw, one.call, expected=CONTRACT_ERROR, got=one.given("input"))

    yield from _handed_on(history, contract)


def _handed_on(history: History, contract: Contract) -> Iterator[Judgement]:
    """The input of an invocation that a relay triggers is validated like any other, beside one that was served."""
    relays = [(one, inner) for one in invocations(history, contract).to(RELAY) for inner in triggered(one)]
    served = {inner.tool.name: one.call for one, inner in relays if inner.served and not _unfit(inner)}
    for one, inner in relays:
        if _unfit(inner) and (inner.served or (one.call.refused and inner.tool.name in served)):
            saw = f"{one.name} had {inner.tool.name} invoked with input that breaks its schema, and it was served"
            like = served.get(inner.tool.name)
            yield holds(not inner.served, saw, one.call, beside=like, pointer=inner.pointer, expected=CONTRACT_ERROR)


def _unfit(inner: Triggered) -> bool:
    """Whether input breaks its schema otherwise than by what some servers overlook: further fields, and nulls."""
    given = inner.input
    if not isinstance(given, dict):
        return True
    return satisfies({**inner.tool.inputSchema, "additionalProperties": True}, without_nulls(given)) is False


def nothing_ran(history: History, contract: Contract, one: Invocation, words: str) -> Iterator[Judgement]:
    """Of a refused call there is no execution, and what it was to append is in no list.

    A server whose records show no execution of the tool at all shows nothing by that.
    """
    if not one.call.refused:
        return
    kept, run = records(history, contract), invocations(history, contract)
    looked = kept.of(one, EXECUTION) if kept.distinct(one) else None
    if looked is not None and looked.tells(one) and shows_executions(run, kept, one):
        saw = f"{one.name} {words} was refused, and its code was executed"
        yield holds(not looked.entries, saw, one.call, looked.call, expected=[], got=looked.entries)
    item, named = one.input.get("item"), one.input.get("list")
    if not isinstance(item, str) or not isinstance(named, str) or not _shows_items(run, one):
        return
    for read in run.to(READ_LIST):
        items = read.output.get("items")
        if read.input.get("list") == named and one.call.before(read.call) and isinstance(items, list):
            saw = f"{one.name} {words} was refused, and its item is in the list"
            yield holds(item not in items, saw, one.call, read.call, pointer="/output/items", got=items)


def _shows_items(run: Invocations, one: Invocation) -> bool:
    """Whether the reads show what a tool appends, and nothing else appends the item of this call."""
    likes = [other for other in run if other.name == one.name and other.call.accepted]
    reads = [read for read in run.to(READ_LIST) if isinstance(read.output.get("items"), list)]
    twice = any(other is not one and other.input.get("item") == one.input.get("item") for other in run)
    return not twice and any(
        other.input.get("list") == read.input.get("list") and other.input.get("item") in read.output["items"]
        for other in likes
        for read in reads
    )


def shows_executions(run: Invocations, kept: Records, one: Invocation) -> bool:
    """Whether the records show the executions of a tool: those of another call of it."""
    for other in run.to(one.name):
        if other is not one and kept.distinct(other):
            looked = kept.of(other, EXECUTION)
            if looked is not None and looked.entries:
                return True
    return False


@law("IR-INV-04")
def an_idempotent_write_needs_a_key(history: History, contract: Contract) -> Iterator[Judgement]:
    """An invocation of an IdempotentWrite without idempotencyKey is a ContractError, and nothing runs."""
    for one, fault in known(history, contract).alone("idempotencyKey"):
        if one.has("idempotencyKey"):  # of another type: a fault of the arguments, and no missing key
            continue
        yield from refused(history, contract, one, fault.words)
        yield from nothing_ran(history, contract, one, fault.words)


@law("IR-INV-05")
def a_repeated_write_takes_effect_once(history: History, contract: Contract) -> Iterator[Judgement]:
    """An IdempotentWrite repeated with its key gives the output that it gave first, and takes effect once."""
    run, kept = invocations(history, contract), records(history, contract)
    writes = [one.call for one in run if one.tool is not None and one.tool.effect == "IdempotentWrite"]
    for pair in repeats(writes, lambda call: _key(run.of(call)), lambda call: call.argument("input")):
        if pair.equal is not True or not pair.again.received:
            continue
        one, first = run.of(pair.again), run.of(pair.original)
        if not one.call.accepted:
            if _forgivable(one) or not known(history, contract).good(one.call):
                continue
            yield breach(f"{one.name} repeated with its key was refused", first.call, one.call, expected=first.output)
            continue
        equal = alike(first.output, one.output)
        saw = f"{one.name} repeated with its key gave another output"
        yield holds(
            equal is not False, saw, first.call, one.call, pointer="/output", expected=first.output, got=one.output
        )
        looked = kept.of(one, EXECUTION) if kept.distinct(one) else None
        if looked is not None and looked.tells(one) and shows_executions(run, kept, one):
            saw = f"{one.name} repeated with its key was executed again"
            yield holds(not looked.entries, saw, first.call, one.call, looked.call, got=looked.entries)
    for group in concurrent(writes, lambda call: _key(run.of(call))):
        served = [call for call in group if call.accepted and call.argument("input") == group[0].argument("input")]
        for call in served[1:]:
            saw = f"{run.of(call).name} made at once with the same key gave another output"
            equal = alike(run.of(served[0]).output, run.of(call).output) is not False
            yield holds(equal, saw, served[0], call, pointer="/output", expected=served[0].given, got=call.given)
    yield from _counted(run)


def _key(one: Invocation) -> tuple[str, str, str] | None:
    key = one.given("idempotencyKey")
    return (one.name, one.tenant, key) if isinstance(key, str) and key else None


def _forgivable(one: Invocation) -> bool:
    """Whether a replay was refused for a limit: whether it counts against one is open."""
    return one.error.get("class") == "PolicyError"


def _counted(run: Invocations) -> Iterator[Judgement]:
    """The next write of the same thing under a new key counts one more: no repetition was counted."""
    series: dict[tuple[str, str, str], list[Invocation]] = {}
    for one in run.to("local::kit.put", "local::kit.flaky_put"):
        key = one.input.get("key")
        if isinstance(key, str):
            series.setdefault((one.call.instance, one.name, key), []).append(one)
    for calls in series.values():
        if any(one.call.received is None for one in calls):
            continue
        keys: set[Json] = set()
        count, over, repeated = 0, 0.0, False
        for number, one in enumerate(calls):
            name = spelled(one.given("idempotencyKey"))
            others = (
                other for other in calls[number + 1 :] if other.given("idempotencyKey") != one.given("idempotencyKey")
            )
            late = one.call.sent < over or any(other.call.sent < one.end for other in others)
            over = max(over, one.end)
            if name in keys:
                repeated = True
                continue
            if late or not one.call.accepted:
                break
            keys.add(name)
            count += 1
            writes = one.output.get("writes")
            if repeated and isinstance(writes, int):
                saw = f"{writes} writes are counted after {count} keys, of which some were repeated"
                yield holds(writes == count, saw, one.call, pointer="/output/writes", expected=count, got=writes)


@law("IR-INV-06")
def headers_hold_no_secret(history: History, contract: Contract) -> Iterator[Judgement]:
    """An invocation with a header named like a secret is a ContractError, and its answer shows no such value."""
    for one, fault in known(history, contract).alone("headers"):
        headers = one.given("headers")
        if not isinstance(headers, dict):
            continue
        yield from refused(history, contract, one, fault.words)
        planted = markers([value for name, value in headers.items() if says_secret(name)])
        like = beside(history, contract, fault)(one.call)
        if planted and one.call.refused and like is not None:
            shown = planted & markers([one.call.response, *(message.payload for message in one.call.extras)])
            saw = f"the value of a secret header is in the answer: {', '.join(sorted(shown))}"
            yield holds(not shown, saw, one.call, beside=like)


def _without(call: Exchange) -> Json:
    left_out = ("metadata", "correlationId", "idempotencyKey", "headers")
    given = call.arguments if isinstance(call.arguments, dict) else {}
    return {name: value for name, value in given.items() if name not in left_out}


WITHOUT_METADATA = ButFor(shape=_without)


@law("IR-INV-08")
def metadata_is_opaque(history: History, contract: Contract) -> Iterator[Judgement]:
    """Metadata changes no result, and stands in the audit record of its invocation, redacted as policy says."""
    run, kept, good = invocations(history, contract), records(history, contract), known(history, contract)
    likes = controls(history, contract)
    for one in run:
        told = one.given("metadata")
        if not isinstance(told, dict) or not told or one.call.received is None:
            continue
        if not good.faults(one).none:
            fault = good.faults(one).only
            if fault is not None and fault.stage >= Stage.POLICIES and one.call.code in fault.codes:
                yield from _told(one, told, kept, always=False)
            continue
        like = likes.beside(one.call, WITHOUT_METADATA)
        if like is not None and one.tool is not None and one.tool.follows_input:
            saw = f"{one.name} with metadata gave another result than without"
            same = one.call.accepted and alike(_own(one), _own(run.of(like))) is not False
            yield holds(same, saw, like, one.call, pointer="/output", expected=run.of(like).output, got=one.output)
        if one.call.accepted:
            yield from _told(one, told, kept, always=not run.repeated(one))


def _told(one: Invocation, told: dict[str, Json], kept: Records, *, always: bool) -> Iterator[Judgement]:
    """The audit record of an invocation has its metadata; `always`: there has to be one.

    Nothing says that a failure, or a repetition by key, has a record of its own. Where it has one that holds as well.
    """
    looked = kept.of(one, AUDIT) if kept.distinct(one) else None
    if looked is None or not looked.tells(one) or not (always or looked.entries):
        return
    lost = (
        sorted(set.intersection(*(set(lost_of(told, e.get("metadata"))) for e in looked.entries)))
        if looked.entries
        else ["/"]
    )
    saw = f"the audit record of {one.name} lacks what its metadata told at {', '.join(lost)}"
    yield holds(not lost, saw, one.call, looked.call, pointer="/records", expected=told)


def _own(one: Invocation) -> Json:
    """The output but for ids of a call, which a tool may give back, from a cache too, and the tokens of pages."""
    tokens = dict.fromkeys({NEXT_PAGE} & one.output.keys(), True)
    return {name: v for name, v in one.output.items() if v != one.correlation and name != "correlationId"} | tokens
