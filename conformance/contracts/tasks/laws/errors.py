"""Error model: which code is answered when. Refusals that no other rule states are judged here as well."""

from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.tasks.causes import mistaken
from conformance.contracts.tasks.forms import NAMES
from conformance.contracts.tasks.guards import ledger
from conformance.contracts.tasks.known import known
from conformance.judge.conditional import coded, due
from conformance.judge.law import law
from conformance.judge.served import served
from conformance.model.exchange import INVALID_PARAMS, Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement


@law("TK-ERR-NOT_INITIALIZED")
def a_missing_store_is_not_initialized(history: History, contract: Contract) -> Iterator[Judgement]:
    """A call in a workspace is refused with NOT_INITIALIZED before branchmind_init was called on a fresh store."""
    calls = known(history, contract).only("NOT_INITIALIZED")
    yield from due(calls, "NOT_INITIALIZED", because=lambda _: "before any branchmind_init")


@law("TK-ERR-UNKNOWN_WORKSPACE")
def a_missing_workspace_is_unknown(history: History, contract: Contract) -> Iterator[Judgement]:
    """A call in a workspace that was never initialised, on a store that was, is refused with UNKNOWN_WORKSPACE."""
    calls = known(history, contract).only("UNKNOWN_WORKSPACE")
    yield from due(calls, "UNKNOWN_WORKSPACE", because=lambda _: "in a workspace that nobody initialised")


@law("TK-ERR-UNKNOWN_ID")
def an_id_of_nothing_is_unknown(history: History, contract: Contract) -> Iterator[Judgement]:
    """A call with a well-formed id that the workspace never gave is refused with UNKNOWN_ID."""
    yield from due(known(history, contract).only("UNKNOWN_ID"), "UNKNOWN_ID", because=lambda _: "with an id of nothing")


@law("TK-ERR-INVALID_NAME")
def a_malformed_name_is_invalid(history: History, contract: Contract) -> Iterator[Judgement]:
    """A malformed name of a branch or document is refused with INVALID_NAME, an empty or unprintable one always."""
    for call in known(history, contract).only("INVALID_NAME"):
        judge = due if any(_is_none(call.argument(name)) for name in NAMES) else coded
        yield from judge([call], "INVALID_NAME", because=lambda _: "with a malformed name", protocol=INVALID_PARAMS)


def _is_none(name: object) -> bool:
    """Whether a string is no name under any rule for names."""
    return isinstance(name, str) and (not name.strip() or not name.isprintable())


@law("TK-ERR-INVALID_INPUT")
def a_malformed_argument_is_invalid(history: History, contract: Contract) -> Iterator[Judgement]:
    """A call without a required argument, with one of a wrong type or a malformed id is refused with INVALID_INPUT.

    JSON-RPC's -32602 says the same. That a malformed id is refused at all is judged with the identifier's form.
    """
    listed = served(history, contract)
    calls = known(history, contract).only("INVALID_INPUT")
    plain = [call for call in calls if (tool := listed.tool(call)) and mistaken(call.arguments, tool.input_schema)]
    odd = [call for call in calls if call not in plain]
    why = "with missing or mistyped arguments"
    yield from due(plain, "INVALID_INPUT", because=lambda _: why, protocol=INVALID_PARAMS)
    yield from coded(odd, "INVALID_INPUT", because=lambda _: "with a malformed identifier", protocol=INVALID_PARAMS)


@law("TK-ERR-REVISION_MISMATCH")
def a_stale_revision_is_a_mismatch(history: History, contract: Contract) -> Iterator[Judgement]:
    """A refusal of a write that expects another revision than the current one has the code REVISION_MISMATCH."""
    expected = {each.call.call: each for each in ledger(history, contract).expectations}

    def because(call: Exchange) -> str:
        each = expected[call.call]
        return f"that expects revision {each.expected} where {each.current} is current"

    yield from coded(known(history, contract).only("REVISION_MISMATCH"), "REVISION_MISMATCH", because=because)


@law("TK-ERR-EXPECTED_TARGET_MISMATCH")
def another_target_is_a_mismatch(history: History, contract: Contract) -> Iterator[Judgement]:
    """A refusal of a write whose target is not expected_target_id has the code EXPECTED_TARGET_MISMATCH."""
    calls = known(history, contract).only("EXPECTED_TARGET_MISMATCH")
    yield from coded(calls, "EXPECTED_TARGET_MISMATCH", because=lambda _: "of a target that is not the expected one")


@law("TK-ERR-STRICT_TARGETING_REQUIRES_EXPECTED_TARGET_ID")
def strict_targeting_requires_a_target(history: History, contract: Contract) -> Iterator[Judgement]:
    """A strict write whose target comes from the focus and is not named as expected is refused with its own code."""
    code = "STRICT_TARGETING_REQUIRES_EXPECTED_TARGET_ID"
    yield from due(known(history, contract).only(code), code, because=lambda _: "strictly on what the focus gives")


@law("TK-ERR-CHECKPOINTS_NOT_CONFIRMED")
def closing_too_early_has_its_code(history: History, contract: Contract) -> Iterator[Judgement]:
    """A refusal to close a step whose checkpoints are not confirmed has the code CHECKPOINTS_NOT_CONFIRMED."""
    calls = known(history, contract).only("CHECKPOINTS_NOT_CONFIRMED")
    yield from coded(calls, "CHECKPOINTS_NOT_CONFIRMED", because=lambda _: "with a checkpoint unconfirmed")


@law("TK-ERR-CONFLICT")
def a_collision_is_a_conflict(history: History, contract: Contract) -> Iterator[Judgement]:
    """Making a branch that exists is refused with CONFLICT; so is another refusal of what collides with what exists."""
    for call in known(history, contract).only("CONFLICT"):
        judge = due if call.tool == "branchmind_branch_create" else coded
        yield from judge([call], "CONFLICT", because=lambda _: "of what collides with what exists")


@law("TK-ERR-BUDGET_EXCEEDED")
def a_budget_for_nothing_is_exceeded(history: History, contract: Contract) -> Iterator[Judgement]:
    """A refusal of a max_chars into which no object fits has the code BUDGET_EXCEEDED."""
    calls = known(history, contract).only("BUDGET_EXCEEDED")
    yield from coded(calls, "BUDGET_EXCEEDED", because=lambda call: f"with max_chars {call.argument('max_chars')}")
