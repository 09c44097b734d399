"""A sweep: good calls around it, and a good one after each write that was refused."""

import asyncio
from types import SimpleNamespace
from typing import Any, cast

from conformance.drive.sweeps.sweep import sweep
from conformance.model.events import Json
from conformance.model.exchange import Exchange

SCHEMA: dict[str, Json] = {"properties": {"name": {"type": "string"}, "size": {"type": "integer", "minimum": 1}}}


def swept(*, writes: bool) -> list[dict[str, Json]]:
    """The calls that a sweep makes at a tool that takes names of text alone."""
    calls: list[dict[str, Json]] = []

    async def call(given: dict[str, Json]) -> Exchange:
        calls.append(given)
        fits = isinstance(given.get("name"), str) and given.get("size", 1) == 1
        return cast("Exchange", SimpleNamespace(accepted=fits))

    async def working() -> dict[str, Any]:
        return {"name": f"n{len(calls)}"}

    asyncio.run(sweep(call, SCHEMA, working, writes=writes))
    return calls


def test_a_good_write_follows_each_refused_one() -> None:
    calls = swept(writes=True)
    for refused in ({}, {"name": 7}):
        after = calls[calls.index(refused) + 1]
        assert isinstance(after["name"], str)
    for place, given in enumerate(calls):
        if given.get("size", 1) != 1:
            assert calls[place + 1] == {"name": given["name"]}


def test_a_read_is_good_at_both_ends() -> None:
    calls = swept(writes=False)
    assert calls[0] == calls[-1] == {"name": "n0"}
    assert sum("size" not in given and isinstance(given.get("name"), str) for given in calls) == 3


def test_what_a_write_uses_up_is_made_anew() -> None:
    names = [given["name"] for given in swept(writes=True) if given.get("size") == 1]
    assert names == [name for name in names if name != "n0"]
