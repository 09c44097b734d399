"""Section 3.8, runtime policy: whom a trigger wakes, and by which means."""

from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.threads.laws.evidence import LIVE, RESUME, SPAWN
from conformance.contracts.threads.laws.meanwhile import Meanwhile
from conformance.contracts.threads.laws.prompts import Told, summaries, told_to_new
from conformance.contracts.threads.laws.wakes import Attempt
from conformance.contracts.threads.laws.waking import served_attempts, woken
from conformance.judge.judgements import HELD, breach, holds
from conformance.judge.law import law
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement


@law("TH-TRIG-02")
def a_live_target_is_triggered(history: History, contract: Contract) -> Iterator[Judgement]:
    """A trigger of a managed live target where nobody types is delivered by its runtime alone, and is not deferred.

    Where the target reports what was typed, that holds the prompt.
    """
    live = (a for a in served_attempts(history, contract) if a.live and a.calm and a.steady)
    for attempt in woken(history, contract, live, "of a live target"):
        if isinstance(attempt, Attempt):
            yield from _triggered(attempt)
        else:
            yield attempt


def _triggered(attempt: Attempt) -> Iterator[Judgement]:
    call, means = attempt.call, [wake.data.get("means") for wake in attempt.wakes]
    other = [each for each in means if each != LIVE]
    if attempt.deferred:
        yield breach("the trigger of a live target at rest is deferred", call, pointer="/result", got="deferred")
    elif other:
        yield breach(f"a live target was woken by {other[0]}", call, expected=LIVE, got=other[0])
    elif attempt.at_once in (RESUME, SPAWN):
        saw = f"the action for a live target is {attempt.at_once!r}"
        yield breach(saw, call, pointer="/action", expected=LIVE, got=attempt.at_once)
    elif mute := [typed for wake in attempt.wakes if _lacks(typed := wake.data.get("prompt"), attempt.prompt)]:
        yield breach("a live target was woken without the prompt", call, expected=attempt.prompt, got=mute[0])
    elif attempt.at_once == LIVE:
        yield HELD


def _lacks(typed: Json, prompt: str) -> bool:
    """Whether what was typed does not hold a prompt. A terminal takes plain characters alone as they are."""
    plain = prompt.isascii() and all(each.isprintable() or each.isspace() for each in prompt)
    return plain and isinstance(typed, str) and " ".join(prompt.split()) not in " ".join(typed.split())


@law("TH-TRIG-03")
def an_unmanaged_target_is_not_triggered(history: History, contract: Contract) -> Iterator[Judgement]:
    """A trigger of an unmanaged target leads to its session resumed, or one spawned, and types into no runtime."""
    unmanaged = (a for a in served_attempts(history, contract) if a.unmanaged and a.calm and a.steady)
    for attempt in woken(history, contract, (a for a in unmanaged if not a.spawn_gone), "of an unmanaged target"):
        if not isinstance(attempt, Attempt):
            yield attempt
            continue
        call = attempt.call
        if any(wake.data.get("means") == LIVE for wake in attempt.wakes):
            yield breach("a prompt was typed into an unmanaged runtime", call, got=LIVE)
        elif attempt.way is not None:
            saw = f"the way to an unmanaged target is {attempt.way!r}"
            yield holds(attempt.way != LIVE, saw, call, pointer="/action", expected=RESUME, got=attempt.way)


@law("TH-TRIG-07")
def a_target_beyond_resuming_gets_a_new_session(history: History, contract: Contract) -> Iterator[Judgement]:
    """Where neither runtime nor session can be reached, a session is spawned, and its prompt holds the summary.

    It counts as held where the prompt is seen: in the answer's command, or in what the target reports as delivered.
    """
    known = summaries(history, contract)
    gone = (a for a in served_attempts(history, contract) if a.calm and a.steady and not a.resumable)
    beyond = (a for a in gone if (a.session is None or a.unmanaged or a.away) and not a.spawn_gone)
    for attempt in woken(history, contract, beyond, "of a target beyond resuming"):
        if not isinstance(attempt, Attempt):
            yield attempt
            continue
        call, shown = attempt.call, told_to_new(attempt)
        if attempt.way not in (None, SPAWN):
            saw = f"the last way to a target beyond resuming is {attempt.way!r}"
            yield breach(saw, call, pointer="/action", expected=SPAWN, got=attempt.way)
        elif attempt.command.resumes:
            got = call.given["runtime_command"]
            yield breach("the command for a new session resumes the old one", call, pointer="/runtime_command", got=got)
        elif attempt.way == SPAWN and shown is not None:
            yield from _with_summary(call, shown, known(attempt))


def _with_summary(call: Exchange, shown: str, known: Told | None) -> Iterator[Judgement]:
    """The first prompt holds the summary that summarize_thread gave before and after; where it varies, something."""
    if known is None:
        return
    if known.text is None:
        alone = shown.strip() == str(call.argument("trigger_prompt")).strip()
        yield holds(not alone, "a session was spawned with the trigger's prompt alone", known.source, call, got=shown)
    else:
        held = " ".join(known.text.split()) in " ".join(shown.split())
        saw = "a session was spawned without the thread's summary in its prompt"
        yield holds(held, saw, known.source, call, expected=known.text, got=shown)


@law("TH-TRIG-12")
def resuming_comes_before_spawning(history: History, contract: Contract) -> Iterator[Judgement]:
    """A managed target that cannot be triggered live is resumed by its session id with the prompt, if it can be.

    Where the target reports deliveries, this includes targets that become unreachable while the trigger waits.
    """
    away = (a for a in served_attempts(history, contract) if a.away and a.calm and a.resumable and a.steady)
    for attempt in woken(history, contract, away, "of a target that can be resumed"):
        if isinstance(attempt, Attempt):
            yield from _resumed(attempt)
        else:
            yield attempt
    yield from Meanwhile(history, contract).resumed()


def _resumed(attempt: Attempt) -> Iterator[Judgement]:
    call, session, command = attempt.call, attempt.session, attempt.command
    own = session.id if session is not None else None
    spawned = any(wake.data.get("means") == SPAWN for wake in attempt.wakes)
    wrong = [wake.data["session_id"] for wake in attempt.wakes if wake.data.get("session_id", own) != own]
    prompts = [wake.data.get("prompt") for wake in attempt.wakes]
    mute = [prompt for prompt in prompts if isinstance(prompt, str) and attempt.prompt not in prompt]
    if attempt.way == SPAWN or spawned:
        saw = "a target whose session can be resumed is woken by a new session"
        yield breach(saw, call, pointer="/action", expected=RESUME, got=SPAWN)
    elif wrong:
        yield breach("another session was resumed than the target's", call, expected=own, got=wrong[0])
    elif mute:
        yield breach("the session was resumed without the prompt", call, expected=attempt.prompt, got=mute[0])
    elif command.words and attempt.way == RESUME and not command.resumes:
        got = call.given["runtime_command"]
        saw = "the command does not resume the target's session"
        yield breach(saw, call, pointer="/runtime_command", expected=own, got=got)
    elif attempt.way == RESUME:
        yield HELD
