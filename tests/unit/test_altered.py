"""What a process of a mutant's own comes to: its result, or why there is none."""

import os
import time
from collections.abc import Callable

import pytest

from conformance.prove import altered
from conformance.prove.altered import HANG, Lost, apart
from conformance.prove.runs import Subject


def busy() -> None:
    while True:
        pass


def raising() -> None:
    raise ValueError


@pytest.mark.parametrize(
    ("work", "result"),
    [
        (lambda: 7, 7),
        (raising, Lost("crash: ValueError")),
        (lambda: os._exit(3), Lost("crash")),
        (busy, Lost(HANG)),  # it takes more of the processor than it may
        (lambda: time.sleep(60), Lost(HANG)),  # it takes too long by the clock
    ],
)
def test_work_in_a_process_of_its_own(
    monkeypatch: pytest.MonkeyPatch, work: Callable[[], object], result: object
) -> None:
    monkeypatch.setattr(altered, "prepared", lambda _: None)
    assert apart(Subject("threads", "reference"), work, 0.3) == result
