"""Conditions that a target's own commands bring about and end: at each call just those hold that its bench names."""

import shlex
from collections.abc import Mapping
from typing import NamedTuple

from conformance.drive.command_line import hidden
from conformance.drive.errors import SkipError
from conformance.drive.process import argv, ran
from conformance.drive.recorder import Recorder
from conformance.drive.start import spelled
from conformance.drive.statement import CommandCondition
from conformance.model.events import Condition, Json


class _Held(NamedTuple):
    value: Json
    instance: str
    stimulus: str


class Commands:
    """What is on at the target. Stimuli that use commands run alone, since these touch the whole server."""

    def __init__(self, table: Mapping[str, CommandCondition], recorder: Recorder, limit_s: float) -> None:
        self._table = table
        self._recorder = recorder
        self._limit_s = limit_s
        self._on: dict[str, _Held] = {}

    async def hold(self, wanted: Mapping[str, Json], instance: str, stimulus: str) -> None:
        """Ends what is not wanted any more, as far as there is a command for that, and brings about what is.

        SkipError where a command fails.
        """
        for name, held in list(self._on.items()):
            if held.stimulus == stimulus and (name not in wanted or wanted[name] != held.value):
                await self._end(name, replaced=name in wanted)
        for name, value in wanted.items():
            if name in self._table and name not in self._on:
                await self._run(name, value, instance, self._table[name].on, "on")
                self._on[name] = _Held(value, instance, stimulus)

    async def end(self, stimulus: str) -> None:
        """Ends all that a stimulus brought about."""
        for name, held in reversed(list(self._on.items())):
            if held.stimulus == stimulus:
                await self._end(name, replaced=False)

    async def _end(self, name: str, *, replaced: bool) -> None:
        """A condition that no command ends goes on, as a moved clock does; another value of it takes its place."""
        command, held = self._table[name].off, self._on[name]
        if command is None and not replaced:
            return
        del self._on[name]
        if command is not None:
            await self._run(name, held.value, held.instance, command, "off")

    async def _run(self, name: str, value: Json, instance: str, command: str | list[str], state: str) -> None:
        words = [word.replace("{value}", spelled(value)) for word in argv(command)]
        failure = await ran(words, self._limit_s, self._recorder.masking)
        self._recorder.write(
            Condition(
                name=name,
                value=value,
                instance=instance,
                state="failed" if failure else state,
                means=shlex.join(hidden(words)),
                detail=failure,
                t=self._recorder.now(),
            )
        )
        if failure:
            message = f"the target's command for the condition {name} failed: {failure}"
            raise SkipError(message)
