"""A mutant under the suite: in a process of its own, which imports one module as the mutant has it.

Such a process is forked from one that has imported all that takes long, and nothing of the domain.
"""

import contextlib
import gc
import importlib
import logging
import multiprocessing
import signal
import sys
import tempfile
from collections.abc import Callable
from functools import cache, partial
from typing import Any, NamedTuple, TypeVar

from conformance.certify import contract_of
from conformance.drive.target import entry
from conformance.engine import Engine, end_together
from conformance.model.requirement import Level
from conformance.model.verdict import Verdict
from conformance.prove import warm
from conformance.prove.mutation import Mutant
from conformance.prove.runs import Subject, run
from conformance.prove.served import Changed, through
from conformance.report.model import Report

MISSED = (Verdict.FAIL, Verdict.WARN)
UNSEEN = (Verdict.NOT_OBSERVED, Verdict.BLOCKED)
CUT = "the run was cut"
STDIO = "stdio"
HANG = "hang"
PATIENCE = 10
"""Times its limit of processor time that a process may take by the clock, as others want the processor as well."""

R = TypeVar("R")


class Seen(NamedTuple):
    """What a run says that it would not say of every server."""

    broken: frozenset[str] = frozenset()
    """The requirements that failed or warned, of the contract and of its protocol; `error` where we did."""
    unseen: frozenset[str] = frozenset()
    """The MUSTs that could not be tested."""

    @classmethod
    def of(cls, report: Report) -> "Seen":
        """By its report."""
        results = (*report.requirements, *report.foundation)
        broken = {r.id for r in results if r.verdict in MISSED}
        error = {"error"} if any(r.verdict is Verdict.ERROR for r in results) else set()
        unseen = {r.id for r in report.requirements if r.verdict in UNSEEN and r.level is Level.MUST}
        return cls(frozenset(broken | error), frozenset(unseen | (set() if report.complete else {CUT})))

    def beyond(self, plain: "Seen") -> tuple[str, ...]:
        """What it shows that a run at the original does not; `inconclusive` where only less could be tested."""
        return tuple(sorted(self.broken - plain.broken)) or (("inconclusive",) if self.unseen - plain.unseen else ())


class Lost(NamedTuple):
    """Why a run at a mutant told nothing."""

    why: str

    def beyond(self, _: Seen) -> tuple[str, ...]:
        """The server went down with it, or never came back."""
        return (self.why,)


def engine_of(subject: Subject, jobs: int) -> Engine:
    """Processes of this machine from which those of mutants are forked."""
    libraries = entry(subject.target).domain(subject.contract)["libraries"]
    return Engine(max(1, jobs), preload=(warm.__name__, *libraries))


@cache
def prepared(subject: Subject) -> None:
    """Reads what every run of a contract reads, once for all processes that are forked from this one."""
    contract_of(subject.contract, subject.edition)
    for library in entry(subject.target).domain(subject.contract)["libraries"]:
        importlib.import_module(library)
    gc.collect()
    gc.freeze()


def apart(subject: Subject, work: Callable[[], R], limit_s: float) -> R | Lost:
    """Does work in a process forked from this one, which takes at most so much processor time.

    This process must not have imported the domain.
    """
    prepared(subject)
    context = multiprocessing.get_context("fork")
    heard, told = context.Pipe(duplex=False)
    process = context.Process(target=_done, args=(told, work, limit_s), daemon=True)
    process.start()
    told.close()
    try:
        if not heard.poll(limit_s * PATIENCE):
            return Lost(HANG)
        found: R | Lost = heard.recv()
    except EOFError:
        process.join()
        return Lost(HANG if process.exitcode == -signal.SIGPROF else "crash")
    else:
        return found
    finally:
        process.kill()
        process.join()


def allow(limit_s: float) -> None:
    """From here on this process may take so much processor time; it is ended by SIGPROF when it has."""
    signal.setitimer(signal.ITIMER_PROF, limit_s)


def altered(mutant: Mutant | None) -> None:
    """From here on this process imports the mutant, and does not say how its tasks end; None: the original."""
    if mutant is not None:
        sys.meta_path.insert(0, Changed.to(mutant))
        # dozens of tracebacks between the lines of a proof would be those of mutants, whose verdicts tell enough
        logging.getLogger("asyncio").disabled = True


def seen(mutant: Mutant | None, subject: Subject, limit_s: float, **options: Any) -> Seen | Lost:
    """What the suite says of a mutant, or of the original.

    `options` are those of a run; over stdio the server alone is the mutant, and whatever else is in the process that
    judges is the original.
    """
    return apart(subject, partial(_seen, mutant, subject, options), limit_s)


def original(subject: Subject, limit_s: float, **options: Any) -> Seen:
    """What the suite says of the original; RuntimeError where it says nothing."""
    return told_of(seen(None, subject, limit_s, **options), subject)


def told_of(found: R | Lost, subject: Subject) -> R:
    """What came of work at the original; RuntimeError where nothing did."""
    if isinstance(found, Lost):
        message = f"the run at the original of {subject.title} ended so: {found.why}"
        raise RuntimeError(message)  # noqa: TRY004 -- the original is at fault, not a type
    return found


def _seen(mutant: Mutant | None, subject: Subject, options: dict[str, Any]) -> Seen:
    if mutant is not None and options.get("transport") == STDIO:
        options = {**options, "through": through(mutant)}
    else:
        altered(mutant)
    # random histories keep what they found in the folder they are in: one mutant's are not tried on another
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        return Seen.of(run(subject, protocol=False, **options))


def _done(told: Any, work: Callable[[], Any], limit_s: float) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_together()
    allow(limit_s)
    try:
        told.send(work())
    except Exception as error:  # noqa: BLE001 -- a mutant may break anything: that it does is the finding
        told.send(Lost(f"crash: {type(error).__name__}"))
