"""A module that notes which of some lines are executed, at next to no cost: a call before each statement on them."""

import ast
import builtins
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

NOTE = "__reached__"
"""What the calls are of: a name that every module finds."""
BODIES = ("body", "orelse", "finalbody")


class _Place(NamedTuple):
    """A statement, and the body that it stands in."""

    statement: ast.stmt
    body: list[ast.stmt]
    inside: bool
    """Whether that is in a function: else it is executed when the module is imported."""

    def holds(self, number: int) -> bool:
        """Whether a line is one of the statement's."""
        return self.statement.lineno <= number <= (self.statement.end_lineno or 0)

    @property
    def size(self) -> int:
        """Its lines."""
        return (self.statement.end_lineno or 0) - self.statement.lineno


class Probes:
    """Which lines were executed so far, of modules that were changed to tell."""

    def __init__(self) -> None:
        self.met = set[tuple[str, int]]()
        setattr(builtins, NOTE, lambda module, number: self.met.add((module, number)))

    def tree(self, module: str, path: Path, numbers: Collection[int]) -> ast.Module:
        """The module with its probes. A line that is executed by being imported counts as met from then on."""
        tree = ast.parse(path.read_text("utf-8"))
        places = list(_places(tree, inside=False))
        for number in numbers:
            around = [place for place in places if place.holds(number)]
            innermost = min(around, key=lambda place: place.size, default=None)
            if innermost is None or not (innermost.inside or _defines(innermost.statement)):
                self.met.add((module, number))
                continue
            probe = ast.parse(f"{NOTE}({module!r}, {number})").body[0]
            if innermost.inside:
                innermost.body.insert(innermost.body.index(innermost.statement), probe)
            if isinstance(innermost.statement, ast.FunctionDef | ast.AsyncFunctionDef):
                # what stands on its head is executed when it is defined, or when it is called
                innermost.statement.body.insert(1 if ast.get_docstring(innermost.statement) else 0, probe)
        return ast.fix_missing_locations(tree)


def _defines(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef)


def _places(node: ast.AST, *, inside: bool) -> Iterator[_Place]:
    """All statements below, each with its body."""
    within = inside or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    for name in BODIES:
        body = getattr(node, name, None)
        if isinstance(body, list):
            yield from (_Place(each, body, within) for each in body)
    for child in ast.iter_child_nodes(node):
        # a class in a function is executed when that is called
        yield from _places(child, inside=within)
