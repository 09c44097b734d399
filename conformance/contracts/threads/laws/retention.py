"""Section 8: messages do not expire."""

from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.threads.laws.messages import reached
from conformance.judge.calendar import calendar_of
from conformance.judge.judgements import holds
from conformance.judge.law import law
from conformance.model.history import History
from conformance.model.verdict import Judgement


@law("TH-RET-01")
def messages_are_kept(history: History, contract: Contract) -> Iterator[Judgement]:
    """A read made after the calendar has moved on still shows the messages that were posted before."""
    when = calendar_of(history)
    for one, page, message in reached(history, contract):
        if when.ahead(page.read) > when.ahead(one.post):
            moved = when.ahead(page.read) - when.ahead(one.post)
            saw = f"a message is not read any more {moved:g} s later"
            yield holds(message is not None, saw, one.post, page.read, expected=one.message_id)
