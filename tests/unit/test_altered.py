"""What a process of a mutant's own comes to: its result, or why there is none."""

import asyncio
import io
import logging
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from conformance.prove import altered
from conformance.prove.altered import HANG, Lost, apart
from conformance.prove.mutation import Mutant
from conformance.prove.runs import Subject

MUTANT = Mutant("no.such.module", Path("a.py"), 1, "changed", "", 0, 0)


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


async def _left_behind() -> None:
    task = asyncio.ensure_future(asyncio.sleep(0, ValueError))
    task.add_done_callback(lambda _: 1 / 0)
    await asyncio.sleep(0.01)


@pytest.mark.parametrize(("mutant", "said"), [(None, True), (MUTANT, False)])
def test_how_the_tasks_of_a_mutant_end_is_not_printed(
    monkeypatch: pytest.MonkeyPatch, mutant: Mutant | None, said: bool
) -> None:
    monkeypatch.setattr(altered, "prepared", lambda _: None)

    def work() -> str:
        printed = io.StringIO()
        logging.getLogger("asyncio").addHandler(logging.StreamHandler(printed))
        altered.altered(mutant)
        asyncio.run(_left_behind())
        return printed.getvalue()

    assert ("ZeroDivisionError" in str(apart(Subject("threads", "reference"), work, 5))) == said
