"""Version ranges that the contract names: absent, exact, caret and wildcard. What else is written is left open."""

import re
from collections.abc import Iterable
from typing import NamedTuple

_NUMBER = r"(0|[1-9]\d{0,8})"
_VERSION = re.compile(rf"{_NUMBER}\.{_NUMBER}\.{_NUMBER}(-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?")
_CARET = re.compile(rf"\^{_NUMBER}\.{_NUMBER}\.{_NUMBER}")
_WILDCARD = re.compile(rf"(?:{_NUMBER}\.)?(?:{_NUMBER}\.)?\*")
Release = tuple[int, int, int]


class Resolved(NamedTuple):
    """What a range resolves to."""

    version: str | None
    """None: no version satisfies it."""


def is_version(text: str) -> bool:
    """Whether a text is one version and no range."""
    return _VERSION.fullmatch(text) is not None


def release(text: str) -> Release | None:
    """The numbers of a version; None where it is a pre-release, or no SemVer version."""
    found = _VERSION.fullmatch(text)
    if found is None or found[4]:
        return None
    return int(found[1]), int(found[2]), int(found[3])


def resolve(wanted: str | None, versions: Iterable[str]) -> Resolved | None:
    """The version that a range resolves to; None where the contract leaves open what the range means.

    A pre-release is chosen only where the range is that version in full.
    """
    known = list(versions)
    releases = {found: text for text in known if (found := release(text)) is not None}
    if wanted is None:
        return _highest(releases)
    if is_version(wanted):
        return Resolved(wanted if wanted in known else None)
    if caret := _CARET.fullmatch(wanted):
        low = (int(caret[1]), int(caret[2]), int(caret[3]))
        return _highest({v: text for v, text in releases.items() if low <= v < _next(low)})
    if wildcard := _WILDCARD.fullmatch(wanted):
        start = tuple(int(part) for part in wildcard.groups() if part is not None)
        return _highest({v: text for v, text in releases.items() if v[: len(start)] == start})
    return None


def _next(low: Release) -> Release:
    """The first version that a caret range does not reach."""
    major, minor, patch = low
    if major:
        return major + 1, 0, 0
    return (0, minor + 1, 0) if minor else (0, 0, patch + 1)


def _highest(releases: dict[Release, str]) -> Resolved:
    return Resolved(releases[max(releases)] if releases else None)
