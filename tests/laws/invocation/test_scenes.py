"""Each requirement on the history of a conforming server, of a breaking one, and on one that shows nothing."""

import pytest

from tests.laws.invocation.desk import Desk, requirements
from tests.laws.invocation.scenes import SCENES, UNCONTROLLED, Scene
from tests.laws.invocation.test_results import BREACHES


def test_every_requirement_has_a_history() -> None:
    assert set(requirements()) == set(SCENES) | {name for name, _ in BREACHES}


@pytest.mark.parametrize("requirement", SCENES)
def test_what_conforms_holds(requirement: str) -> None:
    desk = Desk()
    SCENES[requirement](Scene(desk, broken=False, control=True))
    outcome = desk.judged(requirement)
    assert (outcome.verdict, outcome.subjects > 0) == ("pass", True), outcome


@pytest.mark.parametrize("requirement", SCENES)
def test_what_breaks_it_is_found(requirement: str) -> None:
    desk = Desk()
    SCENES[requirement](Scene(desk, broken=True, control=True))
    assert desk.judged(requirement).breaches > 0


@pytest.mark.parametrize("requirement", [name for name in SCENES if name not in UNCONTROLLED])
def test_without_its_control_nothing_is_shown(requirement: str) -> None:
    desk = Desk()
    SCENES[requirement](Scene(desk, broken=False, control=False))
    assert desk.judged(requirement).subjects == 0
