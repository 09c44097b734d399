"""heartbeat_session (3.7) and the registry of agent sessions (2.4)."""

from dataclasses import dataclass
from typing import Final

from reference_server.application import Json
from reference_server.threads.call import Call
from reference_server.threads.instants import Instants

STALE_S: Final = 12 * 3_600.0


@dataclass(frozen=True, slots=True)
class Session:
    """An agent's session by its newest heartbeat; `last_heartbeat_at` in seconds since the epoch."""

    agent_id: str
    workspace_id: str
    session_id: str
    runtime: str
    management_mode: str
    resumable: bool
    last_heartbeat_at: float
    status: str

    def fresh(self, now: float) -> bool:
        """Whether its last heartbeat is not older than 12 h."""
        return now - self.last_heartbeat_at <= STALE_S

    @property
    def managed(self) -> bool:
        """Whether a supervisor runs it."""
        return self.management_mode == "managed"


class Sessions:
    """One session per agent and workspace, the newest heartbeat's."""

    def __init__(self, instants: Instants) -> None:
        self.instants = instants
        self.sessions: dict[tuple[str, str], Session] = {}

    def heartbeat(self, call: Call) -> dict[str, Json]:
        """Answers ok, recorded_at."""
        self.record(self.session(call))
        return {"ok": True, "recorded_at": self.instants.text(call.now)}

    def session(self, call: Call) -> Session:
        """The session that a heartbeat tells of; who it is comes from the token."""
        return Session(
            agent_id=call.claims.agent_id,
            workspace_id=call.claims.workspace_id,
            session_id=call.claims.session_id,
            runtime=call.arguments["runtime"],
            management_mode=call.arguments.get("management_mode", "unmanaged"),
            resumable=call.arguments["resumable"],
            last_heartbeat_at=call.now,
            status=call.arguments["status"],
        )

    def record(self, session: Session) -> None:
        """Takes the place of the agent's earlier session."""
        self.sessions[session.workspace_id, session.agent_id] = session

    def of(self, workspace_id: str, agent_id: str) -> Session | None:
        """None where the agent never sent a heartbeat in this workspace."""
        return self.sessions.get((workspace_id, agent_id))
