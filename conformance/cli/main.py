"""`conformance COMMAND …`. Exit codes: 0 conformant, 1 not conformant, 2 bad invocation or our error, 3 incomplete."""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

COMMANDS = {
    "run": "drive a target, judge it, report",
    "judge": "judge a recorded transcript again",
    "prove": "show that every requirement catches a server that breaks it",
    "explain": "say what a requirement is, why it matters and how it is judged",
    "requirements": "list the requirements of the contracts",
}
EPILOG = """exit codes: 0 conformant, 1 not conformant, 2 bad invocation or an error of ours, 3 incomplete

examples:
  conformance run                                        the reference, in this process
  conformance run --server-url http://127.0.0.1:8000/mcp --contract threads
  conformance run --server-command "npx -y @modelcontextprotocol/server-everything"
  conformance explain TH-IDEM-01
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command; gives its exit code. Every error that a user can meet is said without a traceback."""
    words = list(sys.argv[1:] if argv is None else argv)
    parser = argparse.ArgumentParser(
        prog="conformance",
        description="Decides from outside whether an MCP tool server keeps the contract it claims.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="store_true", help="print the version and stop")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for name, about in COMMANDS.items():
        command = commands.add_parser(name, help=about, description=f"{about[0].upper()}{about[1:]}.")
        if words[:1] == [name]:
            # Only the command that is asked for is imported: `conformance --help` stays quick.
            import_module(f"conformance.cli.{name}").configure(command)
    given = parser.parse_args(words)
    if given.version:
        from conformance import __version__  # noqa: PLC0415 -- only here

        print(__version__)
        return 0
    if given.command is None:
        parser.print_help()
        return 2
    return _said(given)


def _said(given: argparse.Namespace) -> int:
    from conformance.drive.errors import UsageError  # noqa: PLC0415 -- only what is used is imported
    from conformance.model.transcript import TranscriptError  # noqa: PLC0415 -- as above

    try:
        code: int = import_module(f"conformance.cli.{given.command}").run(given)
    except (UsageError, TranscriptError) as error:
        print(f"conformance {given.command}: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader of our output went away, as `head` does: nobody is left to be told.
        sys.stderr.close()
        return 2
    except KeyboardInterrupt:
        print(f"conformance {given.command}: interrupted", file=sys.stderr)
        return 3
    return code


if __name__ == "__main__":
    sys.exit(main())
