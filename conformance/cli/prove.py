"""conformance prove: the trials of the suite itself, written to reports/."""

import argparse
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from conformance.certify import contract_of, selected
from conformance.cli import options, patterns, proving
from conformance.cli.ending import epilog
from conformance.cli.output import written
from conformance.engine import PROCESSES, Engine
from conformance.prove import matrix as deviations
from conformance.prove import mutants, mute, parts, warm
from conformance.prove.proxy import whole
from conformance.prove.proxy.trial import MISSED
from conformance.prove.runs import Subject, subjects_of

if TYPE_CHECKING:
    from rich.console import Console

TRIALS = ("deviations", "mute", "mutants", "parts", "proxy")

EPILOG = epilog(
    ("0  every broken server was found out", "1  one of them was not", "2  bad invocation"),
    "conformance prove --contract threads                    its deviations, muted tools and mutants",
    "conformance prove --only TH-IDEM-01                     one requirement: the reference passes, its fault is found",
    "conformance prove --trial mutants --contract threads",
    "conformance prove --trial mutants --contract threads --draw 7 --sample 60 --output drawn",
)


def configure(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    parser.add_argument("--contract", metavar="NAME", action="append", default=[], help="only this contract")
    parser.add_argument("--edition", metavar="NAME", action="append", default=[], help="only this edition of it")
    parser.add_argument(
        "--trial", choices=TRIALS, action="append", default=[], help="only this trial (deviations, mute, mutants)"
    )
    parser.add_argument(
        "--target", metavar="NAME", default="reference", help="the installed target that can deviate (reference)"
    )
    parser.add_argument(
        "--output",
        metavar="PATH",
        type=Path,
        help="the folder for the results (reports); of a server of your own a file, else none is written",
    )
    parser.add_argument(
        "--jobs", metavar="N", type=int, help="processes (one a processor; at a server of your own one at a time)"
    )
    parser.add_argument(
        "--engine",
        metavar="NAME",
        default=PROCESSES,
        help="processes, or dask://HOST:PORT of a scheduler; mutants are made in processes here in any case",
    )
    parser.add_argument(
        "--whole",
        action="store_true",
        help="each broken server meets all stimuli together, which takes hours; without, those that can notice it come "
        "first, one at a time, and the others only where it is not known why these notice nothing",
    )
    parser.add_argument("--mutant", metavar="ID", action="append", default=[], help="only these mutants")
    parser.add_argument("--sample", metavar="N", type=int, help="so many mutants of a domain")
    parser.add_argument(
        "--draw",
        metavar="SEED",
        type=int,
        default=0,
        help="other mutants than the published ones: a sample drawn by this number",
    )
    parser.add_argument(
        "--breakage",
        metavar="PATTERN",
        action="append",
        default=[],
        help="only these changes on the wire, by their words, where * stands for anything; no report is published",
    )
    options.add_selection(parser)
    proving.configure(parser)


def run(given: argparse.Namespace) -> int:
    """Puts the suite on trial; 0 where every broken server is caught."""
    from rich.console import Console  # noqa: PLC0415 -- only here

    console = Console(highlight=False)
    if proving.wanted(given):
        return proving.run(given, console)
    given.output, given.jobs = given.output or Path("reports"), given.jobs or os.cpu_count() or 1
    chosen = given.trial or _meant(given)
    lost = 0
    found = list(subjects_of(given.target, given.contract, given.edition))
    patterns.agreed(given.only, [contract_of(subject.contract, subject.edition) for subject in found])
    for subject in found:
        for name, trial in _TRIALS.items():
            if name in chosen:
                lost += trial(subject, given, console)
    for contract in dict.fromkeys(subject.contract for subject in found):
        editions = [subject for subject in found if subject.contract == contract]
        if "mutants" in chosen:
            lost += _mutants(editions, given, console)
        if "parts" in chosen:
            _parts(editions[-1], given, console)
    if "parts" in chosen:
        _table(given.output, console)
    return 1 if lost else 0


def _meant(given: argparse.Namespace) -> Sequence[str]:
    """The trials where none is named: that of what is selected, else the proof of the whole suite."""
    named = [name for name, wanted in (("mutants", given.mutant), ("proxy", given.breakage)) if wanted]
    # requirements that are selected, and their own stimuli alone, say nothing of whole tools
    return named or (("deviations",) if given.only else ("deviations", "mute", "mutants"))


def _deviations(subject: Subject, given: argparse.Namespace, console: "Console") -> int:
    contract = contract_of(subject.contract, subject.edition)
    own = patterns.own(given.only, contract)
    if given.only and not own:
        return 0
    told = deviations.prove(
        subject,
        only=selected(contract, own),
        engine=_engine(given),
        every=given.whole,
        told=lambda row: _survives(console, row),
    )
    if given.only:
        console.print("[dim]what is selected is not written to a file[/]")
    else:
        written(told, given.output / f"kill-matrix-{subject.title}.json")
    count = len({row.requirement for row in told.rows if row.killed})
    console.print(f"{subject.title}: {count} of {count + len(told.unproved)} requirements proved")
    if told.unproved:
        console.print(f"[bold red]not proved:[/] {' '.join(told.unproved)}")
    return len(told.unproved)


def _engine(given: argparse.Namespace) -> Engine:
    return Engine(max(1, given.jobs), given.engine, preload=(warm.__name__,))


def _survives(console: "Console", row: deviations.Row) -> None:
    if not row.killed:
        how = f"reference {row.reference}, deviated {row.deviated}, {row.subjects} checks"
        how += "" if row.reproduced else ", not reproduced"
        _told(console, f"{row.requirement}: {row.deviation} ({how})")


def _mute(subject: Subject, given: argparse.Namespace, console: "Console") -> int:
    def told(row: mute.Row) -> None:
        if row.passed:
            _told(console, f"{row.tool} refuses every call: {row.claim}")

    found = mute.mute(subject, engine=_engine(given), told=told, every=given.whole)
    written(found, given.output / f"mute-{subject.title}.json")
    passed = sum(row.passed for row in found.rows)
    broken = sum(row.exit == 1 for row in found.rows)
    rest = len(found.rows) - passed - broken
    console.print(
        f"{subject.title}: {len(found.rows)} tools muted in turn: {broken} runs found it, {rest} were inconclusive, "
        f"{passed} conformed"
    )
    return passed


def _mutants(subjects: Sequence[Subject], given: argparse.Namespace, console: "Console") -> int:
    def told(row: mutants.Row) -> None:
        if row.outcome == "survived":
            _told(console, f"{row.id} {row.file}:{row.line} {row.change}")

    contract = subjects[0].contract
    drawn = mutants.Drawn(given.sample or mutants.SAMPLE, given.draw, tuple(given.mutant))
    name = f"mutants-{contract}-{given.draw}" if given.draw else f"mutants-{contract}"
    path: Path = given.output / f"{name}.json"
    last = msgspec.json.decode(path.read_bytes(), type=mutants.Mutants).rows if path.exists() else ()
    before = {row.id: row.stimulus for row in last}
    found = mutants.trial(subjects, jobs=given.jobs, drawn=drawn, told=told, every=given.whole, before=before)
    if not found.rows:
        console.print(f"{contract}: none of these mutants, or no domain to make any of")
        return 0
    if not given.mutant:
        written(found, path)
    counts = {name: sum(row.outcome == name for row in found.rows) for name in mutants.OUTCOMES}
    parts = ", ".join(f"{number} {name}" for name, number in counts.items())
    console.print(f"{contract}: {len(found.rows)} mutants: {parts}")
    return counts["survived"]


def _parts(subject: Subject, given: argparse.Namespace, console: "Console") -> None:
    """The edition that holds most is asked."""
    drawn = mutants.Drawn(given.sample or parts.SAMPLE, given.draw, tuple(given.mutant))

    def told(row: parts.Row) -> None:
        _plain(console, f"{row.id} {row.file}:{row.line} {row.change}: {', '.join(row.noticed) or 'not noticed'}")

    found = parts.trial(subject, jobs=given.jobs, drawn=drawn, told=told)
    if not found.rows:
        console.print(f"{subject.contract}: none of these mutants, or no domain to make any of")
    elif not given.mutant:
        written(found, given.output / f"parts-{subject.contract}.json")


def _table(folder: Path, console: "Console") -> None:
    """One page of all trials of parts whose files are in the folder."""
    found = [msgspec.json.decode(path.read_bytes(), type=parts.Parts) for path in sorted(folder.glob("parts-*.json"))]
    if found:
        (folder / "parts.md").write_text(parts.table(found), "utf-8", newline="\n")
        console.print(f"{folder / 'parts.md'}: {len(found)} contracts")


def _proxy(subject: Subject, given: argparse.Namespace, console: "Console") -> int:
    found = whole.prove(
        subject,
        engine=_engine(given),
        told=lambda row: proving.told(console, row),
        only=lambda what: patterns.matches(given.breakage, what),
    )
    if not given.breakage:
        written(found, given.output / f"proxy-{subject.title}.json")
    console.print(f"{subject.title}: {proving.counted(found)}", soft_wrap=True)
    return sum(row.outcome == MISSED for row in found.rows)


_TRIALS: dict[str, Callable[[Subject, argparse.Namespace, "Console"], int]] = {
    "deviations": _deviations,
    "mute": _mute,
    "proxy": _proxy,
}


def _told(console: "Console", text: str) -> None:
    _plain(console, text, "[red]survives[/] ")


def _plain(console: "Console", text: str, before: str = "") -> None:
    from rich.markup import escape  # noqa: PLC0415 -- only here

    console.print(f"{before}{escape(text)}", soft_wrap=True)
