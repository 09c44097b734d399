"""Where work is spread to: processes of this machine, or a Dask cluster, behind concurrent.futures.Executor."""

import multiprocessing
import multiprocessing.connection
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Generic, TypeVar

from conformance import collector
from conformance.drive.errors import UsageError

PROCESSES = "processes"
"""Local processes."""
DASK = "dask://"
PATIENCE = "15s"
"""How long a scheduler may take to answer."""
AHEAD = 2
"""Jobs that are handed in for each worker: one that it does, and the next."""

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Lost:
    """What became of a job whose worker ended each time: no result, and why."""

    why: str


@dataclass(frozen=True, slots=True)
class Engine:
    """Where jobs are done, and how many at once."""

    workers: int
    """At least 1. Of a cluster its own workers count, and this says how many jobs are handed in to it at once."""
    name: str = PROCESSES
    """`processes`, or dask://HOST:PORT of a scheduler."""
    preload: tuple[str, ...] = ()
    """Modules that a local process has imported before it begins."""

    def __post_init__(self) -> None:
        if self.name != PROCESSES and not self.name.startswith(DASK):
            todo = f"write {PROCESSES}, or {DASK}HOST:PORT with the address of a Dask scheduler"
            raise UsageError(f"no engine is named {self.name!r}", "--engine", todo=todo)

    @contextmanager
    def opened(self, workers: int) -> Iterator[tuple[Executor, tuple[type[Exception], ...]]]:
        """An executor, and the errors by which it says that the worker of a job was lost for good."""
        if self.name == PROCESSES:
            context = multiprocessing.get_context("forkserver")
            context.set_forkserver_preload(list(self.preload))
            with ProcessPoolExecutor(workers, mp_context=context, initializer=_begin) as pool:
                yield pool, ()
            return
        try:
            from distributed import Client, KilledWorker  # noqa: PLC0415 -- an extra
        except ImportError as error:
            todo = 'pip install "mcp-contract-conformance[dask]"'
            raise UsageError("the library for Dask is not installed", "--engine", todo=todo) from error
        address = f"tcp://{self.name.removeprefix(DASK)}"
        try:
            client = Client(address, timeout=PATIENCE)
        except (OSError, ValueError) as error:
            todo = "start one with `dask scheduler`, and workers with `dask worker`, and give its HOST:PORT"
            raise UsageError(f"no Dask scheduler answers at {address}", "--engine", str(error), todo) from error
        with client, client.get_executor(pure=False) as pool:
            yield pool, (KilledWorker,)


def _begin() -> None:
    """What a process of ours does first."""
    collector.seldom()
    end_together()


def end_together() -> None:
    """A process that works for one that was killed would wait for its next job for ever."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    over = parent.sentinel

    def watch() -> None:
        multiprocessing.connection.wait([over])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def whole(result: R | Lost) -> R:
    """A result that nothing goes on without; UsageError where it was lost."""
    if isinstance(result, Lost):
        raise UsageError("a part of the work was lost", why=result.why, todo="is there memory enough? try fewer --jobs")
    return result


@dataclass(eq=False, slots=True)
class _Job(Generic[T]):
    item: T
    breaks: int = 0
    """How often the executor broke while it was in hand."""


MOST_BREAKS = 2
"""A job during which the executor broke so often, the last time while it was alone, is lost."""


def spread(function: Callable[[T], R], items: Iterable[T], engine: Engine) -> Iterator[tuple[T, R | Lost]]:
    """Does a job for each item, in whatever order they end. Each item comes back once.

    Where a worker is killed the job is done again. Where that broke the executor with several jobs in hand, these are
    done one at a time, so that the one that kills its worker costs itself alone.
    """
    waiting = deque(_Job(item) for item in items)
    while waiting:
        alone = any(job.breaks for job in waiting)
        batch = deque(job for job in waiting if bool(job.breaks) is alone)
        waiting = deque(job for job in waiting if bool(job.breaks) is not alone)
        for job, result in _pass(function, batch, engine, 1 if alone else engine.workers):
            if result is not None:
                yield job.item, result
            elif job.breaks < MOST_BREAKS:
                waiting.append(job)
            else:
                yield job.item, Lost("the process that did it was killed, or ended by itself, each time")


def _pass(
    function: Callable[[T], R], batch: "deque[_Job[T]]", engine: Engine, workers: int
) -> Iterator[tuple[_Job[T], R | Lost | None]]:
    """Does jobs with one executor until it breaks. None stands for a result that was lost with it."""
    while batch:
        with engine.opened(workers) as (pool, lost):
            running: dict[Future[R], _Job[T]] = {}
            broken = False
            while (batch or running) and not broken:
                # alone: what breaks the executor is then known
                while batch and len(running) < (workers * AHEAD if workers > 1 else 1):
                    job = batch.popleft()
                    running[pool.submit(function, job.item)] = job
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    job = running.pop(future)
                    try:
                        yield job, future.result()
                    except BrokenExecutor:
                        broken = True
                        job.breaks += 1
                        yield job, None
                    except lost as error:
                        yield job, Lost(str(error))
            for job in running.values():
                job.breaks += 1
                yield job, None
