"""Section 3.8: participants are woken: live ones, busy ones, unmanaged ones, and those whom nothing reaches."""

from collections.abc import Iterable

from conformance.contracts.threads.bench import Thread, ThreadsBench
from conformance.contracts.threads.payloads import LIVELINESS
from conformance.drive.bench import in_turn
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json

HOSTILE = "\"; touch spilt; $(touch spilt) `touch spilt` ' & * done, \\ now read on."
"""A prompt that a shell takes apart, however it is wrongly quoted. Its hostile part comes first."""
AUDIT = {"ticket": "INC-7", "justification": "production is down"}
STOPS, FIRST_STOP_S = 7, 5
"""People who stop typing while a trigger waits, and when the first of them does."""
FORCE: dict[str, Json] = {"force": True, "audit": AUDIT}


def _agents(thread: Thread) -> list[str]:
    return [thread.bench.agent_id(member) for member in thread.members]


@stimulus("threads", exercises=("TH-TRIG-01", "TH-TRIG-02"))
async def live_targets_are_triggered(bench: ThreadsBench) -> None:
    """Managed ones, active and idle, by the orchestrator and by the operator."""
    thread = await bench.news("a", "b")
    for member, status in zip(thread.members, ("active", "idle"), strict=True):
        await bench.heartbeat(member, status=status)
        for lead in bench.leads():
            await thread.trigger(
                bench.agent_id(member), by=lead, trigger_prompt=f"Read on, says {lead.partition('/')[0]}."
            )


@stimulus("threads", exercises=("TH-TRIG-02",))
async def targets_have_namesakes_elsewhere(bench: ThreadsBench) -> None:
    """An agent is up; one of the same id in another workspace says afterwards that it is gone, or is unmanaged."""
    thread = await bench.news("a", "b")
    elsewhere = bench.unique("ws")
    states: tuple[dict[str, Json], ...] = ({"status": "offline", "resumable": False}, {"management_mode": "unmanaged"})
    for number, (member, state) in enumerate(zip(thread.members, states, strict=True)):
        await bench.heartbeat(member)
        target = bench.agent_id(member)
        namesake = bench.worker(f"namesake{number}", agent_id=target, workspace_id=elsewhere)
        await bench.heartbeat(namesake, **state)
        await thread.trigger(target)


@stimulus("threads", exercises=("TH-TRIG-01", "TH-TRIG-03", "TH-TRIG-07"))
async def unmanaged_targets_are_triggered(bench: ThreadsBench) -> None:
    """Ones that can be resumed and ones that cannot, of each status."""
    states = [(status, resumable) for status in LIVELINESS for resumable in (True, False)]
    thread = await bench.news(*(f"w{number}" for number in range(len(states))))
    await thread.summary()
    for member, (status, resumable) in zip(thread.members, states, strict=True):
        await bench.heartbeat(member, management_mode="unmanaged", status=status, resumable=resumable)
        await thread.trigger(bench.agent_id(member))
    await thread.summary()


@stimulus("threads", exercises=("TH-TRIG-07",))
async def a_new_session_is_told_what_happened(bench: ThreadsBench) -> None:
    """A managed target that is gone for good is triggered in a thread that has a past."""
    thread = await bench.news("a", "b")
    target = thread.members[1]
    await thread.post("The mapper drops the second surname.")
    await thread.event("finding_reported", "null fallback is wrong", task_id="TASK-9")
    await bench.heartbeat(target, status="offline", resumable=False)
    await thread.summary()
    await thread.trigger(bench.agent_id(target))
    await thread.summary()


@stimulus("threads", exercises=("TH-TRIG-07",), fresh=True)
async def a_target_without_a_session_is_triggered(bench: ThreadsBench) -> None:
    """Nobody of the thread ever sent a heartbeat."""
    thread = await bench.news("a", "b")
    await thread.summary()
    await thread.trigger(bench.agent_id(thread.members[1]))
    await thread.summary()


@stimulus("threads", needs=("runtime_down",), exercises=("TH-TRIG-12", "TH-TRIG-07"))
async def runtimes_are_out_of_reach(bench: ThreadsBench) -> None:
    """A runtime is down whose session can be resumed, and another whose session cannot."""
    names = [bench.agent_id(bench.worker(name)) for name in ("a", "b")]
    here = await bench.given(runtime_down=names)
    thread = await here.news("a", "b")
    await thread.summary()
    for member, resumable in zip(thread.members, (True, False), strict=True):
        await here.heartbeat(member, resumable=resumable)
        await thread.trigger(here.agent_id(member))
    await thread.summary()


@stimulus("threads", exercises=("TH-TRIG-12",))
async def an_offline_session_can_be_resumed(bench: ThreadsBench) -> None:
    """A managed session says that it goes offline, and is triggered."""
    thread = await bench.news("a", "b")
    await bench.heartbeat(thread.members[1], status="offline", resumable=True)
    await thread.trigger(bench.agent_id(thread.members[1]))


@stimulus("threads", needs=("runtime_down", "resume_unavailable"), exercises=("TH-TRIG-07",))
async def a_session_turns_out_not_to_resume(bench: ThreadsBench) -> None:
    """The runtime is down and its session, which says that it can be resumed, cannot."""
    target = bench.agent_id(bench.worker("b"))
    here = await bench.given(runtime_down=[target], resume_unavailable=[target])
    thread = await here.news("a", "b")
    await here.heartbeat(thread.members[1])
    await thread.summary()
    await thread.trigger(target)
    await thread.summary()


@stimulus("threads", needs=("spawn_unavailable",), exercises=("TH-TRIG-08", "TH-TRIG-09"))
async def no_session_can_be_launched(bench: ThreadsBench) -> None:
    """Targets that are gone for good, managed and not, are triggered; before them one that is live."""
    here = await bench.given(spawn_unavailable=True)
    thread = await here.news("live", "gone", "unmanaged")
    gone: dict[str, Json] = {"status": "offline", "resumable": False}
    states: tuple[dict[str, Json], ...] = ({}, gone, {**gone, "management_mode": "unmanaged"})
    for member, state in zip(thread.members, states, strict=True):
        await here.heartbeat(member, **state)
        await thread.trigger(here.agent_id(member))


@stimulus("threads", needs=("human_input",), exercises=("TH-TRIG-04", "TH-TRIG-05"))
async def a_person_types(bench: ThreadsBench) -> None:
    """Two targets are triggered, active and idle ones, by each lead; asked again, the trigger still waits."""
    names = [bench.agent_id(bench.worker(name)) for name in ("a", "b")]
    here = await bench.given(human_input=names)
    thread = await here.news("a", "b")
    for member, status in zip(thread.members, ("active", "idle"), strict=True):
        await here.heartbeat(member, status=status)
        for lead in here.leads():
            await thread.trigger(
                here.agent_id(member), by=lead, trigger_prompt=f"Read on, says {lead.partition('/')[0]}."
            )
    await thread.trigger(names[0], trigger_prompt="Once more.")
    await thread.trigger(names[0], trigger_prompt="Once more.")


@stimulus("threads", needs=("human_input",), exercises=("TH-TRIG-06",))
async def a_person_is_interrupted(bench: ThreadsBench) -> None:
    """By those who may not and with no audit metadata, and as it is right; before that a trigger waits."""
    target = bench.agent_id(bench.worker("b"))
    here = await bench.given(human_input=[target])
    thread = await here.news("a", "b")
    await here.heartbeat(thread.members[1])
    await thread.trigger(target)
    tried: Iterable[tuple[str, dict[str, Json], str]] = (
        ("orchestrator", FORCE, "Stop, says the orchestrator."),
        ("orchestrator", {"force": True}, "Stop, says the orchestrator, for no reason."),
        ("human_operator", {"force": True}, "Stop, says nobody knows why."),
        ("human_operator", {"force": True, "audit": {}}, "Stop, for no reason."),
        ("human_operator", FORCE, "Stop, says the operator."),
    )
    forced = [thread.trigger(target, by=here.of_role(role), options=options, trigger_prompt=prompt)
              for role, options, prompt in tried]  # fmt: skip
    await in_turn(*forced)


@stimulus("threads", needs=("human_input", "clock"), fresh=True, exercises=("TH-TRIG-04", "TH-TRIG-05"))
async def people_stop_typing(bench: ThreadsBench) -> None:
    """Triggers wait for people of whom one after another stops, a second apart, and one for more than a minute.

    So whatever the time between two looks, it is quiet just after one of them for some.
    """
    thread = await bench.news(*(f"w{number}" for number in range(STOPS + 1)))
    agents = _agents(thread)
    for member in thread.members:
        await bench.heartbeat(member)
    typing = thread.at(await bench.under(human_input=agents))
    for target in agents:
        await typing.trigger(target)
    for number in range(STOPS):
        await thread.at(await bench.under(human_input=agents[number:], clock=FIRST_STOP_S + number)).get()
    for after in range(20, 91, 10):
        here = await bench.under(human_input=agents[-1:], clock=after)
        for member in thread.members:
            await here.heartbeat(member)
    await thread.at(await bench.under(human_input=[], clock=120)).get()


@stimulus("threads", needs=("human_input", "clock"), fresh=True, exercises=("TH-TRIG-05",))
async def people_have_just_stopped_typing(bench: ThreadsBench) -> None:
    """The last keys fell 16 to 18 s before the triggers: it is quiet soon after, and the first look comes after 5 s."""
    thread = await bench.news("a", "b", "c")
    agents = _agents(thread)
    for member in thread.members:
        await bench.heartbeat(member)
    for number in range(len(agents)):
        await thread.at(await bench.under(human_input=agents[number:], clock=number)).get()
    after = thread.at(await bench.under(human_input=[], clock=18))
    for target in agents:
        await after.trigger(target)
    for ahead in (22, 30, 60):
        here = await bench.under(human_input=[], clock=ahead)
        for member in thread.members:
            await here.heartbeat(member)


@stimulus("threads", needs=("human_input", "clock", "runtime_down"), fresh=True, exercises=("TH-TRIG-12",))
async def a_runtime_goes_away_while_a_trigger_waits(bench: ThreadsBench) -> None:
    """A person types at each target; one runtime is out of reach soon, the other between the last looks before quiet.

    Both sessions can be resumed.
    """
    thread = await bench.news("a", "b")
    early, late = _agents(thread)
    for member in thread.members:
        await bench.heartbeat(member)
    typing = thread.at(await bench.under(human_input=[early, late]))
    for target in (early, late):
        await typing.trigger(target)
    steps: tuple[tuple[int, list[str], list[str]], ...] = (
        (3, [late], []),
        (10, [], [early]),
        (21, [], [early]),
        (21, [], [early, late]),
        (40, [], [early, late]),
    )
    for after, busy, down in steps:
        await thread.at(await bench.under(human_input=busy, runtime_down=down, clock=after)).get()


@stimulus("threads", needs=("human_input", "clock"), fresh=True, exercises=("TH-TRIG-05",))
async def the_same_is_asked_while_it_waits(bench: ThreadsBench) -> None:
    """A trigger waits; the same is asked again before it is quiet, and after that.

    Another waits for a person who types on: the same is asked again shortly before it may wait no longer, and after.
    """
    thread = await bench.news("a", "b", "c")
    _, rests, types_on = _agents(thread)
    for member in thread.members[1:]:
        await bench.heartbeat(member)
    typing = thread.at(await bench.under(human_input=[rests, types_on]))
    for target in (rests, types_on):
        await typing.trigger(target)
    for after in range(10, 81, 10):
        here = await bench.under(human_input=[types_on], clock=after)
        for member in thread.members[1:]:
            await here.heartbeat(member)
        for target, asked in ((rests, (10, 40)), (types_on, (50, 80))):
            if after in asked:
                await thread.at(here).trigger(target)


@stimulus("threads", needs=("human_input", "clock"), settings={"fallback": False}, exercises=("TH-TRIG-08",))
async def a_busy_target_has_no_fallback(bench: ThreadsBench) -> None:
    """A person types for more than a minute at a target whose trigger may wait; before, another one is triggered."""
    thread = await bench.news("a", "b")
    other, target = _agents(thread)
    for member in thread.members:
        await bench.heartbeat(member)
    typing = thread.at(await bench.under(human_input=[target]))
    await typing.trigger(other)
    await typing.trigger(target)
    for after in range(10, 81, 10):
        here = await bench.under(human_input=[target], clock=after)
        await here.heartbeat(thread.members[1])
    await thread.at(await bench.under(human_input=[target], clock=90)).get()


@stimulus("threads", needs=("human_input",), exercises=("TH-TRIG-10", "TH-ERR-HUMAN_INPUT_COLLISION"))
async def a_trigger_may_not_wait(bench: ThreadsBench) -> None:
    """A person types at the target, the caller forbids deferral, alone and with the fallback; before, one waits."""
    target = bench.agent_id(bench.worker("b"))
    here = await bench.given(human_input=[target])
    thread = await here.news("a", "b")
    await here.heartbeat(thread.members[1])
    await thread.trigger(target, trigger_prompt="Read on, when it is quiet.")
    await thread.trigger(target, options={"allow_defer": False})
    neither: dict[str, Json] = {"allow_defer": False, "allow_fallback": False}
    await thread.trigger(target, options=neither, trigger_prompt="Now or never.")


@stimulus("threads", needs=("human_input", "clock"), fresh=True, exercises=("TH-TRIG-10",))
async def a_minute_passes_after_a_collision(bench: ThreadsBench) -> None:
    """A trigger that may not wait is turned away; a minute and more goes by."""
    thread = await bench.news("a", "b")
    target = _agents(thread)[1]
    await bench.heartbeat(thread.members[1])
    busy = thread.at(await bench.under(human_input=[target]))
    await busy.trigger(target, options={"allow_defer": False})
    await busy.trigger(target, trigger_prompt="Read on, when it is quiet.")
    await thread.at(await bench.under(human_input=[], clock=90)).get()


@stimulus("threads", settings={"fallback": False}, needs=("runtime_down",),
          exercises=("TH-TRIG-08", "TH-TRIG-09", "TH-ERR-WAKE_FAILED", "TH-ERR-UNMANAGED_RUNTIME"))  # fmt: skip
async def a_runtime_is_down_and_no_fallback_is_configured(bench: ThreadsBench) -> None:
    """A runtime that is down, beside one that is live."""
    down = bench.agent_id(bench.worker("down"))
    here = await bench.given(runtime_down=[down])
    await _without_fallback(await here.news("down", "live"), ({}, {}))


@stimulus("threads", settings={"fallback": False},
          exercises=("TH-TRIG-08", "TH-TRIG-09", "TH-ERR-WAKE_FAILED", "TH-ERR-UNMANAGED_RUNTIME"))  # fmt: skip
async def no_fallback_is_configured(bench: ThreadsBench) -> None:
    """One that is offline, unmanaged ones of each status, one without a session, and one that is live."""
    unmanaged = [{"management_mode": "unmanaged", "status": status} for status in LIVELINESS]
    thread = await bench.news("gone", *LIVELINESS, "unknown", "live")
    await _without_fallback(thread, ({"status": "offline"}, *unmanaged, None, {}))


async def _without_fallback(thread: Thread, states: Iterable[dict[str, Json] | None]) -> None:
    """Each sends a heartbeat of its state, if it has one, and is triggered."""
    for member, state in zip(thread.members, states, strict=True):
        if state is not None:
            await thread.bench.heartbeat(member, **state)
        await thread.trigger(thread.bench.agent_id(member))


@stimulus("threads", exercises=("TH-TRIG-08", "TH-TRIG-09", "TH-ERR-WAKE_FAILED", "TH-ERR-UNMANAGED_RUNTIME"))
async def the_caller_forbids_a_fallback(bench: ThreadsBench) -> None:
    """Managed targets that are offline, and unmanaged ones, which could be resumed or not; then with a fallback."""
    thread = await bench.news("a", "b", "c", "d")
    states: list[dict[str, Json]] = [
        {**state, "resumable": resumable}
        for resumable in (True, False)
        for state in ({"status": "offline"}, {"management_mode": "unmanaged"})
    ]
    await in_turn(*(_forbidden(thread, member, state) for member, state in zip(thread.members, states, strict=True)))


async def _forbidden(thread: Thread, member: str, state: dict[str, Json]) -> None:
    target = thread.bench.agent_id(member)
    await thread.bench.heartbeat(member, **state)
    await thread.trigger(target, options={"allow_fallback": False}, trigger_prompt="Live, or not at all.")
    await thread.trigger(target)


@stimulus("threads", exercises=("TH-TRIG-11",))
async def a_prompt_is_hostile_to_a_shell(bench: ThreadsBench) -> None:
    """Targets to be resumed and to be spawned, with a prompt full of quotes, separators and substitutions."""
    thread = await bench.news("a", "b")
    for member, resumable in zip(thread.members, (True, False), strict=True):
        await bench.heartbeat(member, management_mode="unmanaged", resumable=resumable)
        await thread.trigger(bench.agent_id(member), trigger_prompt=HOSTILE)


@stimulus("threads", exercises=("TH-TRIG-11",))
async def a_session_id_is_hostile_to_a_shell(bench: ThreadsBench) -> None:
    """The session to be resumed has an id with quotes, a separator and a substitution in it."""
    thread = await bench.news("a", "b")
    hostile = bench.worker("b", session_id=f"{bench.unique('session')}'; $(touch spilt) \"")
    await bench.heartbeat(hostile, management_mode="unmanaged")
    await thread.trigger(bench.agent_id(hostile), trigger_prompt="Onward.")
