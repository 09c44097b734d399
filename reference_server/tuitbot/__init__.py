"""The tuitbot of seeds 000 and 002, edition session-05: 65 tools over an X, a database and an LLM in memory."""

from collections.abc import Mapping

from reference_server.application import Json
from reference_server.tuitbot.config import Config
from reference_server.tuitbot.instance import Tuitbot
from reference_server.tuitbot.tools.catalogue import SESSION_05
from reference_server.tuitbot.tools.catalogue import manifest as _manifest

__all__ = ["Tuitbot", "default_settings", "manifest", "open_tuitbot"]


def default_settings() -> dict[str, Json]:
    """The settings of an instance that is given none; its made-up credentials are left out."""
    return {name: value for name, value in Config().shown().items() if name != "credentials"}


def open_tuitbot(settings: Mapping[str, Json] | None = None) -> Tuitbot:
    """A fresh instance. ValueError: settings that do not fit."""
    return Tuitbot(settings)


def manifest() -> list[dict[str, Json]]:
    """The manifest of the edition, generated from the tools' definitions."""
    return _manifest(SESSION_05.values())
