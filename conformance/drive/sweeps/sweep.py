"""Sweeps one tool: a call that works, each variant of it, and the working call again after each that was refused."""

from collections.abc import Awaitable, Callable, Mapping, Sequence

from conformance.drive.sweeps.variants import Schema, spelled_out, variants
from conformance.model.events import Json
from conformance.model.exchange import Exchange

Call = Callable[[dict[str, Json]], Awaitable[Exchange]]
Working = Callable[[], Awaitable[Mapping[str, Json]]]
"""Arguments with which the tool works now: for a write that uses something up others each time."""


async def sweep(call: Call, schema: Schema, working: Working, *, leave: Sequence[str] = (), writes: bool) -> None:
    """Calls a tool in every variant of a working call; `leave` names the parameters that are not changed.

    After each refused variant of a write comes the same write without what was wrong: it is served, and shown. The
    calls are bounded by the schema: a parameter has eight variants at most, or one for each of its few values; one that
    holds others has theirs besides.
    """
    good = dict(await working())
    await call(good)
    for variant in (*variants(schema, good, leave), *spelled_out(schema, good, leave)):
        base = dict(await working()) if writes else good
        if variant.parameter in variant.arguments:
            changed = {**base, variant.parameter: variant.arguments[variant.parameter]}
        else:
            changed = {name: value for name, value in base.items() if name != variant.parameter}
        answer = await call(changed)
        if writes and not answer.accepted:
            await call(base)
    if not writes:
        await call(good)
