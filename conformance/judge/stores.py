"""Whether instances have a store each, as they are to: two processes may act for one account, or open one database."""

from collections import defaultdict
from collections.abc import Hashable

from conformance.contract.catalogue import Contract
from conformance.judge import shown
from conformance.judge.memo import once
from conformance.judge.registers import Showing
from conformance.judge.texts import texts
from conformance.model.events import NAMED
from conformance.model.history import History

TELLING = 12
"""Characters of a text that two instances do not hold by chance."""


@once
def one_store(history: History, contract: Contract) -> bool:
    """Whether an instance shows, under the same name, what only another one was given to write.

    That is no excuse for a server which keeps several instances, told apart by its requests: it says that it does.
    """
    means = {instance.means for instance in history.instances.values()}
    if len({call.instance for call in history.calls()}) < 2 or NAMED in means:  # noqa: PLR2004 -- one shares nothing
        return False
    written: dict[Hashable, dict[str, str]] = defaultdict(dict)
    for each in shown.assignments(history, contract):
        match each.register, each.value:
            case ((_, *entity), field), str(text) if each.call.accepted and len(text) >= TELLING:
                written[tuple(entity), field][each.call.instance] = text
    for look in shown.showings(history, contract):
        match look.register:
            case ((_, *entity), field):
                known = written.get((tuple(entity), field), {})
                if look.call.instance not in known and look.value in known.values() and not _given(history, look):
                    return True
    return False


def _given(history: History, look: Showing) -> bool:
    """Whether a call of the same instance gave the text that is shown."""
    calls = (call for call in history.calls() if call.instance == look.call.instance)
    return any(look.value in texts(call.arguments) for call in calls)
