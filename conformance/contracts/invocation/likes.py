"""The control of an invocation: an accepted one that is its like but for the one fault."""

from collections.abc import Callable

from conformance.contract.catalogue import Contract
from conformance.contracts.invocation.faults import Fault, known
from conformance.contracts.invocation.kit import INVOKE
from conformance.judge.controls import ButFor, Controls
from conformance.judge.memo import once
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History

NAMES = frozenset({"list", "key", "item", "value", "to", "operationId"})
"""Fields of input that name things of the stimulus's own: which thing it is makes no call another one."""
OWN = frozenset({"correlationId", "causationId", "metadata"})
"""Fields that each call has of its own, and that decide nothing."""
LIMITS = frozenset({"limit", "run"})


def _shape(left_out: frozenset[str], *, tenant: bool = False) -> Callable[[Exchange], Json]:
    """What of a call's arguments a fault in these parts does not touch."""
    gone = OWN | left_out

    def shape(call: Exchange) -> Json:
        given = call.arguments if isinstance(call.arguments, dict) else {}
        kept = {name: value for name, value in given.items() if name not in gone}
        if "idempotencyKey" in kept:
            kept["idempotencyKey"] = True
        headers, entered = kept.pop("headers", None), kept.get("input")
        if isinstance(headers, dict):
            others = {name: value for name, value in headers.items() if tenant or name != "tenant"}
            kept |= {"headers": others} if others else {}
        if isinstance(entered, dict):
            kept["input"] = {name: type(v).__name__ if name in NAMES else v for name, v in entered.items()}
        return kept

    return shape


_PARTS = ("toolName", "versionRange", "input", "idempotencyKey", "headers", "deadline", "correlationId", "causationId",
          "metadata")  # fmt: skip
BUT_FOR = {
    **{name: ButFor(shape=_shape(frozenset({name}))) for name in _PARTS},
    "token": ButFor(shape=_shape(frozenset()), caller=True),
    "limit": ButFor(shape=_shape(frozenset({"input"}), tenant=True)),
    "run": ButFor(shape=_shape(frozenset({"input"}))),
    "tool": ButFor(shape=_shape(frozenset({"input", "toolName"}))),
    "arguments": ButFor(shape=lambda _: None),
}
"""By the part in which a fault lies, what its control may differ in. A tool that never succeeds has another tool's."""


@once
def controls(history: History, contract: Contract) -> Controls:
    """The accepted invocations, and the good ones that were refused."""
    return Controls(history, known(history, contract).good)


def beside(history: History, contract: Contract, fault: Fault) -> Callable[[Exchange], Exchange | None]:
    """Looks for the control of a call that has this fault."""
    found = controls(history, contract)
    return lambda call: found.beside(call, BUT_FOR[fault.about]) if call.tool == INVOKE else None
