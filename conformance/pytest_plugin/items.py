"""Items of pytest: one a requirement, and one for the claim as a whole."""

import warnings
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import pytest
from _pytest._code.code import ReprFileLocation, TerminalRepr
from _pytest._io import TerminalWriter
from _pytest.fixtures import TopRequest

from conformance.contract.catalogue import load
from conformance.contract.rows import Contract
from conformance.drive.errors import UsageError
from conformance.model.verdict import Verdict
from conformance.report.build import exit_code
from conformance.report.model import Report, RequirementResult
from conformance.report.text import claim_text, finding_text

CLAIM = "claim"
"""The item that passes only where the target conforms."""


class ConformanceWarning(UserWarning):
    """A SHOULD that the server misses: it is told, and fails nothing."""


class FindingError(Exception):
    """The requirement is broken, or nothing can be claimed; its text is the finding, its first line says it all."""


class Suite(Protocol):
    """What items ask of the target that they are about."""

    contract: Contract
    wanted: Sequence[str]

    def report(self, item: "RequirementItem") -> Report | UsageError:
        """The report on the chosen requirements, or why there is none."""


class Requirements(pytest.Collector):
    """The requirements of a contract, then those of its protocol, then the claim."""

    def __init__(self, *, suite: Suite, **about: Any) -> None:
        super().__init__(**about)
        self.suite = suite

    def collect(self) -> Iterator["RequirementItem"]:
        """One item each; what only the reference's own tests can show has none."""
        contract = self.suite.contract
        protocol = load(contract.protocol).requirements if contract.protocol is not None else {}
        for identifier in dict.fromkeys((*self.suite.wanted, *protocol)):
            about = contract.requirements.get(identifier)
            if about is None or about.seen != "reference":
                yield RequirementItem.from_parent(self, name=identifier, suite=self.suite)
        yield ClaimItem.from_parent(self, name=CLAIM, suite=self.suite)


class RequirementItem(pytest.Item):
    """One requirement."""

    def __init__(self, *, suite: Suite, **about: Any) -> None:
        super().__init__(**about)
        self.suite = suite
        # as doctest's items: so that a fixture of the project may start the server
        self.funcargs: dict[str, Any] = {}
        self.fixturenames: list[str] = []
        self._fixtureinfo = self.session._fixturemanager.getfixtureinfo(node=self, func=None, cls=None)  # noqa: SLF001 -- as above
        self._request = TopRequest(self, _ispytest=True)  # type: ignore[arg-type]  # it asks for no more than an item has

    def has_fixture(self, name: str) -> bool:
        """Whether the project has such a fixture, where every item can see it."""
        return bool(self.session._fixturemanager.getfixturedefs(name, self))  # noqa: SLF001 -- as above

    def fixture(self, name: str) -> Any:
        """What the fixture gives."""
        return self._request.getfixturevalue(name)

    def runtest(self) -> None:
        """The verdict, as pytest's own outcomes."""
        told = self.suite.report(self)
        if isinstance(told, UsageError):
            pytest.skip("not judged: see the item `claim`")
        self.judged(told)

    def judged(self, report: Report) -> None:
        """Passes, skips or fails by the report."""
        result = next((r for r in (*report.requirements, *report.foundation) if r.id == self.name), None)
        if result is None:
            pytest.skip("not judged in this run")
        self._outcome(report, result)

    def _outcome(self, report: Report, result: RequirementResult) -> None:
        if report.baseline is not None and result.id in report.baseline.known:
            pytest.xfail("known from the baseline")
        match result.verdict:
            case Verdict.PASS:
                return
            case Verdict.WARN if not report.strict:
                try:
                    warnings.warn(ConformanceWarning(_text(report, result)), stacklevel=1)
                except ConformanceWarning:
                    # -W error is about the project's own warnings: the summary tells this one
                    return
            case Verdict.NOT_APPLICABLE | Verdict.NOT_OBSERVED:
                pytest.skip(f"{result.verdict.replace('_', ' ')}: {result.reason}")
            case Verdict.BLOCKED if result.level != "MUST" or result.excused:
                pytest.skip(f"blocked by {result.blocked_by}")
            case Verdict.XFAIL | Verdict.FLAKY:
                pytest.xfail(result.reason)
            case _:
                raise FindingError(_text(report, result))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The finding itself, without a traceback of ours."""
        if isinstance(excinfo.value, FindingError | UsageError):
            return FindingRepr(str(excinfo.value))
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[str, None, str]:
        """How pytest names it."""
        return "conformance", None, self.name


class ClaimItem(RequirementItem):
    """The claim: it fails where the target does not conform, and where too little was seen to say so."""

    def runtest(self) -> None:
        """Passes only where the run's exit code is 0."""
        told = self.suite.report(self)
        if isinstance(told, UsageError):
            raise told
        if exit_code(told) != 0:
            raise FindingError(claim_text(told))


class FindingRepr(TerminalRepr):
    """A finding as pytest prints it; its first line stands in the short summary."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.reprcrash = ReprFileLocation("conformance", 0, text.partition("\n")[0])

    def toterminal(self, tw: TerminalWriter) -> None:
        """The whole text."""
        tw.line(self._text)

    def __str__(self) -> str:
        return self._text


def _text(report: Report, result: RequirementResult) -> str:
    """What was seen first, then the requirement and its evidence."""
    seen = result.findings[0].saw if result.findings else result.reason or f"blocked by {result.blocked_by}"
    return f"{seen}\n{finding_text(report, result)}"
