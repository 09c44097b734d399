"""How a deviation changes one instance: a method replaced, or answers rewritten on their way out."""

import asyncio
import dataclasses
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from reference_server.application import Answer, Application, Json, Request

Function = TypeVar("Function", bound=Callable[..., Any])
Envelope = dict[str, Json]

LAG_S = 0.002
"""How long a store takes that is not in this process: time for concurrent calls to arrive."""


def instead(owner: object, name: str) -> Callable[[Function], Function]:
    """Lets the decorated function stand in for the method `name` of this one object.

    Raises `AttributeError` or `TypeError` where there is none.
    """
    if not callable(getattr(owner, name)):
        raise TypeError(f"{name} of {type(owner).__name__} is no method")

    def replace(function: Function) -> Function:
        setattr(owner, name, function)
        return function

    return replace


def rewrite(application: Application, change: Callable[[Request, Answer], Answer]) -> None:
    """Passes every answer of this application through `change`."""
    original = application.call

    @instead(application, "call")
    async def call(request: Request) -> Answer:
        return change(request, await original(request))


def rewrite_results(application: Application, tool: str, change: Callable[[Request, Envelope], Envelope]) -> None:
    """Passes the successes of one tool through `change`, which gets a copy of the envelope."""

    def changed(request: Request, answer: Answer) -> Answer:
        if request.tool != tool or answer.failed:
            return answer
        return dataclasses.replace(answer, envelope=change(request, dict(answer.envelope)))

    rewrite(application, changed)


def leave_out(application: Application, tool: str, *fields: str) -> None:
    """Takes fields out of the successes of one tool."""
    rewrite_results(
        application,
        tool,
        lambda _, envelope: {name: value for name, value in envelope.items() if name not in fields},
    )


async def lag() -> None:
    """Gives other calls the time to come in between a look and the write that relies on it."""
    await asyncio.sleep(LAG_S)


def crowded(application: Application, place: Callable[[Request], str | None]) -> Callable[[], bool]:
    """Lets the calls of one place meet, as they do at a store that is not in this process.

    `place` names what a call is about, None: it meets nobody. What is given tells, while a call is served, whether
    another of its place was under way when it was.
    """
    original = application.call
    flights: dict[str, int] = {}
    met: list[bool] = []

    @instead(application, "call")
    async def call(request: Request) -> Answer:
        named = place(request)
        if named is None:
            return await original(request)
        flights[named] = flights.get(named, 0) + 1
        try:
            await lag()
            met[:] = [flights[named] > 1]
            # nothing awaits from here to the end of the call that asks
            answer = await original(request)
            met.clear()
            await lag()
            return answer
        finally:
            flights[named] -= 1

    return lambda: met == [True]


def coerced(value: Json, schema: Mapping[str, Json]) -> Json:
    """The value in the type that the schema wants, where it can be read as that."""
    wanted = schema.get("type")
    if wanted == "string" and isinstance(value, int | float):
        return str(value)
    if wanted == "integer" and isinstance(value, str) and value.isdecimal():
        return int(value)
    if wanted == "boolean" and value in ("true", "false"):
        return value == "true"
    return value
