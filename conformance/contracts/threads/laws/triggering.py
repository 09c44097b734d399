"""Section 3.8, runtime policy: whom a trigger wakes, by which means, and when it has to give up."""

from collections.abc import Callable, Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.threads.laws.wakes import Attempt, asked_once, attempts, delivered
from conformance.judge.judgements import HELD, MISSING, breach, holds, told
from conformance.judge.kinds import text
from conformance.judge.law import exchange_law, law
from conformance.judge.memo import once
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement


@exchange_law("TH-TRIG-01", "trigger_participant")
def a_trigger_says_what_was_done(call: Exchange, _: Contract) -> Iterator[Judgement]:
    """An accepted trigger gives the target_agent_id asked for, and an action, a result and triggered_at as text."""
    if not call.accepted:
        return
    given, target = call.given, call.argument("target_agent_id")
    for name, good in (
        ("target_agent_id", given.get("target_agent_id") == target and isinstance(target, str)),
        ("action", text(given.get("action")) is not None),
        ("result", text(given.get("result")) is not None),
        ("triggered_at", text(given.get("triggered_at")) is not None),
    ):
        if not good:
            got = given.get(name, MISSING)
            expected = target if name == "target_agent_id" else None
            yield breach(f"{name} is {got!r}", call, pointer=f"/{name}", expected=expected, got=got)
            return
    yield HELD


@law("TH-TRIG-02")
def a_live_target_is_triggered(history: History, contract: Contract) -> Iterator[Judgement]:
    """A trigger of a managed live target at rest has the action trigger_runtime, is not deferred, and uses no other."""
    for attempt in _plain(history, contract):
        call = attempt.call
        if not (attempt.live and attempt.calm and _steady(attempt)):
            continue
        other = [wake.data.get("means") for wake in attempt.wakes if wake.data.get("means") != "trigger_runtime"]
        if call.refused:
            yield breach(f"the trigger of a live target ended as {told(call)}", call)
        elif call.given.get("action") != "trigger_runtime":
            got = call.given.get("action", MISSING)
            saw = f"the action for a live target is {got!r}"
            yield breach(saw, call, pointer="/action", expected="trigger_runtime", got=got)
        elif call.given.get("result") == "deferred":
            yield breach("the trigger of a live target at rest is deferred", call, pointer="/result", got="deferred")
        elif other:
            yield breach(f"a live target was woken by {other[0]}", call, expected="trigger_runtime", got=other[0])
        else:
            yield HELD


@law("TH-TRIG-03")
def an_unmanaged_target_is_not_triggered(history: History, contract: Contract) -> Iterator[Judgement]:
    """A trigger of an unmanaged target has the action resume_session or spawn_session, and types into no runtime."""
    for attempt in _plain(history, contract):
        call = attempt.call
        if not attempt.unmanaged or not attempt.calm or not _steady(attempt) or attempt.spawn_gone:
            continue
        typed = any(wake.data.get("means") == "trigger_runtime" for wake in attempt.wakes)
        got = call.given.get("action", MISSING)
        if call.refused:
            yield breach(f"the trigger of an unmanaged target ended as {told(call)}, not in its fallback", call)
        elif got not in ("resume_session", "spawn_session"):
            saw = f"the action for an unmanaged target is {got!r}"
            yield breach(saw, call, pointer="/action", expected="resume_session", got=got)
        elif typed:
            yield breach("a prompt was typed into an unmanaged runtime", call, got="trigger_runtime")
        else:
            yield HELD


@law("TH-TRIG-06")
def force_is_the_operators(history: History, contract: Contract) -> Iterator[Judgement]:
    """A forced trigger, of another role than human_operator or without audit metadata, interrupts nobody who types."""
    for attempt in attempts(history, contract):
        call = attempt.call
        if not (attempt.forced and attempt.typing and attempt.live) or call.received is None:
            continue
        audit = call.argument("audit")
        if call.credential.role == "human_operator" and audit is not None and audit not in ({}, ""):
            continue
        lack = "audit metadata" if call.credential.role == "human_operator" else "the operator's role"
        if attempt.wakes or (call.accepted and call.given.get("result") != "deferred"):
            got = call.given.get("result", MISSING)
            yield breach(f"a trigger forced without {lack} interrupted a person", call, pointer="/result", got=got)
        else:
            yield HELD


@law("TH-TRIG-07")
def a_target_beyond_resuming_gets_a_new_session(history: History, contract: Contract) -> Iterator[Judgement]:
    """Where neither runtime nor session can be reached a session is spawned, and its prompt holds the summary."""
    summaries = _summaries(history, contract)
    for attempt in _plain(history, contract):
        call = attempt.call
        beyond = attempt.session is None or attempt.unmanaged or attempt.away
        if beyond and attempt.calm and not attempt.resumable and not attempt.spawn_gone and _steady(attempt):
            if call.refused:
                yield breach(f"the trigger of a target beyond resuming ended as {told(call)}", call)
            elif attempt.way != "spawn_session":
                saw = f"the last way to a target beyond resuming is {attempt.way!r}"
                yield breach(saw, call, pointer="/action", expected="spawn_session", got=attempt.way)
            else:
                yield HELD
        for wake in attempt.wakes:
            prompt, known = wake.data.get("prompt"), summaries(attempt)
            if wake.data.get("means") == "spawn_session" and isinstance(prompt, str) and known is not None:
                yield _told_summary(call, prompt, known)


@law("TH-TRIG-08")
def what_cannot_be_delivered_fails(history: History, contract: Contract) -> Iterator[Judgement]:
    """A trigger of a target that cannot be triggered live, without a fallback, is refused and wakes nobody."""
    cannot = (a for a in attempts(history, contract) if a.session is None or a.away)
    yield from _fails(history, (a for a in cannot if a.fallback is False and not a.forced), "cannot be reached")


@law("TH-TRIG-09")
def an_unmanaged_target_without_fallback_fails(history: History, contract: Contract) -> Iterator[Judgement]:
    """A trigger of an unmanaged target, without a fallback, is refused and wakes nobody."""
    unmanaged = (a for a in attempts(history, contract) if a.unmanaged and a.fallback is False and not a.forced)
    yield from _fails(history, unmanaged, "is unmanaged")


@law("TH-TRIG-10")
def a_trigger_that_may_not_wait_fails(history: History, contract: Contract) -> Iterator[Judgement]:
    """A trigger with allow_defer false, of a live target at which a person types, is refused and delivers nothing."""
    busy = (a for a in attempts(history, contract) if a.live and a.typing and a.may_wait is False and not a.forced)
    yield from _fails(history, busy, "is busy with a person")


@law("TH-TRIG-12")
def resuming_comes_before_spawning(history: History, contract: Contract) -> Iterator[Judgement]:
    """A managed target that cannot be triggered live is resumed, if it can be, by its session id, with the prompt."""
    for attempt in _plain(history, contract):
        call, session = attempt.call, attempt.session
        if session is None or not (attempt.away and attempt.calm and attempt.resumable and _steady(attempt)):
            continue
        spawned = any(wake.data.get("means") == "spawn_session" for wake in attempt.wakes)
        wrong = [wake for wake in attempt.wakes if wake.data.get("session_id", session.id) != session.id]
        mute = [wake for wake in attempt.wakes if attempt.prompt not in str(wake.data.get("prompt", attempt.prompt))]
        if call.refused:
            yield breach(f"the trigger of a target that can be resumed ended as {told(call)}", call)
        elif attempt.way != "resume_session" or spawned:
            got = "spawn_session" if spawned else attempt.way
            saw = f"a target whose session can be resumed is woken by {got!r}"
            yield breach(saw, call, pointer="/action", expected="resume_session", got=got)
        elif wrong:
            got = wrong[0].data.get("session_id")
            yield breach("another session was resumed than the target's", call, expected=session.id, got=got)
        elif mute:
            got = mute[0].data.get("prompt")
            yield breach("the session was resumed without the prompt", call, expected=attempt.prompt, got=got)
        else:
            yield HELD


def _plain(history: History, contract: Contract) -> Iterator[Attempt]:
    """Answered triggers that leave the way to the server, and were not refused for something else."""
    for attempt in attempts(history, contract):
        if attempt.plain and attempt.call.received is not None and not attempt.turned_away:
            yield attempt


def _steady(attempt: Attempt) -> bool:
    """Whether it does not matter which of the target's heartbeats the server goes by."""
    return attempt.session is None or attempt.session.steady


def _fails(history: History, tried: Iterator[Attempt], why: str) -> Iterator[Judgement]:
    for attempt in tried:
        call = attempt.call
        if call.received is None:
            continue
        later = delivered(history, attempt) if asked_once(history, attempt) else list(attempt.wakes)
        if call.accepted:
            got = call.given.get("result", MISSING)
            yield breach(f"the trigger succeeded though its target {why}", call, pointer="/result", got=got)
        elif later:
            reporter = history.find(later[0].call) or call
            saw = f"the trigger was refused, and its prompt delivered by {later[0].data.get('means')}"
            yield breach(saw, call, reporter, got=later[0].data)
        else:
            yield HELD


def _told_summary(call: Exchange, prompt: str, known: str | Exchange) -> Judgement:
    if isinstance(known, Exchange):
        alone = prompt.strip() == str(call.argument("trigger_prompt")).strip()
        return holds(not alone, "a session was spawned with the trigger's prompt alone", known, call, got=prompt)
    if " ".join(known.split()) in " ".join(prompt.split()):
        return HELD
    return breach("a session was spawned without the thread's summary in its prompt", call, expected=known, got=prompt)


@once
def _summaries(history: History, _: Contract) -> Callable[[Attempt], str | Exchange | None]:
    """Finds what summarize_thread gave of an attempt's thread: the text, where it gave the same before and after.

    Where it gives another text every time, the call; None where the thread was not summarised around the attempt, or
    something else may have happened to it meanwhile.
    """
    whole = [s for s in history.accepted("summarize_thread") if s.argument("max_messages") is None]
    writes = [w for w in history.calls("post_message", "update_thread_status") if not w.refused]

    def find(attempt: Attempt) -> str | Exchange | None:
        call = attempt.call
        mine = [s for s in whole if s.instance == call.instance and s.argument("thread_id") == attempt.thread]
        before = [s for s in mine if s.before(call)]
        after = [s for s in mine if call.before(s)]
        if not before or not after:
            return None
        first, last = before[-1], after[0]
        for write in writes:
            between = not write.before(first) and not last.before(write)
            if between and write.instance == call.instance and write.argument("thread_id") == attempt.thread:
                return None
        summary = text(first.given.get("summary"))
        return summary if summary is not None and summary == last.given.get("summary") else last

    return find
