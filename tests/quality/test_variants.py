"""A requirement can be broken in more ways than by its deviation: the suite notices the other typical ones too."""

import pytest

from conformance.model.verdict import Verdict
from conformance.prove.runs import Subject, run
from reference_server.deviations.registry import all_variants
from reference_server.target import CONTRACTS

VARIANTS = [(contract, one.id) for contract in CONTRACTS for one in all_variants(contract)]


@pytest.mark.parametrize(("contract", "variant"), VARIANTS, ids=[variant for _, variant in VARIANTS])
def test_a_variant_is_noticed(contract: str, variant: str) -> None:
    requirement = variant.partition(":")[0]
    report = run(Subject(contract, "reference"), deviations=(variant,), only=[requirement])
    verdict = next(each.verdict for each in report.requirements if each.id == requirement)
    assert verdict in (Verdict.FAIL, Verdict.WARN)
