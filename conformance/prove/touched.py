"""Which lines of its module a mutant changes, by what Python compiles of it."""

import dis
import inspect
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import CodeType
from typing import NamedTuple

from conformance.prove.mutation import Mutant


class Line(NamedTuple):
    """A line of a module."""

    module: str
    number: int


class Touched(NamedTuple):
    """What a mutant changes. Neither: it is the same program."""

    lines: frozenset[Line]
    """Of functions, in the original."""
    at_import: bool
    """Whether it changes what is run when the module is imported: constants, tables, classes, defaults."""


def touched(mutant: Mutant) -> Touched:
    """What a mutant changes."""
    before, after = _functions(_original(mutant.path)), _functions(compile(mutant.tree(), str(mutant.path), "exec"))
    lines, at_import = set[Line](), False
    for name in before.keys() | after.keys():
        one, other = before.get(name, []), after.get(name, [])
        if list(map(_own, one)) == list(map(_own, other)):
            continue
        had, has = _by_line(one), _by_line(other)
        differing = {number for number in had.keys() | has.keys() if had.get(number) != has.get(number)}
        if differing and not all(code.co_flags & inspect.CO_OPTIMIZED for code in (*one, *other)):
            at_import = True
        else:
            lines.update(Line(mutant.module, number) for number in differing)
    return Touched(frozenset(lines), at_import)


@cache
def _original(path: Path) -> CodeType:
    return compile(path.read_text("utf-8"), str(path), "exec")


def _functions(code: CodeType) -> dict[str, list[CodeType]]:
    """All code in a module by its qualified name, which lambdas of one function share; the module's own as well."""
    found = defaultdict[str, list[CodeType]](list)
    waiting = [code]
    while waiting:
        each = waiting.pop()
        found[each.co_qualname].append(each)
        waiting += [inner for inner in each.co_consts if isinstance(inner, CodeType)]
    return found


def _own(code: CodeType) -> CodeType:
    """Without what is defined in it, which is compared by itself."""
    inner = tuple(each.co_qualname if isinstance(each, CodeType) else each for each in code.co_consts)
    return code.replace(co_consts=inner)


def _by_line(codes: list[CodeType]) -> dict[int, list[tuple[str, str]]]:
    """The instructions of each line. Where one jumps to is told by its place in its line, as others may be longer."""
    found = defaultdict[int, list[tuple[str, str]]](list)
    for code in codes:
        for number, name, argument in _instructions(code):
            found[number].append((name, argument))
    return found


def _instructions(code: CodeType) -> Iterator[tuple[int, str, str]]:
    """The line of each instruction, its name and its argument."""
    plain = [each for each in dis.get_instructions(code) if each.opname != "EXTENDED_ARG"]
    places, counts = dict[int, str](), defaultdict[int, int](int)
    numbers = []
    for each in plain:
        number = (each.positions.lineno if each.positions is not None else None) or code.co_firstlineno
        numbers.append(number)
        places[each.offset] = f"{number}/{counts[number]}"
        counts[number] += 1
    for number, each in zip(numbers, plain, strict=True):
        jumps = each.opcode in dis.hasjrel or each.opcode in dis.hasjabs
        value = each.argval
        if isinstance(value, CodeType):
            value = value.co_qualname
        yield number, each.opname, places.get(value, "") if jumps else repr(value)
