"""The guard against the same mutation twice: an agent that asks again at once mostly lost the first answer."""

import json
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from reference_server.application import Json
from reference_server.tuitbot.codes import CODES, code_of
from reference_server.tuitbot.workflow.context import WorkflowContext
from reference_server.tuitbot.workflow.errors import RepeatedMutationError

WITHIN_S: Final = 30
"""Seconds by the server's calendar within which the same mutation is not made again."""


class Repetition:
    """The mutations of the last half minute, by tool and parameters."""

    def __init__(self) -> None:
        self._made: OrderedDict[str, float] = OrderedDict()

    @contextmanager
    def once(self, ctx: WorkflowContext, tool: str, params: Mapping[str, Json]) -> Iterator[None]:
        """Around a mutation. RepeatedMutationError: it was made already. One that may be retried is forgotten."""
        now, key = ctx.clock.now(), json.dumps([tool, params], sort_keys=True)
        while self._made and next(iter(self._made.values())) + WITHIN_S <= now:
            self._made.popitem(last=False)
        if key in self._made:
            raise RepeatedMutationError(f"{tool} was called with the same parameters {now - self._made[key]:.0f} s ago")
        self._made[key] = now
        try:
            yield
        except tuple(CODES) as error:
            if code_of(error).retryable:
                del self._made[key]
            raise
