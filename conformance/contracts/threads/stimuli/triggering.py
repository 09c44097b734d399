"""Section 3.8: participants are woken: live ones, busy ones, unmanaged ones, and those whom nothing reaches."""

from conformance.contracts.threads.bench import ThreadsBench
from conformance.drive.stimulus import stimulus

HOSTILE = "\"; touch spilt; $(touch spilt) `touch spilt` ' & * done, \\ now read on."
"""A prompt that a shell takes apart, however it is wrongly quoted. Its hostile part comes first."""
AUDIT = {"ticket": "INC-7", "justification": "production is down"}


@stimulus("threads", exercises=("TH-TRIG-01", "TH-TRIG-02"))
async def live_targets_are_triggered(bench: ThreadsBench) -> None:
    """Managed ones, active and idle, by the orchestrator and by the operator."""
    thread = await bench.thread("a", "b")
    active, idle = thread.members
    await bench.heartbeat(active, status="active")
    await thread.trigger(bench.agent_id(active), by=bench.orchestrator)
    await bench.heartbeat(idle, status="idle")
    await thread.trigger(bench.agent_id(idle), by=bench.operator)


@stimulus("threads", exercises=("TH-TRIG-01", "TH-TRIG-03", "TH-TRIG-07"))
async def unmanaged_targets_are_triggered(bench: ThreadsBench) -> None:
    """One that can be resumed, one that cannot."""
    thread = await bench.thread("a", "b")
    for member, resumable in zip(thread.members, (True, False), strict=True):
        await bench.heartbeat(member, management_mode="unmanaged", resumable=resumable)
        await thread.trigger(bench.agent_id(member))


@stimulus("threads", exercises=("TH-TRIG-07",))
async def a_new_session_is_told_what_happened(bench: ThreadsBench) -> None:
    """A managed target that is gone for good is triggered in a thread that has a past."""
    thread = await bench.thread("a", "b")
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
    thread = await bench.thread("a", "b")
    await thread.trigger(bench.agent_id(thread.members[1]))


@stimulus("threads", needs=("runtime_down",), exercises=("TH-TRIG-12", "TH-TRIG-07"))
async def runtimes_are_out_of_reach(bench: ThreadsBench) -> None:
    """A runtime is down whose session can be resumed, and another whose session cannot."""
    thread = await bench.thread("a", "b")
    agents = [bench.agent_id(member) for member in thread.members]
    for member, resumable in zip(thread.members, (True, False), strict=True):
        await bench.heartbeat(member, resumable=resumable)
    down = thread.at(await bench.under(runtime_down=agents))
    for agent in agents:
        await down.trigger(agent)


@stimulus("threads", exercises=("TH-TRIG-12",))
async def an_offline_session_can_be_resumed(bench: ThreadsBench) -> None:
    """A managed session says that it goes offline, and is triggered."""
    thread = await bench.thread("a", "b")
    await bench.heartbeat(thread.members[1], status="offline", resumable=True)
    await thread.trigger(bench.agent_id(thread.members[1]))


@stimulus("threads", needs=("runtime_down", "resume_unavailable"), exercises=("TH-TRIG-07",))
async def a_session_turns_out_not_to_resume(bench: ThreadsBench) -> None:
    """The runtime is down and its session, which says that it can be resumed, cannot."""
    thread = await bench.thread("a", "b")
    target = bench.agent_id(thread.members[1])
    await bench.heartbeat(thread.members[1])
    await thread.at(await bench.under(runtime_down=[target], resume_unavailable=[target])).trigger(target)


@stimulus("threads", needs=("human_input",), exercises=("TH-TRIG-04", "TH-TRIG-05", "TH-TRIG-06"))
async def a_person_types(bench: ThreadsBench) -> None:
    """The target is triggered; then by force, by those who may not and with no audit metadata, and as it is right."""
    thread = await bench.thread("a", "b")
    target = bench.agent_id(thread.members[1])
    await bench.heartbeat(thread.members[1])
    busy = thread.at(await bench.under(human_input=[target]))
    await busy.trigger(target)
    await busy.trigger(target, force=True, audit=AUDIT, trigger_prompt="Stop, says the orchestrator.")
    await busy.trigger(target, by=bench.operator, force=True, trigger_prompt="Stop, says nobody knows why.")
    await busy.trigger(target, by=bench.operator, force=True, audit={}, trigger_prompt="Stop, for no reason.")
    await busy.trigger(target, by=bench.operator, force=True, audit=AUDIT, trigger_prompt="Stop, says the operator.")


@stimulus("threads", needs=("human_input", "clock"), fresh=True, exercises=("TH-TRIG-04", "TH-TRIG-05"))
async def a_person_stops_typing(bench: ThreadsBench) -> None:
    """At one target the last key falls after 10 s, at the other not within a minute; both were triggered before."""
    thread = await bench.thread("a", "b")
    brief, lasting = (bench.agent_id(member) for member in thread.members)
    for member in thread.members:
        await bench.heartbeat(member)
    typing = thread.at(await bench.under(human_input=[brief, lasting]))
    await typing.trigger(brief)
    await typing.trigger(lasting)
    for after, busy in ((10, [brief, lasting]), *((after, [lasting]) for after in range(20, 61, 10))):
        here = await bench.under(clock=after, human_input=busy)
        for member in thread.members:
            await here.heartbeat(member)
    await thread.at(await bench.under(clock=66)).get()


@stimulus("threads", needs=("human_input", "clock"), fresh=True,
          exercises=("TH-TRIG-10", "TH-ERR-HUMAN_INPUT_COLLISION"))  # fmt: skip
async def a_trigger_may_not_wait(bench: ThreadsBench) -> None:
    """A person types at the target, the caller forbids deferral; a minute and more goes by."""
    thread = await bench.thread("a", "b")
    target = bench.agent_id(thread.members[1])
    await bench.heartbeat(thread.members[1])
    busy = thread.at(await bench.under(human_input=[target]))
    await busy.trigger(target, allow_defer=False)
    await thread.at(await bench.under(clock=90)).get()


@stimulus("threads", settings={"fallback": False}, needs=("runtime_down",),
          exercises=("TH-TRIG-08", "TH-TRIG-09", "TH-ERR-WAKE_FAILED", "TH-ERR-UNMANAGED_RUNTIME"))  # fmt: skip
async def no_fallback_is_configured(bench: ThreadsBench) -> None:
    """Four targets: a runtime that is down, one that is offline, an unmanaged one, one without a session."""
    thread = await bench.thread("down", "offline", "unmanaged", "unknown")
    down, offline, unmanaged, _ = thread.members
    await bench.heartbeat(down)
    await bench.heartbeat(offline, status="offline")
    await bench.heartbeat(unmanaged, management_mode="unmanaged")
    around = thread.at(await bench.under(runtime_down=[bench.agent_id(down)]))
    for member in thread.members:
        await around.trigger(bench.agent_id(member))


@stimulus("threads", exercises=("TH-TRIG-08", "TH-TRIG-09", "TH-ERR-WAKE_FAILED", "TH-ERR-UNMANAGED_RUNTIME"))
async def the_caller_forbids_a_fallback(bench: ThreadsBench) -> None:
    """A managed target that is offline, and an unmanaged one; both could be resumed."""
    thread = await bench.thread("a", "b")
    for member, more in zip(thread.members, ({"status": "offline"}, {"management_mode": "unmanaged"}), strict=True):
        await bench.heartbeat(member, **more)
        await thread.trigger(bench.agent_id(member), allow_fallback=False)


@stimulus("threads", exercises=("TH-TRIG-11",))
async def a_prompt_is_hostile_to_a_shell(bench: ThreadsBench) -> None:
    """Targets to be resumed and to be spawned, with a prompt full of quotes, separators and substitutions."""
    thread = await bench.thread("a", "b")
    for member, resumable in zip(thread.members, (True, False), strict=True):
        await bench.heartbeat(member, management_mode="unmanaged", resumable=resumable)
        await thread.trigger(bench.agent_id(member), trigger_prompt=HOSTILE)


@stimulus("threads", exercises=("TH-TRIG-11",))
async def a_session_id_is_hostile_to_a_shell(bench: ThreadsBench) -> None:
    """The session to be resumed has an id with quotes, a separator and a substitution in it."""
    thread = await bench.thread("a", "b")
    hostile = bench.worker("b", session_id=f"{bench.unique('session')}'; $(touch spilt) \"")
    await bench.heartbeat(hostile, management_mode="unmanaged")
    await thread.trigger(bench.agent_id(hostile), trigger_prompt="Onward.")
