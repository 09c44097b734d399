"""What a new session is told, and what the thread's summary was then."""

from collections.abc import Callable
from typing import NamedTuple

from conformance.contract.catalogue import Contract
from conformance.contracts.threads.laws.evidence import SPAWN
from conformance.contracts.threads.laws.wakes import Attempt
from conformance.judge.kinds import text
from conformance.judge.memo import once
from conformance.judge.refused import surely_refused
from conformance.model.exchange import Exchange
from conformance.model.history import History


class Told(NamedTuple):
    """What summarize_thread gave of a thread; `text` None: another text every time."""

    source: Exchange
    text: str | None


def told_to_new(attempt: Attempt) -> str | None:
    """The first prompt of a session that was spawned: as delivered, else as the command shows it; None: not shown."""
    for wake in attempt.wakes:
        prompt = wake.data.get("prompt")
        if wake.data.get("means") == SPAWN and isinstance(prompt, str):
            return prompt
    return attempt.command.told


@once
def summaries(history: History, contract: Contract) -> Callable[[Attempt], Told | None]:
    """Finds what summarize_thread gave of an attempt's thread both before and after it.

    None where the thread was not summarised around the attempt, or something may have happened to it meanwhile.
    """
    whole = [s for s in history.accepted("summarize_thread") if s.argument("max_messages") is None]
    made = history.calls("post_message", "update_thread_status")
    writes = [write for write in made if not surely_refused(write, contract)]

    def find(attempt: Attempt) -> Told | None:
        call = attempt.call
        mine = [s for s in whole if s.instance == call.instance and s.argument("thread_id") == attempt.thread]
        before = [s for s in mine if s.before(call)]
        after = [s for s in mine if call.before(s)]
        if not before or not after:
            return None
        first, last = before[-1], after[0]
        for write in writes:
            between = not write.before(first) and not last.before(write)
            if between and write.instance == call.instance and write.argument("thread_id") == attempt.thread:
                return None
        summary = text(first.given.get("summary"))
        same = summary is not None and summary == last.given.get("summary")
        return Told(last, summary if same else None)

    return find
