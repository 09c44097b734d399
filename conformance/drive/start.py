"""How a server's process is started: its command, environment and folder, placeholders filled in."""

import json
import shutil
import socket
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field

from conformance.drive.masking import Masking
from conformance.drive.process import argv
from conformance.drive.statement import Endpoint, StartCondition, Store
from conformance.drive.workspace import PLACEHOLDER as FILES
from conformance.drive.workspace import Workspace
from conformance.model.events import Json
from conformance.model.ours import PREFIX

FOLDER, PORT = "{tmp}", "{port}"


@dataclass(frozen=True, slots=True)
class Start:
    """What starts one process."""

    command: list[str]
    env: dict[str, str]
    cwd: str | None = None
    port: int | None = None
    """The port that it was told to listen on."""
    masking: Masking = field(default_factory=Masking)
    """What is left out of what the process says."""


class Starts:
    """Makes each process its own start: a folder of its own for {tmp}, a free port for {port}, and {files}.

    A server that is kept has one folder for all its starts.
    """

    def __init__(
        self, conditions: Mapping[str, StartCondition], store: Store, masking: Masking, files: Workspace
    ) -> None:
        self._conditions, self._store, self._masking, self._files = conditions, store, masking, files
        self._folders: list[str] = []
        self._kept: dict[str, str] = {}

    def folder(self, kept: str = "") -> str:
        """A new folder, or the one of a server that is kept, by its name."""
        if kept in self._kept:
            return self._kept[kept]
        made = tempfile.mkdtemp(prefix=PREFIX)
        self._folders.append(made)
        if kept:
            self._kept[kept] = made
        return made

    def of(self, endpoint: Endpoint, settings: Mapping[str, Json], kept: str = "") -> Start:
        """The start of an endpoint's server with these settings. `kept`: the name of one whose store outlives it."""
        command, env = argv(endpoint.command or ""), dict(endpoint.env)
        if kept:
            command, env = [*command, *self._store.args], {**env, **self._store.env}
        for name, value in settings.items():
            condition = self._conditions.get(name)
            if condition is not None:
                shown = spelled(value)
                command += [word.replace("{value}", shown) for word in condition.args]
                env |= {key: text.replace("{value}", shown) for key, text in condition.env.items()}
        words = [*command, *env.values(), endpoint.cwd or ""]
        filled: dict[str, str] = {}
        port = None
        if any(FOLDER in word for word in words):
            filled[FOLDER] = self.folder(kept)
        if any(FILES in word for word in words):
            filled[FILES] = self._files.whole()
        if any(PORT in word for word in words):
            port = _free_port()
            filled[PORT] = str(port)
        return Start(
            [_filled(word, filled) for word in command],
            {key: _filled(text, filled) for key, text in env.items()},
            _filled(endpoint.cwd, filled) if endpoint.cwd is not None else None,
            port,
            self._masking,
        )

    def close(self) -> None:
        """Removes the folders."""
        for folder in self._folders:
            shutil.rmtree(folder, ignore_errors=True)


def spelled(value: Json) -> str:
    """A value as a command line takes it: text as it is, all else as JSON."""
    return value if isinstance(value, str) else json.dumps(value)


def _filled(text: str, values: Mapping[str, str]) -> str:
    for name, value in values.items():
        text = text.replace(name, value)
    return text


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def not_set_up(settings: Mapping[str, Json], error: Exception) -> str:
    """Why a server could not be set to these, in words."""
    stated = ", ".join(f"{name} {spelled(value)}" for name, value in settings.items())
    return f"the server did not start with {stated}: {error}"
