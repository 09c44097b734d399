"""Values that a statement names instead of holding: env:NAME, file:PATH."""

import os
import random
from pathlib import Path

from conformance.drive.errors import UsageError

MARK = "zq7vx"
"""How marks begin."""


def resolved(value: str, base: Path) -> str:
    """The value that is meant; UsageError where it is not there."""
    kind, _, name = value.partition(":")
    if kind == "env" and name:
        found = os.environ.get(name)
        if found is None:
            raise UsageError(f"the environment has no {name}", why=f"{value} asks for it", todo=f"export {name}=…")
        return found
    if kind == "file" and name:
        return text_of(base / name, f"{value} names it").strip()
    return value


def text_of(path: Path, todo: str) -> str:
    """The text of a file that a statement names; UsageError where there is none."""
    try:
        return path.read_text("utf-8")
    except (OSError, ValueError) as error:
        why = (error.strerror or "") if isinstance(error, OSError) else "it holds no text in UTF-8"
        raise UsageError(f"{path} cannot be read", why=why, todo=todo) from error


def mark(name: str) -> str:
    """A value that is recognised wherever it comes up: no secret, but planted like one. The same for the same name.

    All begin alike, so that the recorder looks for all of them at once.
    """
    return f"{MARK}{random.Random(name).getrandbits(96):024x}"  # noqa: S311 -- a mark
