"""Error model: which code is answered when. Refusals that no other rule states are judged here as well."""

from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.tasks.beside import GUARDED, PLAIN, beside, of_form, of_ids, of_names, said
from conformance.contracts.tasks.causes.form import GUARDS, mistaken
from conformance.contracts.tasks.causes.place import MAKING
from conformance.contracts.tasks.forms import NAMES, nameless
from conformance.contracts.tasks.guards import ledger
from conformance.contracts.tasks.known import known
from conformance.contracts.tasks.listing import listed_by_none, lists
from conformance.contracts.tasks.lists import CAPS
from conformance.judge.conditional import coded, due
from conformance.judge.controls import but_for
from conformance.judge.law import law
from conformance.model.exchange import INVALID_PARAMS, Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement

OF_FORM = ("INVALID_NAME", "INVALID_INPUT")
"""Codes that call an argument malformed."""


@law("TK-ERR-NOT_INITIALIZED")
def a_missing_store_is_not_initialized(history: History, contract: Contract) -> Iterator[Judgement]:
    """A call before branchmind_init on a fresh store is refused with NOT_INITIALIZED, where it is accepted later."""
    control = beside(history, contract, PLAIN)
    calls = known(history, contract).only("NOT_INITIALIZED")
    yield from due(calls, "NOT_INITIALIZED", because=said("before any branchmind_init"), beside=control)


@law("TK-ERR-UNKNOWN_WORKSPACE")
def a_missing_workspace_is_unknown(history: History, contract: Contract) -> Iterator[Judgement]:
    """A call in a workspace that was never initialised is refused with UNKNOWN_WORKSPACE, in another one it is not."""
    control = beside(history, contract, but_for("workspace"))
    calls = known(history, contract).only("UNKNOWN_WORKSPACE")
    yield from due(calls, "UNKNOWN_WORKSPACE", because=said("in a workspace that nobody initialised"), beside=control)


@law("TK-ERR-UNKNOWN_ID")
def an_id_of_nothing_is_unknown(history: History, contract: Contract) -> Iterator[Judgement]:
    """A call that names what does not exist by a well-formed id or name is refused with UNKNOWN_ID.

    On some servers a branch begins with its first note, or one that does not exist shows nothing. There only the code
    of a refusal is judged.
    """
    control = beside(history, contract, of_ids)
    for call in known(history, contract).only("UNKNOWN_ID"):
        judge = coded if call.tool in MAKING and call.argument("target") is None else due
        yield from judge([call], "UNKNOWN_ID", because=said("with an id of nothing"), beside=control)


@law("TK-ERR-INVALID_NAME")
def a_malformed_name_is_invalid(history: History, contract: Contract) -> Iterator[Judgement]:
    """A blank name of a branch or document, or one with a control character, is refused with INVALID_NAME.

    The document has no rule for such names. Where one breaks the rule of workspace ids and is refused for its form,
    the code is judged.
    """
    control = beside(history, contract, of_names)
    why = said("with a malformed name")
    for call in known(history, contract).only("INVALID_NAME"):
        sure = any(nameless(call.argument(name)) for name in NAMES)
        if sure or call.code in OF_FORM:
            judge = due if sure else coded
            yield from judge([call], "INVALID_NAME", because=why, beside=control, protocol=INVALID_PARAMS)


@law("TK-ERR-INVALID_INPUT")
def a_malformed_argument_is_invalid(history: History, contract: Contract) -> Iterator[Judgement]:
    """A call without a required argument, with one of a wrong type or a malformed id is refused with INVALID_INPUT.

    -32602 of JSON-RPC is accepted in its place. Whether a malformed id is refused at all is judged by the requirement
    on its form.
    """
    control = beside(history, contract, of_form(contract))
    for call in known(history, contract).only("INVALID_INPUT"):
        plain = mistaken(call.arguments, contract.tools[call.tool or ""].inputSchema)
        judge, words = (due, "missing or mistyped arguments") if plain else (coded, "a malformed identifier")
        why = said(f"with {words}")
        yield from judge([call], "INVALID_INPUT", because=why, beside=control, protocol=INVALID_PARAMS)


@law("TK-ERR-REVISION_MISMATCH")
def a_stale_revision_is_a_mismatch(history: History, contract: Contract) -> Iterator[Judgement]:
    """A refusal of a write that expects another revision than the current one has the code REVISION_MISMATCH.

    Where the tool does not list the argument for it, other requirements judge the refusal.
    """
    expected = {each.call.call: each for each in ledger(history, contract).expectations}

    def because(call: Exchange) -> str:
        each = expected[call.call]
        return f"that expects revision {each.expected} where {each.current} is current"

    def listing(call: Exchange) -> bool:
        return lists(history, contract, call, *(name for name in GUARDS if call.argument(name) is not None))

    calls = filter(listing, known(history, contract).only("REVISION_MISMATCH"))
    control = beside(history, contract, GUARDED)
    yield from coded(calls, "REVISION_MISMATCH", because=because, beside=control)


@law("TK-ERR-EXPECTED_TARGET_MISMATCH", absent=listed_by_none("expected_target_id"))
def another_target_is_a_mismatch(history: History, contract: Contract) -> Iterator[Judgement]:
    """A refusal of a write whose target is not expected_target_id has the code EXPECTED_TARGET_MISMATCH.

    The document names the code and not the argument: tools that list it are judged.
    """
    calls = known(history, contract).only("EXPECTED_TARGET_MISMATCH")
    control = beside(history, contract, but_for("expected_target_id"))
    why = said("of a target that is not the expected one")
    yield from coded(calls, "EXPECTED_TARGET_MISMATCH", because=why, beside=control)


@law("TK-ERR-STRICT_TARGETING_REQUIRES_EXPECTED_TARGET_ID", absent=listed_by_none("strict_targeting"))
def strict_targeting_requires_a_target(history: History, contract: Contract) -> Iterator[Judgement]:
    """A strict write whose target comes from the focus and is not named as expected is refused with its own code.

    The document names the code and not the argument: tools that list it are judged.
    """
    code = "STRICT_TARGETING_REQUIRES_EXPECTED_TARGET_ID"
    control = beside(history, contract, but_for("strict_targeting", "expected_target_id"))
    calls = known(history, contract).only(code)
    yield from due(calls, code, because=said("strictly on what the focus gives"), beside=control)


@law("TK-ERR-CHECKPOINTS_NOT_CONFIRMED")
def closing_too_early_has_its_code(history: History, contract: Contract) -> Iterator[Judgement]:
    """A refusal to close a step whose checkpoints are not confirmed has the code CHECKPOINTS_NOT_CONFIRMED."""
    calls = known(history, contract).only("CHECKPOINTS_NOT_CONFIRMED")
    control = beside(history, contract, PLAIN)
    why = said("with a checkpoint unconfirmed")
    yield from coded(calls, "CHECKPOINTS_NOT_CONFIRMED", because=why, beside=control)


@law("TK-ERR-CONFLICT")
def a_collision_is_a_conflict(history: History, contract: Contract) -> Iterator[Judgement]:
    """A branch made twice, a card's id given to another card, and a conflict resolved otherwise: each is a CONFLICT."""
    control = beside(history, contract, but_for("resolution", "card", "supports", "blocks"))
    calls = known(history, contract).only("CONFLICT")
    yield from due(calls, "CONFLICT", because=said("of what collides with what exists"), beside=control)


@law("TK-ERR-BUDGET_EXCEEDED", absent=listed_by_none(*CAPS))
def a_budget_for_nothing_is_exceeded(history: History, contract: Contract) -> Iterator[Judgement]:
    """A refusal of a budget has the code BUDGET_EXCEEDED, where the same call is accepted without it.

    So has any refusal of a call with a budget that nothing else speaks against.
    """
    run = known(history, contract)
    control = beside(history, contract, but_for(*CAPS))

    def why(call: Exchange) -> str:
        given = ", ".join(f"{n} {call.argument(n)}" for n in CAPS if call.argument(n))
        return f"with {given or 'max_chars 0'}"

    yield from coded((*run.only("BUDGET_EXCEEDED"), *run.tight()), "BUDGET_EXCEEDED", because=why, beside=control)
