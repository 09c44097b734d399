"""The reference's source as syntax trees: what is imported, which functions there are, what they are given."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import reference_server.tuitbot as package

ROOT = Path(package.__file__).parent
NAME = package.__name__


class Function(NamedTuple):
    """A function or method with the names of the types of its parameters, `self` left out."""

    place: str
    name: str
    parameters: tuple[tuple[str, str], ...]


def trees(*layers: str) -> Iterator[tuple[str, ast.Module]]:
    """Every module of these parts of the package, by its path in the package."""
    for layer in layers:
        for path in sorted((ROOT / layer).rglob("*.py")):
            yield path.relative_to(ROOT).as_posix(), ast.parse(path.read_text("utf-8"))


def functions(*layers: str) -> Iterator[Function]:
    """Every function and method of these parts."""
    for place, tree in trees(*layers):
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
                types = [
                    (each.arg, ast.unparse(each.annotation).strip("'") if each.annotation else "") for each in given
                ]
                yield Function(place, node.name, tuple(pair for pair in types if pair[0] != "self"))


def imports(*layers: str) -> Iterator[tuple[str, str]]:
    """What each module of these parts imports."""
    for place, tree in trees(*layers):
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                yield place, node.module
            elif isinstance(node, ast.Import):
                for each in node.names:
                    yield place, each.name


def calls_of(name: str, *layers: str) -> Iterator[str]:
    """The modules that call something of this name, once for each call."""
    for place, tree in trees(*layers):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                called = node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)
                if called == name:
                    yield place
