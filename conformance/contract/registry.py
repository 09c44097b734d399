"""Finds contracts: installed ones by their entry points, others by a path or by an attribute of a module.

An entry point of the group `conformance.contracts` names a package whose folder holds contract.toml, or an attribute
that gives such a folder: `package:NAME`. The suite's own contracts are found so too.
"""

import re
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from conformance.contract.errors import Fault, UnknownContractError
from conformance.contract.source import Source, outside
from conformance.contract.texts import Text, all_right

GROUP = "conformance.contracts"
FILE = "contract.toml"
USUAL = "contract"
"""What a contract's folder is often called, which tells nothing of it."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_OTHERS = re.compile(r"[^A-Za-z0-9_-]+")
_named: dict[str, Source] = {}
"""Those that somebody named by a path or an attribute, by the name that they have of their own."""


@cache
def _points() -> dict[str, EntryPoint]:
    return {point.name: point for point in sorted(entry_points(group=GROUP), key=lambda each: each.name)}


def installed() -> tuple[str, ...]:
    """The contracts that are installed."""
    return tuple(_points())


def names() -> tuple[str, ...]:
    """The contracts that are known here: those installed, and those that were named so far."""
    return tuple(dict.fromkeys((*_points(), *_named)))


def source_of(name: str) -> Source:
    """Where a contract that is known comes from; UnknownContractError where none has this name."""
    if name in _named:
        return _named[name]
    if name in _points():
        return _installed(name)
    raise UnknownContractError(name, f"it is one of {', '.join(names())}, a path of a folder, or MODULE:NAME")


def named(reference: str, base: Path = Path()) -> str:
    """The name by which a contract is known from now on that is named by a name, a path or MODULE:NAME.

    A relative path begins at `base`. UnknownContractError: there is none. ContractError: it is no contract.
    """
    if reference in _points() or reference in _named:
        return reference
    folder = base / reference
    if reference.startswith((".", "/", "~")) or "/" in reference or (folder / FILE).is_file():
        path = base / Path(reference).expanduser()
        return _remember(_outside(path, str(path))).name
    module, colon, attribute = reference.partition(":")
    if colon:
        found = _given(_module(module, reference), attribute, reference)
        return _remember(_outside(found, reference)).name
    raise UnknownContractError(
        reference, f"it is one of {', '.join(names())}, a path of a folder such as ./{reference}, or MODULE:NAME"
    )


def _remember(source: Source) -> Source:
    if not source.installed:
        _named[source.name] = source
    return source


def _outside(folder: Path, reference: str) -> Source:
    """A folder anywhere; an installed contract where it is the folder of one."""
    if not folder.is_dir():
        why = "it is a file, and a contract is a folder" if folder.exists() else "there is no such folder"
        raise UnknownContractError(reference, f"{why}: {folder}")
    for name in _points():
        if _installed(name).folder.resolve() == folder.resolve():
            return _installed(name)
    faults: list[Fault] = []
    head = Text(folder / FILE, faults)
    said = head.toml(needed=True).get("name")
    if said is not None and not (isinstance(said, str) and _NAME.fullmatch(said)):
        todo = "write it with letters, digits, hyphens and underscores, as stimuli and files are named by it"
        head.wrong(f"name: {said!r} is no name of a contract", head.line(("name",)), todo)
    all_right(reference, faults)
    whole = folder.resolve()
    usual = _OTHERS.sub("-", whole.parent.name if whole.name == USUAL else whole.name).strip("-")
    return outside(said or usual or USUAL, folder, reference)


@cache
def _installed(name: str) -> Source:
    """UnknownContractError: its package cannot be imported, or has no such folder."""
    point = _points()[name]
    module = _module(point.module, name)
    package = module.__name__ if hasattr(module, "__path__") else module.__name__.rpartition(".")[0]
    folder = _given(module, point.attr, name) if point.attr else Path(next(iter(module.__path__)))
    return Source(name, folder, package, installed=True)


def _module(name: str, reference: str) -> ModuleType:
    try:
        return import_module(name)
    except ImportError as error:
        raise UnknownContractError(reference, f"{error}; is it installed where this suite runs?") from error
    except Exception as error:  # a package of others: it may raise anything while it is imported
        raise UnknownContractError(reference, f"{name} cannot be imported: {type(error).__name__}: {error}") from error


def _given(module: ModuleType, attribute: str, reference: str) -> Path:
    """The folder that an attribute gives: a path, a contract that was loaded, or a function that gives one of these."""
    found: Any = module
    for part in attribute.split("."):
        found = getattr(found, part, None)
    found = found() if callable(found) else found
    found = getattr(found, "folder", found)
    if not isinstance(found, str | Path):
        raise UnknownContractError(
            reference, f"{module.__name__} has no {attribute} that gives a contract or the path of its folder"
        )
    return Path(found)
