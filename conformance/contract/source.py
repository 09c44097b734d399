"""Where a contract comes from: its name, its folder, the Python that stands beside its data."""

import hashlib
import sys
from dataclasses import dataclass
from functools import cached_property
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, module_from_spec
from pathlib import Path

PRIVATE = "conformance_contract_"
"""Begins the names of the packages that folders are imported as."""
PARTS = ("laws", "stimuli", "bench")
"""What may stand in Python beside a contract's data."""


@dataclass(frozen=True)
class Source:
    """A folder that holds a contract."""

    name: str
    folder: Path
    package: str
    """The package that its Python is imported from."""
    installed: bool
    """Whether it belongs to an installed package, so that its version tells what it holds."""
    digest: str = ""
    named: str = ""
    """What names it on a command line, where its name alone does not."""

    @cached_property
    def has_laws(self) -> bool:
        """Whether some of its requirements may have laws in Python."""
        return has(self.package, "laws")


def has(package: str, part: str) -> bool:
    """Whether a contract's package has such a module."""
    return bool(package) and find_spec(f"{package}.{part}") is not None


def outside(name: str, folder: Path, named: str) -> Source:
    """A folder anywhere, as it was named; its Python is imported under a name of its own, once it is asked for."""
    package = ""
    if any((folder / part).is_dir() or (folder / f"{part}.py").is_file() for part in PARTS):
        package = PRIVATE + "".join(letter if letter.isalnum() else "_" for letter in name)
        spec = ModuleSpec(package, None, is_package=True)
        spec.submodule_search_locations = [str(folder.resolve())]
        sys.modules[package] = module_from_spec(spec)
    return Source(name, folder, package, installed=False, digest=digest(folder), named=named)


def digest(folder: Path) -> str:
    """Of the names and the contents of all that a folder holds, but for what Python makes there."""
    whole = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            content = path.read_bytes()
            whole.update(f"{path.relative_to(folder).as_posix()}\0{len(content)}\0".encode() + content)
    return whole.hexdigest()
