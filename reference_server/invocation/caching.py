"""Keeps the outputs of Pure tools, by tool, version and canonical input."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Final

from reference_server.application import Json
from reference_server.invocation.canonical import canonical
from reference_server.invocation.course import Course

MOST_OUTPUTS: Final = 10_000


class Cache:
    """The outputs that were given last."""

    def __init__(self) -> None:
        self.kept: OrderedDict[tuple[str, ...], tuple[Json, list[str]]] = OrderedDict()

    def keeps(self, course: Course) -> bool:
        """Whether outputs of this tool are kept."""
        return course.tool.cache == "kept" and course.tool.may_be_cached

    def key(self, course: Course) -> tuple[str, ...]:
        """What an output is kept under."""
        return course.tool.name, course.version, canonical(course.input)

    async def through(self, course: Course, work: Callable[[], Awaitable[Json]]) -> Json:
        """The output that is kept, else the one that the work gives."""
        if not self.keeps(course):
            return await work()
        key = self.key(course)
        if key in self.kept:
            self.kept.move_to_end(key)
            output, redactions = self.kept[key]
            course.cached = True
            course.redactions += redactions
            return output
        before = len(course.redactions)
        output = await work()
        self.kept[key] = (output, course.redactions[before:])
        if len(self.kept) > MOST_OUTPUTS:
            self.kept.popitem(last=False)
        return output
