"""Imports whatever registers itself."""

import pkgutil
from functools import cache
from importlib import import_module
from types import ModuleType


def import_all(package: str) -> None:
    """Imports every module of a package."""
    _imported(import_module(package))


@cache
def _imported(package: ModuleType) -> None:
    # each run asks for it, and to look through the folders took a tenth of a run of one stimulus
    for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        import_module(module.name)
