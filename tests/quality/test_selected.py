"""Who selects one requirement learns whether it holds: its own stimuli alone show what breaks it.

Of the deviations a sample is tried, and those of requirements about every answer. SELECTED=all: all of them.
"""

import os
from collections.abc import Iterator

import pytest

from conformance.certify import Options, certify
from conformance.drive.loading import checked
from reference_server.deviations.registry import Deviation, all_deviations, all_variants
from reference_server.target import CONTRACTS, statement

ABOUT_EVERY_ANSWER = ("TB-RETRY-03", "IR-RES-06", "TK-SRV-03", "TH-SRV-03", "TB-SRV-03", "IR-SRV-03")
EACH = 40
"""One in so many of the others."""


def chosen() -> Iterator[tuple[str, Deviation]]:
    for contract in CONTRACTS:
        every = [
            one for one in (*all_deviations(contract), *all_variants(contract)) if not (one.transport or one.store)
        ]
        for number, one in enumerate(every):
            if os.environ.get("SELECTED") == "all" or number % EACH == 0 or one.requirement in ABOUT_EVERY_ANSWER:
                yield contract, one


@pytest.mark.parametrize(("contract", "deviation"), [pytest.param(*each, id=each[1].id) for each in chosen()])
def test_its_own_stimuli_show_what_breaks_a_requirement(contract: str, deviation: Deviation) -> None:
    stated = statement(contract, edition=deviation.edition, deviations=(deviation.id,))
    report = certify(checked(stated, "reference"), Options(only=(deviation.requirement,), seed=1, command=""))
    (found,) = [each for each in report.requirements if each.id == deviation.requirement]
    assert found.verdict in ("fail", "warn")
