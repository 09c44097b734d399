"""Where the suite keeps the data of its own contracts."""

from importlib.resources import files
from pathlib import Path


def folder(*parts: str) -> Path:
    """A place in schemas/: inside the installed package, or beside it in a checkout."""
    packaged = Path(str(files("conformance"))) / "schemas"
    root = packaged if packaged.is_dir() else packaged.parent.parent / "schemas"
    return root.joinpath(*parts)
