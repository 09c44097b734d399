"""Ranges: what they resolve to, and what the contract leaves open."""

import pytest

from conformance.contracts.invocation.ranges import Resolved, is_version, resolve

VERSIONS = ("1.0.0", "1.2.0", "1.2.5", "2.0.0", "3.0.0-beta.1")


@pytest.mark.parametrize(
    ("wanted", "version"),
    [
        (None, "2.0.0"), ("1.2.0", "1.2.0"), ("3.0.0-beta.1", "3.0.0-beta.1"), ("^1.0.0", "1.2.5"), ("1.*", "1.2.5"),
        ("1.2.*", "1.2.5"), ("1.0.*", "1.0.0"), ("*", "2.0.0"), ("^1.2.5", "1.2.5"), ("^2.0.0", "2.0.0"),
        ("9.9.9", None), ("^1.3.0", None), ("3.*", None), ("3.0.0", None), ("^3.0.0", None),
    ],
)  # fmt: skip
def test_a_range_that_the_contract_names(wanted: str | None, version: str | None) -> None:
    assert resolve(wanted, VERSIONS) == Resolved(version)


@pytest.mark.parametrize("wanted", ["", "1", "1.2", "~1.2.0", ">=1.0.0", "1.x", "^1.2", "latest", "^3.0.0-beta.1"])
def test_a_range_that_is_left_open(wanted: str) -> None:
    assert resolve(wanted, VERSIONS) is None


def test_a_caret_below_one_keeps_its_first_number_that_is_not_zero() -> None:
    versions = ("0.2.3", "0.2.9", "0.3.0", "0.0.3", "0.0.4")
    assert resolve("^0.2.3", versions) == Resolved("0.2.9")
    assert resolve("^0.0.3", versions) == Resolved("0.0.3")


@pytest.mark.parametrize(("text", "is_one"), [("1.0.0", True), ("1.0.0-rc.1", True), ("^1.0.0", False), ("1.0", False)])
def test_what_a_version_is(text: str, *, is_one: bool) -> None:
    assert is_version(text) is is_one
