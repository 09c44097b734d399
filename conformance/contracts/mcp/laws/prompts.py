"""MC-PROMPT-02 and -03: prompts that are asked for."""

from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.mcp.laws.asking import out_of_reach, well_asked
from conformance.contracts.mcp.laws.content import block_fault
from conformance.contracts.mcp.laws.offered import chains, items_of, no_prompts
from conformance.contracts.mcp.laws.repeated import params_of
from conformance.contracts.mcp.offered import PROMPTS, named
from conformance.judge.judgements import breach, holds, told
from conformance.judge.law import law
from conformance.model.events import Json
from conformance.model.exchange import CAPABILITY_MISSING, INVALID_PARAMS, METHOD_NOT_FOUND, Exchange
from conformance.model.history import History
from conformance.model.measure import quoted
from conformance.model.verdict import HELD, Judgement

ROLES = ("user", "assistant")
Listed = dict[tuple[str, str], set[str]]
"""By instance and name: the arguments that a prompt requires."""


def _listed(history: History) -> Listed:
    found: Listed = {}
    for pages in chains(history, PROMPTS):
        for page in pages:
            for item in items_of(page, PROMPTS):
                if isinstance(item, dict) and isinstance(item.get("name"), str):
                    found[page.instance, item["name"]] = named(item, required=True)
    return found


def _asked(history: History) -> Iterator[tuple[Exchange, str, set[str]]]:
    """Each request for a prompt, its name, and the arguments that it was given."""
    for exchange in history.exchanges:
        params = params_of(exchange) if exchange.method == "prompts/get" else {}
        name, given = params.get("name"), params.get("arguments", {})
        sound = well_asked(exchange) and not out_of_reach(exchange)
        if isinstance(name, str) and isinstance(given, dict) and sound:
            yield exchange, name, set(given)


def _none_listed(history: History, contract: Contract) -> str:
    """Why no prompt was asked for: there are none, or none is listed."""
    pages = [page for pages in chains(history, PROMPTS) for page in pages if page.result is not None]
    empty = bool(pages) and not any(items_of(page, PROMPTS) for page in pages)
    return no_prompts(history, contract) or ("the server lists no prompt" if empty else "")


@law("MC-PROMPT-02", absent=_none_listed)
def listed_prompts_are_given(history: History, _: Contract) -> Iterator[Judgement]:
    """A listed prompt that requires no argument is not refused as unknown; what is given are whole messages.

    Where a prompt requires arguments, nobody knows which values are good: a refusal is judged only if it says that
    there is no such method.
    """
    listed = _listed(history)
    for exchange, name, given in _asked(history):
        wanted = listed.get((exchange.instance, name))
        if wanted is None or not wanted <= given:
            continue
        if exchange.protocol_code == METHOD_NOT_FOUND:
            yield breach(f"the prompt {name} is listed, and asking for it: {told(exchange)}", exchange)
        elif exchange.protocol_code == INVALID_PARAMS and not wanted and not given:
            how = "" if "arguments" in params_of(exchange) else " without `arguments`, which may be left out"
            yield breach(f"the prompt {name} is listed, and asking for it{how}: {told(exchange)}", exchange)
        elif exchange.result is not None and exchange.result.get("resultType", "complete") == "complete":
            messages = exchange.result.get("messages")
            if messages == []:
                continue  # of none nothing is seen
            wrong = _messages_fault(messages)
            yield holds(not wrong, f"the prompt {name} gives {wrong}", exchange, pointer="/result/messages")


def _messages_fault(messages: Json) -> str:
    if not isinstance(messages, list):
        return "no list of messages"
    for message in messages:
        if not isinstance(message, dict):
            return "a message that is no object"
        if message.get("role") not in ROLES:
            return f"a message of the role {quoted(message.get('role'))}"
        if wrong := block_fault(message.get("content")):
            return f"a message whose content {wrong}"
    return ""


@law("MC-PROMPT-03", absent=_none_listed)
def an_unknown_prompt_is_refused(history: History, _: Contract) -> Iterator[Judgement]:
    """A prompt that is not listed, or lacks an argument that it requires, is refused with -32602.

    It is judged where another prompt, or the same prompt with the argument, is given.
    """
    listed = _listed(history)
    given_ones = {(e.instance, name) for e, name, _ in _asked(history) if e.accepted and (e.instance, name) in listed}
    serving = {instance for instance, _ in given_ones}
    for exchange, name, given in _asked(history):
        wanted = listed.get((exchange.instance, name))
        if wanted is None and exchange.instance in serving:
            saw = f"{name} is no prompt of this server, and asking for it: {told(exchange)}"
        elif wanted is not None and not wanted <= given and (exchange.instance, name) in given_ones:
            saw = f"the prompt {name} without {', '.join(sorted(wanted - given))}, which it requires: {told(exchange)}"
        else:
            continue
        if exchange.protocol_code == CAPABILITY_MISSING or exchange.asks_back:
            yield HELD if wanted is not None else breach(saw, exchange)
            continue
        yield holds(
            exchange.protocol_code == INVALID_PARAMS, saw, exchange,
            pointer="/error/code", expected=INVALID_PARAMS, got=exchange.protocol_code,
        )  # fmt: skip
