"""Sessions, threads and deliveries, as the calls of a run tell of them."""

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from conformance.judge.calendar import Calendar
from conformance.judge.kinds import text
from conformance.model.events import Effect, Json
from conformance.model.exchange import Exchange
from conformance.model.history import History

LIVE = ("active", "idle")
RECENT_S = 60.0
"""A heartbeat of so long ago is not stale for anybody."""
MARGIN_S = 1.0
"""Instants may be whole seconds, and a call takes time."""


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
    def live(self) -> bool:
        """Whether a supervisor runs it and it is up."""
        return self.managed and self.status in LIVE

    @property
    def state(self) -> tuple[str, str, bool]:
        """What its heartbeat says."""
        return self.mode, self.status, self.resumable


def wakes(history: History) -> Iterator[Effect]:
    """What the target reports to have delivered."""
    return (effect for effect in history.effects if effect.kind == "wake")


class Registry:
    """Sessions, threads and what is unread in them, as the calls of a run tell of them."""

    def __init__(self, history: History, calendar: Calendar) -> None:
        self._calendar = calendar
        self.members: dict[tuple[str, str], tuple[Json, Json]] = {}
        for made in history.accepted("create_thread"):
            thread = made.given.get("thread_id")
            if isinstance(thread, str):
                self.members[made.instance, thread] = made.argument("workspace_id"), made.argument("participants")
        self._beats: dict[tuple[str, Json, Json], list[Exchange]] = defaultdict(list)
        for beat in history.calls("heartbeat_session"):
            claims = beat.credential.claims
            if beat.credential.defect is None and not beat.refused:
                self._beats[_who(beat.instance, claims.get("workspace_id"), claims.get("agent_id"))].append(beat)
        self._posts: dict[tuple[str, str], list[Exchange]] = defaultdict(list)
        self._acks: dict[tuple[str, str], list[Exchange]] = defaultdict(list)
        for row, tool in ((self._posts, "post_message"), (self._acks, "ack_read")):
            for call in history.accepted(tool):
                thread = call.argument("thread_id")
                if isinstance(thread, str):
                    row[call.instance, thread].append(call)
        self.wakes: dict[int, list[Effect]] = defaultdict(list)
        for effect in wakes(history):
            self.wakes[effect.call].append(effect)

    def unread(self, call: Exchange, thread: str, target: str) -> bool:
        """Whether an agent surely has unread messages in a thread when a trigger is carried out.

        There is another's message, and the agent had acknowledged none. A trigger that waits may be carried out after
        an ack that is sent later, and then wake nobody.
        """
        waits = call.given.get("result") == "deferred"
        place = call.instance, thread
        mine = (ack for ack in self._acks.get(place, ()) if ack.credential.claims.get("agent_id") == target)
        return all(not waits and call.before(ack) for ack in mine) and any(
            post.before(call) and post.credential.claims.get("agent_id") != target
            for post in self._posts.get(place, ())
        )

    def session(self, call: Exchange, workspace: Json, target: str, *, own: bool) -> tuple[bool, Session | None]:
        """Whether the target's session is known for sure, and the session. `own`: the instance began empty."""
        beats = [beat for beat in self._beats.get(_who(call.instance, workspace, target), ()) if not call.before(beat)]
        if not beats:
            return own, None
        told = [_told(beat) for beat in beats]
        ids = {str(beat.credential.claims.get("session_id")) for beat in beats}
        newest, state = beats[-1], told[-1]
        ordered = all(one.before(other) for one, other in zip(beats, [*beats[1:], call], strict=True))
        recent = self._calendar.elapsed(newest, call)[1] <= RECENT_S
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
