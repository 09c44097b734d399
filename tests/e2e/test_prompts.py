"""Prompts: asked for with all that they take."""

from pathlib import Path

from tests.e2e.driving import over_stdio


def test_an_argument_that_may_be_left_out_is_given_as_well(tmp_path: Path) -> None:
    assert over_stdio(tmp_path, "gives_prompts", "well").found() == set()
    assert over_stdio(tmp_path, "gives_prompts", "badly").found() == {"MC-PROMPT-02"}
