"""What differs from a good value in its spelling alone, also deep in lists and objects."""

import pytest

from conformance.judge.promised.coercing import coercible

NODE = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "weight": {"type": "integer", "minimum": 0}, "on": {"type": "boolean"}},
    "required": ["name"],
}
NODES = {"type": "array", "items": NODE, "minItems": 1}


@pytest.mark.parametrize(
    "value",
    [
        [{"name": 7}],
        [{"name": "a", "weight": "3"}],
        [{"name": "a", "weight": " 3 "}, {"name": 1.5, "on": "true"}],
        [{"name": "a", "weight": None}],
        None,
    ],
)
def test_what_is_spelt_otherwise(value):
    assert coercible(value, NODES)


@pytest.mark.parametrize(
    "value",
    [
        [{}],
        [],
        "none",
        [{"name": None}],
        [{"name": "a", "weight": -1}],
        [{"name": "a", "weight": "-1"}],
        [{"name": "a", "weight": "ten"}],
        [{"name": {"no": "such"}}],
        [{"name": 7}, {"weight": 1}],
        ["a"],
    ],
)
def test_what_is_wrong_however_it_is_spelt(value):
    assert not coercible(value, NODES)
