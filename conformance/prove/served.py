"""A module imported as a mutant has it, in this process or in a program of its own.

`python -m conformance.prove.served MUTANT MODULE ARGUMENT…` runs a module as a program so: then the server alone is the
mutant, and the process that judges it has the original.
"""

import ast
import importlib.util
import json
import runpy
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Self

from conformance.prove.mutation import Mutant


class Changed(MetaPathFinder, Loader):
    """Imports one module from another tree than its file has."""

    def __init__(self, module: str, path: Path, tree: Callable[[], ast.Module]) -> None:
        self._module = module
        self._path = path
        self._tree = tree

    @classmethod
    def to(cls, mutant: Mutant) -> Self:
        """As the mutant has it."""
        return cls(mutant.module, mutant.path, mutant.tree)

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,  # noqa: ARG002 -- the import system's own
        target: ModuleType | None = None,  # noqa: ARG002 -- as above
    ) -> ModuleSpec | None:
        """The module, where it is the one that is changed."""
        if fullname != self._module:
            return None
        return importlib.util.spec_from_file_location(fullname, self._path, loader=self)

    def exec_module(self, module: ModuleType) -> None:
        """Runs the changed source as the module."""
        exec(compile(self._tree(), str(self._path), "exec"), vars(module))  # noqa: S102 -- our own source, changed


def through(mutant: Mutant) -> list[str]:
    """What stands before a module's name and arguments, in a command that runs it so."""
    told = json.dumps({**asdict(mutant), "path": str(mutant.path)})
    return [sys.executable, "-m", __name__, told]


def _read(told: str) -> Mutant:
    found = Mutant(**json.loads(told))
    return replace(found, path=Path(found.path))


if __name__ == "__main__":
    _, told, module, *given = sys.argv
    sys.meta_path.insert(0, Changed.to(_read(told)))
    sys.argv = [module, *given]
    runpy.run_module(module, run_name="__main__", alter_sys=True)
