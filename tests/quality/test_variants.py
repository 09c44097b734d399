"""A requirement can be broken in more ways than by its deviation: the suite notices the other typical ones too.

`noticed.json` names the stimulus that noticed each last time, as the finding named it. It is driven alone first, as
that takes a fraction of the time; where it does not notice the variant, all that exercise the requirement are driven.
NOTE_STIMULI=1 pytest … writes the file anew.
"""

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from conformance.model.verdict import Verdict
from conformance.prove.runs import Subject, run
from conformance.report.model import RequirementResult
from reference_server.deviations.registry import all_variants
from reference_server.target import CONTRACTS

VARIANTS = [(contract, one.edition, one.id) for contract in CONTRACTS for one in all_variants(contract)]
NOTICED = (Verdict.FAIL, Verdict.WARN)
FILE = Path(__file__).parent / "noticed.json"
LAST: dict[str, list[str]] = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}
NOTE = bool(os.environ.get("NOTE_STIMULI"))


def judged(contract: str, edition: str | None, variant: str, **more: Any) -> RequirementResult:
    requirement = variant.partition(":")[0]
    report = run(Subject(contract, "reference", edition), deviations=(variant,), only=[requirement], **more)
    result = next(each for each in report.requirements if each.id == requirement)
    if NOTE and result.verdict in NOTICED:
        _note(variant, sorted({call.stimulus for call in report.evidence if call.call in set(_calls(result))}))
    return result


def _calls(result: RequirementResult) -> Iterator[int]:
    for finding in result.findings[:1]:
        yield from finding.calls


def _note(variant: str, stimuli: Sequence[str]) -> None:
    LAST[variant] = [each for each in stimuli if "." in each]
    FILE.write_text(json.dumps(dict(sorted(LAST.items())), indent=1) + "\n", "utf-8")


@pytest.mark.parametrize(("contract", "edition", "variant"), VARIANTS, ids=[variant for *_, variant in VARIANTS])
def test_a_variant_is_noticed(contract: str, edition: str | None, variant: str) -> None:
    known = [] if NOTE else LAST.get(variant, [])
    alone = known and judged(contract, edition, variant, stimuli=known).verdict in NOTICED
    assert alone or judged(contract, edition, variant).verdict in NOTICED
