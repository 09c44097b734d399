"""Rules of every contract's envelope: there is one, and MCP's isError says what it says."""

from collections.abc import Iterator

from conformance.judge.difference import apart
from conformance.judge.judgements import breach, holds
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.texts import decoded
from conformance.model.verdict import HELD, Judgement


def one_object(call: Exchange) -> Iterator[Judgement]:
    """A result carries one JSON object, as structuredContent, as one text block, or as both, which are then equal.

    A text block beside structuredContent that is no JSON object is prose, and says nothing.
    """
    if call.result is None:
        return
    blocks = call.result.get("content")
    texts = [_text(block) for block in blocks] if isinstance(blocks, list) else []
    if "structuredContent" not in call.result:
        one = texts[0] if len(texts) == 1 else None
        saw = (
            f"{call.tool} answers {len(texts)} content blocks and no structuredContent, not one block of a JSON object"
        )
        yield holds(isinstance(one, dict), saw, call, pointer="/result/content", got=blocks)
        return
    carried = call.result["structuredContent"]
    if not isinstance(carried, dict):
        saw = f"{call.tool} answers structuredContent that is no object"
        yield breach(saw, call, pointer="/result/structuredContent", got=carried)
        return
    for text in texts:
        parted = apart(carried, text) if isinstance(text, dict) else None
        if parted is not None:
            saw = f"{call.tool} answers a text that differs from structuredContent at {parted.pointer or '/'}"
            yield breach(
                saw,
                call,
                pointer=f"/result/structuredContent{parted.pointer}",
                expected=parted.expected,
                got=parted.got,
            )
            return
    yield HELD


def _text(block: Json) -> Json:
    """The JSON value of a text block, None for any other."""
    text = block.get("text") if isinstance(block, dict) else None
    return decoded(text) if isinstance(text, str) else None


def mirrored(call: Exchange) -> Iterator[Judgement]:
    """The result's isError is true exactly where the envelope tells of a failure."""
    if call.result is None or call.envelope is None:
        return
    shown = call.result.get("isError", False)
    saw = f"isError is {shown!r} and the envelope tells a {'failure' if call.failed else 'success'}"
    yield holds(shown is call.failed, saw, call, pointer="/isError", expected=call.failed, got=shown)
