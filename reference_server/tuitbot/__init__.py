"""The tuitbot of seeds 000 and 002, edition session-05: 65 tools over an X, a database and an LLM in memory."""

from collections.abc import Mapping

from reference_server.application import Json
from reference_server.tuitbot.instance import Tuitbot
from reference_server.tuitbot.tools.catalogue import SESSION_05
from reference_server.tuitbot.tools.catalogue import manifest as _manifest

__all__ = ["Tuitbot", "manifest", "open_tuitbot"]


def open_tuitbot(settings: Mapping[str, Json] | None = None, *, trust: object = None) -> Tuitbot:
    """A fresh instance. ValueError: settings that do not fit. `trust` is for contracts with tokens."""
    del trust
    return Tuitbot(settings)


def manifest() -> list[dict[str, Json]]:
    """The manifest of the edition, generated from the tools' definitions."""
    return _manifest(SESSION_05.values())
