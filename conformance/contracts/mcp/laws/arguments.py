"""MC-CALL-04 to -06: arguments against the inputSchema that is listed."""

import re
from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contract.dialect import DISAGREE, opinion, seems_valid
from conformance.contract.openapi import ruled
from conformance.contract.schema import why
from conformance.contracts.mcp.laws.asking import Likes, arguments_of, asked, spells_out
from conformance.contracts.mcp.laws.complaints import INVALID, MORE, SHOWN, complaint, judged_elsewhere
from conformance.contracts.mcp.laws.limits import for_a_time
from conformance.contracts.mcp.laws.toolless import no_tools, or_no_tools
from conformance.judge.faults import declined, failed_itself
from conformance.judge.judgements import breach, holds, told, unjudged
from conformance.judge.kinds import spelled
from conformance.judge.law import law
from conformance.judge.memo import once
from conformance.judge.served import distinct, served
from conformance.judge.silence import silent, unheard
from conformance.model.ending import reason
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.listed import tools_of
from conformance.model.revision import TOOL_ERRORS_SINCE
from conformance.model.verdict import HELD, Judgement

REMARKS = {"$schema", "$id", "$comment", "title", "description", "examples", "default", "deprecated"}
FREE: dict[str, tuple[Json, ...]] = {"properties": ({},), "required": ([],), "additionalProperties": (True, {})}
"""Keywords of a schema that ask for nothing with these values."""


class _Judged:
    """Calls of listed tools, by whether their arguments satisfy or violate the inputSchema."""

    def __init__(self, history: History, contract: Contract) -> None:
        listed = served(history, contract)
        self.violating: list[tuple[Exchange, dict[str, Json]]] = []
        self.satisfying: list[tuple[Exchange, dict[str, Json]]] = []
        self.lost: list[Exchange] = []
        """Of the violating ones those that got no answer in time."""
        self.open: list[tuple[Exchange, str]] = []
        """Of which neither can be told, and why."""
        self._read: dict[int, Json] = {}
        """By the identity of a schema, which lives as long as the history: what it is with OpenAPI's rules."""
        for call in history.calls():
            tool = listed.tool(call)
            if tool is None or not isinstance(tool.input_schema, dict):
                continue
            schema, arguments = tool.input_schema, arguments_of(call)
            if silent(call) and seems_valid(schema, arguments) is False:
                self.lost.append(call)
            if not asked(call) or for_a_time(call):
                continue
            # `format` is a remark in the default dialect: to break it violates nothing, to keep it is on the safe side.
            valid = seems_valid(schema, arguments)
            # what is a remark by one reading and a rule by another tells nothing
            read = self._ruled(schema)
            if read is not schema and seems_valid(read, arguments) is not valid:
                continue
            why = ""
            if valid is not call.accepted:
                # a breach may rest on this: it takes both validators, 150 µs where one takes 3
                valid, why = opinion(schema, arguments, formats=bool(valid))
            if valid is False:
                self.violating.append((call, schema))
            elif valid:
                self.satisfying.append((call, schema))
            elif why != DISAGREE:
                self.open.append((call, why))
        self.likes = Likes((call for call, _ in self.satisfying), (call for call, _ in self.violating))

    def tells(self, call: Exchange, schema: dict[str, Json]) -> bool:
        """Whether a refusal is one of the arguments: the same call with good ones is not refused for them.

        It was accepted; or only the bad one was refused in a validator's words, and the good one for something else. A
        key of the bad one is new.
        """
        like = self.likes.near(call)
        if like is None or self.likes.spoken_for(call):
            return False
        return like.accepted or (like.refused and complaint(like, schema) == "" and bool(complaint(call, schema)))

    def _ruled(self, schema: dict[str, Json]) -> Json:
        if id(schema) not in self._read:
            try:
                self._read[id(schema)] = ruled(schema)
            except RecursionError:  # nested too deep to be read in another way
                self._read[id(schema)] = schema
        return self._read[id(schema)]


class _Texts:
    """Texts that the server said, in its lists of tools and in its answers, or that it accepted."""

    def __init__(self, history: History, _: Contract) -> None:
        self._history = history
        self._first: dict[str, Exchange | None] = {}
        """By text the first call whose answer told it: a run may refuse thousands of calls beside few texts."""
        self._described: dict[tuple[str, str], bool] = {}
        """By tool and text, whether the tool's definition names it."""

    def taken(self, call: Exchange, name: str) -> bool:
        """Whether an accepted call of the same tool has the same text in an argument."""
        text = _argument(call, name)
        return any(_argument(each, name) == text for each in self._history.accepted(str(call.tool)))

    def before(self, text: str, call: Exchange) -> bool:
        """Whether the tool's definition names a text, or an answer did before the call was made."""
        key = str(call.tool), text
        if key not in self._described:
            self._described[key] = self._describes(*key)
        if text not in self._first:
            self._first[text] = next((each for each in self._history.calls() if _tells(each, text)), None)
        first = self._first[text]
        return self._described[key] or (first is not None and first.before(call))

    def _describes(self, tool: str, text: str) -> bool:
        # `for example` names no value; a line may begin with one
        named = re.compile(rf"(?<!\bfor )(?:(?<!\w)|(?<=\\[nrt])){re.escape(text)}(?!\w)")
        tools = (each for listing in distinct(self._history) for each in listing.tools)
        return any(named.search(spelled(each)) for each in tools if isinstance(each, dict) and each.get("name") == tool)


def _tells(call: Exchange, text: str) -> bool:
    """Whether an answer has a text; a refusal may only say again what was sent."""
    if call.accepted:
        return text in spelled(call.result)
    return call.refused and text in spelled([call.result, call.error]) and text not in spelled(call.arguments)


_judged = once(_Judged)
_texts = once(_Texts)


def _nothing_is_asked(history: History, _: Contract) -> str:
    """That the inputSchema of each tool takes any object; empty where no tool is listed, or one asks for something."""
    schemas = [tool.input_schema for listing in history.listings for tool in tools_of(listing)]
    nothing = bool(schemas) and all(map(_takes_any, schemas))
    return "no tool that is listed asks for anything in its inputSchema" if nothing else ""


def _takes_any(schema: Json) -> bool:
    if not isinstance(schema, dict) or schema.get("type", "object") != "object":
        return False
    asks = schema.keys() - REMARKS - {"type"}
    return all(key in FREE and schema[key] in FREE[key] for key in asks)


@law("MC-CALL-04", absent=or_no_tools(_nothing_is_asked), compares="call")
def bad_arguments_never_succeed(history: History, contract: Contract) -> Iterator[Judgement]:
    """A call with arguments that violate the tool's inputSchema does not succeed; the same call with good ones does.

    Where nothing succeeds, it counts if the bad call alone is refused in the words of a validator.
    A text that spells out the value that is wanted, such as "5" for 5, and true for 1, are judged by MC-CALL-05.
    """
    judged = _judged(history, contract)
    for call, schema in judged.violating:
        if not call.accepted:
            refused = declined(call) or (failed_itself(call) and bool(complaint(call, schema)))
            if refused and judged.tells(call, schema):
                yield HELD
        elif not spells_out(schema, arguments_of(call)):
            said = why(schema, arguments_of(call), formats=False)
            yield breach(f"{call.tool} succeeded with arguments that violate its inputSchema: {said}", call)
    for call, open_for in judged.open:
        yield unjudged(f"the arguments of {call.tool} (call {call.call}): {open_for}")
    yield from _never_heard(judged)


def _never_heard(judged: _Judged) -> Iterator[Judgement]:
    """One for each tool that accepts good arguments and never answered bad ones."""
    heard = {call.tool for call, _ in judged.violating}
    works = {call.tool for call, _ in judged.satisfying if call.accepted}
    for call in {call.tool: call for call in judged.lost if call.tool in works - heard}.values():
        yield unheard(call, "with arguments that violate its inputSchema")


@law("MC-CALL-05", absent=or_no_tools(_nothing_is_asked))
def bad_arguments_are_a_tools_error(history: History, contract: Contract) -> Iterator[Judgement]:
    """A call with arguments that violate the inputSchema is answered with isError, or before 2025-11-25 with any error.

    It is judged where the same call with good arguments succeeds, or is refused for something else. Arguments that are
    not an object make a malformed request, which is judged by MC-RPC-20.
    """
    judged = _judged(history, contract)
    for call, schema in judged.violating:
        if call.accepted and spells_out(schema, arguments_of(call)):
            said = why(schema, arguments_of(call), formats=False)
            saw = f"{call.tool} accepted a value of another type than its inputSchema says: {said}"
            yield breach(saw, call, expected="a result with isError", got=call.arguments)
        elif call.refused and call.raw is None and judged.tells(call, schema):
            revision = call.connection.revision
            older = revision is not None and revision < TOOL_ERRORS_SINCE
            yield holds(
                call.result is not None or older,
                f"{call.tool} gave no result with isError for bad arguments, but: {told(call)}",
                call,
                expected="a result with isError",
                got=told(call),
            )


@law("MC-CALL-06", absent=no_tools, compares="call")
def good_arguments_are_not_called_bad(history: History, contract: Contract) -> Iterator[Judgement]:
    """A call whose arguments satisfy the tool's inputSchema is not refused with a message of a schema validator.

    A refusal with another message says nothing about the form of the arguments, and is not judged. There is one
    exception: the message calls the arguments invalid, and the same call was accepted with another text that the server
    had not told the caller, neither in the definition of the tool nor in an answer. Where the arguments hold an object
    of which the inputSchema says nothing, a refusal is not judged: another schema can be there for it.
    """
    judged, texts = _judged(history, contract), _texts(history, contract)
    for call, schema in judged.satisfying:
        if call.refused and call.credential.defect not in (None, "missing"):  # what it says may be of the token
            continue
        if call.refused and judged_elsewhere(call, schema):
            continue
        said = complaint(call, schema) if call.refused else ""
        if said == "" and call.refused and INVALID.match(reason(call)) and _free_text(call, judged.likes, texts):
            said = reason(call)[:SHOWN]
        if said is None:
            yield unjudged(f"what {call.tool} refused arguments with (call {call.call}): {MORE}")
        elif said:
            what = "arguments that satisfy its inputSchema"
            if call.arguments is None:
                what = "a call that leaves out `arguments`, where its inputSchema requires none"
            saw = f"{call.tool} refused {what}: {said}"
            yield breach(saw, call, got=call.arguments)
        elif call.accepted:
            yield HELD


def _free_text(call: Exchange, likes: Likes, texts: _Texts) -> bool:
    """Whether a refused call differs from an accepted one in a text that can be anything: no name of what there is.

    Also no text that was accepted before: it may be taken.
    """
    arguments = arguments_of(call)
    for like in likes.accepted(call) if isinstance(arguments, dict) else ():
        for name, text in arguments.items():
            free = _argument(like, name)
            differ = isinstance(text, str) and isinstance(free, str) and text != free
            if differ and not texts.taken(call, name) and not texts.before(free, like):
                return True
    return False


def _argument(call: Exchange, name: str) -> Json:
    arguments = arguments_of(call)
    return arguments.get(name) if isinstance(arguments, dict) else None
