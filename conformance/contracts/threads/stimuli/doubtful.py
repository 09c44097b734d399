"""Calls that no section says are served or refused: what answers them is in the contract's words in any case."""

from conformance.contracts.threads.bench import Thread, ThreadsBench
from conformance.contracts.threads.payloads import RIGHTS
from conformance.contracts.threads.stimuli.authentication import CLAIMS
from conformance.contracts.threads.stimuli.examples import Example, about_a_thread, apart, examples
from conformance.drive.bench import side_by_side
from conformance.drive.stimulus import stimulus

ANSWERED = ("TH-ENV-01", "TH-SRV-03")
BLANK = " \t"


@stimulus("threads", exercises=ANSWERED)
async def roles_call_what_is_not_theirs(bench: ThreadsBench) -> None:
    """Each method by each role that may have no right to it, and by one that has."""
    await side_by_side(*map(_by_others, await apart(bench)))


async def _by_others(example: Example) -> None:
    bench = example.thread.bench
    for role in bench.roles():
        if role not in RIGHTS[example.tool]:
            await example.call(by=bench.of_role(role))
    await example.call()


@stimulus("threads", exercises=ANSWERED)
async def threads_are_closed_by_workers(bench: ThreadsBench) -> None:
    """By one that takes part, where nothing is disputed: an active thread, and a resolved one."""
    for way in ((), ("resolved",)):
        thread = await bench.thread()
        await thread.moved(*way)
        await thread.status("closed", by=thread.members[0])
        await thread.get()


@stimulus("threads", exercises=ANSWERED)
async def a_closed_thread_goes_on(bench: ThreadsBench) -> None:
    """Each method that takes a thread, on one that is closed, by the lead and by a worker."""
    thread = await bench.news("a", "b")
    await thread.moved("resolved", "closed")
    for example in about_a_thread(thread):
        for by in dict.fromkeys((example.caller, thread.lead)):
            await example.call(by=by)


@stimulus("threads", exercises=ANSWERED)
async def strangers_to_a_thread_are_triggered(bench: ThreadsBench) -> None:
    """An agent that has a session and takes no part, one that nobody heard of, and the lead itself."""
    thread, stranger = await bench.thread(), bench.worker("stranger")
    await bench.heartbeat(stranger)
    for target in (bench.agent_id(stranger), "nobody-has-this-name", bench.agent_id(thread.lead)):
        await thread.trigger(target)


@stimulus("threads", exercises=ANSWERED)
async def texts_are_blank(bench: ThreadsBench) -> None:
    """A title, a body, a reason and a prompt that are empty, and of white space alone."""
    thread = await bench.news("a", "b")
    for text in ("", BLANK):
        await bench.create(title=text)
        await thread.post(text)
        await thread.status("blocked", reason=text)
        await thread.trigger(bench.agent_id(thread.members[1]), trigger_prompt=text)


@stimulus("threads", exercises=ANSWERED)
async def tokens_hold_claims_of_another_type(bench: ThreadsBench) -> None:
    """A read and a post with tokens of which one claim each is a list, and with good ones."""
    thread = await bench.thread()
    await side_by_side(*(_claimed(thread, tool) for tool in ("get_thread", "post_message")))


async def _claimed(thread: Thread, tool: str) -> None:
    bench, example = thread.bench, next(each for each in examples(thread) if each.tool == tool)
    for claim in CLAIMS:
        await example.bare(bench.of_role("worker", defect=f"type:{claim}"))
    await example.call()
