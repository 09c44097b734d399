"""What a history tells of each trigger: its target's session, what held around it, and what was delivered."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from conformance.contract.catalogue import Contract
from conformance.contracts.threads.known import NO_FAULT, known
from conformance.contracts.threads.laws.evidence import LIVE, RESUME, SPAWN, Command
from conformance.contracts.threads.laws.keyboard import Keyboard
from conformance.contracts.threads.laws.registry import MARGIN_S, Registry, Session, wakes
from conformance.contracts.threads.options import options
from conformance.contracts.threads.payloads import LEADS
from conformance.judge.calendar import calendar_of
from conformance.judge.circumstances import Circumstances
from conformance.judge.kinds import spelled, text
from conformance.judge.memo import of_history, once
from conformance.judge.settings import number, setting
from conformance.model.events import Effect, Json
from conformance.model.exchange import Exchange
from conformance.model.history import History

SWITCHES = ("force", "allow_defer", "allow_fallback")
"""Options that are true or false."""
ASKED = ("thread_id", "target_agent_id", "trigger_prompt")


@dataclass(frozen=True, slots=True)
class Attempt:
    """A trigger with arguments in order, by one who may, of a participant with unread messages in a known thread."""

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
    fallback: bool
    """Whether configuration and request allow one."""
    may_wait: bool
    forced: bool
    audited: bool
    """Whether it carries audit metadata."""
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
        return self.fallback and self.may_wait and not self.forced

    @property
    def resumable(self) -> bool:
        """Whether the target's session can be resumed."""
        return self.session is not None and self.session.resumable and not self.resume_gone

    @property
    def steady(self) -> bool:
        """Whether it does not matter which of the target's heartbeats the server goes by."""
        return self.session is None or self.session.steady

    @property
    def deferred(self) -> bool:
        """Whether the answer says that it waits."""
        return self.call.accepted and self.call.given.get("result") == "deferred"

    @property
    def command(self) -> Command:
        """What the answer's command line shows of the wake."""
        return Command(self.call, self.prompt, self.session.id if self.session is not None else None)

    @property
    def at_once(self) -> str | None:
        """How the target is woken first: by the answer's action where it names a way, else by what was delivered."""
        action = self.call.given.get("action")
        if action in (LIVE, RESUME, SPAWN):
            return str(action)
        return next((str(wake.data.get("means")) for wake in self.wakes), None)

    @property
    def way(self) -> str | None:
        """How the target is woken at last; None where nothing in the answer names a way.

        By its action, or by what follows that: fallback_action, or what the command does.
        """
        given = self.call.given
        action, following = given.get("action"), given.get("fallback_action")
        if action in (RESUME, SPAWN):
            return str(action)
        if following in (RESUME, SPAWN):
            return str(following)
        return self.at_once or self.command.way


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


@of_history
def _asked(history: History) -> Counter[tuple[str, str]]:
    """How many triggers of each instance ask for the same: thread, target and prompt, as text."""
    return Counter((call.instance, _wants(*map(call.argument, ASKED))) for call in history.calls("trigger_participant"))


def _wants(thread: Json, target: Json, prompt: Json) -> str:
    return spelled([thread, target, prompt])


def asked_once(history: History, attempt: Attempt) -> bool:
    """Whether no other trigger of its instance asks for the same."""
    return _asked(history)[attempt.call.instance, _wants(attempt.thread, attempt.target, attempt.prompt)] == 1


def says_otherwise(call: Exchange, attempt: Attempt) -> bool:
    """Whether it is a heartbeat of the target's that says another state than the one by which it was triggered."""
    mine = call.tool == "heartbeat_session" and call.credential.claims.get("agent_id") == attempt.target
    said = tuple(call.argument(name) for name in ("management_mode", "status", "resumable"))
    return mine and (attempt.session is None or said != attempt.session.state)


@once
def attempts(history: History, contract: Contract) -> list[Attempt]:
    """The triggers of which is known for sure in which state their target was."""
    made = _Attempts(history, contract)
    found = (made.of(call) for call in history.calls("trigger_participant"))
    return [attempt for attempt in found if attempt is not None]


class _Attempts:
    def __init__(self, history: History, contract: Contract) -> None:
        calendar = calendar_of(history)
        self._history, self._contract = history, contract
        self._options = options(history, contract)
        self._registry = Registry(history, calendar)
        self._keyboard = Keyboard(history, calendar)
        self._held = Circumstances(history)
        self._known = known(history, contract)

    def of(self, call: Exchange) -> Attempt | None:
        asked = self._asked(call)
        if asked is None or (not call.accepted and self._known.faults(call) != NO_FAULT):
            return None
        thread, target, prompt = asked
        registry, held = self._registry, self._held
        workspace, members = registry.members.get((call.instance, thread), (None, None))
        if not isinstance(members, list) or target not in members or not registry.unread(call, thread, target):
            return None
        if workspace is None or workspace != call.credential.claims.get("workspace_id"):
            return None
        instance = self._history.instances.get(call.instance)
        own = instance is not None and instance.means != "as found"
        sure, session = registry.session(call, workspace, target, own=own)
        if not sure:
            return None
        quiet_s = number(self._history, self._contract, call, "quiet_s")
        return Attempt(
            call=call,
            thread=thread,
            target=target,
            prompt=prompt,
            session=session,
            calm=self._keyboard.quiet(call, target)[0] > quiet_s + MARGIN_S,
            typing=held.names(call, "human_input", target),
            down=held.names(call, "runtime_down", target),
            resume_gone=held.names(call, "resume_unavailable", target),
            spawn_gone=bool(held.value(call, "spawn_unavailable")),
            fallback=setting(self._history, call, "fallback") is not False
            and self._given(call, "allow_fallback", True),
            may_wait=self._given(call, "allow_defer", True),
            forced=self._given(call, "force", False),
            audited=bool(call.argument(self._options.get("audit", ""))),
            wakes=tuple(
                effect
                for effect in registry.wakes.get(call.call, ())
                if (effect.data.get("target_agent_id"), effect.data.get("thread_id")) == (target, thread)
            ),
        )

    def _asked(self, call: Exchange) -> tuple[str, str, str] | None:
        """Thread, target and prompt; None where arguments or caller are not in order."""
        thread, target, prompt = (text(call.argument(name)) for name in ASKED)
        if thread is None or target is None or prompt is None or text(call.argument("reason")) is None:
            return None
        given: Mapping[str, Json] = call.arguments
        good = call.credential.defect is None and call.credential.role in LEADS
        own = [self._options.get(name, "") for name in SWITCHES]
        typed = all(isinstance(given.get(name, True), bool) for name in own)
        typed = typed and isinstance(given.get(self._options.get("audit", ""), {}), dict)
        # an option that the server is not known to have: it may be ignored, or have its effect
        unknown = any(name in given and name not in own for name in SWITCHES)
        return (thread, target, prompt) if good and typed and not unknown else None

    def _given(self, call: Exchange, option: str, default: bool) -> bool:  # noqa: FBT001 -- a default is a value
        """What a request says of an option that the server has; one that it has not is an unknown field."""
        name = self._options.get(option)
        return bool(call.arguments.get(name, default)) if name is not None else default
