"""conformance completion SHELL: what a shell needs to complete commands, options, contracts and ids."""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from conformance.cli.ending import DONE, epilog

SHELLS = ("bash", "zsh", "fish", "tcsh", "powershell")
EPILOG = epilog(
    DONE,
    'eval "$(conformance completion bash)"                   in ~/.bashrc',
    'conformance completion zsh > "${fpath[1]}/_conformance"',
    "conformance completion fish > ~/.config/fish/completions/conformance.fish",
)


def configure(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    parser.add_argument("shell", choices=SHELLS, help="which shell is to be told")


def run(given: argparse.Namespace) -> int:
    """Prints it."""
    import shtab  # noqa: PLC0415 -- only here

    from conformance.cli.main import COMMANDS, parser_of  # noqa: PLC0415 -- it imports every command

    parser = parser_of((), tuple(COMMANDS))
    for action in _actions(parser):
        _complete(action, shtab)
    print(shtab.complete(parser, shell=given.shell))
    return 0


def _actions(parser: argparse.ArgumentParser) -> Iterator[Any]:
    """Every option and argument of every command."""
    for action in parser._actions:  # noqa: SLF001 -- argparse has no other way to ask for them
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 -- as above
            for command in action.choices.values():
                yield from _actions(command)
        else:
            yield action


def _complete(action: Any, shtab: Any) -> None:
    """What an option's value may be. This parser completes and never parses, so choices shut nothing out."""
    from conformance.contract.catalogue import names, readable  # noqa: PLC0415 -- as the others

    if action.dest in ("id", "only", "finding"):
        action.choices = [row for contract in readable() for row in contract.requirements]
    elif action.dest == "contract":
        action.choices = list(names())
    elif action.metavar in ("DIR", "FOLDER"):
        action.complete = shtab.DIRECTORY
    elif action.type is Path:
        action.complete = shtab.FILE
