"""Streaming: partials come beside the answer, numbered, and the Result comes last."""

from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.invocation.calls import Invocation, Invocations, all_echoed, invocations
from conformance.contracts.invocation.faults import Faults, known
from conformance.contracts.invocation.frames import Streamed, asks, streams
from conformance.contracts.invocation.laws.result import FAILURES
from conformance.contracts.invocation.likes import beside
from conformance.contracts.invocation.planned import STREAM
from conformance.judge.judgements import MISSING, breach, holds, told
from conformance.judge.kinds import integer, spelled
from conformance.judge.law import law
from conformance.model.events import Json, Message
from conformance.model.history import History
from conformance.model.verdict import HELD, Judgement

EXECUTION_ERROR = "ExecutionError"
LONG = 80
"""Frames, one each 2 ms."""
LAST_PART = 0.1
ENOUGH = 3
"""Long streams that show that partials are held back."""


@law("IR-STR-01")
def partials_come_out_of_band(history: History, contract: Contract) -> Iterator[Judgement]:
    """A call that asks for streaming gets its partials before its Result, and one that does not gets none."""
    found, run = streams(history, contract), known(history, contract)
    long: list[tuple[Invocation, bool]] = []
    calls = invocations(history, contract)
    echoed = all_echoed(calls)
    before: set[str] = set()
    for one in calls.to(STREAM):
        # the tool is Pure: with an input that it had before a cache may answer, and nothing is streamed
        given = spelled([one.call.instance, one.input])
        repeated = given in before
        before.add(given)
        came = found.of(one)
        # where Results tell other ids than they were given, nobody knows under which id the frames came
        known_id = one.given("correlationId") or echoed
        wanted = _wanted(one, run.faults(one))
        if not wanted or came.shared or not known_id:
            continue
        match asks(one, history, contract):
            case True:
                partials = [frame for frame in came.frames if frame.partial]
                saw = f"{one.name} was to send {wanted} partials, and sent {len(partials)}"
                if repeated and not partials:
                    continue
                if len(partials) != wanted:
                    # those that came under no id, or another one, are judged with the frames
                    lost = (
                        [] if any(found.unclaimed(one)) else [breach(saw, one.call, expected=wanted, got=len(partials))]
                    )
                    yield from lost
                    continue
                late = [frame for frame in partials if frame.at > one.end]
                saw = f"{len(late)} partials of {one.name} came after its Result"
                yield holds(not late, saw, one.call, got=[frame.data for frame in late])
                if wanted >= LONG and (prompt := _prompt(one, partials[0].at, calls)) is not None:
                    long.append((one, prompt))
            case False:
                saw = f"{one.name} sent {len(came.frames)} frames to a call without progressToken"
                yield holds(not came.frames, saw, one.call, got=[frame.data for frame in came.frames])
    if any(prompt for _, prompt in long):
        yield HELD
    elif len(long) >= ENOUGH:
        saw = f"the first partials of {STREAM} came when it was over, in each of {len(long)} long streams"
        yield breach(saw, *(one.call for one, _ in long), expected="partials as they are made")


def _wanted(one: Invocation, faults: Faults) -> int:
    """How many partials a stream has to send: all, or those before the one at which it is to fail. 0: not known."""
    fails_at, only = integer(one.input.get("failAt")), faults.only
    if one.call.accepted and faults.none:
        return integer(one.input.get("frames")) or 0
    failed = only is not None and only.about == "run" and one.error.get("class") == EXECUTION_ERROR
    return fails_at - 1 if failed and fails_at is not None else 0


def _prompt(one: Invocation, first: int, calls: Invocations) -> bool | None:
    """Whether the first partial came while the call ran; None where it did not, and nobody was surely awake.

    A call that was made on the same connection after it, and answered in its first half, shows that somebody was.
    """
    took = one.end - one.call.sent
    if first < one.end - LAST_PART * took:
        return True
    awake = any(
        other.call.connection is one.call.connection
        and other.call.sent > one.call.sent
        and other.end < one.call.sent + took / 2
        for other in calls
    )
    return False if awake else None


@law("IR-STR-02")
def frames_are_numbered(history: History, contract: Contract) -> Iterator[Judgement]:
    """Each frame has the correlationId, a sequence above that of the frame before, and progress of the same number."""
    found = streams(history, contract)
    for one in invocations(history, contract):
        came = found.of(one)
        if came.frames and not came.shared:
            yield _numbered(one, came)
        for data in found.unclaimed(one) if asks(one, history, contract) else ():
            saw = "a frame has no correlationId" if not data.get("correlationId") else "a frame has the id of no call"
            yield breach(saw, one.call, pointer="/params/data/correlationId", got=data)


def _numbered(one: Invocation, came: Streamed) -> Judgement:
    last = 0 if one.name == STREAM else -1
    for frame in came.frames:
        correlation = frame.data.get("correlationId", MISSING)
        if correlation != one.correlation:
            saw = f"a frame of {one.name} has the correlationId {correlation!r}"
            return breach(
                saw, one.call, pointer="/params/data/correlationId", expected=one.correlation, got=correlation
            )
        sequence = integer(frame.data.get("sequence"))
        if sequence is None or sequence <= last:
            saw = f"a frame of {one.name} has the sequence {frame.data.get('sequence')!r} after {last}"
            return breach(
                saw, one.call, pointer="/params/data/sequence", expected=last + 1, got=frame.data.get("sequence")
            )
        last = sequence
    told = [_progress(message) for message in came.progress]
    alone = next((frame for frame in came.frames if frame.data.get("sequence") not in told), None)
    # one that was cut may have been cut between the two
    if alone is not None and one.call.accepted:
        saw = f"no progress notification came beside frame {alone.data.get('sequence')} of {one.name}"
        return breach(saw, one.call, expected=alone.data.get("sequence"), got=told)
    first = integer(came.frames[0].data.get("sequence"))
    saw = f"the first frame of {one.name} has the sequence {first}"
    return holds(
        one.name != STREAM or first == 1, saw, one.call, pointer="/params/data/sequence", expected=1, got=first
    )


def _progress(message: Message) -> Json:
    params = message.payload.get("params")
    return params.get("progress") if isinstance(params, dict) else None


@law("IR-STR-03")
def a_stream_that_fails_gives_its_result(history: History, contract: Contract) -> Iterator[Judgement]:
    """A stream that fails is answered with a Result that has the status of a failure, and an error."""
    found, run = streams(history, contract), known(history, contract)
    for one in invocations(history, contract).to(STREAM):
        fault = run.faults(one).only
        if fault is None or fault.about != "run":
            continue
        like = beside(history, contract, fault)(one.call)
        if one.call.refused and like is None:
            continue
        partials = any(frame.partial for frame in found.of(one).frames)
        if not partials and not (one.input.get("failAt") == 1 and asks(one, history, contract)):
            continue
        good = one.call.refused and one.result.get("status") in FAILURES and bool(one.error)
        saw = f"{one.name} {fault.words} ended with {told(one.call)}"
        status = one.result.get("status")
        yield holds(good, saw, one.call, beside=like, pointer="/status", expected=list(FAILURES), got=status)
