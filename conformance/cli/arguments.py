"""Parses a command's options where no command line was typed: the pytest plugin's."""

import argparse
import shlex
from collections.abc import Sequence
from typing import NoReturn, Protocol

from conformance.cli.unspoken import unspoken, unvalued
from conformance.drive.errors import UsageError


class Command(Protocol):
    """A module of this package."""

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Adds its options."""


class _Parser(argparse.ArgumentParser):
    words: Sequence[str] = ()

    def error(self, message: str) -> NoReturn:
        said = unspoken(message, self.words)
        raise UsageError(said, "--conformance", todo="options are those of `conformance run --help`")


def parsed(command: Command, words: Sequence[str], more: str) -> argparse.Namespace:
    """The options of a command; UsageError where they are none."""
    parser = _Parser(add_help=False)
    command.configure(parser)
    try:
        parser.words = [*words, *shlex.split(more)]
    except ValueError as error:
        raise UsageError(
            "the options cannot be split into words as a shell does", "--conformance", str(error)
        ) from error
    if empty := unvalued(parser.words):
        parser.error(f"{empty} is given without a value: its text is empty")
    return parser.parse_args(parser.words)
