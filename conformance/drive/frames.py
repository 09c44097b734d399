"""Bytes from a server into values: of what is no JSON the beginning is kept as it came, with the fault named."""

import json
import re

import msgspec
from msgspec import Struct

from conformance.model.depth import DEEPEST, too_deep
from conformance.model.events import Json
from conformance.model.numbers import decode

SHOWN = 2_000
"""Characters kept of a frame that is no JSON."""
BEYOND = 10_000
"""Characters beyond them that are read, so that of a secret across the cut nothing stays."""
EMPTY = "there is nothing in it"
CUT = "it ends before its JSON is whole"
HALF = "JSON is malformed: half of a surrogate pair"
NESTED = f"nested too deep: more than {DEEPEST} levels"
_ENDS = 4_096
"""Bytes at either end of a frame that cannot be read, in which its id is looked for."""

_FIRST = re.compile(rb'^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d{1,12})\s*[,}]')
_LAST = re.compile(rb',\s*"id"\s*:\s*(\d{1,12})\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$')


class Frame(Struct, frozen=True):
    """One frame: a JSON value, or the beginning of what is none."""

    payload: Json = None
    raw: str | None = None
    size: int | None = None
    fault: str | None = None
    octets: int = 0
    """Bytes of the frame as it came; 0 where it did not come as bytes."""


def frame(data: bytes) -> Frame:
    """Decodes a frame; never raises."""
    if not data:
        return broken(data, EMPTY)
    try:
        payload = decode(data)
    except msgspec.DecodeError as error:
        # where in a value of any shape it is, the library cannot say
        fault = str(error).partition(" - at ")[0]
        return broken(data, _short(data) if fault == "Input data was truncated" else fault)
    except UnicodeDecodeError as error:
        return broken(data, f"not UTF-8: {error.reason} at byte {error.start}")
    except RecursionError:
        return broken(data, NESTED)
    return broken(data, NESTED) if too_deep(data, payload) else Frame(payload=payload, octets=len(data))


def _short(data: bytes) -> str:
    """Why the library wants more of a text: there is more to come, or half of a pair stands near the end."""
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        return CUT
    return HALF


def broken(data: bytes, fault: str, size: int | None = None) -> Frame:
    """A frame that is no JSON value, or is not read to its end. Its text is cut where it is written down."""
    size = len(data) if size is None else size
    text = data[: (SHOWN + BEYOND) * 4].decode("utf-8", "replace")[: SHOWN + BEYOND]
    return Frame(raw=text, size=size, fault=fault, octets=size)


def id_of(data: bytes) -> int | None:
    """The id that a message which cannot be read answers to, as far as either of its ends tells."""
    found = _FIRST.search(data[:_ENDS]) or _LAST.search(data[-_ENDS:])
    return int(found[1]) if found else None


def encoded(payload: Json) -> bytes:
    """A message of ours as bytes; bytes as they are. Half a surrogate pair, no UTF-8, is written as its escape."""
    if isinstance(payload, bytes):
        return payload
    try:
        return msgspec.json.encode(payload)
    except UnicodeEncodeError:
        return json.dumps(payload, separators=(",", ":")).encode()
