"""Section 6 and what all answers share: failures and timestamps of several kinds."""

from conformance.contracts.threads.bench import ThreadsBench
from conformance.contracts.threads.stimuli.examples import examples
from conformance.drive.bench import in_turn
from conformance.drive.stimulus import stimulus


@stimulus("threads", exercises=("TH-ENV-01", "TH-ENV-02", "TH-ENV-04"))
async def calls_fail_in_several_ways(bench: ThreadsBench) -> None:
    """Failures of several codes, some of them twice."""
    thread = await bench.thread()
    for _ in range(2):
        await thread.call("get_thread", thread_id=bench.unique("th"))
        await thread.get(by=bench.worker("outsider"))
        await thread.call("post_message", schema_version=1, kind="shout", body="hello")
    await thread.get(by=bench.worker("a", defect="expired"))


@stimulus("threads", exercises=("TH-ENV-03", "TH-ENV-04"))
async def every_method_tells_the_time(bench: ThreadsBench) -> None:
    """Each method once, and a message read back."""
    thread = await bench.news("a", "b")
    await in_turn(*(example.call() for example in examples(thread)))
    await thread.read()
    await thread.get()
