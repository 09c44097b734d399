"""Values and answers with something in them changed. What is given stays as it is."""

from copy import deepcopy
from typing import Any

import msgspec

from conformance.drive.wire.between import Message
from conformance.model.envelope import EnvelopeRule
from conformance.model.events import Json
from conformance.model.exchange import WRAPPED, Exchange
from conformance.model.pointer import at, drop, narrowed, steps
from conformance.model.prose import written
from conformance.model.texts import decoded


def having(value: Json, pointer: str, new: Json) -> Json:
    """A value with another one at a place, that with `*` is in the last entry; itself where the place is in nothing."""
    if not pointer:
        return new
    copy, pointer = deepcopy(value), narrowed(value, pointer)
    *outer, last = steps(pointer)
    holder = _held(copy, outer)
    if isinstance(holder, dict):
        holder[last] = new
    elif isinstance(holder, list) and last.isdecimal() and int(last) < len(holder):
        holder[int(last)] = new
    return copy


def lacking(value: Json, pointer: str) -> Json:
    """A value without what stands at a place."""
    copy = deepcopy(value)
    drop(copy, narrowed(copy, pointer))
    return copy


def _held(value: Json, path: list[str]) -> Json:
    for step in path:
        if isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list) and step.isdecimal() and int(step) < len(value):
            value = value[int(step)]
        else:
            return None
    return value


def replaced(value: Json, old: Json, new: Json) -> Json:
    """A value with one in it exchanged for another, wherever it stands by itself."""
    if type(value) is type(old) and value == old:
        return new
    if isinstance(value, dict):
        return {key: replaced(each, old, new) for key, each in value.items()}
    if isinstance(value, list):
        return [replaced(each, old, new) for each in value]
    return value


def another(value: Json) -> Json:  # noqa: PLR0911 -- one way a form
    """Another value of the same form: a text as long, a number, a flag."""
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1
        case str() if value:
            last = value[-1]
            return value[:-1] + (("0" if last != "0" else "1") if last.isalnum() else f"{last}0")
        case str() | None:
            return "other"
        case list():
            return [*value, *value[-1:]] or ["other"]
        case dict():
            return {**value, "other": True}
        case _:
            return None


def given(call: Exchange, envelope: Json) -> Message:
    """The answer to a call with another envelope, in each form in which it carries one."""
    response: dict[str, Any] = dict(call.response or {})
    result = dict(call.result or {})
    if call.prose and isinstance(envelope, dict | str):
        said = written(call.prose, envelope) if isinstance(envelope, dict) else envelope
        was_number = isinstance(at(call.result, f"/structuredContent/{WRAPPED}"), int)
        told: Json = int(said) if was_number and said.isdecimal() else said
        wrapped = {"structuredContent": {WRAPPED: told}} if "structuredContent" in result else {}
        return {**response, "result": {**result, **wrapped, "content": [{"type": "text", "text": said}]}}
    if "structuredContent" in result:
        result["structuredContent"] = envelope
    blocks = result.get("content")
    if isinstance(blocks, list) and len(blocks) == 1 and isinstance(blocks[0], dict):
        text = blocks[0].get("text")
        prose = isinstance(text, str) and isinstance(decoded(text), str)
        if isinstance(text, str) and isinstance(envelope, str) and prose:
            result["content"] = [{**blocks[0], "text": envelope}]
        elif isinstance(text, str) and not prose:
            result["content"] = [{**blocks[0], "text": msgspec.json.encode(envelope).decode()}]
    return {**response, "result": result}


def carries(call: Exchange) -> Json:
    """What an answer carries, as its promises see it: the envelope, or the payload in its place."""
    return call.envelope if call.envelope is not None else call.payload


def paying(call: Exchange, rule: EnvelopeRule, payload: Json) -> Message:
    """A success with another payload."""
    rule = rule.of(call.tool)
    if call.envelope is None or rule.payload_key is None:
        return given(call, payload)
    key = rule.payload_key if rule.payload_key.startswith("/") else f"/{rule.payload_key}"
    return given(call, having(call.envelope, key, payload))


def coded(call: Exchange, rule: EnvelopeRule, code: str) -> Message:
    """A refusal with another code: in its envelope, else in its text."""
    rule = rule.of(call.tool)
    if call.envelope is None:
        return _worded(call, rule, code)
    key = rule.code_key if rule.code_key.startswith("/") else f"{_pointer(rule.error_key)}/{rule.code_key}"
    return given(call, having(call.envelope, key, code))


def _worded(call: Exchange, rule: EnvelopeRule, code: str) -> Message:
    response: dict[str, Any] = deepcopy(call.response or {})
    for block in response["result"]["content"]:
        said = block.get("text") if isinstance(block, dict) else None
        if isinstance(said, str):
            found = rule.worded(said)
            block["text"] = said[: found.start(1)] + code + said[found.end(1) :] if found is not None else said
            break
    return response


def _pointer(key: str) -> str:
    return key if key.startswith("/") else f"/{key}"


def answering(call: Exchange, other: Message) -> Message:
    """The answer that was given to another call, as the answer to this one."""
    number = call.request.get("id") if isinstance(call.request, dict) else None
    return {**other, "id": number}


def asking(call: Exchange, arguments: Json) -> Message:
    """A call with other arguments."""
    request: dict[str, Any] = call.request
    return {**request, "params": {**request["params"], "arguments": arguments}}
