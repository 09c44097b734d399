"""What is offered is served, and nothing ends in a fault of the server's own."""

from collections.abc import Hashable, Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.tasks.forms import operations
from conformance.contracts.tasks.known import known
from conformance.judge.faults import own_faults
from conformance.judge.law import law
from conformance.judge.served import served
from conformance.judge.serving import Unsupported, all_served
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement


@law("TK-SRV-01")
def good_calls_are_served(history: History, contract: Contract) -> Iterator[Judgement]:
    """For each tool and each way of calling it: every call that the contract allows is accepted.

    Good arguments are those of the contract's own list of parameters, whatever schema the server lists. Three things
    are judged only where the server lists them, as neither the document nor the original's tools name them: a tool's
    budget knobs and offsets, expected_target_id and the like with a target from the focus, and tasks_patch.
    """
    run, left_out = known(history, contract), Unsupported(history)
    calls = (call for call in history.calls(*contract.tools) if run.good(call) and not left_out.concerns(call))
    yield from all_served(calls, lambda call: way(call, contract))


def way(call: Exchange, contract: Contract) -> Hashable:
    """How a tool is called: which arguments are given, which of their few values, what kind of thing is named."""
    given = call.arguments if isinstance(call.arguments, dict) else {}
    schemas = contract.tools[call.tool or ""].inputSchema.get("properties", {})
    found: set[Hashable] = set()
    for name, value in given.items():
        schema = schemas.get(name, {})
        if isinstance(value, bool) or "enum" in schema:
            found.add((name, str(value)))
        elif name in ("task", "target", "parent", "expected_target_id"):
            found.add((name, str(value)[:4]))
        else:
            found.add((name, type(value).__name__ if value is None or name == "card" else ""))
    return frozenset(found), frozenset(str(op.get("op")) for op in operations(call))


@law("TK-SRV-03")
def no_answer_is_a_fault(history: History, contract: Contract) -> Iterator[Judgement]:
    """No answer of a listed tool is an internal error, has a code beyond the contract's, or shows a server's inside."""
    listed = served(history, contract)
    calls = (call for call in history.calls(*contract.tools) if not listed.unknown(call))
    yield from own_faults(calls, contract)
