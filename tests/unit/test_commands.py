"""Conditions by commands: at each call just those hold that the call is made under."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest

from conformance.contract.catalogue import load
from conformance.drive.commands import Commands
from conformance.drive.errors import SkipError
from conformance.drive.recorder import Recorder
from conformance.drive.statement import CommandCondition
from conformance.model.events import Json


class World:
    """A folder in which each condition that is on is a file that holds its value."""

    def __init__(self, folder: Path, *, ending: bool = True) -> None:
        self.folder = folder
        self.recorder = Recorder(load("threads").envelope)
        self.commands = Commands(
            {name: self._command(name, ending=ending) for name in ("down", "clock")}, self.recorder, 10
        )

    def _command(self, name: str, *, ending: bool) -> CommandCondition:
        on = ["sh", "-c", f"printf %s '{{value}}' > {self.folder / name}"]
        return CommandCondition(on=on, off=["rm", str(self.folder / name)] if ending else None)

    def hold(self, wanted: Mapping[str, Json], stimulus: str = "s") -> dict[str, str]:
        asyncio.run(self.commands.hold(wanted, "main", stimulus))
        return self.on()

    def on(self) -> dict[str, str]:
        return {path.name: path.read_text() for path in sorted(self.folder.iterdir())}

    @property
    def told(self) -> list[str]:
        return [f"{event.name} {event.state}" for event in self.recorder.history.conditions]


def test_a_condition_ends_where_a_call_is_made_without_it(tmp_path: Path) -> None:
    world = World(tmp_path)
    assert world.hold({"down": ["a"]}) == {"down": '["a"]'}
    assert world.hold({"down": ["a"]}) == {"down": '["a"]'}
    assert world.hold({}) == {}
    assert world.told == ["down on", "down off"]


def test_another_value_takes_the_place_of_the_first(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.hold({"clock": 5})
    assert world.hold({"clock": 60}) == {"clock": "60"}
    assert world.told == ["clock on", "clock off", "clock on"]


def test_what_no_command_ends_goes_on(tmp_path: Path) -> None:
    world = World(tmp_path, ending=False)
    world.hold({"clock": 5})
    assert world.hold({}) == {"clock": "5"}
    assert world.hold({"clock": 60}) == {"clock": "60"}
    assert world.told == ["clock on", "clock on"]


def test_what_a_stimulus_brought_about_ends_with_it(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.hold({"down": True, "clock": 5})
    asyncio.run(world.commands.end("another"))
    assert world.on() == {"clock": "5", "down": "true"}
    asyncio.run(world.commands.end("s"))
    assert world.on() == {}


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["sh", "-c", "echo no such container >&2; exit 3"], "exit 3: no such container"),
        (["no-such-program-here"], "no-such-program-here cannot be started"),
        (["sleep", "30"], "it did not end within 0.2 s"),
    ],
)
def test_a_command_that_fails_says_how(command: list[str], said: str) -> None:
    recorder = Recorder(load("threads").envelope)
    commands = Commands({"x": CommandCondition(on=command)}, recorder, 0.2)
    with pytest.raises(SkipError, match="the target's command for the condition x failed"):
        asyncio.run(commands.hold({"x": 1}, "main", "s"))
    (condition,) = recorder.history.conditions
    assert condition.state == "failed"
    assert said in condition.detail
