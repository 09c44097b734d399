"""The contracts' data tests itself: each requirement can be judged, seen, broken, and read."""

import re

import pytest

from conformance.contract.catalogue import Contract, load
from conformance.contract.registry import installed
from conformance.drive.library import import_stimuli
from conformance.drive.target import entry
from conformance.judge.law import LAWS
from conformance.judge.library import import_laws
from conformance.judge.promised.library import laws_of
from conformance.model.requirement import Requirement

MODAL = re.compile(r"\b(must|should|shall|may|might|ought)\b", re.IGNORECASE)
FORCE = re.compile(r"\b(must|should|shall|ought)\b", re.IGNORECASE)
"""What the level says already; that something is allowed, `may`, is content."""
CONTRACTS = installed()
REQUIREMENTS = [r for name in CONTRACTS for r in load(name).requirements.values()]


def judged(about: Requirement) -> bool:
    return about.seen != "reference"


@pytest.fixture(params=CONTRACTS)
def contract(request: pytest.FixtureRequest) -> Contract:
    found = load(request.param)
    import_laws(found)
    return found


def test_ids_are_unique() -> None:
    assert len({r.id for r in REQUIREMENTS}) == len(REQUIREMENTS)


def test_every_requirement_has_a_law_that_says_how_it_judges(contract: Contract) -> None:
    for about in filter(judged, contract.requirements.values()):
        sentences = [law.sentence for law in laws_of(about.id, contract)]
        assert sentences, about.id
        for sentence in sentences:
            assert sentence.endswith("."), about.id
            assert not MODAL.search(sentence), (about.id, sentence)


def test_no_law_is_left_over(contract: Contract) -> None:
    own = {identifier for identifier in LAWS if identifier.startswith(next(iter(contract.requirements))[:3])}
    assert own <= {r.id for r in contract.requirements.values() if judged(r)}


def test_every_requirement_has_a_stimulus(contract: Contract) -> None:
    plans = [plan for edition in contract.editions for plan in import_stimuli(load(contract.name, edition))]
    tried = {identifier for plan in plans for identifier in plan.exercises}
    # what is static shows in the list of tools and the documents that every run begins with
    assert {r.id for r in contract.requirements.values() if judged(r) and r.seen != "static"} <= tried
    assert tried <= set(contract.requirements)


def test_every_requirement_has_a_deviation(contract: Contract) -> None:
    for edition in entry("reference").editions(contract.name) or [None]:
        deviations = [d["requirement"] for d in entry("reference").deviations(contract.name, edition)]
        held = [r for r in contract.requirements.values() if judged(r) and r.is_of(edition or contract.edition)]
        assert sorted(deviations) == sorted(r.id for r in held)


def test_no_requirement_rests_on_itself() -> None:
    """A circle of prerequisites would block each of them by the next, for ever."""
    requires = {r.id: set(r.requires) for r in REQUIREMENTS}
    for identifier in requires:
        below, queue = set(), [identifier]
        while queue:
            more = requires[queue.pop()] - below
            below |= more
            queue += more
        assert identifier not in below


@pytest.mark.parametrize("about", [r for r in REQUIREMENTS if judged(r)], ids=lambda r: r.id)
def test_a_requirement_can_be_read(about: Requirement) -> None:
    assert about.statement
    assert not FORCE.search(about.statement), about.statement
    assert about.why, "why it matters"
    assert about.breach, "what breaks it"
    known = {r.id for r in REQUIREMENTS}
    assert set(about.requires) | set(about.falls_with) <= known
