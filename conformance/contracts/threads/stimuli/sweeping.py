"""Each parameter of each method at either side of its bounds, difficult texts wherever there are texts."""

from collections.abc import Coroutine, Mapping

from conformance.contracts.threads.bench import Thread, ThreadsBench
from conformance.contracts.threads.payloads import IDENTITY
from conformance.contracts.threads.stimuli.examples import Example, apart, examples
from conformance.drive.bench import in_turn, side_by_side
from conformance.drive.stimulus import stimulus
from conformance.drive.sweeps.sweep import sweep
from conformance.drive.sweeps.texts import CONTROLLED, WRITTEN, longest
from conformance.model.events import Json
from conformance.model.exchange import Exchange

LEFT = ("thread_id", "workspace_id", "target_agent_id", "in_reply_to", "participants", "force", "audit")
"""Parameters that name something or take another's rights: each has rules, and stimuli, of its own."""
OFTEN = ("post_message", "create_thread", "heartbeat_session", "update_thread_status")
"""Writes that can be made over and over."""
LIMITS: Mapping[str, tuple[str, str]] = {
    "body": ("maxLength", "max_body"),
    "limit": ("maximum", "max_page"),
    "max_messages": ("maximum", "max_summary"),
    **dict.fromkeys(("title", "reason", "idempotency_key", "runtime"), ("maxLength", "max_text")),
}
"""By parameter the keyword of its schema that the target's own limit takes the place of."""
STATUSES = ("active", "blocked")
REPORTED: Mapping[str, Json] = {"event_type": "finding_reported", "severity": "high", "line": 7}


@stimulus("threads", exercises=("TH-SRV-01", "TH-SRV-03", "TH-ERR-VALIDATION_ERROR"), sweep=True)
async def every_parameter_is_swept(bench: ThreadsBench) -> None:
    """Left out, of another type, at the target's limits and beyond; after each refused write a good one."""
    await side_by_side(*map(_swept, await apart(bench)))


async def _swept(example: Example) -> None:
    bench, number = example.thread.bench, 0

    async def working() -> dict[str, Json]:
        nonlocal number
        number += 1
        given = {**example.arguments, **example.identity()}
        match example.tool:
            case "post_message":
                return {**given, "idempotency_key": f"k-{number}", "metadata": {"number": number}}
            case "update_thread_status":
                return {**given, "status": STATUSES[number % 2], "metadata": {"number": number}}
            case _:
                return given

    async def call(given: dict[str, Json]) -> Exchange:
        return await bench.call(example.tool, given, credential=example.caller)

    own = bench.contract.tools[example.tool].inputSchema
    # a thread's statuses have stimuli of their own: one that is closed takes nothing any more
    leave = (*LEFT, *IDENTITY[example.tool], *(("status",) if example.tool == "update_thread_status" else ()))
    await bench.heartbeat(example.thread.members[-1])
    await sweep(call, limited(bench, own), working, leave=leave, writes=example.tool in OFTEN)
    await example.thread.get()
    await example.thread.read(since_seq=0)


def limited(bench: ThreadsBench, schema: dict[str, Json]) -> dict[str, Json]:
    """A method's schema with the target's limits in place of the reference's; what nobody limits has none."""
    properties: dict[str, dict[str, Json]] = {}
    for name, about in schema["properties"].items():
        properties[name] = {key: value for key, value in about.items() if key != "maxLength"}
        if name in LIMITS:
            keyword, limit = LIMITS[name]
            properties[name][keyword] = bench.limit(limit)
    return {**schema, "properties": properties}


@stimulus(
    "threads",
    exercises=("TH-SRV-01", "TH-SRV-02", "TH-SRV-03", "TH-IDEM-01", "TH-IDEM-02", "TH-MSG-08"),
    sweep=True,
)
async def difficult_texts_are_written(bench: ThreadsBench) -> None:
    """In every text of every method: titles, reasons, keys, runtimes, prompts, deep in metadata; the longest too."""
    texts = (*WRITTEN, longest(bench.limit("max_text")))
    await side_by_side(
        *(_written(bench, text, number) for number, text in enumerate(texts)),
        *(_said(bench, text, number) for number, text in enumerate(CONTROLLED, len(texts))),
    )


async def _written(bench: ThreadsBench, text: str, number: int) -> None:
    thread = await bench.thread(f"a{number}", f"b{number}", title=text)
    a, b = thread.members
    metadata: Json = {text: [text, {"in": {text: text}}]}
    for body in (text, text, f"not {text}"):
        await thread.post(body, key=text, metadata=metadata)
    await thread.post(text, by=b, key=text, metadata=metadata)
    await thread.post("an event", kind="event", metadata={**REPORTED, "file": text, "task_id": text})
    await _read(thread)
    await thread.status("blocked", reason=text, metadata={"ticket": text})
    await bench.heartbeat(a, runtime=text)
    await thread.trigger(bench.agent_id(a), reason=text, trigger_prompt=text)
    await thread.summary(by=b)
    await _read(thread)


async def _said(bench: ThreadsBench, text: str, number: int) -> None:
    """Texts with lines and control characters, where prompts and metadata hold them."""
    thread = await bench.news(f"a{number}", f"b{number}")
    await thread.post("in metadata", metadata={"said": text, "list": [text]})
    await bench.heartbeat(thread.members[0])
    await thread.trigger(bench.agent_id(thread.members[0]), trigger_prompt=text)
    await thread.summary()
    await _read(thread)


async def _read(thread: Thread) -> None:
    await thread.get(by=thread.members[1])
    await thread.read(by=thread.members[1], since_seq=0)


CONDITIONS = ("human_input", "runtime_down", "resume_unavailable", "spawn_unavailable")
PAIRS = (("resume_unavailable", "spawn_unavailable"), ("runtime_down", "spawn_unavailable"))
MEMBERS: Mapping[str, dict[str, Json]] = {
    "live": {},
    "offline": {"status": "offline"},
    "gone": {"status": "offline", "resumable": False},
    "unmanaged": {"management_mode": "unmanaged"},
}
"""Workers by what their last heartbeat says."""
SWITCHES = ("allow_defer", "allow_fallback")
MINUTE_S = 60


@stimulus("threads", exercises=("TH-SRV-01", "TH-TRIG-03", "TH-TRIG-07", "TH-TRIG-08", "TH-TRIG-09"), sweep=True)
async def every_method_is_called_under_every_condition(bench: ThreadsBench) -> None:
    """What is wrong with one participant's runtime keeps nobody from what is no matter of it.

    Workers of each state are triggered under each condition, with each option and without any.
    """
    held = ((), *((name,) for name in CONDITIONS), *PAIRS)
    able = [names for names in held if all(map(bench.can, names))]
    await in_turn(*(_under(bench, names) for names in able))


async def _under(bench: ThreadsBench, names: tuple[str, ...]) -> None:
    mark = "-".join(names) or "plain"
    workers = [f"{name}-{mark}" for name in MEMBERS]
    agents: Json = [bench.agent_id(bench.worker(name)) for name in workers]
    here = await bench.given(**{name: True if name == "spawn_unavailable" else agents for name in names})
    thread = await here.news(*workers)
    for member, state in zip(thread.members, MEMBERS.values(), strict=True):
        await here.heartbeat(member, **state)
        await in_turn(*_triggers(thread, member, mark))
    for example in examples(thread):
        if example.tool != "trigger_participant":
            await example.call()


def _triggers(thread: Thread, member: str, mark: str) -> list[Coroutine[object, object, Exchange]]:
    target = thread.bench.agent_id(member)
    options: list[dict[str, Json]] = [{}, *({name: False} for name in SWITCHES), dict.fromkeys(SWITCHES, False)]
    return [
        thread.trigger(target, options=each, trigger_prompt=f"Read on, {mark}, {', '.join(each) or 'as you like'}.")
        for each in options
    ]


@stimulus("threads", exercises=("TH-SRV-01",), needs=("clock",), fresh=True, sweep=True)
async def every_method_is_called_a_minute_later(bench: ThreadsBench) -> None:
    """The calendar has moved on, and nothing has expired yet."""
    found = await apart(bench)
    later = await bench.under(clock=MINUTE_S)
    for example in found:
        await example.call()
        await Example(example.thread.at(later), example.tool, example.arguments).call()
