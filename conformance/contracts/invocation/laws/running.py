"""How an invocation ran: how long, under which policies, and what it gave."""

from collections.abc import Iterator, Mapping

from conformance.contract.catalogue import Contract
from conformance.contract.dialect import satisfies
from conformance.contracts.invocation.calls import Invocation, invocations
from conformance.contracts.invocation.described import described
from conformance.contracts.invocation.faults import Faults, Stage, known
from conformance.contracts.invocation.frames import asks
from conformance.contracts.invocation.kit import KitTool
from conformance.contracts.invocation.laws.resolving import CONTRACT_ERROR, refused
from conformance.contracts.invocation.laws.result import STATUSES
from conformance.contracts.invocation.planned import RELAY, STREAM, WAITS
from conformance.contracts.invocation.triggered import triggered
from conformance.judge.judgements import MISSING, breach, holds
from conformance.judge.kinds import integer, spelled
from conformance.judge.law import law
from conformance.model.events import Json
from conformance.model.history import History
from conformance.model.verdict import Judgement

NARROW, FLAKY_PUT, BAD_OUTPUT = "local::kit.narrow", "local::kit.flaky_put", "local::kit.bad_output"
LEAST, LEAST_MS = 0.9, 5
"""A server's timer may be so much early."""
MOST, MOST_MS = 1.1, 50
"""A server's clock may run so much faster than ours."""
BACKOFF = 0.7
"""Of a delay of few milliseconds: timers round."""
EACH_MS, MANY = 2, 50
"""The pace of a stream, and frames that take longer than answering does."""
CIRCUIT_OPEN = "CircuitOpen"
CIRCUIT_STATES = ("open", "half-open", "closed")


@law("IR-RES-05")
def the_duration_is_end_to_end(history: History, contract: Contract) -> Iterator[Judgement]:
    """A Result's durationMs is a number, at least what its execution takes and at most what the caller measured."""
    run, calls = known(history, contract), invocations(history, contract)
    before: set[str] = set()
    for one in calls:
        anew = spelled([one.call.instance, one.name, one.input, one.given("idempotencyKey")])
        repeated = anew in before
        before.add(anew)
        if one.result.get("status") not in STATUSES or one.took is None:
            continue
        got = one.result.get("durationMs", MISSING)
        if not isinstance(got, int | float) or isinstance(got, bool) or got < 0:
            yield breach(f"durationMs is {got!r}", one.call, pointer="/durationMs", got=got)
            continue
        least = 0.0 if repeated or calls.repeated(one) else _least(one, run.faults(one))
        if not repeated and one.name == STREAM and one.call.accepted and asks(one, history, contract):
            least = _streamed(one, one.took)
        most = MOST * one.took + MOST_MS
        other = f"its execution takes {least:.0f}" if got < least else f"the caller measured {one.took:.0f}"
        saw = f"durationMs is {got}, {other}"
        yield holds(
            least <= got <= most, saw, one.call, pointer="/durationMs", expected=[round(least), round(most)], got=got
        )


def _least(one: Invocation, faults: Faults) -> float:
    """Milliseconds that a call takes for sure."""
    wait = integer(one.input.get("ms"))
    if one.call.accepted and one.name in {*WAITS, NARROW} and wait is not None:
        return max(LEAST * wait - LEAST_MS, 0)
    if one.call.code == "Timeout" and faults.only is not None and faults.only.about == "run" and one.tool is not None:
        return max(LEAST * one.tool.policies.timeoutMs - LEAST_MS, 0) if not one.has("deadline") else 0
    if one.call.accepted and one.name == FLAKY_PUT and one.tool is not None and faults.none and faults.plan.attempts:
        return BACKOFF * one.tool.kit.backoffMs * (faults.plan.attempts - 1)
    inner = one.output.get("result") if one.name == RELAY else None
    took = inner.get("durationMs") if isinstance(inner, dict) else None
    return max(LEAST * took - LEAST_MS, 0) if isinstance(took, int | float) and not isinstance(took, bool) else 0


def _streamed(one: Invocation, took: float) -> float:
    """Half of what a long stream takes for sure, with a partial each so many milliseconds."""
    frames = integer(one.input.get("frames")) or 0
    return min(EACH_MS * frames, took) / 2 if frames >= MANY else 0


@law("IR-RES-08")
def the_snapshot_holds_the_effective_policies(history: History, contract: Contract) -> Iterator[Judgement]:
    """A Result's policySnapshot holds timeoutMs, retry, rateLimitIds and circuitState: those of the tool."""
    run = known(history, contract)
    for one in invocations(history, contract):
        if one.result.get("status") not in STATUSES:
            continue
        wrong = _malformed(one.snapshot)
        if not wrong and one.tool is not None:
            wrong = _other(one, one.tool, run.faults(one))
        name, due = wrong or ("", None)
        got = one.snapshot.get(name, MISSING)
        saw = f"{name} of the policySnapshot of {one.name} is {got!r}"
        yield holds(not wrong, saw, one.call, pointer=f"/policySnapshot/{name}", expected=due, got=got)


def _malformed(shown: Mapping[str, Json]) -> tuple[str, Json] | None:
    """The first key that is no policy's value, with what it has to be."""
    timeout, retry, limits = shown.get("timeoutMs"), shown.get("retry"), shown.get("rateLimitIds")
    if not isinstance(timeout, int | float) or isinstance(timeout, bool) or timeout < 0:
        return "timeoutMs", "milliseconds"
    if not isinstance(retry, dict) or integer(retry.get("maxAttempts")) is None:
        return "retry", {"maxAttempts": "a whole number"}
    if not isinstance(limits, list) or not all(isinstance(name, str) for name in limits):
        return "rateLimitIds", "a list of names"
    if shown.get("circuitState") not in CIRCUIT_STATES:
        return "circuitState", list(CIRCUIT_STATES)
    return None


def _other(one: Invocation, tool: KitTool, faults: Faults) -> tuple[str, Json] | None:
    """The first key whose value is not the tool's own. Of calls that came as far as the policies alone."""
    if any(fault.stage < Stage.POLICIES for fault in faults.found) or faults.open:
        return None
    shown, due = one.snapshot, tool.policies
    timeout = shown["timeoutMs"]
    if timeout > due.timeoutMs or (timeout != due.timeoutMs and not one.has("deadline")):
        return "timeoutMs", due.timeoutMs
    attempts = shown["retry"]["maxAttempts"]
    if attempts != due.retry.maxAttempts and not (attempts == 0 and due.retry.maxAttempts == 1):
        return "retry", {"maxAttempts": due.retry.maxAttempts}
    if not set(due.rateLimitIds) <= set(shown["rateLimitIds"]):
        return "rateLimitIds", list(due.rateLimitIds)
    if one.call.code == CIRCUIT_OPEN == faults.standing.due and shown["circuitState"] == "closed":
        return "circuitState", CIRCUIT_STATES[0]
    # how a circuit that had opened goes on is judged with the hints
    fresh = tool.kit.circuit is None or not faults.standing.opened
    return ("circuitState", "closed") if fresh and one.call.accepted and shown["circuitState"] != "closed" else None


@law("IR-RES-11")
def output_satisfies_its_schema(history: History, contract: Contract) -> Iterator[Judgement]:
    """The output of a success satisfies the tool's outputSchema; a tool whose output does not is a ContractError."""
    listed = described(history, contract)
    for one in invocations(history, contract):
        if not one.call.accepted:
            continue
        own = listed.get(one.name, {}).get("outputSchema")
        # what a schema says of a format is a remark in the dialect of 2020-12
        said = [satisfies(own, one.call.payload, formats=False)] if isinstance(own, dict) else []
        schemas = [own] if isinstance(own, dict) else []
        if one.tool is not None:
            # a server that declares so may write null for what is absent or was taken out
            shown = _without_nulls(one.call.payload) if said == [True] else one.call.payload
            schemas.append(_opened(one.tool.outputSchema))
            said.append(satisfies(schemas[-1], shown))
        if False in said or True in said:
            saw = f"the output of {one.name} breaks its outputSchema"
            yield holds(False not in said, saw, one.call, pointer="/output", expected=schemas[0], got=one.call.payload)
        yield from _handed_on(one)
    for one, fault in known(history, contract).alone("tool"):
        if one.name == BAD_OUTPUT and fault.stage is Stage.OUTPUT and not _judged(one):
            yield from refused(history, contract, one, "whose output breaks its outputSchema")


def _judged(one: Invocation) -> bool:
    """Whether its output was served as it is, which breaks the schema: that is one breach, not two."""
    return one.call.accepted and one.tool is not None and satisfies(one.tool.outputSchema, one.call.payload) is False


def _handed_on(one: Invocation) -> Iterator[Judgement]:
    """What a relay hands on as the output of a success breaks the schema of the tool that it had invoked."""
    for inner in triggered(one):
        shown = inner.result.get("output")
        if inner.served and satisfies(_opened(inner.tool.outputSchema), _without_nulls(shown)) is False:
            saw = f"the output of {inner.tool.name}, which {one.name} had invoked, breaks its outputSchema"
            yield breach(saw, one.call, pointer=f"{inner.pointer}/output", expected=CONTRACT_ERROR, got=shown)


def _opened(schema: Json) -> Json:
    """The kit's schema, with room for what a server gives beyond it."""
    if isinstance(schema, dict):
        return {name: _opened(inner) for name, inner in schema.items() if name != "additionalProperties"}
    return schema


def _without_nulls(value: Json) -> Json:
    """A value without the fields that are null."""
    if isinstance(value, dict):
        return {name: _without_nulls(inner) for name, inner in value.items() if inner is not None}
    return [_without_nulls(inner) for inner in value] if isinstance(value, list) else value
