"""The tuitbot of both documents over an X, a database and an LLM in memory: 65 or 109 tools, by the edition."""

from collections.abc import Mapping

import msgspec

from reference_server.application import Json
from reference_server.tuitbot.config import Config
from reference_server.tuitbot.editions import SESSION_05, edition
from reference_server.tuitbot.instance import Tuitbot
from reference_server.tuitbot.tools.catalogue import catalogue
from reference_server.tuitbot.tools.catalogue import manifest as _manifest

__all__ = ["Tuitbot", "default_settings", "manifest", "open_tuitbot"]


def default_settings(name: str = SESSION_05.name) -> dict[str, Json]:
    """The settings of an instance of an edition that is given none; its made-up credentials are left out."""
    shown: dict[str, Json] = msgspec.json.decode(msgspec.json.encode(Config.of(None, edition(name)).shown()))
    hidden = ("credentials",) if edition(name).guards else ("credentials", "backend")
    return {key: value for key, value in shown.items() if key not in hidden}


def open_tuitbot(settings: Mapping[str, Json] | None = None, name: str = SESSION_05.name) -> Tuitbot:
    """A fresh instance of an edition. ValueError: settings that do not fit. LookupError: no such edition."""
    return Tuitbot(settings, edition(name))


def manifest(name: str = SESSION_05.name) -> list[dict[str, Json]]:
    """The manifest of an edition, generated from the tools' definitions."""
    return _manifest(catalogue(edition(name)).values())
