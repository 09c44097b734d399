"""Lines are cut alike, in whatever parts they come."""

import pytest

from conformance.drive.wire.lines import BEGINNING, Line, LineCutter


def cut(data: bytes, size: int, most: int = 100) -> tuple[list[Line], bytes]:
    cutter = LineCutter(most)
    found = [line for at in range(0, len(data), size) for line in cutter.feed(data[at : at + size])]
    return found, cutter.rest


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
def test_the_parts_make_no_difference(size: int) -> None:
    assert cut(b"one\n\ntwo\r\nthree", size) == ([Line(b"one"), Line(b""), Line(b"two\r")], b"three")


def test_a_line_that_is_too_long_is_told_of_once_and_passed_over() -> None:
    found, rest = cut(b"a\n" + b"x" * 250 + b"\nb\n", 40)
    assert [line.data for line in found] == [b"a", b"x" * found[1].size, b"b"]
    assert 100 < found[1].size <= 140
    assert rest == b""


def test_of_one_that_is_much_too_long_the_beginning_is_kept() -> None:
    (line,), rest = cut(b"x" * 500_000, 400_000, most=200_000)
    assert (len(line.data), line.size, rest) == (BEGINNING, 400_000, b"")
