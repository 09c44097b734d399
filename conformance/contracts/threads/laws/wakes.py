"""What a history tells of each trigger: its target's session, what held around it, and what was delivered."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from conformance.contract.catalogue import Contract
from conformance.judge.calendar import Calendar
from conformance.judge.circumstances import Circumstances
from conformance.judge.kinds import text
from conformance.judge.memo import once
from conformance.model.events import Effect, Json
from conformance.model.exchange import INVALID_PARAMS, UNAUTHORIZED_STATUS, Exchange
from conformance.model.history import History

LIVE = ("active", "idle")
OPTIONS = ("force", "allow_defer", "allow_fallback")
WAKE_CODES = frozenset({"WAKE_FAILED", "UNMANAGED_RUNTIME", "HUMAN_INPUT_COLLISION"})
"""The codes that say that the target was not woken, for a reason that lies with it."""
QUIET_S = 20.0
RECENT_S = 60.0
"""A heartbeat of so long ago is not stale for anybody."""
MARGIN_S = 1.0
"""Instants may be whole seconds, and a call takes time."""
TOO_MANY = 429


class Session(NamedTuple):
    """A target's session by its newest heartbeat."""

    id: str
    mode: str
    status: str
    resumable: bool
    beat: Exchange
    steady: bool
    """Whether every heartbeat so far said the same."""

    @property
    def managed(self) -> bool:
        """Whether a supervisor runs it."""
        return self.mode == "managed"

    @property
    def state(self) -> tuple[str, str, bool]:
        """What its heartbeat says."""
        return self.mode, self.status, self.resumable


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
        return self.session is not None and self.session.managed and self.session.status in LIVE and not self.down

    @property
    def away(self) -> bool:
        """Whether the target is managed and surely not to be triggered live."""
        return self.session is not None and self.session.managed and (self.down or self.session.status not in LIVE)

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
        known = call.code is not None and call.code in _ELSEWHERE
        return known or call.protocol_code == INVALID_PARAMS or call.status in (UNAUTHORIZED_STATUS, TOO_MANY)


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


def _wakes(history: History) -> Iterator[Effect]:
    return (effect for effect in history.effects if effect.kind == "wake")


def reports_wakes(history: History) -> bool:
    """Whether the target tells what it delivers."""
    return any(True for _ in _wakes(history))


def delivered(history: History, attempt: Attempt) -> list[Effect]:
    """What was delivered of a trigger, then or later: by target, thread and prompt."""
    return [
        effect
        for effect in _wakes(history)
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


class _Registry:
    """Sessions, threads and people at the keyboard, as the calls of a run tell of them."""

    def __init__(self, history: History) -> None:
        self.calendar = Calendar(history)
        self.circumstances = Circumstances(history)
        self.members: dict[tuple[str, str], tuple[Json, Json]] = {}
        for made in history.accepted("create_thread"):
            thread = made.given.get("thread_id")
            if isinstance(thread, str):
                self.members[made.instance, thread] = made.argument("workspace_id"), made.argument("participants")
        self.beats: dict[tuple[str, Json, Json], list[Exchange]] = defaultdict(list)
        for beat in history.calls("heartbeat_session"):
            claims = beat.credential.claims
            if beat.credential.defect is None and not beat.refused:
                self.beats[_who(beat.instance, claims.get("workspace_id"), claims.get("agent_id"))].append(beat)
        self.keys: dict[str, list[Exchange]] = defaultdict(list)
        for call in history.exchanges:
            if "human_input" in call.conditions:
                self.keys[call.instance].append(call)
        self.wakes: dict[int, list[Effect]] = defaultdict(list)
        for effect in _wakes(history):
            self.wakes[effect.call].append(effect)

    def calm(self, call: Exchange, target: str) -> bool:
        """Whether nobody types at the target's runtime, nor did within the quiet window."""
        if self.circumstances.commanded(call.instance, "human_input"):
            return False
        return not any(
            self.circumstances.names(key, "human_input", target)
            and not call.before(key)
            and self.calendar.elapsed(key, call)[0] <= QUIET_S + MARGIN_S
            for key in self.keys.get(call.instance, ())
        )

    def session(self, call: Exchange, workspace: Json, target: str, *, own: bool) -> tuple[bool, Session | None]:
        """Whether the target's session is known for sure, and the session. `own`: the instance began empty."""
        beats = [beat for beat in self.beats.get(_who(call.instance, workspace, target), ()) if not call.before(beat)]
        if not beats:
            return own, None
        told = [_told(beat) for beat in beats]
        ids = {str(beat.credential.claims.get("session_id")) for beat in beats}
        newest, state = beats[-1], told[-1]
        ordered = all(one.before(other) for one, other in zip(beats, [*beats[1:], call], strict=True))
        recent = self.calendar.elapsed(newest, call)[1] <= RECENT_S
        if state is None or len(ids) > 1 or not ordered or not recent:
            return False, None
        return True, Session(ids.pop(), *state, newest, len(set(told)) == 1)


def _who(instance: str, workspace: Json, agent: Json) -> tuple[str, Json, Json]:
    return instance, text(workspace), text(agent)


def _told(beat: Exchange) -> tuple[str, str, bool] | None:
    """What a heartbeat says; None where it leaves something to a default."""
    mode, status, resumable = (beat.argument(name) for name in ("management_mode", "status", "resumable"))
    if not isinstance(mode, str) or not isinstance(status, str) or not isinstance(resumable, bool):
        return None
    return mode, status, resumable


def offered(history: History) -> frozenset[str]:
    """The options of a trigger that the server knows: those which no listing of its tools lacks."""
    known = frozenset(OPTIONS)
    for listing in history.listings:
        for tool in listing.tools:
            if isinstance(tool, dict) and tool.get("name") == "trigger_participant":
                schema = tool.get("inputSchema")
                properties = schema.get("properties") if isinstance(schema, dict) else None
                known &= frozenset(properties) if isinstance(properties, dict) else frozenset(OPTIONS)
    return known


@once
def attempts(history: History, _: Contract) -> list[Attempt]:
    """The triggers of which is known for sure in which state their target was."""
    registry, options = _Registry(history), offered(history)
    found = (_attempt(call, history, registry, options) for call in history.calls("trigger_participant"))
    return [attempt for attempt in found if attempt is not None]


def _attempt(call: Exchange, history: History, registry: _Registry, options: frozenset[str]) -> Attempt | None:
    given: Mapping[str, Json] = call.arguments if isinstance(call.arguments, dict) else {}
    thread, target, prompt = (text(given.get(name)) for name in ("thread_id", "target_agent_id", "trigger_prompt"))
    if thread is None or target is None or prompt is None or text(given.get("reason")) is None:
        return None
    if not all(isinstance(given.get(name, True), bool) for name in OPTIONS):
        return None
    if call.credential.defect is not None or call.credential.role not in ("orchestrator", "human_operator"):
        return None
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
