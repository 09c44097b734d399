"""What a bundle attests: an in-toto Statement v1 with in-toto's predicate on test results.

Of https://github.com/in-toto/attestation: spec/v1/statement.md and spec/predicates/test-result.md.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from conformance.bundle.files import SEALED, STATEMENT
from conformance.certify import Options
from conformance.model.requirement import Level
from conformance.model.verdict import Verdict
from conformance.report.model import Report
from conformance.report.story import everything

STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
PREDICATE_TYPE = "https://in-toto.io/attestation/test-result/v0.1"
PAYLOAD_TYPE = "application/vnd.in-toto+json"
PACKAGE = "mcp-contract-conformance"
MEDIA_TYPES = {".json": "application/json", ".jsonl": "application/jsonl"}
PASSED = (Verdict.PASS,)
WARNED = (Verdict.WARN, Verdict.XFAIL, Verdict.FLAKY)
FAILED = (Verdict.FAIL, Verdict.XPASS)


class Judging(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was asked of the judge: with the transcript it gives the report again."""

    only: tuple[str, ...] = ()
    level: Level | None = None
    stimuli: tuple[str, ...] = ()
    protocol: bool = True
    strict: bool = False

    @classmethod
    def of(cls, options: Options) -> "Judging":
        """That of a run."""
        return cls(
            only=tuple(options.only),
            level=options.level,
            stimuli=tuple(options.stimuli),
            protocol=options.protocol,
            strict=options.strict,
        )

    def options(self) -> Options:
        """The same, for judging again."""
        return Options(
            only=self.only, level=self.level, stimuli=self.stimuli, protocol=self.protocol, strict=self.strict
        )


class Artifact(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the tested server was made from, as the signer says: nothing in a run shows it."""

    name: str
    digest: dict[str, str]


def statement_of(report: Report, judging: Judging, digests: Mapping[str, str], artifacts: Sequence[Artifact]) -> bytes:
    """The in-toto statement on a report, as JSON: the same input gives the same octets."""
    statement = {
        "_type": STATEMENT_TYPE,
        "subject": [*(_file(name, digests) for name in SEALED), *(_artifact(each) for each in artifacts)],
        "predicateType": PREDICATE_TYPE,
        "predicate": {
            "result": _result(report),
            "configuration": _configuration(report, judging, digests),
            "passedTests": _ids(report, PASSED),
            "warnedTests": _ids(report, WARNED),
            "failedTests": _ids(report, FAILED),
        },
    }
    return msgspec.json.encode(statement)


def _file(name: str, digests: Mapping[str, str]) -> dict[str, Any]:
    suffix = name[name.rindex(".") :]
    return {"name": name, "digest": {"sha256": digests[name]}, "mediaType": MEDIA_TYPES[suffix]}


def _artifact(artifact: Artifact) -> dict[str, Any]:
    return {"name": artifact.name, "digest": artifact.digest, "annotations": {"named": "by the signer"}}


def _configuration(report: Report, judging: Judging, digests: Mapping[str, str]) -> list[dict[str, Any]]:
    suite = f"pkg:pypi/{PACKAGE}@{report.suite}"
    asked = msgspec.to_builtins(judging)
    return [
        {"name": "suite", "uri": suite, "annotations": {"version": report.suite, "judging": asked}},
        {
            "name": "contract",
            "uri": f"{suite}#conformance/schemas/{report.contract}",
            "annotations": {"contract": report.contract, "edition": report.edition, "document": report.document},
        },
        {
            "name": STATEMENT,
            "digest": {"sha256": digests[STATEMENT]},
            "annotations": {"target": report.target.name, "profiles": list(report.profiles), "claim": report.claim},
        },
    ]


def _result(report: Report) -> str:
    """PASSED says that the whole contract holds, without exception: whoever reads no further may rely on it.

    What conforms with exceptions or warnings, or as far as a selection goes, is WARNED; all else, also what is
    inconclusive, is FAILED.
    """
    if not report.conformant:
        return "FAILED"
    less = report.selected is not None or report.excused or _ids(report, WARNED)
    return "WARNED" if less else "PASSED"


def _ids(report: Report, verdicts: Sequence[Verdict]) -> list[str]:
    return [result.id for result in everything(report) if result.verdict in verdicts]
