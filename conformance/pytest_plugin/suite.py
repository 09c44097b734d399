"""The requirements of one target beside a project's tests: which are run, and the report that they are read from."""

import traceback
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import pytest

from conformance.certify import certify, contract_of, selected
from conformance.cli import options, run
from conformance.cli.arguments import parsed
from conformance.cli.output import baseline_of, files_of
from conformance.drive.errors import UsageError
from conformance.model.requirement import Level
from conformance.pytest_plugin.items import RequirementItem, Requirements
from conformance.pytest_plugin.shared import Shared
from conformance.report.diff.baseline import against
from conformance.report.model import Report
from conformance.report.writers import write

if TYPE_CHECKING:
    from collections.abc import Sequence

SERVER = "conformance_server"
"""The fixture that gives a server, and the option that names none of ours."""


class Suite:
    """One target, driven once when the first of its items is run."""

    def __init__(self, config: pytest.Config, named: "Sequence[str]", taken: "Sequence[str]") -> None:
        """`named`: items asked for by their ids; `taken`: options of ours that the project has for itself."""
        self.config = config
        self.named = tuple(named)
        self.taken = tuple(taken)
        self.words: list[str] = []
        for url in config.getoption("conformance_server_url", None) or ():
            self.words += ["--server-url", url]
        if config.getoption("conformance_server_command", None):
            self.words += ["--server-command", config.getoption("conformance_server_command")]
        if not self.words:
            self.words = self._hooked()
        self.more = config.getoption("conformance_options", None) or ""
        try:
            self.given = parsed(run, self.words, self.more)
            self.by_fixture = not self.words and not any(
                getattr(self.given, name) for name in ("config", "target", "server_command", "server_url")
            )
            self.contract = contract_of(self._contract())
            self.wanted = selected(
                self.contract, self.given.only, Level(self.given.level) if self.given.level else None
            )
            files_of(self.given)
        except UsageError as error:
            raise pytest.UsageError(str(error)) from error
        self.shared = Shared(config)
        self.told: Report | UsageError | None = None

    def _hooked(self) -> list[str]:
        server = self.config.pluginmanager.hook.pytest_conformance_server(config=self.config)
        return server_words(server) if server is not None else []

    def _contract(self) -> str:
        """The contract, before the server is known: of the options, else of the statement that they amount to."""
        if self.given.contract:
            return str(self.given.contract)
        if self.by_fixture:
            return options.UNKNOWN_SERVER
        return options.statement_of(self.given).statement.contract

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        """Adds the items, before -k and --deselect choose among them; items named by their ids are alone."""
        if self.named and not self.config.args:
            items.clear()
        collector = Requirements.from_parent(session, name="conformance", nodeid="conformance", suite=self)
        found = list(collector.collect())
        for name in self.named:
            if name not in (known := [item.name for item in found]):
                near = get_close_matches(name, known, n=3, cutoff=0.4)
                hint = f"nearest: {', '.join(near)}" if near else "`conformance requirements` lists them"
                raise pytest.UsageError(f"{self.contract.name} has no requirement {name}\n  {hint}")
        items.extend(item for item in found if not self.named or item.name in self.named)

    def report(self, item: RequirementItem) -> "Report | UsageError":
        """The report on the chosen requirements, or why there is none; the server is driven at the first call."""
        if self.told is None:
            chosen = [each.name for each in item.session.items if isinstance(each, RequirementItem)]
            self.told = self.shared.once(lambda: self._certify(chosen, item))
        return self.told

    def _certify(self, chosen: "Sequence[str]", item: RequirementItem) -> "Report | UsageError":
        try:
            words = _given_by(item) if self.by_fixture and item.has_fixture(SERVER) else self.words
            given = parsed(run, words, self.more)
            stated = options.statement_of(given)
            own = [name for name in chosen if name in self.wanted]
            every = {r.id for r in self.contract.requirements.values() if r.seen != "reference"}
            given.only = [] if set(own) == every else own
            baseline = baseline_of(given, stated.statement.contract)
            command = " ".join(["conformance run", *words, self.more]).strip()
            about = options.selection(
                given,
                seed=given.seed,
                base=stated.base,
                named=stated.named,
                text=stated.text,
                command=command,
                transcript=given.transcript,
                conversations=given.conversations,
            )
            report = certify(stated.statement, about)
            report = against(report, baseline) if baseline is not None else report
            for path, form in files_of(given):
                write(report, form, path)
        except UsageError as error:
            return error
        except OSError as error:
            return UsageError("a file of the report cannot be written", str(error.filename), error.strerror or "")
        return report

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Tells a worker of pytest-xdist where all of them meet."""
        node.workerinput[Shared.KEY] = str(self.shared.folder())

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """A server that could not be judged at all is a usage error, whatever the other tests say."""
        if isinstance(self.shared.found() if self.told is None else self.told, UsageError):
            session.exitstatus = pytest.ExitCode.USAGE_ERROR

    @pytest.hookimpl
    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """The claim, after pytest's own summary."""
        for name in self.taken:
            terminalreporter.write_line(f"conformance: {name} is an option of this project's own; use {OWN} instead")
        told = self.told if self.told is not None else self.shared.found()
        if told is None:
            return
        terminalreporter.section("conformance")
        if isinstance(told, UsageError):
            terminalreporter.write_line(f"nothing was judged: {told}")
            return
        missed = [result for result in told.requirements if result.verdict == "warn"]
        for result in missed:
            terminalreporter.write_line(f"{result.id} {result.level} is missed: {result.findings[0].saw}")
        terminalreporter.write_line(told.claim)

    def pytest_unconfigure(self) -> None:
        """Leaves nothing behind."""
        self.shared.close()


def _given_by(item: RequirementItem) -> list[str]:
    """The options that name the server which the project's fixture starts; UsageError where it starts none.

    One error, told once: all items rest on the one fixture.
    """
    try:
        return server_words(item.fixture(SERVER))
    except pytest.UsageError as error:
        raise UsageError(str(error), SERVER) from error
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        why = f"{type(error).__name__}: {error}, at {place.filename}:{place.lineno}"
        raise UsageError(
            "the fixture failed that starts the server", SERVER, why, "mend it: nothing is judged"
        ) from error


OWN = '--conformance "--server-url …"'


def server_words(server: Any) -> list[str]:
    """The options that name a server which a hook or a fixture gave: a URL, or a command; UsageError for all else."""
    if isinstance(server, str) and server.startswith(("http://", "https://")):
        return ["--server-url", server]
    if isinstance(server, str) and server:
        return ["--server-command", server]
    if isinstance(server, list | tuple) and server and all(isinstance(word, str) for word in server):
        import shlex  # noqa: PLC0415 -- only here

        return ["--server-command", shlex.join(server)]
    raise pytest.UsageError(f"{SERVER} gave {server!r}: give the URL of the server, or the command that starts it")
