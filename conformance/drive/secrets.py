"""Values that a statement names instead of holding: env:NAME, file:PATH."""

import os
from pathlib import Path

from conformance.drive.errors import UsageError


def resolved(value: str, base: Path) -> str:
    """The value that is meant; UsageError where it is not there."""
    kind, _, name = value.partition(":")
    if kind == "env" and name:
        found = os.environ.get(name)
        if found is None:
            raise UsageError(f"the environment has no {name}", why=f"{value} asks for it", todo=f"export {name}=…")
        return found
    if kind == "file" and name:
        try:
            return (base / name).read_text("utf-8").strip()
        except OSError as error:
            raise UsageError(
                f"{base / name} cannot be read", why=error.strerror or "", todo=f"{value} names it"
            ) from error
    return value
