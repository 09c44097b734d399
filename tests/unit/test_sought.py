"""Texts are searched for the words that a pattern cannot do without: what the pattern finds is still found."""

import pytest

from conformance.contracts.mcp.laws.complaints import COMPLAINTS, OF_BOUNDS
from conformance.judge.insides import PLACES, STACKS, STATEMENTS, TYPES
from conformance.judge.sought import SHORT, Sought

SHOWING = [
    (STACKS, "Traceback (most recent call last)"),
    (STACKS, 'File "a.py", line 3, in f'),
    (STACKS, "x\n    at async f (/srv/a.js:1:2)"),
    (STACKS, "x\n    at f (a.js:1:2)"),
    (STACKS, "x\n    at a.b(C.java:7)"),
    (STACKS, "x\n    at A.B(Int32 c) in C.cs:line 7"),
    (STACKS, "goroutine 7 [running]:"),
    (STACKS, "thread 'main' panicked at "),
    (STACKS, "stack backtrace:\n"),
    (STACKS, "a.rb:7:in `f'"),
    (STACKS, "#1 /a/b.php(7): "),
    (STATEMENTS, "INSERT INTO a (b"),
    (STATEMENTS, "Select a from b Where"),
    (STATEMENTS, "UPDATE a SET b ="),
    (STATEMENTS, "delete from a where"),
    (STATEMENTS, "SQLSTATE"),
    (STATEMENTS, "violates unique constraint"),
    (STATEMENTS, "UNIQUE constraint failed"),
    (STATEMENTS, "syntax error at or near"),
    (STATEMENTS, "no such table:"),
    (STATEMENTS, "in\u017fert into a ("),
    (PLACES, "in /home/me/a"),
    (PLACES, "file:///srv/a"),
    (PLACES, "C:\\Users\\me\\a"),
    (PLACES, "C:/a/b"),
    (TYPES, "KeyError"),
    (TYPES, "NullPointerException"),
    (TYPES, "'NoneType' object"),
    (TYPES, "Cannot read properties of undefined"),
    (TYPES, "x is not a function"),
    (TYPES, "runtime error: "),
    (TYPES, "Database(SqliteError { code: 5, message: 1 })"),
    (TYPES, "called `Option::unwrap()`"),
    (COMPLAINTS, "2 validation errors for A"),
    (COMPLAINTS, "Input validation error"),
    (COMPLAINTS, "arguments validation"),
    (COMPLAINTS, "Invalid arguments for tool"),
    (COMPLAINTS, "5 is not of type 'string'"),
    (COMPLAINTS, "'a' is a required property"),
    (COMPLAINTS, "'a' is not one of ['b']"),
    (COMPLAINTS, "does not match the pattern"),
    (COMPLAINTS, "Additional properties are not allowed"),
    (COMPLAINTS, "Field required"),
    (COMPLAINTS, "Input should be a"),
    (COMPLAINTS, "unexpected keyword argument"),
    (COMPLAINTS, '"code": "invalid_type"'),
    (COMPLAINTS, "Expected string, received number"),
    (COMPLAINTS, "must be a string"),
    (COMPLAINTS, "must NOT have "),
    (OF_BOUNDS, "is too long"),
    (OF_BOUNDS, "longer than 5 characters"),
    (OF_BOUNDS, "less than the minimum"),
    (OF_BOUNDS, "greater than or equal to the maximum"),
]


@pytest.mark.parametrize(("sought", "text"), SHOWING)
@pytest.mark.parametrize("around", ["", "\n" + "x " * SHORT])
def test_what_the_pattern_finds_is_found(sought: Sought, text: str, around: str) -> None:
    assert sought.pattern.search(around + text) is not None
    found = sought.search(around + text)
    assert found is not None
    assert found.span() == sought.pattern.search(around + text).span()  # type: ignore[union-attr] # it was found above


@pytest.mark.parametrize("sought", [STACKS, STATEMENTS, PLACES, TYPES, COMPLAINTS, OF_BOUNDS])
def test_what_the_pattern_does_not_find_is_not_found(sought: Sought) -> None:
    for text in ("the thread was not found", "insert a coin", "and/or", "an Error", "must go", "is too", ""):
        assert sought.search(text) is None or sought.pattern.search(text) is not None
