"""Mutants: each change of a module is a program that can be run."""

import ast
from pathlib import Path

from conformance.prove.mutants import Drawn
from conformance.prove.mutation import mutants_of

SOURCE = """
def judged(one, other, many=()):
    if one and other:
        return {"one": one, "sum": len(many) + 1}
    found = [each for each in many if each or one if not other]
    many.clear()
    return found[0] if one is None or other > 2 or len(many) == 3 else one
"""


def test_every_mutant_is_another_program(tmp_path: Path) -> None:
    path = tmp_path / "judged.py"
    path.write_text(SOURCE)
    found = mutants_of("judged", path)
    spelled = {mutant.id: ast.unparse(mutant.tree()) for mutant in found}
    for mutant in found:
        compile(mutant.tree(), "judged.py", "exec")
    assert len(set(spelled.values()) - {ast.unparse(ast.parse(SOURCE))}) > len(found) * 0.9
    dropped = {spelled[mutant.id] for mutant in found if mutant.change == "drops from one and other: other"}
    assert any("if one and one:" in text for text in dropped)


def test_a_draw_of_mutants_is_the_same_for_the_same_number(tmp_path: Path) -> None:
    """Another number draws others, and one that is named is found wherever it stands."""
    path = tmp_path / "judged.py"
    path.write_text(SOURCE)
    found = mutants_of("judged", path)
    published, seven, eleven = (Drawn(size=5, seed=seed).of(found) for seed in (0, 7, 11))
    assert [mutant.id for mutant in published] == sorted(mutant.id for mutant in found)[:5]
    assert seven == Drawn(size=5, seed=7).of(reversed(found))
    assert len({frozenset(each.id for each in drawn) for drawn in (published, seven, eleven)}) == 3
    last = max(found, key=lambda mutant: mutant.id)
    assert Drawn(size=1, ids=(last.id,)).of(found) == [last]
