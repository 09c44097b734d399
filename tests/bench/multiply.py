"""Makes a large transcript out of a small one: `python tests/bench/multiply.py FROM TO BYTES`.

The run is repeated with other instances, connections and calls, as if it had gone on and on: one header, one footer.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from conformance.model.chain import Chain

NAMES = ("connection", "instance", "again")
CALLS = ("call",)


def shifted(event: dict[str, Any], copy: int, calls: int, time: int) -> dict[str, Any]:
    """An event of a copy: its names, its numbers and its time moved on."""
    made = dict(event)
    for name in NAMES:
        if name in made:
            made[name] = f"{made[name]}+{copy}"
    if made["event"] == "instance":
        made["id"] = f"{made['id']}+{copy}"
    if made.get("call") is not None:
        made["call"] += calls
    if isinstance(made.get("calls"), list):
        made["calls"] = [call + calls for call in made["calls"]]
    if "t" in made:
        made["t"] += time
    payload = made.get("payload")
    if made["event"] == "message" and isinstance(payload, dict):
        made["payload"] = _renumbered(payload, event.get("call"), calls)
    return made


def _renumbered(payload: dict[str, Any], call: int | None, calls: int) -> dict[str, Any]:
    """JSON-RPC's own id is the number of the call; a cancellation names it as well."""
    if call is not None and type(payload.get("id")) is int and payload["id"] == call:
        return {**payload, "id": call + calls}
    params = payload.get("params")
    if payload.get("method") == "notifications/cancelled" and isinstance(params, dict):
        asked = params.get("requestId")
        return {**payload, "params": {**params, "requestId": asked + calls}} if type(asked) is int else payload
    return payload


def lines(source: Path, octets: int) -> Iterator[bytes]:
    """The lines of the large one, linked, without their ends."""
    events = [msgspec.json.decode(line) for line in source.read_bytes().splitlines()]
    for event in events:
        event.pop("n", None), event.pop("link", None)
    header, footer = events[0], events[-1]
    body = events[1:-1]
    calls = max((event["call"] for event in body if event["event"] == "step"), default=0)
    time = footer["t"] + 1_000_000
    chain, encode = Chain(), msgspec.json.Encoder().encode
    written, copy, count = 0, 0, 1
    yield chain.linked(encode(header))
    while written < octets:
        for event in body:
            # who calls is the same in all copies
            if event["event"] == "credential" and copy:
                continue
            line = chain.linked(encode(shifted(event, copy, copy * calls, copy * time)))
            written += len(line) + 1
            count += 1
            yield line
        copy += 1
    last = {**footer, "events": count + 1, "calls": footer["calls"] * copy, "t": copy * time}
    yield chain.linked(encode(last))


def multiply(source: Path, target: Path, octets: int) -> None:
    """Writes it."""
    with target.open("wb", buffering=1 << 20) as file:
        for line in lines(source, octets):
            file.write(line + b"\n")


if __name__ == "__main__":
    multiply(Path(sys.argv[1]), Path(sys.argv[2]), int(float(sys.argv[3])))
