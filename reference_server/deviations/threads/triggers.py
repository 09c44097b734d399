"""Breaks section 3.8: triggers, deferral, fallbacks."""

import dataclasses
from collections.abc import Sequence

from reference_server.application import Json
from reference_server.deviations.registry import deviation
from reference_server.deviations.rewriting import instead, leave_out
from reference_server.threads import Threads
from reference_server.threads.call import Call
from reference_server.threads.delivery import Wish
from reference_server.threads.sessions import Session
from reference_server.threads.supervisor import NEVER
from reference_server.threads.world import World

SHORT_QUIET_S = 5.0


@deviation("TH-TRIG-01")
def trigger_does_not_say_when(threads: Threads) -> None:
    """trigger_participant answers without triggered_at."""
    leave_out(threads, "trigger_participant", "triggered_at")


@deviation("TH-TRIG-02")
def live_runtimes_are_not_triggered(threads: Threads) -> None:
    """A managed live target at rest is resumed or spawned anew instead of triggered."""
    original = threads.wake.reachable

    @instead(threads.wake, "reachable")
    def reachable(call: Call, wish: Wish) -> Session | None:
        return original(call, wish) if threads.supervisor.busy(wish.target, call.now) else None


@deviation("TH-TRIG-03")
def unmanaged_runtimes_are_triggered(threads: Threads) -> None:
    """An unmanaged target that is live is triggered by its runtime, where a fallback would be allowed."""
    original = threads.wake.reachable

    @instead(threads.wake, "reachable")
    def reachable(call: Call, wish: Wish) -> Session | None:
        session = threads.delivery.session(wish)
        if session is None or session.managed or not threads.wake.fallback_allowed(wish):
            return original(call, wish)
        quiet = not threads.supervisor.busy(wish.target, call.now)
        return session if quiet and session.status != "offline" and session.fresh(call.now) else None


@deviation("TH-TRIG-04")
def a_deferral_does_not_say_until_when(threads: Threads) -> None:
    """A deferred trigger answers without defer_reason and deferred_until."""
    leave_out(threads, "trigger_participant", "defer_reason", "deferred_until")


@deviation("TH-TRIG-05")
def five_seconds_count_as_quiet(threads: Threads) -> None:
    """A deferred trigger is delivered 5 s after the last key."""

    @instead(threads.supervisor, "busy")
    def busy(agent: str, at: float) -> bool:
        return at < threads.supervisor.last_key.get(agent, NEVER) + SHORT_QUIET_S


@deviation("TH-TRIG-06")
def force_needs_no_audit(threads: Threads) -> None:
    """A forced trigger without audit metadata interrupts a person."""

    @instead(threads.wake, "check_audit")
    def check_audit(call: Call) -> None:
        del call


@deviation("TH-TRIG-07")
def a_spawned_session_knows_nothing(threads: Threads) -> None:
    """A spawned session is given the trigger's prompt alone, without the thread's summary."""

    @instead(threads.delivery, "first_prompt")
    def first_prompt(wish: Wish) -> str:
        return wish.prompt


@deviation("TH-TRIG-08")
def a_managed_target_falls_back_unasked(threads: Threads) -> None:
    """Where a managed target, or one without a session, cannot be triggered, the fallback runs though it is off."""
    original = threads.wake.fallback_allowed

    @instead(threads.wake, "fallback_allowed")
    def fallback_allowed(wish: Wish) -> bool:
        session = threads.delivery.session(wish)
        return session is None or session.managed or original(wish)


@deviation("TH-TRIG-09")
def an_unmanaged_target_falls_back_unasked(threads: Threads) -> None:
    """The fallback for an unmanaged target runs though it is switched off."""
    original = threads.wake.fallback_allowed

    @instead(threads.wake, "fallback_allowed")
    def fallback_allowed(wish: Wish) -> bool:
        session = threads.delivery.session(wish)
        return (session is not None and not session.managed) or original(wish)


@deviation("TH-TRIG-10")
def a_trigger_that_may_not_wait_waits(threads: Threads) -> None:
    """allow_defer false is ignored: the trigger is deferred, and delivered later."""
    original = threads.wake.defer

    @instead(threads.wake, "defer")
    def defer(call: Call, wish: Wish) -> dict[str, Json]:
        return original(call, dataclasses.replace(wish, allow_defer=True))


@deviation("TH-TRIG-11")
def commands_are_put_in_double_quotes(threads: Threads) -> None:
    """runtime_command puts the prompt between double quotes and the session id as it is."""

    @instead(threads.delivery, "quote")
    def quote(words: Sequence[str]) -> str:
        *start, prompt = words
        return f'{" ".join(start)} "{prompt}"'


@deviation("TH-TRIG-12")
def managed_sessions_are_spawned_before_resumed(threads: Threads) -> None:
    """A managed target that cannot be triggered is spawned anew though its session can be resumed."""
    original = threads.delivery.resumable

    @instead(threads.delivery, "resumable")
    def resumable(wish: Wish, world: World, at: float) -> bool:
        session = threads.delivery.session(wish)
        return session is not None and not session.managed and original(wish, world, at)
