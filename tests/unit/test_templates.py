"""Placeholders: which values are those that the suite makes."""

import pytest

from conformance.contract.templates import plain, slots


@pytest.mark.parametrize(
    ("template", "value", "made"),
    [
        ("{{fresh.name}}", "name-0a1b2c3d4e", True),
        ("{{fresh.name}}", "another", False),
        ("{{fresh.name}}", "name-" + "x" * 60, False),
        (f"{'a statement ' * 9}{{{{fresh.name}}}}", f"{'a statement ' * 9}name-0a1b2c3d4e", True),
        (f"{'a statement ' * 9}{{{{word.name}}}}", f"{'a statement ' * 9}abcdefghijkl", True),
        ("a {{fresh.name}}", f"{'a statement ' * 9}name-0a1b2c3d4e", False),
    ],
)
def test_a_value_of_the_suites_own(template, value, made):
    (slot,) = slots({"said": template})
    assert plain(slot, value) is made
