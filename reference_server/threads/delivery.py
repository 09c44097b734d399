"""How a participant is woken (3.8, runtime notes): its live runtime, its session resumed, a session spawned."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from reference_server.application import Json
from reference_server.threads.instants import Instants
from reference_server.threads.sessions import Session, Sessions
from reference_server.threads.store import Thread
from reference_server.threads.summary import Summaries
from reference_server.threads.world import World

Fallback = Literal["resume_session", "spawn_session"]


@dataclass(frozen=True, slots=True)
class Wish:
    """What a caller asked for; `at` in seconds since the epoch."""

    thread: Thread
    target: str
    reason: str
    prompt: str
    at: float
    allow_defer: bool = True
    allow_fallback: bool = True
    forced: bool = False
    instant: str = field(default="")
    """`at` as the answer shows it."""

    def alike(self, other: "Wish") -> bool:
        """Whether it asks for the same wake."""
        return (self.thread.thread_id, self.target, self.reason, self.prompt) == (
            other.thread.thread_id,
            other.target,
            other.reason,
            other.prompt,
        )


class Delivery:
    """The simulated runtimes: each wake is an effect that a test can see."""

    def __init__(self, sessions: Sessions, summaries: Summaries, instants: Instants) -> None:
        self.sessions = sessions
        self.summaries = summaries
        self.instants = instants

    def session(self, wish: Wish) -> Session | None:
        """The target's session as it is now."""
        return self.sessions.of(wish.thread.workspace_id, wish.target)

    def live(self, wish: Wish, at: float) -> Session | None:
        """The target's session if a supervisor runs it and it is up."""
        session = self.session(wish)
        if session is None or not session.managed or session.status == "offline" or not session.fresh(at):
            return None
        return session

    def plan(self, wish: Wish, world: World, at: float) -> Fallback | None:
        """Resuming comes before spawning; None where neither can be done."""
        if self.resumable(wish, world, at):
            return "resume_session"
        return None if world.spawn_unavailable else "spawn_session"

    def resumable(self, wish: Wish, world: World, at: float) -> bool:
        """Whether the target's session can be resumed by its id."""
        session = self.session(wish)
        if session is None or not session.resumable or not session.fresh(at):
            return False
        return wish.target not in world.resume_unavailable

    def trigger(self, wish: Wish, session: Session, at: float) -> dict[str, Json]:
        """Types the prompt into the live runtime."""
        return self.effect("trigger_runtime", wish, at, wish.prompt, session)

    def fall_back(self, plan: Fallback, wish: Wish, at: float) -> dict[str, Json]:
        """Resumes with the prompt, or spawns with the prompt and the thread's summary."""
        if plan == "resume_session":
            return self.effect(plan, wish, at, wish.prompt, self.session(wish))
        return self.effect(plan, wish, at, self.first_prompt(wish), None)

    def first_prompt(self, wish: Wish) -> str:
        """What a new session is told: it has seen nothing of the thread."""
        return f"{wish.prompt}\n\nSummary of thread {wish.thread.thread_id}: {self.summaries.of(wish.thread)}"

    def command(self, plan: Fallback, wish: Wish) -> str:
        """The fallback as a command line for a POSIX shell."""
        session = self.session(wish)
        if plan == "resume_session" and session is not None:
            return self.quote(("codex", "exec", "resume", session.session_id, wish.prompt))
        return self.quote(("codex", "exec", self.first_prompt(wish)))

    def quote(self, words: Sequence[str]) -> str:
        """One command line that a shell splits into exactly these words."""
        return shlex.join(words)

    def effect(self, means: str, wish: Wish, at: float, prompt: str, session: Session | None) -> dict[str, Json]:
        """A wake as the world behind the server saw it."""
        wake: dict[str, Json] = {
            "kind": "wake",
            "means": means,
            "target_agent_id": wish.target,
            "thread_id": wish.thread.thread_id,
            "at": self.instants.text(at),
            "prompt": prompt,
        }
        return wake if session is None else {**wake, "session_id": session.session_id}
