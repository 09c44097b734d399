"""Makes a large transcript out of a small one: `python tests/bench/multiply.py FROM TO BYTES [TEXT ...]`.

The run is repeated with other instances, connections and calls, as if it had gone on and on: one header, one footer.
Where texts are given it is one session at one server: the calls of the instance `main` alone are repeated, always over
the same connections, and whatever has one of these texts in its name has another one in each copy.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from conformance.model.chain import Chain

NAMES = ("connection", "instance", "again")
CALLS = ("call",)
ONCE = ("credential",)
"""Events that are the same in all copies."""
STANDING = (*ONCE, "instance", "opened", "agreed", "closed", "listing", "document")
"""The same where the copies make one session."""
LONG = 1_000_000
"""Microseconds between the end of a copy and the beginning of the next."""

Events = list[dict[str, Any]]


def shifted(event: dict[str, Any], copy: int, calls: int, time: int) -> dict[str, Any]:
    """An event of a copy: its names, its numbers and its time moved on."""
    made = later(event, calls, time)
    for name in NAMES:
        if name in made:
            made[name] = f"{made[name]}+{copy}"
    if made["event"] == "instance":
        made["id"] = f"{made['id']}+{copy}"
    return made


def later(event: dict[str, Any], calls: int, time: int) -> dict[str, Any]:
    """An event with its numbers and its time moved on."""
    made = dict(event)
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


def lines(
    events: Events, octets: int, copied: Callable[[dict[str, Any], int, int, int], bytes | None]
) -> Iterator[bytes]:
    """The lines of the large one, linked, without their ends; `copied` gives the line of an event in a copy."""
    header, *body, footer = events
    calls = max((event["call"] for event in body if event["event"] == "step"), default=0)
    time = footer["t"] + LONG
    chain, encode = Chain(), msgspec.json.Encoder().encode
    written, copy, count, made = 0, 0, 1, 0
    yield chain.linked(encode(header))
    while written < octets:
        for event in body:
            line = copied(event, copy, copy * calls, copy * time)
            if line is not None:
                line = chain.linked(line)
                written += len(line) + 1
                count += 1
                made += event["event"] == "step"
                yield line
        copy += 1
    last = {**footer, "events": count + 1, "calls": made, "t": copy * time}
    yield chain.linked(encode(last))


def _of_a_copy(event: dict[str, Any], copy: int, calls: int, time: int) -> bytes | None:
    return msgspec.json.encode(shifted(event, copy, calls, time)) if not copy or event["event"] not in ONCE else None


def _of_a_session(texts: Sequence[str]) -> Callable[[dict[str, Any], int, int, int], bytes | None]:
    def copied(event: dict[str, Any], copy: int, calls: int, time: int) -> bytes | None:
        if copy and event["event"] in STANDING:
            return None
        line = msgspec.json.encode(later(event, calls, time))
        for text in texts if copy else ():
            line = line.replace(text.encode(), f"{copy:0{len(text)}x}".encode())
        return line

    return copied


def _session(events: Events) -> Iterator[dict[str, Any]]:
    """The header, the footer, and what concerns the instance `main`; of what happened beside calls nothing."""
    connections = {e["connection"] for e in events if e["event"] == "opened" and e["instance"] == "main"}
    calls = {e["call"] for e in events if e["event"] == "step" and e["instance"] == "main"}
    for event in events:
        about = event["event"]
        if about in ("opened", "agreed") and event["connection"] not in connections:
            continue
        if about == "instance" and event["id"] != "main":
            continue
        if event.get("instance", "main") != "main" or about in ("closed", "stimulus", "killed"):
            continue
        if (about in ("message", "unanswered") or "call" in event) and event.get("call") not in calls:
            continue
        if about == "flight" and not calls.issuperset(event["calls"]):
            continue
        yield event


def events_of(source: Iterable[bytes]) -> Events:
    """The events of a transcript's lines, without their links."""
    found = [msgspec.json.decode(line) for line in source]
    for event in found:
        event.pop("n", None), event.pop("link", None)
    return found


def multiplied(source: Iterable[bytes], octets: int, texts: Sequence[str] = ()) -> Iterator[bytes]:
    """The lines of a transcript that has so many octets."""
    events = events_of(source)
    if texts:
        return lines(list(_session(events)), octets, _of_a_session(texts))
    return lines(events, octets, _of_a_copy)


def multiply(source: Path, target: Path, octets: int, texts: Sequence[str] = ()) -> None:
    """Writes it."""
    with target.open("wb", buffering=1 << 20) as file:
        for line in multiplied(source.read_bytes().splitlines(), octets, texts):
            file.write(line + b"\n")


if __name__ == "__main__":
    multiply(Path(sys.argv[1]), Path(sys.argv[2]), int(float(sys.argv[3])), sys.argv[4:])
