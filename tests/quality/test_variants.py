"""A requirement can be broken in more ways than by its deviation: the suite notices the other typical ones too."""

import pytest

from conformance.model.verdict import Verdict
from conformance.prove.runs import Subject, run
from reference_server.deviations.registry import all_variants
from reference_server.target import CONTRACTS

VARIANTS = [(contract, one.edition, one.id) for contract in CONTRACTS for one in all_variants(contract)]
BESIDE = ("TK-SRV-02:exported",)
"""Those that are noticed beside a model alone."""


def verdict(contract: str, edition: str | None, variant: str, beside: str = "") -> Verdict:
    requirement = variant.partition(":")[0]
    report = run(Subject(contract, "reference", edition), deviations=(variant,), only=[requirement], beside=beside)
    return next(each.verdict for each in report.requirements if each.id == requirement)


@pytest.mark.parametrize(("contract", "edition", "variant"), VARIANTS, ids=[variant for *_, variant in VARIANTS])
def test_a_variant_is_noticed(contract: str, edition: str | None, variant: str) -> None:
    alone = verdict(contract, edition, variant)
    if variant in BESIDE:
        assert alone is Verdict.PASS
        assert verdict(contract, edition, variant, "reference") is Verdict.FAIL
    else:
        assert alone in (Verdict.FAIL, Verdict.WARN)
