"""conformance init: inspect a server, and write the conformance.toml that its author begins with."""

import argparse
import tomllib
from pathlib import Path

from conformance.cli import options
from conformance.cli.ending import epilog
from conformance.drive.errors import UsageError
from conformance.drive.loading import checked
from conformance.report.words import some

EPILOG = epilog(
    ("0  the file is written", "2  bad invocation, or the server cannot be reached"),
    'conformance init --server-command "python server.py"    writes conformance.toml',
    "conformance init --server-url http://127.0.0.1:8000/mcp --harmless read-only,save_note --output server.toml",
)


def configure(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    options.add_target(parser)
    options.add_calls(parser)
    group = parser.add_argument_group("init")
    group.add_argument("--seed", type=int, help="names of the calls are derived from it")
    group.add_argument("--timeout", metavar="S", type=float, help="seconds a call may take (10)")
    group.add_argument("--run-timeout", metavar="S", type=float, help="seconds all of it may take (600)")
    group.add_argument("--output", metavar="FILE", type=Path, default=Path(options.DEFAULT_FILE), help="what to write")
    group.add_argument("--force", action="store_true", help="write over a file that is there")
    parser.set_defaults(concurrency=None, only=[], level=None, without=[])


def run(given: argparse.Namespace) -> int:
    """Writes it. Only tools that say readOnlyHint are called, and those that --harmless names."""
    from conformance.propose.looking import looked  # noqa: PLC0415 -- what drives is not imported for --help
    from conformance.propose.writing import written  # noqa: PLC0415 -- as above

    if not given.server_command and not given.server_url:
        raise UsageError("no server is named", todo="give --server-command or --server-url")
    path: Path = given.output
    if path.exists() and not given.force:
        raise UsageError(f"{path} is there already", todo="name another with --output, or write over it with --force")
    stated = options.statement_of(given)
    if stated.statement.contract != options.UNKNOWN_SERVER:
        raise UsageError(
            "init is for servers that no contract knows",
            "--contract",
            todo="README.md tells what other files hold",
        )
    told = options.selection(given, seed=given.seed, base=stated.base, command=options.typed())
    found = looked(stated.statement, told)
    text = written(found, stated.statement.model_dump(mode="json", exclude_defaults=True))
    checked(tomllib.loads(text), str(path), text)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    except OSError as error:
        raise UsageError(f"{path} cannot be written", "--output", error.strerror or "") from error
    called, accepted = sum(bool(seen.calls) for seen in found.tools), sum(seen.accepted for seen in found.tools)
    print(f"{path}: {some(len(found.tools), 'tool')}, {called} called, {accepted} accepted a call")
    if called < len(found.tools):
        print("Tools that are not annotated readOnlyHint were not called. The file lists them: decide which may be.")
    print(f"Next: conformance run --config {path}")
    return 0
