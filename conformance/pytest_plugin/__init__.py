"""`pytest --server-url …`: one item a requirement, beside a project's own tests.

A pytest run that does not ask for it imports nothing but this module.
"""

import argparse
from collections.abc import Iterator
from typing import Any

import pytest

ASKED = {"--server-url": "conformance_server_url", "--server-command": "conformance_server_command"}
"""Options of which another plugin or a project's conftest may have its own: ours then steps aside."""
OPTIONS = "--conformance"
ITEMS = ("conformance::", "::conformance::")
"""How the id of a requirement's item begins."""

TAKEN: pytest.StashKey[list[str]] = pytest.StashKey()


class Hooks:
    """What a project may implement."""

    @pytest.hookspec(firstresult=True)
    def pytest_conformance_server(self, config: pytest.Config) -> Any:
        """The server to be judged, where no option names it: a URL, or the command that starts it.

        A session fixture `conformance_server` in the root folder's conftest.py says the same, and may start the server.
        """


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    """Adds pytest_conformance_server."""
    pluginmanager.add_hookspecs(Hooks)


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(early_config: pytest.Config, parser: pytest.Parser) -> Iterator[None]:
    """Adds the options after a project's conftest has added its own, so that a name which it uses stays its."""
    result = yield
    group = parser.getgroup("conformance", "conformance of an MCP server")
    taken = early_config.stash.setdefault(TAKEN, [])
    about: tuple[tuple[str, dict[str, Any]], ...] = (
        ("--server-url", {"action": "append", "metavar": "URL", "help": "judge the MCP server at this URL"}),
        ("--server-command", {"metavar": "COMMAND", "help": "judge the MCP server that this starts, over stdio"}),
    )
    for name, options in about:
        try:
            group.addoption(name, dest=ASKED[name], **options)
        except (ValueError, argparse.ArgumentError):
            taken.append(name)
    group.addoption(
        OPTIONS,
        dest="conformance_options",
        metavar="OPTIONS",
        help="judge, with these options of `conformance run`: '--contract threads --timeout 5'; "
        "one option alone is written --conformance=--strict",
    )
    return result


def pytest_configure(config: pytest.Config) -> None:
    """Joins in only where an option or an item's id asks for it."""
    named = [arg for arg in config.args if arg.startswith(ITEMS)]
    asked = any(config.getoption(dest, None) is not None for dest in (*ASKED.values(), "conformance_options"))
    if named or asked:
        from conformance.pytest_plugin.suite import Suite  # noqa: PLC0415 -- only where it is asked for

        config.args[:] = [arg for arg in config.args if arg not in named]
        taken: list[str] = config.stash[TAKEN]
        suite = Suite(config, [arg.rpartition("::")[2] for arg in named], taken)
        config.pluginmanager.register(suite, "conformance-suite")
