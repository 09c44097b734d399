"""Every requirement is kept by the reference and broken by its own deviation, and by few others."""

import asyncio
import tomllib
from pathlib import Path

import pytest

from reference_server.deviations.registry import UnknownDeviationError, all_deviations, find

from .clauses import SCENARIOS
from .desk import Desk

REQUIREMENTS = Path(__file__).parents[3] / "schemas" / "threads" / "requirements.toml"


def required() -> set[str]:
    """The ids that need a deviation: all but those which the reference's own tests hold."""
    entries = tomllib.loads(REQUIREMENTS.read_text(encoding="utf-8"))["requirement"]
    return {entry["id"] for entry in entries if entry["seen"] != "reference"}


def test_every_requirement_has_a_deviation() -> None:
    assert {each.requirement for each in all_deviations("threads")} == required()


def test_every_deviation_that_acts_in_process_has_a_scenario() -> None:
    in_memory = [each for each in all_deviations("threads") if each.transport is None and not each.store]
    assert {each.requirement for each in in_memory} == set(SCENARIOS)


def test_an_unknown_id_names_the_nearest() -> None:
    with pytest.raises(UnknownDeviationError, match="TH-IDEM-01"):
        find("TH-IDEM-1")


@pytest.mark.parametrize("requirement", sorted(SCENARIOS))
def test_the_reference_keeps_what_its_deviation_breaks(requirement: str) -> None:
    deviated = Desk()
    find(requirement).apply(deviated.threads)
    assert asyncio.run(SCENARIOS[requirement](Desk()))
    assert not asyncio.run(SCENARIOS[requirement](deviated))
