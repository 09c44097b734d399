"""Bytes from a server into values: what is no JSON is kept as it came, cut, with the fault named."""

import msgspec
from msgspec import Struct

from conformance.model.events import Json

SHOWN = 2_000
"""Characters kept of a frame that is no JSON."""

_decode = msgspec.json.Decoder().decode


class Frame(Struct, frozen=True):
    """One frame: a JSON value, or the beginning of what is none."""

    payload: Json = None
    raw: str | None = None
    size: int | None = None
    fault: str | None = None


def frame(data: bytes) -> Frame:
    """Decodes a frame; never raises."""
    try:
        return Frame(payload=_decode(data))
    except msgspec.DecodeError as error:
        return broken(data, str(error))
    except UnicodeDecodeError as error:
        return broken(data, f"not UTF-8: {error.reason} at byte {error.start}")
    except RecursionError:
        return broken(data, "nested too deep to decode")


def broken(data: bytes, fault: str, size: int | None = None) -> Frame:
    """A frame that is no JSON value, or is not read to its end."""
    return Frame(
        raw=data[: SHOWN * 4].decode("utf-8", "replace")[:SHOWN], size=len(data) if size is None else size, fault=fault
    )
