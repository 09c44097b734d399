"""MC-CALL-04 to -06: arguments against the inputSchema that is listed."""

import re
from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contract.dialect import satisfies, seems_valid
from conformance.contract.schema import why
from conformance.judge.judgements import breach, holds, told
from conformance.judge.law import law
from conformance.judge.memo import once
from conformance.judge.served import served
from conformance.model.events import Json
from conformance.model.exchange import INVALID_PARAMS, Exchange
from conformance.model.history import History
from conformance.model.revision import TOOL_ERRORS_SINCE
from conformance.model.verdict import HELD, Judgement

NOT_JUDGED = (401, 403, 429)
PHRASES = re.compile(
    r"validation errors? for "
    r"|input validation error"
    r"|arguments? validation"
    r"|invalid arguments? for tool"
    r"|is not of type "
    r"|is a required property"
    r"|is not one of "
    r"|does not match "
    r"|is too (?:long|short)\b"
    r"|(?:longer|shorter) than \d+ (?:characters|items)"
    r"|(?:less|greater) than (?:or equal to )?the (?:minimum|maximum)"
    r"|additional properties are not allowed"
    r"|field required"
    r"|input should be "
    r"|unexpected keyword argument"
    r"|\"code\": ?\"(?:invalid_type|too_small|too_big|unrecognized_keys)\""
    r"|expected \w+, received \w+"
    r"|must be (?:an? )?(?:string|integer|number|boolean|array|object)\b"
    r"|must (?:have required property|match pattern|NOT have )",
    re.IGNORECASE,
)
"""How validators of several languages say that a value breaks a schema."""


class _Judged:
    """Calls of listed tools, by whether their arguments satisfy or violate the inputSchema."""

    def __init__(self, history: History, contract: Contract) -> None:
        listed = served(history, contract)
        self.violating: list[tuple[Exchange, Json]] = []
        self.satisfying: list[Exchange] = []
        for call in history.calls():
            tool = listed.tool(call)
            if (
                tool is None
                or call.received is None
                or call.status in NOT_JUDGED
                or not isinstance(tool.input_schema, dict)
            ):
                continue
            arguments = {} if call.arguments is None else call.arguments
            # `format` is a remark in the default dialect: to break it violates nothing, to keep it is on the safe side.
            valid = seems_valid(tool.input_schema, arguments)
            if valid is not call.accepted:
                # a breach may rest on this: it takes both validators, 150 µs where one takes 3
                valid = satisfies(tool.input_schema, arguments, formats=bool(valid))
            if valid is False:
                self.violating.append((call, tool.input_schema))
            elif valid:
                self.satisfying.append(call)


_judged = once(_Judged)


@law("MC-CALL-04")
def bad_arguments_never_succeed(history: History, contract: Contract) -> Iterator[Judgement]:
    """A call whose arguments violate the tool's inputSchema does not succeed."""
    for call, schema in _judged(history, contract).violating:
        if call.accepted:
            yield breach(
                f"{call.tool} succeeded with arguments that violate its inputSchema: {why(schema, call.arguments)}",
                call,
            )
        else:
            yield HELD


@law("MC-CALL-05")
def bad_arguments_are_a_tools_error(history: History, contract: Contract) -> Iterator[Judgement]:
    """A call refused for arguments that violate the inputSchema gets isError, or before 2025-11-25 any error."""
    for call, _ in _judged(history, contract).violating:
        if not call.refused:
            continue
        revision = call.connection.revision
        older = revision is not None and revision < TOOL_ERRORS_SINCE
        yield holds(
            call.result is not None or older,
            f"{call.tool} refused bad arguments not with isError, but: {told(call)}",
            call,
            expected="a result with isError",
        )


@law("MC-CALL-06")
def good_arguments_are_not_called_bad(history: History, contract: Contract) -> Iterator[Judgement]:
    """A call whose arguments satisfy the tool's inputSchema is not refused in the words of a schema's validator."""
    for call in _judged(history, contract).satisfying:
        said = _complaint(call) if call.refused else ""
        yield holds(
            not said, f"{call.tool} refused arguments that satisfy its inputSchema: {said}", call, got=call.arguments
        )


def _complaint(call: Exchange) -> str:
    """What an answer says of the arguments' form; empty where it refuses for another reason."""
    if call.protocol_code == INVALID_PARAMS:
        return f"-32602 {str((call.error or {}).get('message'))[:200]}"
    found = next((text for text in _texts(call.result) if PHRASES.search(text)), "")
    return found[:200]


def _texts(value: Json) -> Iterator[str]:
    """Every string in a value."""
    waiting = [value]
    while waiting:
        found = waiting.pop(0)
        if isinstance(found, str):
            yield found
        elif isinstance(found, dict):
            waiting += found.values()
        elif isinstance(found, list):
            waiting += found
