"""trigger_participant (3.8): live, else deferred, else resumed, else spawned, else refused."""

from typing import Final

from reference_server.application import Json
from reference_server.threads.call import Call
from reference_server.threads.delivery import Delivery, Fallback, Wish
from reference_server.threads.instants import Instants
from reference_server.threads.refusal import Refusal
from reference_server.threads.sessions import Session
from reference_server.threads.settings import Settings
from reference_server.threads.supervisor import Supervisor

RESULT_OF: Final = {"resume_session": "resumed", "spawn_session": "spawned"}


class WakePolicy:
    """Decides how a participant is woken."""

    def __init__(self, supervisor: Supervisor, delivery: Delivery, settings: Settings, instants: Instants) -> None:
        self.supervisor = supervisor
        self.delivery = delivery
        self.settings = settings
        self.instants = instants

    def trigger(self, call: Call) -> dict[str, Json]:
        """Answers target_agent_id, action, result, triggered_at and what the result calls for."""
        wish = self.wish(call)
        self.check_target(wish)
        if wish.forced:
            self.check_audit(call)
        pending = self.supervisor.waiting(wish)
        if pending is not None and not wish.forced:
            return dict(pending.answer)
        if pending is not None:
            self.supervisor.pending.remove(pending)
        session = self.reachable(call, wish)
        if session is None:
            return self.fall_back(call, wish)
        if not wish.forced and self.supervisor.busy(wish.target, call.now):
            return self.defer(call, wish)
        call.effects.append(self.delivery.trigger(wish, session, call.now))
        return self.answer(wish, "trigger_runtime", "triggered")

    def wish(self, call: Call) -> Wish:
        """What the caller asks for."""
        given = call.arguments
        return Wish(
            thread=call.thread,
            target=given["target_agent_id"],
            reason=given["reason"],
            prompt=given["trigger_prompt"],
            at=call.now,
            allow_defer=given.get("allow_defer", True),
            allow_fallback=given.get("allow_fallback", True),
            forced=given.get("force", False),
            instant=self.instants.text(call.now),
        )

    def check_target(self, wish: Wish) -> None:
        """Raises VALIDATION_ERROR for a target outside the thread."""
        if wish.target not in wish.thread.participants:
            raise Refusal("VALIDATION_ERROR", "target_agent_id takes no part in this thread")

    def check_audit(self, call: Call) -> None:
        """Raises VALIDATION_ERROR where a forced trigger does not say why."""
        if not call.arguments.get("audit"):
            raise Refusal("VALIDATION_ERROR", "a forced trigger needs audit metadata")

    def reachable(self, call: Call, wish: Wish) -> Session | None:
        """The target's managed session, if it is live and the supervisor can reach it."""
        return None if wish.target in call.world.runtime_down else self.delivery.live(wish, call.now)

    def defer(self, call: Call, wish: Wish) -> dict[str, Json]:
        """Waits for quiet. Raises HUMAN_INPUT_COLLISION where the caller forbids that."""
        if not wish.allow_defer:
            raise Refusal("HUMAN_INPUT_COLLISION", "a person is typing at the target's runtime")
        answer = self.answer(wish, "trigger_runtime", "deferred")
        answer["defer_reason"] = "human_input_busy"
        answer["deferred_until"] = self.instants.text(self.supervisor.deadline(wish))
        plan = self.plan(call, wish)
        if plan is not None:
            answer["fallback_action"] = plan
            answer["runtime_command"] = self.delivery.command(plan, wish)
        self.supervisor.defer(wish, answer)
        return dict(answer)

    def fall_back(self, call: Call, wish: Wish) -> dict[str, Json]:
        """Resumes or spawns. Raises UNMANAGED_RUNTIME or WAKE_FAILED where it may or can do neither."""
        plan = self.plan(call, wish)
        if plan is None:
            raise self.refusal(wish)
        call.effects.append(self.delivery.fall_back(plan, wish, call.now))
        answer = self.answer(wish, plan, RESULT_OF[plan])
        answer["runtime_command"] = self.delivery.command(plan, wish)
        return answer

    def plan(self, call: Call, wish: Wish) -> Fallback | None:
        """The fallback that is allowed and can be done."""
        if not self.fallback_allowed(wish):
            return None
        return self.delivery.plan(wish, call.world, call.now)

    def fallback_allowed(self, wish: Wish) -> bool:
        """Neither the configuration nor the request switches it off."""
        return self.settings.fallback and wish.allow_fallback

    def refusal(self, wish: Wish) -> Refusal:
        """A target without a session is no unmanaged target."""
        session = self.delivery.session(wish)
        if session is not None and not session.managed:
            return Refusal("UNMANAGED_RUNTIME", "the target is not supervisor-managed and there is no fallback")
        return Refusal("WAKE_FAILED", "the target cannot be triggered and there is no fallback")

    def answer(self, wish: Wish, action: str, result: str) -> dict[str, Json]:
        """The four fields of every answer."""
        return {
            "target_agent_id": wish.target,
            "action": action,
            "result": result,
            "triggered_at": wish.instant,
        }
