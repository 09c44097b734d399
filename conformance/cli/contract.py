"""conformance contract init, check and laws: drafts a contract, says what is wrong with one, and what it may say."""

import argparse
import json
from difflib import get_close_matches
from pathlib import Path

from conformance.certify import contract_of
from conformance.cli import options
from conformance.cli.ending import epilog
from conformance.contract.catalogue import Contract
from conformance.contract.laws import laws
from conformance.contract.registry import FILE, USUAL
from conformance.contract.saying import sentence
from conformance.drive.errors import UsageError
from conformance.drive.library import import_stimuli
from conformance.drive.promised.unproved import Lack, lacks
from conformance.judge.library import import_laws
from conformance.judge.promised.library import laws_of
from conformance.report.words import some

EPILOG = epilog(
    (
        "0  done; of check: all of it can be proved",
        "1  of check: something cannot be proved",
        "2  bad invocation, or the folder holds no contract",
    ),
    'conformance contract init contract --server-command "python server.py" --harmless all',
    "conformance contract check contract",
    "conformance contract laws replayed",
)


def configure(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    commands = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    check = commands.add_parser(
        "check",
        help="say what is wrong or unproved, with line and remedy",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    check.add_argument("contract", metavar="DIR", help="the contract's folder, a name or MODULE:NAME")
    check.add_argument("--quiet", action="store_true", help="leave out what is as it should be")
    check.set_defaults(act=_check)
    shared = commands.add_parser(
        "laws",
        help="say which laws a promise may name, and their fields",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    shared.add_argument("law", metavar="LAW", nargs="?", help="one of them, with its fields and an example")
    shared.set_defaults(act=_laws)
    init = commands.add_parser(
        "init",
        help="draft a contract's folder from a live server",
        description="Calls the tools that are annotated readOnlyHint, and those that --harmless names; tries out what\n"
        "they seem to promise, and writes what held. What did not, or was not seen, is a comment.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    options.add_target(init)
    options.add_calls(init)
    init.add_argument("folder", metavar="DIR", type=Path, nargs="?", help="the folder that is written (contract)")
    group = init.add_argument_group("init")
    group.add_argument("--seed", type=int, help="names of the calls are derived from it")
    group.add_argument("--timeout", metavar="S", type=float, help="seconds a call may take (10)")
    group.add_argument("--run-timeout", metavar="S", type=float, help="seconds each of up to four runs may take (600)")
    group.add_argument("--name", help="of the contract; else that of the folder, or of the server")
    group.add_argument("--output", metavar="DIR", type=Path, help="the same as DIR")
    group.add_argument("--force", action="store_true", help="write over files that are there")
    init.set_defaults(act=_init, concurrency=None, only=[], level=None, without=[])


def run(given: argparse.Namespace) -> int:
    """Does it; gives the exit code."""
    code: int = given.act(given)
    return code


def _laws(given: argparse.Namespace) -> int:
    """Tells all laws in a line each, or one with its fields."""
    from conformance.report.laws import summary, told  # noqa: PLC0415 -- what the laws are is not read for --help

    if given.law is None:
        print(summary())
        print("\nconformance contract laws LAW tells the fields of one; schemas/laws.md those of all.")
        return 0
    found = laws().get(given.law)
    if found is None:
        near = get_close_matches(given.law.lower(), laws(), n=1)
        todo = f"did you mean {near[0]}?" if near else "conformance contract laws lists them"
        raise UsageError(f"no law is named {given.law}", todo=todo)
    print(told(found))
    return 0


def _init(given: argparse.Namespace) -> int:
    """Writes a draft. Calls only what the server annotates readOnlyHint, and what --harmless names."""
    from conformance.propose.contract.trial import drafted  # noqa: PLC0415 -- what drives is not imported for --help

    if not given.server_command and not given.server_url and not given.config:
        raise UsageError("no server is named", todo="give --server-command, --server-url or --config")
    if given.folder is not None and given.output is not None:
        raise UsageError("the folder is named twice", "--output", todo="give DIR or --output")
    folder: Path = given.folder or given.output or Path(USUAL)
    if (folder / FILE).exists() and not given.force:
        raise UsageError(f"{folder / FILE} is there already", todo="name another folder, or write over it with --force")
    stated = options.statement_of(given)
    if stated.statement.contract != options.UNKNOWN_SERVER:
        raise UsageError("init is for servers that no contract knows", "--contract", todo="leave it out")
    told = options.selection(given, seed=given.seed, base=stated.base, command=options.typed())
    draft = drafted(stated.statement, told, given.name or _called(folder))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in draft.files().items():
            (folder / name).write_text(text, "utf-8")
    except OSError as error:
        raise UsageError(f"{folder} cannot be written", "--output", error.strerror or "") from error
    held = sum(one.holds for one in draft.promises)
    doubtful = len(draft.promises) - held
    kinds = ", ".join(found.make.entity for found in draft.found) or "no kind of entity"
    print(f"{folder}: {some(len(draft.tools), 'tool')}, {kinds}, {some(len(draft.told.codes), 'code')}")
    print(f"{some(held, 'promise')} held when tried; {doubtful} more in doubt, as comments")
    if not draft.tools:
        print("The server lists no tools. A contract is about tools: there is nothing here to promise.")
        return 0
    if not draft.found:
        print("No tool was seen to read what another one had made.")
        if draft.idle:
            print(f"No call was accepted by {', '.join(draft.idle)}. Are they allowed? --harmless names them.")
    target = (
        f"--config {given.config}" if given.config else "--server-url …" if given.server_url else "--server-command …"
    )
    print(f"Next: read {folder / 'requirements.toml'}, then: conformance run --contract {folder} {target}")
    return 0


def _called(folder: Path) -> str:
    """The name of a contract in this folder."""
    whole = folder.resolve()
    return whole.parent.name if whole.name == USUAL else whole.name


def _check(given: argparse.Namespace) -> int:
    """Checks it: 0 all can be proved, 1 something cannot, 2 (by an error) it is no contract."""
    contract = contract_of(given.contract)
    import_laws(contract)
    found = [*_lawless(contract), *lacks(contract)]
    for lack in found:
        line = _line(contract.folder / lack.file, lack.about)
        print(f"{contract.folder / lack.file}{f', line {line}' if line else ''}: {lack.what}; {lack.todo}")
    if found and not given.quiet:
        print()
    if not given.quiet:
        for identifier, promise in contract.promises.items():
            print(f"{identifier:<20} {sentence(promise)}")
        print()
    stimuli = len(import_stimuli(contract))
    parts = (contract.requirements, "requirement"), (contract.tools, "tool"), (contract.errors, "code")
    said = ", ".join(some(len(there), what) for there, what in parts)
    print(f"{contract.name}: {said}, {stimuli} stimuli. {_told(found)}")
    return 1 if found else 0


def _lawless(contract: Contract) -> list[Lack]:
    """Requirements without a law, where laws in Python stand beside the data and do not have it."""
    return [
        Lack("requirements.toml", each, f"{each} has no law", f'add @law("{each}") to laws/, or a promise')
        for each, about in contract.requirements.items()
        if not laws_of(each, contract) and about.seen != "reference"
    ]


def _told(found: list[Lack]) -> str:
    """The last words: what is left to do."""
    count = "1 thing is" if len(found) == 1 else f"{len(found)} things are"
    return f"{count} unproved." if found else "Nothing is wrong, and all of it can be proved."


def _line(path: Path, about: str) -> int | None:
    """The line on which a name stands first."""
    if not about or not path.exists():
        return None
    wanted = json.dumps(about)
    return next((n for n, line in enumerate(path.read_text("utf-8").splitlines(), 1) if wanted in line), None)
