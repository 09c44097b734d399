"""Breaks what is left of accepted calls when the process has ended."""

from reference_server.deviations.keeping import one_behind
from reference_server.deviations.registry import deviation
from reference_server.keeping import Kept
from reference_server.threads import Threads


@deviation("TH-SRV-05", store=True)
def the_last_write_is_lost(kept: Kept[Threads]) -> None:
    """What a call wrote reaches the disk with the next call that writes."""
    one_behind(kept)


@deviation("TH-SRV-05", store=True, variant="twice")
def the_last_message_is_there_twice(kept: Kept[Threads]) -> None:
    """A server that starts on its store adds the last message of each thread once more, under a new seq."""
    for thread in kept.application.store.threads.values():
        if thread.messages:
            last, application = thread.messages[-1], kept.application
            again = {**last, "message_id": application.ids.next("msg"), "seq": last["seq"] + 1}
            application.store.append(thread, again)


@deviation("TH-SRV-05", store=True, variant="keys")
def keys_are_forgotten(kept: Kept[Threads]) -> None:
    """A server that starts on its store knows no idempotency key."""
    kept.application.ledger.originals.clear()


@deviation("TH-SRV-05", store=True, variant="cursors")
def cursors_are_forgotten(kept: Kept[Threads]) -> None:
    """A server that starts on its store knows no cursor."""
    kept.application.cursors.cursors.clear()
