"""What the contract offers is served, what was written is shown, and nothing fails by the server's own fault."""

from collections.abc import Hashable, Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.threads.known import known
from conformance.contracts.threads.laws.allowed import allowed
from conformance.contracts.threads.laws.moves import courses
from conformance.contracts.threads.laws.posted import key_of
from conformance.contracts.threads.payloads import FIELDS, STATUSES
from conformance.judge.characters import heading
from conformance.judge.faults import own_faults
from conformance.judge.kinds import alike, spelled
from conformance.judge.law import law
from conformance.judge.memo import once
from conformance.judge.registers import Assignment, Register, Showing, kept
from conformance.judge.replay import firsts
from conformance.judge.serving import all_served
from conformance.judge.shown import assignments, showings
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement

VARIANTS = ("type", "kind", "status", "management_mode", "resumable")
"""Arguments of which each value is a way of its own to call the method."""
STATUS, TITLE = "/status", "/title"
KEY = "idempotency_key"
"""It is its sender's: a server may show it to nobody else."""
EVENT_VERSION = "event_version"
"""That this key of metadata is kept has a requirement of its own."""


@law("TH-SRV-01")
def good_calls_are_served(history: History, contract: Contract) -> Iterator[Judgement]:
    """A call that the contract's rules allow is accepted, in each way of calling each method, by each role."""
    good = allowed(history, contract)
    yield from all_served([call for call in history.calls(*FIELDS) if call.call in good], way)


def way(call: Exchange) -> Hashable:
    """Who calls, with which arguments, and what of the documented variants they ask for."""
    metadata = call.argument("metadata")
    event = metadata.get("event_type") if isinstance(metadata, dict) else None
    return frozenset(call.arguments), call.credential.role, spelled([event, *map(call.argument, VARIANTS)])


@law("TH-SRV-02", compares="entity")
def reads_show_what_was_written(history: History, contract: Contract) -> Iterator[Judgement]:
    """What an accepted write wrote is shown by each later read that shows it, until another write changes it."""
    own, threads = _own_posts(history, contract), known(history, contract)

    def counts(call: Exchange) -> bool:
        return not threads.faults(call).codes and (call.tool != "post_message" or call.call in own)

    # metadata that is empty may be shown as none
    written = [one for one in assignments(history, contract, counts) if one.value != {}]
    written += _statuses(history, contract)
    shown = [one for one in showings(history, contract) if one.what != KEY or one.value is not None]
    yield from kept(filter(_entitles, written), shown, heading)
    yield from kept((one for one in written if not _entitles(one)), [*shown, *_told(history, own)], _same)


@once
def _own_posts(history: History, contract: Contract) -> frozenset[int]:
    """The posts that surely made a message of their own."""
    return frozenset(post.call for post in firsts(history.calls("post_message"), key_of, contract))


def _entitles(one: Assignment) -> bool:
    """Whether it writes the title of a thread."""
    return isinstance(one.register, tuple) and one.register[-1] == TITLE


def _same(written: Json, shown: Json) -> bool | None:
    """Equal by value. Participants are a set, to which the creator may belong; what is kept of metadata may be more."""
    if isinstance(written, list) and isinstance(shown, list):
        return {*map(spelled, written)} <= {*map(spelled, shown)} if len(shown) <= len(written) + 1 else False
    if isinstance(written, dict) and isinstance(shown, dict):
        own = {name: value for name, value in written.items() if name != EVENT_VERSION}
        parts = [alike(value, shown[name]) if name in shown else False for name, value in own.items()]
        return False if False in parts else None if None in parts else True
    return alike(written, shown)


def _statuses(history: History, contract: Contract) -> Iterator[Assignment]:
    """What may have set a thread's status: its making, moves, and events by which a server may move it."""
    for (instance, thread), course in courses(history, contract).items():
        for made in (one.source for one in course.told if one.source.tool == "create_thread"):
            yield Assignment(_status(instance, thread), made.given.get("status"), made)
        for write in course.effective:
            wanted = write.argument("status")
            moved = write.tool == "update_thread_status" and wanted in STATUSES
            yield Assignment(_status(instance, thread), wanted, write, doubtful=not moved)


def _told(history: History, own: frozenset[int]) -> Iterator[Showing]:
    """The status that get_thread shows, and that other answers tell besides what they are about.

    A repeated post may be answered as the first one was, with the status of that time.
    """
    for tool, name in (
        ("get_thread", "status"),
        ("post_message", "thread_status"),
        ("summarize_thread", "last_status"),
    ):
        for call in history.accepted(tool):
            thread = call.argument("thread_id")
            repeated = tool == "post_message" and call.call not in own
            if isinstance(thread, str) and name in call.given and not repeated:
                yield Showing(_status(call.instance, thread), call.given[name], call, f"/{name}", name)


def _status(instance: str, thread: str) -> Register:
    return instance, "thread", spelled(thread), STATUS


@law("TH-SRV-03", compares="call")
def nothing_fails_by_the_servers_own_fault(history: History, contract: Contract) -> Iterator[Judgement]:
    """No call ends in an internal error, a code outside the catalogue, or a text that shows the server's inside."""
    yield from own_faults(history.calls(*FIELDS), contract)
