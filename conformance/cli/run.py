"""conformance run: drive a target, judge it, report."""

import argparse

from conformance.certify import Options, certify
from conformance.cli import options
from conformance.cli.ending import JUDGED, epilog
from conformance.cli.output import Shown, baseline_of, files_of, tell

EPILOG = epilog(
    JUDGED,
    "conformance run                                         the reference server, or conformance.toml in this folder",
    "conformance run --config conformance.toml --output report.html --output report.json",
    "conformance run --server-url http://127.0.0.1:8000/mcp --contract threads",
    'conformance run --server-command "python server.py" --harmless read-only,save_note',
    "conformance run --config conformance.toml --only TH-IDEM-01",
)


def configure(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    options.add_target(parser)
    options.add_calls(parser)
    options.add_run(parser)
    options.add_selection(parser)
    options.add_strictness(parser)
    options.add_minimum(parser)
    options.add_baseline(parser)
    options.add_output(parser)


def run(given: argparse.Namespace) -> int:
    """Runs it; gives the exit code."""
    files_of(given)
    stated = options.statement_of(given)
    baseline = baseline_of(given, stated.statement.contract)
    with Shown(given) as shown:
        report = certify(stated.statement, asked(given, stated, shown))
    return tell(report, given, baseline)


def asked(given: argparse.Namespace, stated: options.Stated, shown: Shown) -> Options:
    """What the options ask of a run."""
    return options.selection(
        given,
        seed=given.seed,
        beside=given.beside or "",
        base=stated.base,
        named=stated.named,
        text=stated.text,
        command=options.typed(),
        transcript=given.transcript,
        conversations=given.conversations,
        progress=shown.progress,
    )
