"""Texts that are near to one another."""

from collections.abc import Callable
from unicodedata import normalize

import pytest

from conformance.drive.sweeps.texts import misspelled, near, others

CARELESS: dict[str, Callable[[str], str]] = {
    "trimmed": str.strip,
    "folded": str.casefold,
    "composed": lambda text: normalize("NFC", text),
    "cut": lambda text: text[:32],
}


@pytest.mark.parametrize("careless", CARELESS.values(), ids=CARELESS)
def test_each_careless_comparison_takes_one_for_another(careless: Callable[[str], str]) -> None:
    text = "R\u00e9vision-1".ljust(40, "x")
    assert careless(text) in {careless(other) for other in near(text)}


@pytest.mark.parametrize("made", ["0190f3b2-5a5e-7cc4-9f6e-3a2b1c0d9e8f", "01ARZ3NDEKTSV4RRFFQ69G5FA0"])
def test_no_lenient_reading_takes_a_misspelled_name_for_its_own(made: str) -> None:
    assert made.casefold() not in {other.strip().casefold() for other in misspelled(made)}


@pytest.mark.parametrize(
    "same",
    [lambda one, other: one.lower() == other.lower(), str.startswith, lambda one, other: other.startswith(one)],
    ids=["without case", "begins with", "is the beginning of"],
)
def test_each_careless_look_takes_another_for_somebody(same: Callable[[str, str], bool]) -> None:
    found = others("Ann-1")
    assert any(same("Ann-1", other) for other in found)
    assert "Ann-1" not in found


@pytest.mark.parametrize("text", ["R\u00e9vision-1", "e\u0301x", "chat", "x", "1", ""])
def test_they_differ(text: str) -> None:
    found = near(text)
    assert text not in found
    assert len(found) == len(set(found)) > 0
