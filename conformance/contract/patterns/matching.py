"""Whether a text matches a pattern: told in bounded time, or not at all."""

from collections.abc import Callable

import jsonschema_rs
from jsonschema_rs import FancyRegexOptions, RegexOptions, ValidationErrorKind

from conformance.contract.limits import Shelf, UnjudgedError
from conformance.contract.patterns.pattern import Pattern, read
from conformance.contract.patterns.reader import PatternError

SIZE = 30_000_000
"""Bytes of a compiled pattern. The heaviest that is read takes 20 MB."""
WORK = 50_000_000
"""States times characters: 0.25 s, at 5 ns each."""
LOOKED_AT = 2_000
"""Characters of a text in which a pattern looks around: the engine for that goes back, up to so often:"""
BACK = 100_000
"""Steps back: 7 ms with 2,000 characters, a second with 20,000."""
KEPT = 100_000
"""States of the patterns that are kept compiled: some 100 MB."""
LIGHTEST = 400
"""What a kept pattern counts for at least: its automaton, made as it goes, takes up to 0.4 MB."""

Engine = Callable[[str], bool]
_ENGINES: Shelf[str, tuple[Pattern, Engine]] = Shelf(KEPT)


def linear() -> RegexOptions:
    """The engine whose time is linear in the text."""
    return RegexOptions(size_limit=SIZE, dfa_size_limit=400_000)


def backtracking() -> FancyRegexOptions:
    """The engine that can look around; where it gives up, it says so in an error and not in `is_valid`."""
    return FancyRegexOptions(backtrack_limit=BACK, size_limit=SIZE, dfa_size_limit=400_000)


def matches(pattern: str, text: str) -> bool:
    """Whether a pattern matches somewhere in a text; UnjudgedError where that cannot be told."""
    about, found = _ENGINES.get(pattern) or _ENGINES.put(pattern, *_made(pattern))
    if about.looks and len(text) > LOOKED_AT:
        raise UnjudgedError(f"a pattern looks around in a text of {len(text)} characters")
    if about.looks and about.edged and not text.isascii():
        raise UnjudgedError("a pattern looks around and asks for the edge of a word in a text beyond ASCII")
    if about.weight * len(text) > WORK:
        raise UnjudgedError(f"a pattern is too heavy for a text of {len(text)} characters")
    try:
        return found(text)
    except UnicodeEncodeError:
        raise UnjudgedError("a text is no Unicode") from None


def _made(pattern: str) -> tuple[tuple[Pattern, Engine], int]:
    try:
        about = read(pattern)
        options = backtracking() if about.looks else linear()
        validator = jsonschema_rs.Draft202012Validator({"pattern": about.spelled}, pattern_options=options)
    except PatternError as error:
        raise UnjudgedError(f"the pattern {pattern[:80]!r}: {error}") from error
    except ValueError as error:
        raise UnjudgedError(f"the pattern {pattern[:80]!r} is more than the engine takes") from error
    weight = max(about.weight, LIGHTEST)
    return (about, _looking(validator) if about.looks else validator.is_valid), weight


def _looking(validator: jsonschema_rs.Draft202012Validator) -> Engine:
    def found(text: str) -> bool:
        error = next(validator.iter_errors(text), None)
        if error is not None and not isinstance(error.kind, ValidationErrorKind.Pattern):
            raise UnjudgedError(f"a pattern went back more than {BACK} times")
        return error is None

    return found
