"""Caches and keys that take other input for the same, or the same for another."""

import json
import unicodedata
from collections.abc import Awaitable, Callable

from reference_server.application import Json
from reference_server.deviations.registry import deviation
from reference_server.deviations.rewriting import instead
from reference_server.invocation import Invocations
from reference_server.invocation.canonical import canonical
from reference_server.invocation.course import Course
from reference_server.invocation.failure import Failure

KEPT = ("local::kit.sum", "local::kit.echo", "mcp::kit::echo")


def _keyed_by(invocations: Invocations, text: Callable[[Json], str]) -> None:
    """The cache keeps the outputs of these tools by this text of their input."""
    cache = invocations.pipeline.cache

    @instead(cache, "keeps")
    def keeps(course: Course) -> bool:
        return course.tool.name in KEPT

    @instead(cache, "key")
    def key(course: Course) -> tuple[str, ...]:
        return course.tool.name, course.version, text(course.input)


def _joined(value: Json) -> str:
    if isinstance(value, dict):
        return "".join(_joined(value[name]) for name in sorted(value))
    return "".join(map(_joined, value)) if isinstance(value, list) else str(value)


def _without_nulls(value: Json) -> Json:
    return {k: _without_nulls(v) for k, v in value.items() if v is not None} if isinstance(value, dict) else value


@deviation("IR-CACHE-02", variant="joined")
def the_cache_joins_values(invocations: Invocations) -> None:
    """The key of the cache is the values of the input, one after another, without their names."""
    _keyed_by(invocations, _joined)


@deviation("IR-CACHE-02", variant="case")
def the_cache_folds_case(invocations: Invocations) -> None:
    """Inputs that differ in case alone have one answer."""
    _keyed_by(invocations, lambda value: canonical(value).casefold())


@deviation("IR-CACHE-02", variant="form")
def the_cache_normalises(invocations: Invocations) -> None:
    """Inputs that differ in their form of Unicode alone have one answer."""
    _keyed_by(invocations, lambda value: unicodedata.normalize("NFC", canonical(value)))


@deviation("IR-CACHE-02", variant="end")
def the_cache_cuts(invocations: Invocations) -> None:
    """Inputs that differ after their first 200 characters alone have one answer."""
    _keyed_by(invocations, lambda value: canonical(value)[:200])


@deviation("IR-CACHE-02", variant="nulls")
def the_cache_leaves_out_nulls(invocations: Invocations) -> None:
    """A field that is null is taken for one that is absent."""
    _keyed_by(invocations, lambda value: canonical(_without_nulls(value)))


@deviation("IR-CACHE-02", variant="deep")
def the_cache_orders_the_first_level_alone(invocations: Invocations) -> None:
    """The order of the keys of an object within the input makes it another input."""
    _keyed_by(invocations, lambda value: json.dumps(sorted(value.items())))


@deviation("IR-INV-05", variant="order")
def a_repetition_in_another_order_is_a_conflict(invocations: Invocations) -> None:
    """A write that is repeated with the keys of its input in another order is refused."""
    replays = invocations.pipeline.replays
    original = replays.through
    orders: dict[tuple[str, str | None], str] = {}

    @instead(replays, "through")
    async def through(course: Course, work: Callable[[], Awaitable[Json]]) -> Json:
        order = json.dumps(list(course.input))
        if course.key is not None and orders.setdefault((course.tool.name, course.key), order) != order:
            raise Failure("IdempotencyConflict", "the idempotencyKey was used with another input")
        return await original(course, work)
