"""MC-CALL-15: whether a tool can be used at all."""

import re
from collections.abc import Callable, Iterator

from conformance.contract.catalogue import Contract
from conformance.contract.dialect import seems_valid
from conformance.contracts.mcp.lacking import lacking, says_again
from conformance.contracts.mcp.laws.asking import arguments_of, well_asked
from conformance.contracts.mcp.laws.toolless import no_tools
from conformance.contracts.mcp.laws.unknown import said_unknown
from conformance.contracts.mcp.samples import OURS, PLACEHOLDER
from conformance.judge.faults import declined, internal
from conformance.judge.judgements import breach
from conformance.judge.kinds import spelled
from conformance.judge.law import law
from conformance.judge.served import Served, served
from conformance.model.arguments import properties
from conformance.model.ending import explained, reason
from conformance.model.events import Json
from conformance.model.exchange import CAPABILITY_MISSING, Exchange
from conformance.model.history import History
from conformance.model.verdict import HELD, Judgement

OF_CLIENTS = re.compile(
    r"sampling|elicit|\broots\b|\bcapabilit|client (?:does|did) not (?:support|declare)", re.IGNORECASE
)
OF_THE_REQUEST = {
    -32700: r"\bparse\b|\bjson\b",
    -32600: r"^\W*(?:bad|invalid|malformed) request\W*$",
    -32601: r"\bmethod\b",
    -32602: r"_meta\b|\bio\.modelcontextprotocol/",
    -32022: r"\bversion\b",
}
"""Errors that speak of the request or its method, not of an argument: their codes, and words that tell."""


@law("MC-CALL-15", absent=no_tools)
def a_good_call_is_accepted(history: History, contract: Contract) -> Iterator[Judgement]:
    """A tool that is called with an example of the statement, or that takes no argument, accepts one of its calls.

    Of other tools nobody knows which arguments are good beyond their form. Where all calls are refused, a refusal that
    no argument can mend shows it as well: that there is no such tool, or words on the request itself.

    Tools that need a capability of the client, or that are called as a task alone, are not judged: the suite declares
    no capability and makes no task. Nor are refusals for a host that is out of reach, a key that it wants, or a program
    that is missing; nor the calls of a contract that is tested: its own requirements say which of them are good.
    """
    listed, examples = served(history, contract), _examples(history)
    on_trial = history.header.contract if history.header is not None else contract.name
    apart = () if on_trial == contract.name else (f"{on_trial}.",)
    for name, calls in history.by_tool.items():
        if any(call.accepted for call in calls if listed.tool(call) is not None):
            yield HELD
            continue
        mine = [call for call in calls if not call.stimulus.startswith(apart) and not _as_a_task(call, listed)]
        good = [call for call in mine if _refused(call) and _good(call, history, listed, examples.get(name, []))]
        if good := good or [call for call in mine if _whatever_is_given(call, listed)]:
            saw = f"{name} accepted none of {len(calls)} calls; a good one was {explained(good[0])}"
            yield breach(saw, good[0], expected="success")


def _as_a_task(call: Exchange, listed: Served) -> bool:
    return (tool := listed.tool(call)) is not None and tool.as_a_task


def _whatever_is_given(call: Exchange, listed: Served) -> bool:
    """Whether a call of a listed tool was refused for nothing that its arguments, which fit, could mend.

    A refusal that repeats a text of theirs may be of that.
    """
    tool = listed.tool(call)
    if tool is None or not call.refused or call.conditions or _needs_a_client(call) or not well_asked(call):
        return False
    said, of_the_request = reason(call), OF_THE_REQUEST.get(call.protocol_code or 0)
    if says_again(call):
        return False
    if not said_unknown(call) and (of_the_request is None or re.search(of_the_request, said, re.IGNORECASE) is None):
        return False
    return seems_valid(tool.input_schema, arguments_of(call)) is True


def _refused(call: Exchange) -> bool:
    # what is refused while a condition holds may be refused for that
    return (declined(call) or internal(call)) and not call.conditions and not _needs_a_client(call)


def _needs_a_client(call: Exchange) -> bool:
    """Whether the tool wants to ask the client, or its user or model, something."""
    return call.protocol_code == CAPABILITY_MISSING or OF_CLIENTS.search(reason(call)) is not None


def _good(call: Exchange, history: History, listed: Served, examples: list[Json]) -> bool:
    tool, given = listed.tool(call), arguments_of(call)
    if tool is None or not isinstance(given, dict) or lacking(call, tool):
        return False
    like = any(_from(example, given, lambda tool, value: _told(history, tool, value)) for example in examples)
    return like or (not given and not properties(tool.input_schema))


def _told(history: History, tool: str, value: Json) -> bool:
    """Whether an accepted answer of a tool holds a value: one that nobody told may name nothing that there is."""
    text = spelled(value)
    text = text[1:-1] if isinstance(value, str) else text
    return any(text in spelled(call.result) for call in history.accepted(tool))


def _examples(history: History) -> dict[str, list[Json]]:
    """The arguments that the statement gives as examples, by tool."""
    calls = history.header.statement.get("calls") if history.header is not None else None
    given = calls.get("examples") if isinstance(calls, dict) else None
    found: dict[str, list[Json]] = {}
    for example in given if isinstance(given, list) else ():
        if isinstance(example, dict):
            found.setdefault(str(example.get("tool")), []).append(example.get("arguments", {}))
    return found


def _from(example: Json, given: Json, told: Callable[[str, Json], bool]) -> bool:
    """Whether arguments are an example's, its placeholders filled in: those of an answer with what was `told` there."""
    if isinstance(example, dict) and isinstance(given, dict):
        return example.keys() == given.keys() and all(_from(example[key], given[key], told) for key in example)
    if isinstance(example, list) and isinstance(given, list):
        return len(example) == len(given) and all(
            _from(one, other, told) for one, other in zip(example, given, strict=True)
        )
    if isinstance(example, str) and (whole := PLACEHOLDER.fullmatch(example)) is not None:
        kind = whole.group(1).partition(".")[0].strip()
        return kind in OURS or told(kind, given)
    return bool(example == given) or (isinstance(example, str) and PLACEHOLDER.search(example) is not None)
