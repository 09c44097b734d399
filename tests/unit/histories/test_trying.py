"""A history on trial is judged beside what the run knows: its listing too, but not for what that breaks by itself."""

from collections.abc import Collection, Sequence

import pytest
from msgspec import structs

from conformance.certify import Options, contract_of, driven, told_of
from conformance.contracts.threads.bench import ThreadsBench
from conformance.drive.bench import Bench
from conformance.drive.loading import checked
from conformance.drive.stimulus import StimulusPlan
from conformance.drive.target import entry
from conformance.histories.trying import Play, Trial, Trying
from conformance.judge.library import import_laws

CONTRACT = contract_of("threads")


def tried(*deviations: str, over: Sequence[bool] = (False,), about: Collection[str] | None = None) -> list[Trial]:
    """What posts that are made twice show on trial, after the run listed its tools; `over`: said before each."""
    import_laws(CONTRACT)
    found: list[Trial] = []

    async def twice(bench: ThreadsBench, _: list[Bench]) -> None:
        thread = await bench.thread()
        for _ in range(2):
            await thread.post("hello", key="k-1")

    async def run(bench: ThreadsBench) -> None:
        await bench.tools()
        listings = bench.session.recorder.history.listings
        # a tool whose name is none, as a server may list it
        listings[0] = structs.replace(listings[0], tools=[*listings[0].tools, {"name": "no name"}])
        found.extend(await Trying(bench, CONTRACT, about).of(*(Play(twice, {}, each.__bool__) for each in over)))

    stated = entry("reference").statement("threads", transport="in-process", deviations=deviations)
    plan = StimulusPlan("threads.trial", "threads", run, ())
    driven(checked(dict(stated), "a test"), CONTRACT, [plan], Options(seed=1))
    return found


@pytest.mark.parametrize(("deviation", "broken"), [((), set()), (("TH-IDEM-01",), {"TH-IDEM-01"})])
def test_what_a_history_breaks_is_its_own(deviation: tuple[str, ...], broken: set[str]) -> None:
    assert {name for trial in tried(*deviation) for name in trial.broken} == broken


@pytest.mark.parametrize(("about", "broken"), [(("TH-IDEM-01",), 1), (("TH-IDEM-02", "MC-LIST-03"), 0), ((), 0)])
def test_what_a_run_is_not_about_is_nothing_that_it_finds(about: tuple[str, ...], broken: int) -> None:
    assert len(tried("TH-IDEM-01", about=about)) == broken


def test_random_histories_break_nothing_of_a_protocol_that_is_left_out() -> None:
    assert told_of(CONTRACT, Options()) is None
    assert told_of(CONTRACT, Options(protocol=False)) == {*CONTRACT.requirements, *CONTRACT.foundation}


@pytest.mark.parametrize(("over", "tries"), [((False, False), 2), ((False, True, False), 1), ((True, False), 0)])
def test_none_is_begun_when_the_budget_is_spent(over: Sequence[bool], tries: int) -> None:
    assert len(tried("TH-IDEM-01", over=over)) == tries


def test_a_history_is_judged_beside_the_listing_of_the_run() -> None:
    (trial,) = tried("TH-IDEM-01")
    listed = [tool["name"] for listing in trial.judged.history.listings for tool in listing.tools]
    assert "post_message" in listed
    outcome = trial.judged.outcome("MC-LIST-03")
    assert outcome is not None
    assert outcome.breaches, "the listing breaks it, and no history is blamed for that"
