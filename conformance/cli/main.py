"""`conformance COMMAND …`. Exit: 0 conformant, 1 not conformant, 2 bad invocation or our error, 3 inconclusive."""

import argparse
import os
import re
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import NoReturn, TextIO

from conformance import collector
from conformance.cli import interrupts
from conformance.cli.ending import JUDGED, epilog
from conformance.cli.unspoken import unspoken, unvalued

COMMANDS = {
    "run": "test a server against a contract, and write a report",
    "init": "inspect a server and write a conformance.toml to begin with",
    "check": "check conformance.toml, without starting anything",
    "replay": "make the calls of a finding again, and judge them",
    "certify": "the same as run, and write a signed bundle that others can check",
    "verify": "check a bundle: its signature, its files and its verdicts",
    "judge": "judge recorded transcripts again",
    "tap": "stand between a client and a server, and record what they say",
    "diff": "say what changed from one report to another, and what got worse",
    "fleet": "run against many targets, each in a process of its own",
    "prove": "show that each requirement detects a server that breaks it",
    "explain": "say what a requirement is, why it matters and how it is judged",
    "contract": "draft a contract of your own from a server, or check one",
    "requirements": "list the requirements of the contracts",
    "conditions": "list what a target may say of itself: settings, conditions, choices",
    "site": "write pages on each contract, and on the targets whose reports are given",
    "completion": "print what completes commands and options in a shell",
}
EPILOG = epilog(
    JUDGED,
    "conformance run                                         the reference server, in this process",
    "conformance run --server-url http://127.0.0.1:8000/mcp --contract threads",
    'conformance run --server-command "npx -y @modelcontextprotocol/server-everything"',
    'conformance init --server-command "python server.py"    writes a conformance.toml to begin with',
    'conformance run --server-command "python server.py" --contract ./contract    a contract of your own',
    "conformance explain TH-IDEM-01",
    "conformance certify --config conformance.toml --key key.pem --output cert/",
    "conformance verify cert/ --key key.pub.pem",
    "conformance diff old.json new.json                      what got worse",
    "conformance run --help                                  the options of a command, with examples",
)


NO_TRANSCRIPT = "give a transcript: what --transcript of run or tap wrote, or transcript.jsonl of a bundle"


class _Parser(argparse.ArgumentParser):
    """Says what is wrong with the options, and none of the secrets among them."""

    words: Sequence[str] = ()
    commands: Mapping[str, "_Parser"] = {}
    """Of each command its own parser."""

    def error(self, message: str) -> NoReturn:
        """Exit code 2. The options of a command are many: where to read about them says more than all their names."""
        print(f"{self.prog}: {unspoken(message, self.words)}\n  {self.prog} --help tells more", file=sys.stderr)
        sys.exit(2)


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command; gives its exit code. Every error that a user can meet is said without a traceback."""
    words = list(sys.argv[1:] if argv is None else argv)
    if argv is None:
        collector.seldom()
        interrupts.kept()
    name = words[0] if words[:1] and words[0] in COMMANDS else ""
    try:
        code = _run(words)
        sys.stdout.flush()
    except KeyboardInterrupt:
        _say(name, "interrupted", words)
        return 3
    except BrokenPipeError:
        # The reader of our output went away, as `head` does: nobody is left to be told.
        _unplug(sys.stdout)
        return 2
    except OSError as error:
        _unplug(sys.stdout)
        _say(name, f"the output cannot be written: {error.strerror or error}", words)
        return 2
    return code


def parser_of(words: Sequence[str], commands: Sequence[str]) -> _Parser:
    """The parser of these words. Only the commands that are named get their options: the others are not imported."""
    parser = _Parser(
        prog="conformance",
        description="Decides from outside whether an MCP tool server keeps the contract it claims.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--version", action="store_true", help="print the version and the editions of the contracts, and stop"
    )
    added = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)
    for name, about in COMMANDS.items():
        command = added.add_parser(
            name,
            help=about,
            description=f"{about[0].upper()}{about[1:]}.",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.words = words
        if name in commands:
            module = import_module(f"conformance.cli.{name}")
            command.epilog = getattr(module, "EPILOG", None)
            module.configure(command)
    parser.words = words
    parser.commands = added.choices
    return parser


def _run(words: Sequence[str]) -> int:
    # Only the command that is asked for is imported: `conformance --help` stays quick.
    parser = parser_of(words, words[:1])
    given, rest = parser.parse_known_args(words)
    if rest:
        of_command = parser.commands.get(given.command or "", parser)
        of_command.error(f"unrecognized arguments: {' '.join(rest)}{_nearest(rest, of_command)}")
    if empty := unvalued(words):
        # what a variable was to hold that is not set: a run without it is about something else
        parser.error(f"{empty} is given without a value: its text is empty")
    if given.version:
        print(_version())
        return 0
    if given.command is None:
        parser.print_help()
        return 2
    return _said(given, words)


def _nearest(rest: Sequence[str], parser: argparse.ArgumentParser) -> str:
    """Which options of a command may be meant by those that it does not have."""
    from difflib import get_close_matches  # noqa: PLC0415 -- only for an error

    known = sorted(re.findall(r"--[a-z][a-z-]*", parser.format_usage()))
    words = [word.partition("=")[0] for word in rest if word.startswith("--")]
    near = [each for word in words for each in get_close_matches(word, known, n=1)]
    return "".join(f"; did you mean {each}?" for each in dict.fromkeys(near))


def _version() -> str:
    """The suite's version, and each contract with its editions, the one that is meant by default in front."""
    from conformance import __version__  # noqa: PLC0415 -- only here
    from conformance.contract.catalogue import readable  # noqa: PLC0415 -- as above

    lines = [f"mcp-contract-conformance {__version__}"]
    for contract in readable():
        others = [edition for edition in contract.editions if edition != contract.edition]
        lines.append(f"  {contract.name:<11} {', '.join((contract.edition, *others))}")
    return "\n".join(lines)


def _said(given: argparse.Namespace, words: Sequence[str]) -> int:
    from conformance.drive.errors import UsageError  # noqa: PLC0415 -- only what is used is imported
    from conformance.model.transcript import TranscriptError  # noqa: PLC0415 -- as above

    try:
        code: int = import_module(f"conformance.cli.{given.command}").run(given)
    except UsageError as error:
        _say(given.command, str(error), words)
        return 2
    except TranscriptError as error:
        _say(given.command, f"{error}\n  {NO_TRANSCRIPT}", words)
        return 2
    return code


def _say(command: str, text: str, words: Sequence[str]) -> None:
    """Says an error. Where nobody can be told, nobody is."""
    try:
        print(
            f"{' '.join(filter(None, ('conformance', command)))}: {unspoken(text, words)}", file=sys.stderr, flush=True
        )
    except OSError:
        _unplug(sys.stderr)


def _unplug(stream: TextIO) -> None:
    """What is left in a stream that takes no more goes nowhere, and Python does not complain of it at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


if __name__ == "__main__":
    sys.exit(main())
