"""A mutant meets the stimuli that execute a line which it changes, and no others."""

import importlib.util
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from conformance.prove.altered import Seen
from conformance.prove.mutation import Mutant, mutants_of
from conformance.prove.probes import Probes
from conformance.prove.reach import Reach, reaching
from conformance.prove.served import Changed
from conformance.prove.touched import Line, Touched, touched

SOURCE = """
LIMIT = 3

class Store:
    def __init__(self, most=LIMIT + 1):
        self.kept = []
        self.most = most

    def put(self, value):
        if len(self.kept) >= self.most:
            raise ValueError(
                "full",
            )
        self.kept.append(value)

    def found(self, wanted):
        return [
            each
            for each in self.kept
            if each == wanted
        ]

BEGUN = Store()
"""


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "store.py"
    path.write_text(SOURCE)
    return path


def mutant(path: Path, told: str) -> Mutant:
    found, *_ = [each for each in mutants_of("store", path) if each.told == told]
    return found


def imported(path: Path, probes: Probes, change: Touched) -> ModuleType:
    finder = Changed("store", path, lambda: probes.tree("store", path, [line.number for line in change.lines]))
    spec = finder.find_spec("store")
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    finder.exec_module(module)
    return module


def puts(store: ModuleType) -> None:
    store.Store().put(1)


def overfills(store: ModuleType) -> None:
    full = store.Store(most=0)
    with pytest.raises(ValueError, match="full"):
        full.put(1)


def asks(store: ModuleType) -> None:
    kept = store.Store()
    kept.put(1)
    kept.found(1)


def idles(store: ModuleType) -> None:
    assert store.LIMIT


STIMULI: dict[str, tuple[float, Callable[[ModuleType], None]]] = {
    "puts": (3.0, puts),
    "overfills": (1.0, overfills),
    "asks": (2.0, asks),
    "idles": (0.5, idles),
}


def met(path: Path, told: str) -> list[str]:
    """The stimuli that a mutant meets, in order."""
    change, probes = touched(mutant(path, told)), Probes()
    module = imported(path, probes, change)
    begun = frozenset(Line(*each) for each in probes.met)
    reaches = []
    for name, (seconds, drive) in STIMULI.items():
        probes.met.clear()
        drive(module)
        reaches.append(Reach(name, seconds, Seen(), frozenset(Line(*each) for each in probes.met)))
    return [each.stimulus for each in reaching(change, reaches, begun)]


def test_it_meets_those_that_execute_the_line_the_cheapest_first(store: Path) -> None:
    assert met(store, "Store.put: drops: self.kept.append(value)") == ["asks", "puts"]
    assert met(store, "Store.put: compares otherwise: len(self.kept) >= self.most") == ["overfills", "asks", "puts"]


def test_a_statement_of_several_lines_is_executed_where_one_of_them_is(store: Path) -> None:
    assert met(store, "Store.put: drops: raise ValueError('full')") == ["overfills"]


def test_what_is_inside_a_comprehension_is_reached_by_whoever_asks_for_it(store: Path) -> None:
    assert met(store, "Store.found: compares otherwise: each == wanted") == ["asks"]


def test_what_no_stimulus_executes_meets_none(store: Path) -> None:
    store.write_text(SOURCE + "\ndef idle(number):\n    return number + 1\n")
    assert met(store, "idle: calculates otherwise: number + 1") == []


@pytest.mark.parametrize(
    "told",
    [
        "3 + 1",  # a constant of the module
        "Store.__init__: calculates otherwise: LIMIT + 1",  # a default
        "Store.__init__: drops: self.most = most",  # in a function that is called at import
    ],
)
def test_what_is_executed_at_import_meets_all(store: Path, told: str) -> None:
    assert met(store, told) == ["idles", "overfills", "asks", "puts"]


def test_a_function_in_a_function_is_reached_where_it_is_called(store: Path) -> None:
    store.write_text(
        SOURCE
        + """
def outer(name):
    '''Its docstring stays one.'''
    def inner(number):
        return number + 1
    return inner if name == "asks" else None
"""
    )
    assert met(store, "outer.inner: calculates otherwise: number + 1") == []


def test_what_is_compiled_to_the_same_program_touches_nothing(store: Path) -> None:
    store.write_text("def idle(one):\n    return 1 if True else one\n")
    assert touched(mutant(store, "idle: if True: True")) == Touched(frozenset(), at_import=False)


def test_the_lines_of_a_mutant_are_those_that_compile_otherwise(store: Path) -> None:
    """Also where a loop jumps over lines that have become longer."""
    store.write_text(
        "def some(many):\n    for each in many:\n        if each:\n            yield each + 1\n        yield 0\n"
    )
    found = touched(mutant(store, "some: if True: each"))
    assert found == Touched(frozenset({Line("store", 3)}), at_import=False)
