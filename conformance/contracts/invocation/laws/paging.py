"""Lists in pages, and operations that go on after their call."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from conformance.contract.catalogue import Contract
from conformance.contracts.invocation.calls import MILLI, Invocation, Invocations, invocations
from conformance.contracts.invocation.faults import known
from conformance.contracts.invocation.planned import RELAY
from conformance.contracts.invocation.standing import SURE
from conformance.contracts.invocation.triggered import triggered
from conformance.judge.faults import stumbled
from conformance.judge.judgements import MISSING, breach, holds, told
from conformance.judge.kinds import integer, text
from conformance.judge.law import law
from conformance.model.history import History
from conformance.model.verdict import HELD, Judgement

LIST, START, STATUS = "local::kit.list", "local::kit.start_job", "local::kit.job_status"
WHOLE = 25
DEFAULT_SIZE = 10
STATES = ("running", "succeeded", "failed")
ENDED = STATES[1:]
LONG_MS = 500
AMPLE_US = 4_000_000
"""So long after its time an operation is over, however busy the machine is."""


@law("IR-PAGE-01")
def pages_joined_are_the_whole(history: History, contract: Contract) -> Iterator[Judgement]:
    """Pages joined by nextToken are the whole list, none is too long, and the last has no token."""
    every, faults = list(invocations(history, contract).to(LIST)), known(history, contract)
    later = [one.call for one in every if "pageToken" in one.input]
    refused = (one for one in every if one.call.refused and faults.formed(one) and not stumbled(one.call, later))
    calls = sorted([*(one for one in every if one.call.accepted), *refused], key=lambda one: one.call.sent)
    wholes: list[tuple[list[object], Invocation]] = []
    for first in calls:
        if "pageToken" in first.input or not first.call.accepted:
            continue
        pages = _pages(first, calls)
        wrong = _wrong(pages)
        if wrong is not None:
            yield wrong
            continue
        items = [item for page in pages for item in _items(page) or ()]
        if text(pages[-1].output.get("nextToken")) is not None and len(items) <= WHOLE:
            # nobody read on
            continue
        saw = f"the pages of {LIST} give {len(items)} items, of which {len(set(map(str, items)))} are distinct"
        good = len(items) == WHOLE == len(set(map(str, items)))
        yield holds(good, saw, *(page.call for page in pages), pointer="/output/items", expected=WHOLE, got=len(items))
        if good:
            wholes.append((items, pages[-1]))
    for items, last in wholes[1:]:
        saw = f"{LIST} read with other pages gives other items"
        yield holds(items == wholes[0][0], saw, wholes[0][1].call, last.call, pointer="/output/items", got=items)


def _pages(first: Invocation, calls: Sequence[Invocation]) -> list[Invocation]:
    """A first page and those that were read by its token, and theirs."""
    pages = [first]
    while (token := text(pages[-1].output.get("nextToken"))) is not None:
        size = first.input.get("pageSize")
        following = (
            one
            for one in calls
            if one.input.get("pageToken") == token
            and one.input.get("pageSize") == size
            and one.tenant == first.tenant
            and pages[-1].call.before(one.call)
            and one not in pages
        )
        found = next(following, None)
        if found is None:
            break
        pages.append(found)
    return pages


def _items(page: Invocation) -> list[object] | None:
    items = page.output.get("items")
    return items if isinstance(items, list) else None


def _wrong(pages: Sequence[Invocation]) -> Judgement | None:
    """What is wrong with one page: it was refused, is too long, or has a token that is no text."""
    most = integer(pages[0].input.get("pageSize")) or DEFAULT_SIZE
    for page in pages:
        if not page.call.accepted:
            saw = f"{LIST} gave a nextToken, and the page that it names was {told(page.call)}"
            return breach(saw, pages[0].call, page.call, expected="success")
        items, token = _items(page), page.output.get("nextToken", MISSING)
        if items is None or len(items) > most:
            saw = f"a page of {most} items at most has {len(items) if items is not None else 'no'} items"
            return breach(saw, page.call, pointer="/output/items", expected=most, got=page.output.get("items"))
        if token not in (MISSING, None, "") and not isinstance(token, str):
            return breach(f"nextToken is {token!r}", page.call, pointer="/output/nextToken", got=token)
    return None


@law("IR-PAGE-02")
def a_long_operation_is_answered_at_once(history: History, contract: Contract) -> Iterator[Judgement]:
    """A long operation is answered Ok with its id before it is over; the status tool follows it until it is done."""
    run, faults = invocations(history, contract), known(history, contract)
    looks: dict[tuple[str, str], list[Invocation]] = defaultdict(list)
    for one in run.to(STATUS):
        looks[one.call.instance, str(one.input.get("operationId"))].append(one)
    yield from _never_started(history, run)
    prompt: list[tuple[Invocation, bool]] = []
    for one in run.to(START):
        lasts = integer(one.input.get("ms"))
        if not one.call.accepted or lasts is None:
            continue
        name = text(one.output.get("operationId"))
        if name is None:
            yield breach(
                "the operation has no id", one.call, pointer="/output/operationId", got=one.output.get("operationId")
            )
            continue
        seen = [
            look
            for look in looks[one.call.instance, name]
            if one.call.before(look.call) and (look.call.accepted or faults.formed(look))
        ]
        yield from _followed(one, lasts * MILLI, seen)
        if lasts >= LONG_MS and seen:
            prompt.append((one, not _held(one, lasts * MILLI, seen, run)))
    yield from _prompt(prompt)


def _never_started(history: History, run: Invocations) -> Iterator[Judgement]:
    """An id that no operation was given has no status. Other clients, relays and lost calls may have started some."""
    untold = any(not (one.call.accepted or one.call.refused) for one in run.to(START))
    relayed = any(inner.tool.name == START for one in run.to(RELAY) for inner in triggered(one))
    if history.header is None or history.header.tapped or untold or relayed:
        return
    started = {(one.call.instance, str(one.output.get("operationId"))) for one in run.to(START)}
    followed = {instance for instance, _ in started}
    for one in run.to(STATUS):
        name = one.input.get("operationId")
        if not isinstance(name, str) or one.call.instance not in followed:
            continue
        if (one.call.instance, name) not in started and one.call.accepted:
            saw = f"{STATUS} gave a state for an operation that was never started"
            yield breach(saw, one.call, pointer="/output/state", expected="NotFound", got=one.output.get("state"))


def _held(one: Invocation, lasts: int, looks: Sequence[Invocation], run: Invocations) -> bool:
    """Whether the call took as long as the operation, which was over when it was looked at, or a short one is quick."""
    first = next((look for look in looks if look.call.accepted), None)
    duration = one.result.get("durationMs")
    waited = isinstance(duration, int | float) and duration * MILLI >= SURE * lasts
    measured = one.took is not None and one.took * MILLI >= SURE * lasts
    over = first is not None and first.output.get("state") in ENDED
    quick = any(
        other.took is not None and other.call.accepted and other.took * MILLI < lasts / 2
        for other in run.to(START)
        if other.call.sent > one.call.sent and (integer(other.input.get("ms")) or 0) * MILLI < lasts / 2
    )
    return waited and measured and first is not None and (over or quick)


def _prompt(calls: Sequence[tuple[Invocation, bool]]) -> Iterator[Judgement]:
    """Long operations are answered before they are over. One that was not may have met a busy machine; all did not."""
    if any(prompt for _, prompt in calls):
        yield HELD
    elif len(calls) > 1:
        one, _ = calls[-1]
        saw = f"{one.name} answered after {one.result.get('durationMs')} ms, when the operation was over"
        yield breach(saw, *(each.call for each, _ in calls), expected="at once")


def _followed(one: Invocation, lasts: int, looks: Sequence[Invocation]) -> Iterator[Judgement]:
    ended = ENDED[1] if one.input.get("fail") is True else ENDED[0]
    over = ""
    for look in looks:
        if look.call.received is None:
            continue
        state = look.output.get("state", MISSING)
        running = look.call.received - one.call.sent < lasts
        finished = look.call.sent - one.end > lasts + AMPLE_US
        if not look.call.accepted:
            yield breach(f"the status of the operation was {told(look.call)}", one.call, look.call, expected="success")
            return
        wrong = (
            f"no state: {state!r}"
            if state not in STATES
            else f"{state} after it was {over}"
            if over and state != over
            else f"{state} before it can be over"
            if running and state != STATES[0]
            else f"{state} long after it has to be over"
            if finished and state == STATES[0]
            else f"{state} at its end"
            if state in ENDED and state != ended
            else ""
        )
        if wrong:
            yield breach(
                f"the operation is {wrong}", one.call, look.call, pointer="/output/state", expected=ended, got=state
            )
            return
        over = state if state in ENDED else over
    if over:
        yield HELD
