"""A mutant under the suite: in a process of its own, which imports one module as the mutant has it."""

import contextlib
import multiprocessing
import signal
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.context import ForkServerContext
from typing import Any, NamedTuple, Protocol, TypeVar

from conformance.drive.target import entry
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
PATIENCE = 3
"""Times the limit that a mutant which was not over has when nothing else is tried."""


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


class Tried(Protocol):
    """What the trial of a mutant came to."""

    @property
    def hung(self) -> bool:
        """Whether a run was not over in time."""


Row = TypeVar("Row", bound=Tried)


class Lost(NamedTuple):
    """Why a run at a mutant told nothing."""

    why: str

    def beyond(self, _: Seen) -> tuple[str, ...]:
        """The server went down with it, or never came back."""
        return (self.why,)


def prepared(subject: Subject) -> ForkServerContext:
    """Where processes begin: with all that takes long to import, and nothing of the domain."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([warm.__name__, *entry(subject.target).domain(subject.contract)["libraries"]])
    return context


def seen(mutant: Mutant | None, subject: Subject, limit_s: float, **options: Any) -> Seen | Lost:
    """What the suite says of a mutant, or of the original: that in a process of its own as well.

    The process that asks must not have imported the domain before its children change it. `options` are those of a run;
    over stdio the server alone is the mutant, and whatever else is in the process that judges is the original.
    """
    context = multiprocessing.get_context("forkserver")
    heard, told = context.Pipe(duplex=False)
    process = context.Process(target=_judge, args=(told, mutant, subject, options), daemon=True)
    process.start()
    told.close()
    try:
        if not heard.poll(limit_s):
            return Lost(HANG)
        found: Sequence[Any] = heard.recv()
    except EOFError:
        return Lost("crash")
    else:
        return Lost(found[0]) if len(found) == 1 else Seen(*found)
    finally:
        process.kill()
        process.join()


def settled(
    mutants: Sequence[Mutant],
    judged: Callable[[Mutant, float], Row],
    told: Callable[[Row], None],
    *,
    jobs: int,
    limit_s: float,
) -> tuple[Row, ...]:
    """Judges mutants within a limit, several at once; what they came to, in their order.

    One that was not over may only be slow beside others: it is judged again by itself, with a longer limit.
    """
    rows: list[Row] = []
    with ThreadPoolExecutor(jobs) as pool:
        for row in pool.map(lambda mutant: judged(mutant, limit_s), mutants):
            rows.append(row)
            if not row.hung:
                told(row)
    for place, mutant in enumerate(mutants):
        if rows[place].hung:
            rows[place] = judged(mutant, limit_s * PATIENCE)
            told(rows[place])
    return tuple(rows)


def original(subject: Subject, limit_s: float, **options: Any) -> Seen:
    """What the suite says of the original; RuntimeError where it says nothing."""
    found = seen(None, subject, limit_s, **options)
    if isinstance(found, Seen):
        return found
    message = f"the run at the original of {subject.title} ended so: {found.why}"
    raise RuntimeError(message)


def _judge(told: Any, mutant: Mutant | None, subject: Subject, options: dict[str, Any]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if mutant is not None and options.get("transport") == STDIO:
        options = {**options, "through": through(mutant)}
    elif mutant is not None:
        sys.meta_path.insert(0, Changed(mutant))
    try:
        # random histories keep what they found in the folder they are in: one mutant's are not tried on another
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            found = Seen.of(run(subject, protocol=False, **options))
        told.send(tuple(found))
    except Exception as error:  # noqa: BLE001 -- a mutant may break anything: that it does is the finding
        told.send((f"crash: {type(error).__name__}",))
