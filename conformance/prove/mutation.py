"""Mechanical changes of Python source, one at a time: operators, boundaries, conditions, statements, keys.

The libraries for this change files on disk and run a test command for each; none drops statements or keys. Here a
module's tree is changed in memory and compiled as it is.
"""

import ast
import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
}
LONGEST = 90

Change = Callable[[ast.AST], None]
"""Changes a node in place."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of one module."""

    module: str
    path: Path
    line: int
    function: str
    """Qualified name of the function, or empty on the module's own level."""
    change: str
    node: int
    """Place of the changed node among all nodes of the module."""
    option: int
    """Which of the node's changes it is."""

    @property
    def id(self) -> str:
        """The same as long as the function and what is changed in it are."""
        told = f"{self.module} {self.function} {self.change}"
        return hashlib.sha256(told.encode()).hexdigest()[:12]

    @property
    def told(self) -> str:
        """The change, with the function that it is in."""
        return f"{self.function}: {self.change}" if self.function else self.change

    def tree(self) -> ast.Module:
        """The module with the change."""
        tree = ast.parse(self.path.read_text("utf-8"))
        node = list(ast.walk(tree))[self.node]
        _, change = list(_changes(node))[self.option]
        change(node)
        return ast.fix_missing_locations(tree)


def mutants_of(module: str, path: Path) -> list[Mutant]:
    """Every mutant of a module; changes of one function that read alike are told apart by their number."""
    tree = ast.parse(path.read_text("utf-8"))
    owners = dict(_owned(tree, ""))
    found, times = [], dict[tuple[str, str], int]()
    for number, node in enumerate(ast.walk(tree)):
        function = owners.get(id(node), "")
        for option, (what, _) in enumerate(_changes(node)):
            times[function, what] = times.get((function, what), 0) + 1
            told = what if times[function, what] == 1 else f"{what} ({times[function, what]})"
            line = getattr(node, "lineno", 0)
            found.append(Mutant(module, path, line, function, told, number, option))
    return found


def _owned(node: ast.AST, owner: str) -> Iterator[tuple[int, str]]:
    """Each node below, by its identity, with the qualified name of the function or class that it is in."""
    for child in ast.iter_child_nodes(node):
        inner = owner
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inner = f"{owner}.{child.name}" if owner else child.name
        yield id(child), inner
        yield from _owned(child, inner)


def _changes(node: ast.AST) -> Iterator[tuple[str, Change]]:
    """The changes that a node offers, each with its words."""
    yield from _of_conditions(node)
    yield from _of_values(node)
    if isinstance(node, ast.stmt):
        yield from _dropped(node)


def _of_conditions(node: ast.AST) -> Iterator[tuple[str, Change]]:
    match node:
        case ast.Compare(ops=[op]) if type(op) in COMPARISONS:
            yield f"compares otherwise: {_spelled(node)}", _compared
        case ast.BoolOp(values=values):
            yield f"and for or, or for and: {_spelled(node)}", _joined
            for place in range(len(values)):
                yield f"drops from {_spelled(node)}: {_spelled(values[place])}", _without("values", place)
        case ast.UnaryOp(op=ast.Not()):
            yield f"drops not: {_spelled(node)}", _affirmed
        case ast.If() | ast.IfExp():
            yield f"if True: {_spelled(node.test)}", _tested(holds=True)
            yield f"if False: {_spelled(node.test)}", _tested(holds=False)
        case ast.comprehension(ifs=[_, *_] as conditions):
            for place in range(len(conditions)):
                yield f"every one: {_spelled(conditions[place])}", _without("ifs", place)


def _of_values(node: ast.AST) -> Iterator[tuple[str, Change]]:
    match node:
        case ast.BinOp(op=op) if type(op) in ARITHMETIC and not _of_text(node):
            yield f"calculates otherwise: {_spelled(node)}", _calculated
        case ast.Constant(value=int() as value) if not isinstance(value, bool):
            yield f"{value} + 1", _counted(1)
            yield f"{value} - 1", _counted(-1)
        case ast.Dict(keys=keys):
            for place, key in enumerate(keys):
                if isinstance(key, ast.Constant):
                    yield f"drops the key {key.value!r}", _without("keys", place, "values")


def _dropped(node: ast.stmt) -> Iterator[tuple[str, Change]]:
    """Statements in the bodies of a statement that can be left out without a name being undefined."""
    for field in ("body", "orelse", "finalbody"):
        body = getattr(node, field, None)
        for place, statement in enumerate(body if isinstance(body, list) else ()):
            if _can_go(statement):
                yield f"drops: {_spelled(statement)}", _passed(field, place)


def _can_go(statement: ast.AST) -> bool:
    match statement:
        case ast.Expr(value=ast.Call() | ast.Await()) | ast.Raise() | ast.AugAssign() | ast.Delete():
            return True
        case ast.Assign(targets=targets):
            return all(isinstance(target, ast.Attribute | ast.Subscript) for target in targets)
        case _:
            return False


def _spelled(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _of_text(node: ast.BinOp) -> bool:
    """Whether one side is surely text: another operator would be no program."""
    return any(
        isinstance(side, ast.JoinedStr) or (isinstance(side, ast.Constant) and isinstance(side.value, str))
        for side in (node.left, node.right)
    )


def _compared(node: ast.AST) -> None:
    assert isinstance(node, ast.Compare)
    node.ops = [COMPARISONS[type(node.ops[0])]()]


def _joined(node: ast.AST) -> None:
    assert isinstance(node, ast.BoolOp)
    node.op = ast.And() if isinstance(node.op, ast.Or) else ast.Or()


def _affirmed(node: ast.AST) -> None:
    assert isinstance(node, ast.UnaryOp)
    node.operand = ast.UnaryOp(ast.Not(), node.operand)


def _calculated(node: ast.AST) -> None:
    assert isinstance(node, ast.BinOp)
    node.op = ARITHMETIC[type(node.op)]()


def _tested(*, holds: bool) -> Change:
    def change(node: ast.AST) -> None:
        assert isinstance(node, ast.If | ast.IfExp | ast.While)
        node.test = ast.Constant(holds)

    return change


def _counted(step: int) -> Change:
    def change(node: ast.AST) -> None:
        assert isinstance(node, ast.Constant)
        assert isinstance(node.value, int)
        node.value += step

    return change


def _without(field: str, place: int, *others: str) -> Change:
    """Takes one entry out of a list of the node, and out of the lists beside it."""

    def change(node: ast.AST) -> None:
        for name in (field, *others):
            entries = list(getattr(node, name))
            del entries[place]
            # `and` and `or` need two values, or the module is no program: the one that is left stands twice
            alone = isinstance(node, ast.BoolOp) and len(entries) == 1
            setattr(node, name, entries * 2 if alone else entries)

    return change


def _passed(field: str, place: int) -> Change:
    def change(node: ast.AST) -> None:
        body = list(getattr(node, field))
        body[place] = ast.copy_location(ast.Pass(), body[place])
        setattr(node, field, body)

    return change
