"""Calls with one fault, each with the like but for which it is judged."""

from collections.abc import Callable

from conformance.contract.catalogue import Contract
from conformance.contracts.threads.known import known
from conformance.contracts.threads.laws.allowed import controls
from conformance.contracts.threads.payloads import IDENTITY
from conformance.judge.conditional import Beside
from conformance.judge.controls import ARGUMENTS, ButFor, but_for
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History

REPEATED = tuple(dict.fromkeys(name for names in IDENTITY.values() for name in names))
"""Every field that repeats who calls."""
TOKEN = but_for(token=True)
OTHERS = but_for(*REPEATED, caller=True)
"""Somebody else's call of the same, about a thread."""
_IDENTITIES = {tool: but_for(*names) for tool, names in IDENTITY.items()}
ELSEWHERE = but_for(*REPEATED, "workspace_id", caller=True)
THREAD = but_for("thread_id")
VERSION = but_for("schema_version")
MOVE = but_for("status", "reason")
REPLY = but_for("in_reply_to")


def identities(call: Exchange) -> ButFor:
    """The same call with the caller's own identity. create_thread's workspace is no part of that, and may be needed."""
    return _IDENTITIES[call.tool or ""]


def anybodys(*names: str, besides: tuple[str, ...] = ()) -> ButFor:
    """Anybody's call that differs in these fields, or lacks them, and may have other values in those besides."""
    free = {*REPEATED, *besides}

    def shape(call: Exchange) -> Json:
        given = call.arguments if isinstance(call.arguments, dict) else {}
        return {name: None if name in free else value for name, value in given.items() if name not in names}

    return but_for(caller=True, shape=shape)


EVENT = anybodys("kind", "metadata", besides=("thread_id", "body"))
"""Anybody's message of another kind, or event of another type."""
METADATA = anybodys("metadata", besides=("thread_id", "body"))
"""Anybody's message of the same kind with other metadata."""
KIND = ("management_mode", "status", "resumable")
OF_ANOTHER_KIND = anybodys(*KIND)
"""Anybody's heartbeat of another kind of session."""


def payload(history: History, contract: Contract) -> Callable[[Exchange], ButFor]:
    """The same call with the fields in order that break its payload."""
    threads = known(history, contract)

    def differing(call: Exchange) -> ButFor:
        fields = threads.faults(call).fields
        return ARGUMENTS if "" in fields else but_for(*sorted(fields))

    return differing


def faulty(history: History, contract: Contract, code: str) -> list[Exchange]:
    """Calls with this one fault and no other in doubt."""
    threads = known(history, contract)
    return [call for call in threads.with_only(code) if not threads.faults(call).others]


def beside(history: History, contract: Contract, differing: ButFor | Callable[[Exchange], ButFor]) -> Beside:
    """Finds the control of a call."""
    return controls(history, contract).look(differing)
