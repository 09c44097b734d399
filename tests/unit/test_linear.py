"""The search for an order of overlapping calls: scripted histories, and agreement with trying every order."""

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from typing import NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from conformance.judge.linear import FOREVER, Operation, ordered


class Call(NamedTuple):
    """On a register: what was written, or what was read; a swap tells the value that it found as well."""

    kind: str
    value: int
    found: int = 0


def register(state: int, call: Call) -> Iterator[int]:
    match call.kind:
        case "write":
            yield call.value
        case "swap" if call.found == state:
            yield call.value
        case "read" if call.value == state:
            yield state
        case "either":
            yield from (state, call.value)


def during(begun: int, ended: int, *call) -> Operation[Call]:
    return Operation(Call(*call), begun, ended, reads=call[0] == "read")


def lost(begun: int, ended: int = FOREVER, *call) -> Operation[Call]:
    return Operation(Call(*call), begun, FOREVER, sure=False)


POSSIBLE = {
    "nothing": [],
    "one after another": [during(0, 1, "write", 1), during(2, 3, "read", 1), during(4, 5, "write", 2)],
    "a read beside a write sees it": [during(0, 9, "write", 1), during(1, 2, "read", 1), during(3, 4, "read", 1)],
    "a read beside a write does not see it": [during(0, 9, "write", 1), during(1, 2, "read", 0)],
    "the later of two reads sees it": [during(0, 9, "write", 1), during(1, 2, "read", 0), during(3, 4, "read", 1)],
    "two swaps in the other order": [during(0, 9, "swap", 1, 2), during(1, 9, "swap", 2, 0)],
    "an unanswered write took effect late": [
        lost(0, FOREVER, "write", 5),
        during(1, 2, "read", 0),
        during(3, 4, "read", 5),
    ],
    "an unanswered write took no effect": [lost(0, FOREVER, "write", 5), during(1, 2, "read", 0)],
    "of two ways the second": [during(0, 1, "either", 3), during(2, 3, "read", 3)],
}
IMPOSSIBLE = {
    "a lost write": [during(0, 1, "write", 1), during(2, 3, "read", 0)],
    "a value that goes back": [during(0, 9, "write", 1), during(1, 2, "read", 1), during(3, 4, "read", 0)],
    "two swaps found the same": [during(0, 9, "swap", 1, 0), during(1, 9, "swap", 2, 0)],
    "a value from nowhere": [during(0, 1, "read", 7)],
    "an unanswered write before it was sent": [during(0, 1, "read", 5), lost(2, FOREVER, "write", 5)],
    "two readers see two orders": [
        during(0, 9, "write", 1),
        during(0, 9, "write", 2),
        during(10, 12, "read", 1),
        during(13, 14, "read", 2),
    ],
}


@pytest.mark.parametrize("calls", POSSIBLE.values(), ids=POSSIBLE)
def test_an_order_is_found(calls):
    order = ordered(calls, [0], register)
    assert order.possible is True
    assert {id(call) for call in order.placed} >= {id(one.what) for one in calls if one.sure}
    state = {0}
    for call in order.placed:
        state = {after for before in state for after in register(before, call)}
    assert state


@pytest.mark.parametrize("calls", IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_no_order_is_found(calls):
    order = ordered(calls, [0], register)
    assert order.possible is False
    assert order.left
    assert not set(map(id, order.left)) & set(map(id, order.placed))


def test_any_of_the_first_states_will_do():
    calls = [during(0, 1, "read", 3)]
    assert ordered(calls, [1, 2], register).possible is False
    assert ordered(calls, [1, 2, 3], register).possible is True
    assert ordered([], [], register).possible is False


def test_a_search_that_is_too_long_says_nothing():
    # each order of the writes is another trail, and the read fits none
    calls = [during(0, 50, "swap", number, number + 100) for number in range(1, 12)]
    calls += [during(0, 50, "either", 1 << number) for number in range(12)]
    order = ordered(calls, [0], register, most=100)
    assert order.possible is None
    assert ordered(calls, [0], register).possible is False


def test_too_many_calls_say_nothing():
    calls = [during(2 * number, 2 * number + 1, "write", 1) for number in range(2_001)]
    assert ordered(calls, [0], register).possible is None
    assert ordered(calls[:-1], [0], register).possible is True


def test_what_happened_one_after_another_takes_a_step_each():
    calls = [during(2 * number, 2 * number + 1, "write", number) for number in range(1_000)]
    assert ordered(calls, [0], register, most=1_001).possible is True


def test_reads_at_once_are_no_reason_to_try_every_order_of_them():
    calls = [during(0, 9, "write", 1), *(during(0, 9, "read", 1) for _ in range(30)), during(10, 11, "read", 0)]
    assert ordered(calls, [0], register, most=200).possible is False


def every_order(calls: Sequence[Operation[Call]], start: int) -> bool:
    """Tries them all."""
    unsure = [one for one in calls if not one.sure]
    for number in range(len(unsure) + 1):
        for left_out in combinations(unsure, number):
            kept = [one for one in calls if not any(one is each for each in left_out)]
            for order in permutations(kept):
                told = all(not b.ended <= a.begun for place, a in enumerate(order) for b in order[place + 1 :])
                states = {start}
                for one in order if told else ():
                    states = {after for before in states for after in register(before, one.what)}
                if told and states:
                    return True
    return False


@st.composite
def histories(draw) -> list[Operation[Call]]:
    """Up to five calls on a register of three values, over a few moments."""
    calls = []
    for _ in range(draw(st.integers(0, 5))):
        begun = draw(st.integers(0, 6))
        ended = begun + draw(st.integers(1, 4))
        call = Call(
            draw(st.sampled_from(["write", "read", "swap", "either"])),
            draw(st.integers(0, 2)),
            draw(st.integers(0, 2)),
        )
        sure = draw(st.integers(0, 4)) > 0
        calls.append(Operation(call, begun, ended if sure else FOREVER, sure, reads=call.kind == "read"))
    return calls


@settings(max_examples=300, deadline=None)
@given(histories())
@example([during(0, 9, "write", 1), during(1, 2, "read", 1), during(3, 4, "read", 0)])
@example([during(0, 9, "write", 0), during(0, 9, "write", 1), during(9, 10, "read", 0)])
@example([lost(0, FOREVER, "write", 1), during(1, 2, "read", 1), during(3, 4, "read", 0)])
def test_it_agrees_with_trying_every_order(calls):
    assert ordered(calls, [0], register).possible is every_order(calls, 0)
