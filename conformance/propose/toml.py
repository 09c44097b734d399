"""Values as TOML writes them."""

import json
import re

from conformance.model.events import Json

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def key(name: str) -> str:
    """A key, quoted where it has to be."""
    return name if _BARE.fullmatch(name) else text(name)


def text(value: str) -> str:
    """A basic string."""
    whole = value.encode("utf-8", "replace").decode("utf-8")
    return json.dumps(whole, ensure_ascii=False).replace("\x7f", "\\u007f")


def value(given: Json) -> str:
    """A value on one line. What is null has no place in TOML: such members and entries are left out."""
    if isinstance(given, str):
        return text(given)
    if isinstance(given, dict):
        members = ", ".join(f"{key(name)} = {value(each)}" for name, each in given.items() if each is not None)
        return f"{{ {members} }}" if members else "{}"
    if isinstance(given, list):
        return f"[{', '.join(value(each) for each in given if each is not None)}]"
    return json.dumps(given)


def comment(said: str) -> str:
    """Text as a comment of one line."""
    return "# " + " ".join("".join(each if each.isprintable() else " " for each in said).split())
