"""Sections 2.1, 3.1 and 6: what a thread is, how it is made and shown."""

from collections import Counter, defaultdict
from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.threads.known import Made, known
from conformance.contracts.threads.laws.allowed import controls
from conformance.contracts.threads.laws.effects import without_effect
from conformance.contracts.threads.laws.faulty import THREAD, payload
from conformance.contracts.threads.payloads import STATUSES, TYPES
from conformance.judge.characters import ONE_LINE, heading
from conformance.judge.controls import refusals
from conformance.judge.instants import Instant, in_utc
from conformance.judge.judgements import MISSING, breach, holds
from conformance.judge.law import exchange_law, law
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import HELD, Judgement

TEXTS = ("thread_id", "workspace_id", "title", "type", "status")
TIMES = ("created_at", "updated_at")
STATUS_KEYS = ("status", "thread_status", "last_status")
TOLERANCE_US = 1_000_000
"""Two writings of one moment may differ by their rounding."""


@exchange_law("TH-THR-02", "create_thread", "get_thread", "post_message", "update_thread_status", "summarize_thread")
def types_and_statuses_are_the_documents(call: Exchange, _: Contract) -> Iterator[Judgement]:
    """Every type that an answer gives is one of the three, every status one of the four."""
    if not call.accepted:
        return
    for name in STATUS_KEYS:
        yield from _among(call, name, STATUSES)
    yield from _among(call, "type", TYPES)


def _among(call: Exchange, name: str, values: tuple[str, ...]) -> Iterator[Judgement]:
    value = call.given.get(name)
    if isinstance(value, str):
        saw = f"{name} is {value!r}"
        yield holds(value in values, saw, call, pointer=f"/{name}", expected=list(values), got=value)


@law("TH-THR-03", compares="entity")
def a_thread_keeps_its_own_id(history: History, _: Contract) -> Iterator[Judgement]:
    """No two threads are made with one thread_id, and a thread is shown under the id by which it was asked for."""
    made: dict[tuple[str, str], Exchange] = {}
    for call in history.accepted("create_thread"):
        thread_id = call.given.get("thread_id")
        if isinstance(thread_id, str):
            first = made.setdefault((call.instance, thread_id), call)
            saw = f"{thread_id!r} was given to a second thread"
            yield HELD if first is call else breach(saw, first, call, pointer="/thread_id", got=thread_id)
    for call in history.accepted("get_thread", "update_thread_status"):
        asked, shown = call.argument("thread_id"), call.given.get("thread_id")
        if isinstance(asked, str) and isinstance(shown, str):
            saw = f"the thread asked for as {asked!r} is shown as {shown!r}"
            yield holds(asked == shown, saw, call, pointer="/thread_id", expected=asked, got=shown)


@law("TH-THR-05", compares="entity")
def a_thread_is_shown_as_it_was_made(history: History, contract: Contract) -> Iterator[Judgement]:
    """get_thread gives the title, type, workspace and participants that create_thread took, and its created_at.

    The order of participants is not judged, and none is listed more often than it was given. White space around a
    title is not compared.
    """
    threads = known(history, contract)
    for call in history.accepted("get_thread"):
        made = threads.made(call)
        if made is None or made.created.credential.defect is not None:
            continue
        given = {name: made.created.argument(name) for name in ("title", "type")}
        if made.workspace is not None:
            given["workspace_id"] = made.workspace
        for name, value in given.items():
            if isinstance(value, str) and name in call.given:
                shown = call.given[name]
                saw = f"{name} is {shown!r}, the thread was made with {value!r}"
                same = shown == value or (name == ONE_LINE and heading(value, shown))
                yield holds(same, saw, made.created, call, pointer=f"/{name}", expected=value, got=shown)
        people = call.given.get("participants")
        if isinstance(people, list):
            shown = {agent for agent in people if isinstance(agent, str)}
            right = made.participants <= shown <= made.participants | {made.creator} and not _repeats(people, made)
            saw, wanted = (
                "the participants are not those that the thread was made with",
                sorted(map(str, made.participants)),
            )
            yield holds(right, saw, made.created, call, pointer="/participants", expected=wanted, got=people)
        yield from _same_moment(made.created, call)


def _repeats(people: list[Json], made: Made) -> bool:
    """Whether a participant stands there more often than the thread was made with it: they are a set."""
    given = made.created.argument("participants")
    asked = Counter(filter(_is_text, given if isinstance(given, list) else ()))
    return any(often > max(1, asked[agent]) for agent, often in Counter(filter(_is_text, people)).items())


def _is_text(value: Json) -> bool:
    return isinstance(value, str)


def _same_moment(created: Exchange, call: Exchange) -> Iterator[Judgement]:
    first, shown = in_utc(created.given.get("created_at")), in_utc(call.given.get("created_at"))
    if first is not None and shown is not None:
        close = abs(first.at - shown.at) <= TOLERANCE_US
        expected, got = created.given.get("created_at"), call.given.get("created_at")
        saw = f"created_at is {got!r}, create_thread gave {expected!r}"
        yield holds(close, saw, created, call, pointer="/created_at", expected=expected, got=got)


@law("TH-THR-06", compares="entity")
def a_thread_is_updated_forward(history: History, _: Contract) -> Iterator[Judgement]:
    """A thread's updated_at is not before its created_at, nor before one that an earlier answer gave for it."""
    latest: dict[tuple[str, str], list[tuple[Exchange, Instant]]] = defaultdict(list)
    for call in sorted(history.accepted("get_thread", "update_thread_status"), key=lambda call: call.sent):
        thread_id, updated = call.argument("thread_id"), in_utc(call.given.get("updated_at"))
        if not isinstance(thread_id, str) or updated is None:
            continue
        created = in_utc(call.given.get("created_at"))
        if created is not None:
            saw = f"updated_at {_text(call)!r} is before created_at {call.given['created_at']!r}"
            yield holds(not updated.before(created), saw, call, pointer="/updated_at", got=_text(call))
        seen = latest[call.instance, thread_id]
        for other, moment in reversed(seen):
            if other.before(call):
                saw = f"updated_at went back from {_text(other)!r} to {_text(call)!r}"
                yield holds(not updated.before(moment), saw, other, call, pointer="/updated_at", got=_text(call))
                break
        seen.append((call, updated))


def _text(call: Exchange) -> Json:
    return call.given.get("updated_at")


@law("TH-THR-07")
def an_unknown_thread_is_refused(history: History, contract: Contract) -> Iterator[Judgement]:
    """A call about a thread that no create_thread of the instance gave is refused, whatever the method.

    It is judged where the method serves the same caller in a thread that exists.
    """
    calls = known(history, contract).with_only("NOT_FOUND")
    yield from refusals(controls(history, contract), calls, THREAD, lambda _: "on an unknown thread")


@law("TH-THR-08", compares="entity")
def a_malformed_payload_is_refused(history: History, contract: Contract) -> Iterator[Judgement]:
    """A call whose payload lacks a field or has one of another type or value is refused and changes nothing.

    It is judged where the same call is served with that field in order.
    """
    threads, differing = known(history, contract), payload(history, contract)

    def what(call: Exchange) -> str:
        name = threads.faults(call).fields[0]
        return f"with {name} {call.arguments.get(name, MISSING)!r}" if name else "with a payload that is no object"

    wrong = [call for call in threads.with_any("VALIDATION_ERROR") if threads.faults(call).fields]
    yield from without_effect(history, contract, wrong, differing, what, expected="VALIDATION_ERROR")
