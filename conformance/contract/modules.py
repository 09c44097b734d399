"""Imports whatever registers itself."""

import pkgutil
from importlib import import_module


def import_all(package: str) -> None:
    """Imports every module of a package."""
    found = import_module(package)
    for module in pkgutil.iter_modules(found.__path__, f"{package}."):
        import_module(module.name)
