"""What a history tells of each trigger: its target's session, what held around it, and what was delivered."""

from collections.abc import Mapping
from dataclasses import dataclass

from conformance.contract.catalogue import Contract
from conformance.contracts.threads.laws.registry import OPTIONS, Registry, Session, offered, wakes
from conformance.judge.kinds import text
from conformance.judge.memo import once
from conformance.model.events import Effect, Json
from conformance.model.exchange import INVALID_PARAMS, UNAUTHORIZED_STATUS, Exchange
from conformance.model.history import History

WAKE_CODES = frozenset({"WAKE_FAILED", "UNMANAGED_RUNTIME", "HUMAN_INPUT_COLLISION"})
"""The codes that say that the target was not woken, for a reason that lies with it."""
TOO_MANY = 429


@dataclass(frozen=True, slots=True)
class Attempt:
    """A trigger with arguments in order, by one who may, of a participant of a thread of this run."""

    call: Exchange
    thread: str
    target: str
    prompt: str
    session: Session | None
    """None: the target has none."""
    calm: bool
    """Nobody had typed at the target's runtime for the quiet window."""
    typing: bool
    """Somebody types at it while the call is served."""
    down: bool
    resume_gone: bool
    spawn_gone: bool
    fallback: bool | None
    """Whether configuration and request allow one; None: the request forbids it in words that the server lacks."""
    may_wait: bool | None
    forced: bool
    wakes: tuple[Effect, ...]
    """What was delivered of this thread to this target while the call was served."""

    @property
    def live(self) -> bool:
        """Whether the target is managed, up and within reach."""
        return self.session is not None and self.session.live and not self.down

    @property
    def away(self) -> bool:
        """Whether the target is managed and surely not to be triggered live."""
        return self.session is not None and self.session.managed and (self.down or not self.session.live)

    @property
    def unmanaged(self) -> bool:
        """Whether no supervisor runs the target."""
        return self.session is not None and not self.session.managed

    @property
    def plain(self) -> bool:
        """Whether the request leaves every choice to the server."""
        return self.fallback is True and self.may_wait is True and not self.forced

    @property
    def resumable(self) -> bool:
        """Whether the target's session can be resumed."""
        return self.session is not None and self.session.resumable and not self.resume_gone

    @property
    def way(self) -> Json:
        """How the answer says that the target is woken at last: by its action, or by what follows that."""
        action, next_action = self.call.given.get("action"), self.call.given.get("fallback_action")
        return next_action if action == "trigger_runtime" and next_action is not None else action

    @property
    def turned_away(self) -> bool:
        """Whether it was refused for what has nothing to do with waking: a quota, the caller, the arguments."""
        call = self.call
        if not call.refused or call.code in WAKE_CODES:
            return False
        return (
            call.code in _ELSEWHERE
            or call.protocol_code == INVALID_PARAMS
            or call.status in (UNAUTHORIZED_STATUS, TOO_MANY)
        )


_ELSEWHERE = frozenset(
    {
        "UNAUTHORIZED",
        "FORBIDDEN",
        "OUT_OF_SCOPE_WORKSPACE",
        "NOT_FOUND",
        "CONFLICT",
        "IDEMPOTENCY_CONFLICT",
        "RATE_LIMITED",
        "VALIDATION_ERROR",
        "CLAIM_MISMATCH",
        "INSUFFICIENT_AUTHORITY",
    }
)


def reports_wakes(history: History) -> bool:
    """Whether the target tells what it delivers."""
    return next(wakes(history), None) is not None


def delivered(history: History, attempt: Attempt) -> list[Effect]:
    """What was delivered of a trigger, then or later: by target, thread and prompt."""
    return [
        effect
        for effect in wakes(history)
        if effect.instance == attempt.call.instance and effect.t >= attempt.call.sent and _of(effect, attempt)
    ]


def _of(effect: Effect, attempt: Attempt) -> bool:
    prompt = effect.data.get("prompt")
    same = (effect.data.get("target_agent_id"), effect.data.get("thread_id")) == (attempt.target, attempt.thread)
    return same and isinstance(prompt, str) and attempt.prompt in prompt


def asked_once(history: History, attempt: Attempt) -> bool:
    """Whether no other trigger of its instance asks for the same."""
    call = attempt.call
    same = [
        other
        for other in history.calls("trigger_participant")
        if other.instance == call.instance
        and (other.argument("thread_id"), other.argument("target_agent_id"), other.argument("trigger_prompt"))
        == (attempt.thread, attempt.target, attempt.prompt)
    ]
    return len(same) == 1


@once
def attempts(history: History, _: Contract) -> list[Attempt]:
    """The triggers of which is known for sure in which state their target was."""
    registry, options = Registry(history), offered(history)
    found = (_attempt(call, history, registry, options) for call in history.calls("trigger_participant"))
    return [attempt for attempt in found if attempt is not None]


def _asked(call: Exchange) -> tuple[str, str, str] | None:
    """Thread, target and prompt; None where arguments or caller are not in order."""
    thread, target, prompt = (text(call.argument(name)) for name in ("thread_id", "target_agent_id", "trigger_prompt"))
    if thread is None or target is None or prompt is None or text(call.argument("reason")) is None:
        return None
    good = call.credential.defect is None and call.credential.role in ("orchestrator", "human_operator")
    typed = all(isinstance(call.arguments.get(name, True), bool) for name in OPTIONS)
    return (thread, target, prompt) if good and typed else None


def _attempt(call: Exchange, history: History, registry: Registry, options: frozenset[str]) -> Attempt | None:
    asked = _asked(call)
    if asked is None:
        return None
    thread, target, prompt = asked
    given: Mapping[str, Json] = call.arguments
    workspace, members = registry.members.get((call.instance, thread), (None, None))
    if not isinstance(members, list) or target not in members:
        return None
    if workspace is None or workspace != call.credential.claims.get("workspace_id"):
        return None
    instance = history.instances.get(call.instance)
    own = instance is not None and instance.means != "as found"
    known, session = registry.session(call, workspace, target, own=own)
    if not known:
        return None
    settings = {**(history.header.settings if history.header else {}), **(instance.settings if instance else {})}
    held = registry.circumstances
    return Attempt(
        call=call,
        thread=thread,
        target=target,
        prompt=prompt,
        session=session,
        calm=registry.calm(call, target),
        typing=held.names(call, "human_input", target),
        down=held.names(call, "runtime_down", target),
        resume_gone=held.names(call, "resume_unavailable", target),
        spawn_gone=bool(held.value(call, "spawn_unavailable")),
        fallback=False if settings.get("fallback") is False else _allowed(given, "allow_fallback", options),
        may_wait=_allowed(given, "allow_defer", options),
        forced=given.get("force") is True,
        wakes=tuple(
            effect
            for effect in registry.wakes.get(call.call, ())
            if (effect.data.get("target_agent_id"), effect.data.get("thread_id")) == (target, thread)
        ),
    )


def _allowed(given: Mapping[str, Json], option: str, options: frozenset[str]) -> bool | None:
    if given.get(option, True) is True:
        return True
    return False if option in options else None
