"""Random histories make calls under the conditions, and in the settings, that the run brought about."""

from conformance.certify import Options, contract_of, driven
from conformance.contracts.threads.bench import ThreadsBench
from conformance.drive.loading import checked
from conformance.drive.stimulus import StimulusPlan
from conformance.drive.target import entry
from conformance.histories.corpus import Corpus
from conformance.histories.improvising import Improvisation, vocabulary
from conformance.histories.twists import TWISTS, Turn
from conformance.model.events import Json

CONTRACT = contract_of("threads")
UNDER = TWISTS.index("under")


def test_a_call_is_made_under_a_condition_and_a_clock_stays() -> None:
    told: list[object] = []

    async def run(bench: ThreadsBench) -> None:
        here = await bench.fresh()
        thread = await here.thread()
        await thread.get()
        for clock in (5, 9):
            await thread.at(await here.under(clock=clock)).get()
        corpus = Corpus(bench.session.recorder.history, CONTRACT)
        told.append(corpus.conditions)
        other = await bench.fresh()
        tools = sorted({each.tool for each in corpus.patterns})
        # reads are drawn half as often as writes
        drawn = [tool for tool in tools for _ in range(1 if tool in CONTRACT.reads() else 2)]
        pick = drawn.index("get_thread")
        turns = [Turn(pick, UNDER, 0, 0, 1), Turn(pick, UNDER, 0, 0, 0), Turn(pick, 0, 0, 0, 0)]
        await Improvisation(corpus, other, {}, []).play(turns)
        made = [each for each in bench.session.recorder.history.exchanges if each.instance == other.instance]
        told.append([each.conditions for each in made if each.tool == "get_thread"])

    about = entry("reference").statement("threads", transport="in-process", deviations=())
    plan = StimulusPlan("threads.trial", "threads", run, ())
    driven(checked(dict(about), "a test"), CONTRACT, [plan], Options(seed=1))
    conditions, made = told
    assert conditions == {"get_thread": [{"clock": 5}, {"clock": 9}]}
    assert isinstance(made, list)
    # the calendar does not go back, also for a call without the condition
    assert made[:3] == [{"clock": 9}, {"clock": 9}, {"clock": 9}]


def test_calls_of_other_settings_are_tried_where_none_of_these_is_known() -> None:
    found: list[object] = []

    async def run(bench: ThreadsBench) -> None:
        limited, plain = await bench.fresh(quota_per_minute=5), await bench.fresh()
        thread = await limited.thread()
        await (await plain.thread()).get()
        await thread.post("hello", key="k-1")
        corpus = Corpus(bench.session.recorder.history, CONTRACT)
        wanted: list[dict[str, Json]] = [{"quota_per_minute": 5}, {}, {"profile": "another"}]
        words = [vocabulary(corpus, settings) for settings in wanted]
        found.extend({tool: [one.settings for one in some] for tool, some in each.items()} for each in words)

    about = entry("reference").statement("threads", transport="in-process", deviations=())
    plan = StimulusPlan("threads.trial", "threads", run, ())
    driven(checked(dict(about), "a test"), CONTRACT, [plan], Options(seed=1))
    limited, plain, stranger = found
    quota: dict[str, Json] = {"quota_per_minute": 5}
    assert limited == {"create_thread": [quota], "post_message": [quota], "get_thread": [{}]}
    assert plain == {"create_thread": [{}], "post_message": [quota], "get_thread": [{}]}
    assert stranger == {}
