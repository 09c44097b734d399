"""`pytest --server-url …`: one item a requirement. A pytest run that does not ask for it imports nothing but this.

With -n the server is driven once, by whichever worker comes first; the others read the report that it leaves.
"""

import os
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from conformance.report.model import Report

ASKED = ("server_url", "server_command", "conformance")
POLL_S = 0.05


class ConformanceWarning(UserWarning):
    """A SHOULD that the server misses: it is told, and fails nothing."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options of pytest."""
    group = parser.getgroup("conformance", "conformance of an MCP server")
    group.addoption(
        "--server-url", action="append", metavar="URL", help="judge the MCP server at this URL, one item a requirement"
    )
    group.addoption("--server-command", metavar="COMMAND", help="judge the MCP server that this starts, over stdio")
    group.addoption(
        "--conformance",
        metavar="OPTIONS",
        help="judge, with these options of `conformance run`: '--contract threads --timeout 5'",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Joins in only where an option asks for it."""
    if any(config.getoption(name) is not None for name in ASKED):
        config.pluginmanager.register(Suite(config), "conformance-suite")


class Suite:
    """The requirements of one target as pytest items."""

    def __init__(self, config: pytest.Config) -> None:
        from conformance.cli import options, run  # noqa: PLC0415 -- only where it is asked for
        from conformance.cli.arguments import parsed  # noqa: PLC0415 -- as above
        from conformance.drive.errors import UsageError  # noqa: PLC0415 -- as above

        words = []
        for url in config.getoption("server_url") or ():
            words += ["--server-url", url]
        if config.getoption("server_command"):
            words += ["--server-command", config.getoption("server_command")]
        try:
            self.given = parsed(run, words, config.getoption("conformance") or "")
            self.statement, self.base = options.statement_of(self.given)
        except UsageError as error:
            raise pytest.UsageError(str(error)) from error
        self.config = config
        self.words = words
        self._report: Report | None = None

    @pytest.hookimpl
    def pytest_ignore_collect(self, config: pytest.Config) -> bool | None:
        """Other tests run beside the requirements only where they are named."""
        return None if config.args_source is pytest.Config.ArgsSource.ARGS else True

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        """Adds the items, before -k and --deselect choose among them."""
        collector = Requirements.from_parent(session, name="conformance", suite=self)
        items.extend(collector.collect())

    def report(self, session: pytest.Session) -> "Report":
        """The report on the selected requirements; the server is driven when the first of them is run."""
        if self._report is None:
            chosen = [item.name for item in session.items if isinstance(item, RequirementItem)]
            shared = self._shared()
            self._report = self._certify(chosen) if shared is None else self._once(chosen, shared)
        return self._report

    def _shared(self) -> Path | None:
        """Where the workers of one run meet; None without workers."""
        run = os.environ.get("PYTEST_XDIST_TESTRUNUID")
        if run is None:
            return None
        import tempfile  # noqa: PLC0415 -- only with workers

        return Path(tempfile.gettempdir()) / f"conformance-{run}.json"

    def _once(self, chosen: list[str], path: Path) -> "Report":
        from conformance.report import json as written  # noqa: PLC0415 -- only with workers

        try:
            claim = os.open(path.with_suffix(".claim"), os.O_CREAT | os.O_EXCL)
        except FileExistsError:
            # The one who drives may fail to: its claim is then gone, and so is the wait.
            while not path.exists() and path.with_suffix(".claim").exists():
                time.sleep(POLL_S)
            return written.load(path) if path.exists() else self._certify(chosen)
        try:
            report = self._certify(chosen)
            partial = path.with_suffix(".part")
            partial.write_text(written.render(report), "utf-8")
            partial.rename(path)
        finally:
            os.close(claim)
            path.with_suffix(".claim").unlink()
        return report

    def _certify(self, chosen: list[str]) -> "Report":
        from conformance.certify import certify, contract_of  # noqa: PLC0415 -- as above
        from conformance.cli import options  # noqa: PLC0415 -- as above
        from conformance.drive.errors import UsageError  # noqa: PLC0415 -- as above

        own = contract_of(self.statement.contract).requirements
        self.given.only = [name for name in chosen if name in own]
        command = " ".join(["conformance run", *self.words, self.config.getoption("conformance") or ""]).strip()
        try:
            return certify(
                self.statement, options.selection(self.given, seed=self.given.seed, base=self.base, command=command)
            )
        except UsageError as error:
            pytest.exit(str(error), returncode=pytest.ExitCode.USAGE_ERROR)

    @pytest.hookimpl
    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """The claim, after pytest's own summary."""
        if self._report is not None:
            terminalreporter.section("conformance")
            terminalreporter.line(self._report.claim)


class Requirements(pytest.Collector):
    """The requirements of a contract, those of its foundation first."""

    def __init__(self, *, suite: Suite, **about: Any) -> None:
        super().__init__(**about)
        self.suite = suite

    def collect(self) -> Iterator["RequirementItem"]:
        """One item each; what only the reference's own tests can show has none."""
        from conformance.certify import contract_of, selected  # noqa: PLC0415 -- as above

        contract = contract_of(self.suite.statement.contract)
        wanted = selected(contract, self.suite.given.only, options_level(self.suite.given))
        for identifier in dict.fromkeys((*contract.foundation, *wanted)):
            about = contract.requirements.get(identifier)
            if about is None or about.seen != "reference":
                yield RequirementItem.from_parent(self, name=identifier, suite=self.suite)


def options_level(given: Any) -> Any:
    """The level that the options ask for."""
    from conformance.model.requirement import Level  # noqa: PLC0415 -- as above

    return Level(given.level) if given.level else None


class FindingError(Exception):
    """The requirement is broken; its text is the finding."""


class RequirementItem(pytest.Item):
    """One requirement."""

    def __init__(self, *, suite: Suite, **about: Any) -> None:
        super().__init__(**about)
        self.suite = suite

    def runtest(self) -> None:
        """The verdict, as pytest's own outcomes."""
        from conformance.report.text import finding_text  # noqa: PLC0415 -- as above

        report = self.suite.report(self.session)
        result = next(r for r in (*report.foundation, *report.requirements) if r.id == self.name)
        match result.verdict:
            case "pass":
                return
            case "warn":
                warnings.warn(ConformanceWarning(finding_text(report, result)), stacklevel=1)
            case "not_applicable" | "not_observed":
                pytest.skip(f"{result.verdict.replace('_', ' ')}: {result.reason}")
            case "blocked" if result.level != "MUST":
                pytest.skip(f"blocked by {result.blocked_by}")
            case "xfail" | "flaky":
                pytest.xfail(result.reason)
            case _:
                raise FindingError(finding_text(report, result))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The finding itself, without a traceback of ours."""
        if isinstance(excinfo.value, FindingError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[str, None, str]:
        """How pytest names it."""
        return "conformance", None, self.name
